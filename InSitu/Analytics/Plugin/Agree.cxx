// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Agree.h"

#include <array>
#include <utility>

namespace rivulet
{

tl::unexpected<Error> other_rank_failed(const Host& host)
{
  return fail(ErrorCode::BadArgument, host.name() + " failed on another rank", "look for that rank's message");
}

Result<void> agree(const Host& host, Result<void> mine)
{
  int failed = mine ? 0 : 1;
  Result<void> done = of_mpi(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, host.comm()));
  if (!mine)
  {
    return mine;
  }
  if (!done)
  {
    return done;
  }
  return failed != 0 ? Result<void>(other_rank_failed(host)) : Result<void>();
}

Result<void> of_mpi(int code)
{
  if (code == MPI_SUCCESS)
  {
    return {};
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  return fail(ErrorCode::CannotRead, "MPI fails: " + std::string(text.data(), static_cast<std::size_t>(length)));
}

} // namespace rivulet
