// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Agree.h"

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
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, host.comm());
  return mine && failed != 0 ? Result<void>(other_rank_failed(host)) : std::move(mine);
}

} // namespace rivulet
