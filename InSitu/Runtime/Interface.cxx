// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The functions of rivulet_insitu.h. No exception leaves them, save one of the body that rivulet_insitu_run() runs.
#include "OpenSessions.h"
#include "Session.h"

#include "rivulet_insitu.h"

#include "Parallel/CalmFloats.h"

#include <exception>
#include <new>

using rivulet::insitu::Session;

struct rivulet_insitu
{
  std::unique_ptr<Session> session;
};

namespace
{

/// Text for rivulet_insitu_message(NULL).
std::string& last_failure()
{
  static std::string text;
  return text;
}

/// For messages; 0 where MPI is not there to ask.
int rank_of(MPI_Comm comm)
{
  int rank = 0;
  int ready = 0;
  if (MPI_Initialized(&ready) == MPI_SUCCESS && ready != 0 && comm != MPI_COMM_NULL)
  {
    MPI_Comm_rank(comm, &rank);
  }
  return rank;
}

/// Calls a function that may run out of memory, without the simulation's traps.
template <class Function>
int guarded(const Function& function) noexcept
{
  const rivulet::CalmFloats calm;
  try
  {
    return function();
  }
  catch (...) // std::bad_alloc; nothing else is thrown
  {
    return RIVULET_ERROR_MEMORY;
  }
}

template <class Function>
int in_order(rivulet_insitu* insitu, const char* name, const Function& function) noexcept
{
  if (insitu != nullptr && insitu->session == nullptr)
  {
    return RIVULET_ERROR_ORDER; // it has ended with MPI
  }
  return insitu == nullptr ? static_cast<int>(RIVULET_OK)
                           : guarded(
                                 [&]
                                 {
                                   const int code = insitu->session->check_order(name);
                                   return code == RIVULET_OK ? function(*insitu->session) : code;
                                 });
}

template <class T>
int publish(rivulet_insitu* insitu, const char* name, const T* published) noexcept
{
  return in_order(insitu, name,
      [&](Session& session)
      { return published == nullptr ? session.publish_nothing(name) : session.publish(*published); });
}

} // namespace

int rivulet_insitu_initialize(const char* config, MPI_Comm comm, rivulet_insitu** insitu)
{
  if (insitu == nullptr)
  {
    return RIVULET_ERROR_ORDER;
  }
  *insitu = nullptr;
  return guarded(
      [&]
      {
        auto handle = std::make_unique<rivulet_insitu>();
        const int code = Session::open(config, comm, handle->session, last_failure());
        if (code == RIVULET_OK)
        {
          rivulet::insitu::add_open(handle->session);
          *insitu = handle.release();
        }
        else
        {
          rivulet::insitu::Messages(rank_of(comm)).add(-1, last_failure());
        }
        return code;
      });
}

int rivulet_insitu_initialize_f(const char* config, MPI_Fint comm, rivulet_insitu** insitu)
{
  return rivulet_insitu_initialize(config, MPI_Comm_f2c(comm), insitu);
}

int rivulet_insitu_wants(const rivulet_insitu* insitu, int64_t step)
{
  return insitu == nullptr || insitu->session == nullptr
             ? 0
             : guarded(
                   [&]
                   {
                     Session& session = *insitu->session;
                     return session.check_thread("rivulet_insitu_wants") == RIVULET_OK ? session.wants(step) : 0;
                   });
}

int rivulet_insitu_wants_data(const rivulet_insitu* insitu, int64_t step, const char* name, const char* variable)
{
  if (insitu == nullptr || insitu->session == nullptr || name == nullptr)
  {
    return 0;
  }
  return guarded(
      [&]
      {
        Session& session = *insitu->session;
        const bool in_order = session.check_thread("rivulet_insitu_wants_data") == RIVULET_OK;
        return in_order ? session.wants_data(step, name, variable) : 0;
      });
}

int rivulet_insitu_publish_particles(rivulet_insitu* insitu, const rivulet_particles* particles)
{
  return publish(insitu, "rivulet_insitu_publish_particles", particles);
}

int rivulet_insitu_publish_field(rivulet_insitu* insitu, const rivulet_field* field)
{
  return publish(insitu, "rivulet_insitu_publish_field", field);
}

int rivulet_insitu_publish_mesh(rivulet_insitu* insitu, const rivulet_mesh* mesh)
{
  return publish(insitu, "rivulet_insitu_publish_mesh", mesh);
}

int rivulet_insitu_publish_object(rivulet_insitu* insitu, const rivulet_object* object)
{
  return publish(insitu, "rivulet_insitu_publish_object", object);
}

int rivulet_insitu_discard(rivulet_insitu* insitu)
{
  return in_order(insitu, "rivulet_insitu_discard",
      [](Session& session)
      {
        session.forget_published();
        return static_cast<int>(RIVULET_OK);
      });
}

int rivulet_insitu_execute(rivulet_insitu* insitu, int64_t step, double time)
{
  return in_order(insitu, "rivulet_insitu_execute", [&](Session& session) { return session.execute(step, time); });
}

int rivulet_insitu_run(rivulet_insitu* insitu, void (*body)(void* data), void* data)
{
  if (insitu == nullptr || insitu->session == nullptr)
  {
    body(data);
    return insitu == nullptr ? RIVULET_OK : RIVULET_ERROR_ORDER;
  }
  const int code = guarded([&] { return insitu->session->check_thread("rivulet_insitu_run"); });
  return code == RIVULET_OK ? insitu->session->run(body, data) : code;
}

int rivulet_insitu_before_parallel(rivulet_insitu* insitu)
{
  return in_order(insitu, "rivulet_insitu_before_parallel", [](Session& session) { return session.before_parallel(); });
}

int rivulet_insitu_after_parallel(rivulet_insitu* insitu)
{
  return in_order(insitu, "rivulet_insitu_after_parallel", [](Session& session) { return session.after_parallel(); });
}

int rivulet_insitu_finalize(rivulet_insitu** insitu)
{
  if (insitu == nullptr || *insitu == nullptr)
  {
    return RIVULET_OK;
  }
  return in_order(*insitu, "rivulet_insitu_finalize",
      [&](Session&)
      {
        const std::unique_ptr<rivulet_insitu> handle(*insitu);
        *insitu = nullptr;
        rivulet::insitu::remove_open(handle->session);
        return Session::close(std::move(handle->session));
      });
}

const char* rivulet_insitu_message(const rivulet_insitu* insitu)
{
  if (insitu != nullptr && insitu->session == nullptr)
  {
    return "the session has ended with MPI or with the process";
  }
  return insitu == nullptr ? last_failure().c_str() : insitu->session->message();
}
