// SPDX-License-Identifier: BSD-3-Clause
#include "Crew.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace rivulet::insitu
{

bool all_agree(MPI_Comm comm, bool mine)
{
  int least = mine ? 1 : 0;
  return MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && least == 1;
}

Crew::Crew(std::vector<Analytics*> members, MPI_Comm comm, const std::atomic<bool>& stopped)
  : members_(std::move(members))
  , comm_(comm)
  , stopped_(stopped)
{
}

bool Crew::uses_mpi() const
{
  return std::any_of(members_.begin(), members_.end(), [](const Analytics* each) { return each->uses_mpi(); });
}

bool Crew::needs(std::int64_t step) const
{
  return std::any_of(
      members_.begin(), members_.end(), [step](const Analytics* each) { return each->due(step) && each->is_on(); });
}

bool Crew::wants(std::int64_t step, const char* name, const char* variable) const
{
  return std::any_of(members_.begin(), members_.end(),
      [&](const Analytics* each) { return each->due(step) && each->is_on() && each->wants(name, variable); });
}

bool Crew::agree(const Analytics& analytics, bool mine) const
{
  return analytics.uses_mpi() ? all_agree(comm_, mine) : mine;
}

/// Whether all ranks have the step, and the same one.
bool Crew::agree_on_step(Analytics& analytics, bool mine, std::int64_t step) const
{
  if (!analytics.uses_mpi())
  {
    return mine;
  }
  std::array<std::int64_t, 3> least{ mine ? 1 : 0, step, -step };
  if (MPI_Allreduce(MPI_IN_PLACE, least.data(), 3, MPI_INT64_T, MPI_MIN, comm_) != MPI_SUCCESS)
  {
    return false;
  }
  if (least[1] != -least[2])
  {
    analytics.refuse_step(step, "ranks hand over different steps, " + std::to_string(least[1]) + " to " +
                                    std::to_string(-least[2]) + "; call execute with the same one on all ranks");
    return false;
  }
  return least[0] == 1;
}

void Crew::create()
{
  for (Analytics* const each : members_)
  {
    if (!each->is_on())
    {
      continue;
    }
    running_ = each;
    if (!agree(*each, each->create()))
    {
      each->switch_off(-1);
      each->abandon();
    }
    running_ = nullptr;
  }
}

bool Crew::execute_all(Analytics& analytics, const rivulet_snapshot& snapshot) const
{
  bool good = true;
  for (std::int64_t i = 0; good && i < analytics.repeat(); ++i)
  {
    good = agree(analytics, analytics.execute(snapshot));
    if (stopped_ && !analytics.uses_mpi()) // ranks do not see it at the same time
    {
      break;
    }
  }
  return good;
}

void Crew::execute(std::int64_t step, const rivulet_snapshot* snapshot, std::int64_t sequence)
{
  const auto begin = Trace::Clock::now();
  bool late = false;
  for (Analytics* const each : members_)
  {
    if (!each->due(step) || !each->is_on())
    {
      continue;
    }
    running_ = each;
    const bool in_time = !stopped_;
    const bool have = agree_on_step(*each, snapshot != nullptr && in_time, step);
    late = late || !in_time;
    if (have && !execute_all(*each, *snapshot) && each->stops_on_error())
    {
      each->switch_off(sequence);
    }
    running_ = nullptr;
  }
  left_out_ += late ? 1 : 0;
  active_seconds_ += std::chrono::duration<double>(Trace::Clock::now() - begin).count();
}

void Crew::destroy()
{
  for (Analytics* const each : members_)
  {
    running_ = each;
    each->destroy();
    running_ = nullptr;
  }
}

} // namespace rivulet::insitu
