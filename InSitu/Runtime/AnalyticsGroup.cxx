// SPDX-License-Identifier: BSD-3-Clause
#include "AnalyticsGroup.h"

#include "Base/Times.h"
#include "KeptHost.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace rivulet::insitu
{

namespace
{

/// A number that increases with a finite time, so that one reduction tells of steps and of times.
std::int64_t order_of(double time)
{
  const auto bits = std::bit_cast<std::int64_t>(time + 0.0); // one zero
  return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
}

double time_of(std::int64_t order)
{
  return std::bit_cast<double>(order < 0 ? order ^ std::numeric_limits<std::int64_t>::max() : order);
}

} // namespace

bool all_agree(MPI_Comm comm, bool mine)
{
  int least = mine ? 1 : 0;
  return MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm) == MPI_SUCCESS && least == 1;
}

AnalyticsGroup::AnalyticsGroup(std::vector<Analytics*> members, MPI_Comm comm, const std::atomic<bool>& stopped)
  : members_(std::move(members))
  , comm_(comm)
  , stopped_(stopped)
{
}

bool AnalyticsGroup::uses_mpi() const
{
  return std::any_of(members_.begin(), members_.end(), [](const Analytics* each) { return each->uses_mpi(); });
}

bool AnalyticsGroup::needs(std::int64_t step) const
{
  return std::any_of(
      members_.begin(), members_.end(), [step](const Analytics* each) { return each->due(step) && each->is_on(); });
}

bool AnalyticsGroup::wants(std::int64_t step, const char* name, const char* variable) const
{
  return std::any_of(members_.begin(), members_.end(),
      [&](const Analytics* each) { return each->due(step) && each->is_on() && each->wants(name, variable); });
}

bool AnalyticsGroup::agree(const Analytics& analytics, bool mine) const
{
  return analytics.uses_mpi() ? all_agree(comm_, mine) : mine;
}

/// The step that all ranks have, at the same time and with the same first step of the run; empty if one has none or
/// another one. `mine`: null where this rank does not have it.
std::optional<rivulet_snapshot> AnalyticsGroup::agree_on_step(
    Analytics& analytics, const rivulet_snapshot* mine, std::int64_t step) const
{
  if (!analytics.uses_mpi())
  {
    return mine != nullptr ? std::optional(*mine) : std::nullopt;
  }
  const bool have = mine != nullptr;
  const std::int64_t time = have ? order_of(mine->time) : 0;
  std::array<std::int64_t, 7> least{ have ? 1 : 0, step, -step, time, -time, have ? -mine->first_step : 0,
    have ? -order_of(mine->first_time) : 0 };
  if (MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT64_T, MPI_MIN, comm_) !=
      MPI_SUCCESS)
  {
    return std::nullopt;
  }
  if (least[1] != -least[2])
  {
    analytics.refuse_step(step, "ranks hand over different steps, " + std::to_string(least[1]) + " to " +
                                    std::to_string(-least[2]) + "; call execute with the same one on all ranks");
    return std::nullopt;
  }
  if (least[0] == 0)
  {
    return std::nullopt;
  }
  if (least[3] != -least[4])
  {
    analytics.refuse_step(step, "ranks hand over different times, " + format_time(time_of(least[3])) + " to " +
                                    format_time(time_of(-least[4])) + "; call execute with the same one on all ranks");
    return std::nullopt;
  }
  // A step whose times differed may have been the first one. The later time replaces fewer results of an earlier run.
  rivulet_snapshot agreed = *mine;
  agreed.first_step = -least[5];
  agreed.first_time = time_of(-least[6]);
  return agreed;
}

void AnalyticsGroup::create()
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

bool AnalyticsGroup::execute_all(Analytics& analytics, const rivulet_snapshot& snapshot) const
{
  bool good = true;
  const KeptHost kept(KeptHost::Simulation::Runs);
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

void AnalyticsGroup::execute(std::int64_t step, const rivulet_snapshot* snapshot, std::int64_t sequence)
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
    const std::optional<rivulet_snapshot> agreed = agree_on_step(*each, in_time ? snapshot : nullptr, step);
    late = late || !in_time;
    if (agreed && !execute_all(*each, *agreed) && each->stops_on_error())
    {
      each->switch_off(sequence);
    }
    running_ = nullptr;
  }
  left_out_ += late ? 1 : 0;
  active_seconds_ += std::chrono::duration<double>(Trace::Clock::now() - begin).count();
}

void AnalyticsGroup::destroy()
{
  for (Analytics* const each : members_)
  {
    running_ = each;
    each->destroy();
    running_ = nullptr;
  }
}

} // namespace rivulet::insitu
