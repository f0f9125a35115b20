// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics that do one thing wrong, or one thing that a test can see. The option "fault" says which:
///
///     { "name": "throws", "plugin": "faulty", "options": { "fault": "throw", "rank": 1 } }
///
/// The fault comes on the rank "rank" (-1, the default: on all), with execution number "at" (0: the first), or
/// from there up to "until".
/// Compiled twice: `faulty` is local, `faulty_mpi` uses MPI.
#include "InSitu/Runtime/rivulet_analytics.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{

struct Faulty
{
  const rivulet_analytics_host* host;
  std::string fault;
  int rank = -1;
  int at = 0;
  int until = 0; ///< the first execution after it that is none; 0: the one after
  int milliseconds = 0;
  int executions = 0;
};

bool hits(const Faulty& self)
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int until = self.until > 0 ? self.until : self.at + 1;
  return (self.rank < 0 || self.rank == rank) && self.executions >= self.at && self.executions < until;
}

int create(const rivulet_analytics_host* host, void** self)
{
  const auto options = nlohmann::json::parse(host->options);
  auto* const mine = new Faulty{ host, options.value("fault", ""), options.value("rank", -1), options.value("at", 0),
    options.value("until", 0), options.value("milliseconds", 0), 0 };
  *self = mine;
  if (mine->fault == "create" && hits(*mine))
  {
    host->message(host->runtime, RIVULET_ERROR, "refuses to be created");
    delete mine;
    return 7;
  }
  return 0;
}

/// Sleeps until the session asks to stop, 3 s at most. With `deaf` for 6 s whatever the session asks.
int hang(const Faulty& self, bool deaf)
{
  for (int i = 0; i < (deaf ? 600 : 300) && (deaf || self.host->stopped(self.host->runtime) == 0); ++i)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return 0;
}

int commit(const Faulty& self)
{
  if (self.fault == "throw")
  {
    throw std::runtime_error("as the test asks");
  }
  if (self.fault == "throw_int")
  {
    throw 42;
  }
  if (self.fault == "memory")
  {
    throw std::bad_alloc();
  }
  if (self.fault == "mpi")
  {
    // There is no such rank. The communicator's handler returns the error.
    const int code = MPI_Send(nullptr, 0, MPI_BYTE, 1 << 20, 0, self.host->comm);
    return code == MPI_SUCCESS ? 0 : 9;
  }
  if (self.fault == "mpi_unseen")
  {
    MPI_Send(nullptr, 0, MPI_BYTE, 1 << 20, 0, self.host->comm);
    return 0;
  }
  if (self.fault == "loop")
  {
    self.host->parallel(
        self.host->runtime, 100, 1,
        [](void*, std::int64_t, std::int64_t, std::int32_t) { throw std::runtime_error("in a loop"); }, nullptr);
  }
  return self.fault == "hang" || self.fault == "deaf" ? hang(self, self.fault == "deaf") : 3;
}

int execute(void* self, const rivulet_snapshot* /*snapshot*/)
{
  auto& mine = *static_cast<Faulty*>(self);
  const bool now = !mine.fault.empty() && hits(mine);
  ++mine.executions;
  std::this_thread::sleep_for(std::chrono::milliseconds(mine.milliseconds));
  return now ? commit(mine) : 0;
}

void destroy(void* self)
{
  delete static_cast<Faulty*>(self);
}

const rivulet_analytics analytics{ RIVULET_ANALYTICS_ABI, FAULTY_USES_MPI, create, execute, destroy };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
