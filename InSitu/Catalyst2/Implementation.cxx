// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Functions of Catalyst's API that libcatalyst finds in libcatalyst-rivulet.so:
///
///     CATALYST_IMPLEMENTATION_NAME=rivulet CATALYST_IMPLEMENTATION_PATHS=FOLDER RIVULET_INSITU_CONFIG=insitu.json
///
/// The simulation goes on after any failure, so that each function returns catalyst_status_ok. catalyst_results has the
/// result of the last call: catalyst/rivulet/code, of rivulet_insitu.h, and catalyst/rivulet/message.
#include "Session.h"

#include "catalyst_impl_rivulet.h"

#include <catalyst_stub.h>

#include <exception>

namespace
{

using namespace rivulet::catalyst2;

/// One session for each process, as Catalyst has one implementation.
Session& session() noexcept
{
  static Session one;
  return one;
}

int last_code = RIVULET_OK;

/// RIVULET_OK, or the code of an exception. No exception leaves the library, and reports need no memory.
template <class Call>
int guarded(const char* name, const Call& call) noexcept
{
  try
  {
    call();
    return RIVULET_OK;
  }
  catch (const std::bad_alloc&)
  {
    session().teller().report(name, "there is no memory");
    return RIVULET_ERROR_MEMORY;
  }
  catch (const std::exception& failure)
  {
    session().teller().report(name, failure.what());
  }
  catch (...)
  {
    session().teller().report(name, "an exception of an unknown type");
  }
  return RIVULET_ERROR_DATA;
}

/// Calls a function of the session.
template <class Call>
catalyst_status attempt(const char* name, const Call& call) noexcept
{
  session().teller().begin_call();
  int code = RIVULET_OK;
  const int thrown = guarded(name, [&] { code = call(session()); });
  last_code = thrown != RIVULET_OK ? thrown : code;
  return catalyst_status_ok;
}

} // namespace

catalyst_status catalyst_initialize_rivulet(const conduit_node* params)
{
  return attempt("catalyst_initialize", [&](Session& one) { return one.initialize(Place(params, "")); });
}

catalyst_status catalyst_execute_rivulet(const conduit_node* params)
{
  return attempt("catalyst_execute", [&](Session& one) { return one.execute(Place(params, "")); });
}

catalyst_status catalyst_finalize_rivulet(const conduit_node*)
{
  return attempt("catalyst_finalize", [](Session& one) { return one.finalize(); });
}

catalyst_status catalyst_about_rivulet(conduit_node* params)
{
  guarded("catalyst_about",
      [&]
      {
        catalyst_stub_about(params);
        conduit_node_set_path_char8_str(params, "catalyst/implementation", "rivulet");
        conduit_node_set_path_int32(params, "catalyst/use_mpi", 1);
      });
  return catalyst_status_ok;
}

catalyst_status catalyst_results_rivulet(conduit_node* params)
{
  guarded("catalyst_results",
      [&]
      {
        conduit_node_set_path_int32(params, "catalyst/rivulet/code", last_code);
        conduit_node_set_path_char8_str(params, "catalyst/rivulet/message", session().message().c_str());
      });
  return catalyst_status_ok;
}
