// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Functions of Catalyst's API that libcatalyst finds in libcatalyst-rivulet.so:
///
///     CATALYST_IMPLEMENTATION_NAME=rivulet CATALYST_IMPLEMENTATION_PATHS=FOLDER RIVULET_INSITU_CONFIG=insitu.json
///
/// The simulation goes on whatever fails, so that each function returns catalyst_status_ok. catalyst_results says what
/// the last call came to: catalyst/rivulet/code, of rivulet_insitu.h, and catalyst/rivulet/message.
#include "Session.h"

#include "catalyst_impl_rivulet.h"

#include <catalyst_stub.h>

#include <exception>

namespace
{

using namespace rivulet::catalyst2;

/// One session for each process, as Catalyst has one implementation.
Session& session()
{
  static Session one;
  return one;
}

int last_code = RIVULET_OK;

/// Calls a function of the session. No exception leaves the library.
template <class Call>
catalyst_status attempt(const char* name, const Call& call)
{
  try
  {
    session().teller().begin_call();
    last_code = call(session());
  }
  catch (const std::bad_alloc&)
  {
    last_code = RIVULET_ERROR_MEMORY;
    session().teller().error(std::string(name) + ": there is no memory. This call did nothing.");
  }
  catch (const std::exception& failure)
  {
    last_code = RIVULET_ERROR_DATA;
    session().teller().error(std::string(name) + ": " + failure.what() + ". This call did nothing.");
  }
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
  const catalyst_status status = catalyst_stub_about(params);
  conduit_node_set_path_char8_str(params, "catalyst/implementation", "rivulet");
  conduit_node_set_path_int32(params, "catalyst/use_mpi", 1);
  return status;
}

catalyst_status catalyst_results_rivulet(conduit_node* params)
{
  conduit_node_set_path_int32(params, "catalyst/rivulet/code", last_code);
  conduit_node_set_path_char8_str(params, "catalyst/rivulet/message", session().message().c_str());
  return catalyst_status_ok;
}
