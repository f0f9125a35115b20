// SPDX-License-Identifier: BSD-3-Clause
#include "Plan.h"

#include <algorithm>

namespace rivulet::insitu
{

namespace
{

/// True if there is a core for each thread.
bool may_bind(const Configuration& configuration, const Cores& allowed, int sharing, Plan& plan)
{
  if (allowed.size() == 1 && plan.policy != Policy::Synchronous)
  {
    plan.warning = "this process may use one core only, which simulation and analytics share. Let it have several: "
                   "with Open MPI, `mpirun --bind-to none`, or `--map-by slot:PE=4` for four cores of each rank; with "
                   "Slurm, `--cpus-per-task`";
  }
  if (plan.cores > static_cast<int>(allowed.size()))
  {
    plan.notes.push_back("there are " + std::to_string(plan.cores) + " virtual cores, but this process may use only " +
                         std::to_string(allowed.size()) + ": no thread is bound to a core");
    return false;
  }
  if (sharing > 1)
  {
    plan.notes.push_back(
        std::to_string(sharing) +
        " ranks may use the same cores: no thread is bound to a core. Let mpirun give each rank cores of its own" +
        (configuration.cores == 0 ? "; each takes an equal part of them as its number" : ""));
    return false;
  }
  return true;
}

void bind(Plan& plan, const Cores& allowed)
{
  const auto first = allowed.begin();
  if (plan.policy == Policy::Static)
  {
    plan.analytics_cores.assign(first, first + plan.analytics);
    plan.simulation_cores.assign(first + plan.analytics, first + plan.cores);
    plan.master_cores = plan.analytics_cores;
  }
  else if (plan.policy == Policy::Dynamic)
  {
    plan.master_cores = { allowed.front() };
  }
  else if (plan.policy == Policy::Task)
  {
    plan.analytics_cores.assign(first, first + plan.analytics);
  }
}

int count_cores(const Configuration& configuration, const Cores& allowed, int sharing, int least)
{
  const int own = std::max(static_cast<int>(allowed.size()) / std::max(sharing, 1), least);
  return configuration.cores == 0 ? own : configuration.cores;
}

} // namespace

Result<Plan> make_plan(const Configuration& configuration, const Cores& allowed, int sharing)
{
  Plan plan;
  plan.policy = configuration.policy;
  plan.low_priority = configuration.low_priority;
  const int least = plan.has_master_thread() ? 2 : 1;
  plan.cores = count_cores(configuration, allowed, sharing, least);
  const int most = plan.policy == Policy::Task ? plan.cores : plan.cores - 1;
  if (plan.cores < least)
  {
    return fail(ErrorCode::BadArgument,
        "\"cores\" is 1, but the policy \"" + std::string(name_of(plan.policy)) + "\" needs a core for either side",
        "give 2 at least, or the policy \"synchronous\"");
  }
  const int wanted =
      configuration.analytics_threads > 0 ? configuration.analytics_threads : std::max(plan.cores / 4, 1);
  if (!plan.one_arena() && wanted > most)
  {
    return fail(ErrorCode::BadArgument,
        "\"analytics_threads\" is " + std::to_string(wanted) + ", but there are " + std::to_string(plan.cores) +
            " cores",
        "give " + std::to_string(most) + " at most");
  }
  plan.analytics = plan.one_arena() ? plan.cores : wanted;
  plan.workers = configuration.workers.value_or(plan.has_master_thread() ? plan.cores - 2 : plan.cores - 1);
  switch (plan.policy)
  {
  case Policy::Static:
    plan.simulation = plan.cores - plan.analytics;
    break;
  case Policy::Dynamic:
    plan.simulation = plan.cores - 1;
    break;
  default:
    plan.simulation = plan.cores;
  }
  if (may_bind(configuration, allowed, sharing, plan))
  {
    bind(plan, allowed);
  }
  return plan;
}

} // namespace rivulet::insitu
