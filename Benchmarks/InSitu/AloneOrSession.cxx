// SPDX-License-Identifier: BSD-3-Clause
#include "Arena.h"
#include "Coupling.h"
#include "Need.h"

#include "InSitu/Runtime/rivulet_insitu.h"

#include <optional>

namespace rivulet::bench
{

namespace
{

/// Without a configuration: no session, and all threads for the simulation.
class AloneOrSession final : public Coupling
{
public:
  explicit AloneOrSession(int threads)
    : threads_(threads)
  {
  }

  void begin(const std::string& configuration, const std::string& /*seen*/) override
  {
    if (configuration.empty())
    {
      alone_.emplace(threads_);
      return;
    }
    const int code = rivulet_insitu_initialize(configuration.c_str(), MPI_COMM_WORLD, &session_);
    need(code == RIVULET_OK, std::string("no session: ") + rivulet_insitu_message(nullptr));
  }

  void region(const std::function<void()>& body) override
  {
    if (alone_)
    {
      alone_->run(body);
      return;
    }
    const auto call = [](void* data)
    {
      (*static_cast<const std::function<void()>*>(data))();
    };
    rivulet_insitu_run(session_, call, const_cast<std::function<void()>*>(&body));
  }

  void hand_over(std::int64_t step, const rivulet_particles& particles) override
  {
    if (session_ != nullptr && rivulet_insitu_wants(session_, step) == 1)
    {
      rivulet_insitu_publish_particles(session_, &particles);
      need(rivulet_insitu_execute(session_, step, static_cast<double>(step)) == RIVULET_OK,
          std::string("a step was not handed over: ") + rivulet_insitu_message(session_));
    }
  }

  void finish() override
  {
    alone_.reset();
    need(rivulet_insitu_finalize(&session_) == RIVULET_OK, "the session did not end well");
  }

private:
  int threads_;
  std::optional<Arena> alone_;
  rivulet_insitu* session_ = nullptr;
};

} // namespace

std::unique_ptr<Coupling> make_alone_or_session(int threads)
{
  return std::make_unique<AloneOrSession>(threads);
}

} // namespace rivulet::bench
