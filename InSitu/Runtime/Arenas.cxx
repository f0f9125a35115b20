// SPDX-License-Identifier: BSD-3-Clause
#include "Arenas.h"

#include "Parallel/CalmFloats.h"

#include <unistd.h>
#include <utility>

namespace rivulet::insitu
{

ArenaObserver::ArenaObserver(tbb::task_arena& arena, int slots, Cores cores, Activity activity, Trace& trace)
  : tbb::task_scheduler_observer(arena)
  , cores_(std::move(cores))
  , activity_(activity)
  , trace_(trace)
  , guests_(static_cast<std::size_t>(slots) + 1) // TBB gives an arena of one thread a second place, for enqueued tasks
{
  observe(true);
}

ArenaObserver::~ArenaObserver()
{
  observe(false); // no thread is in a function of this object afterwards
  for (const Guest& guest : guests_)
  {
    if (const int thread = guest.bound; thread != 0)
    {
      bind_thread(thread, guest.before);
    }
  }
}

ArenaObserver::Guest* ArenaObserver::guest()
{
  const int slot = tbb::this_task_arena::current_thread_index();
  const bool known = slot >= 0 && static_cast<std::size_t>(slot) < guests_.size();
  return known ? &guests_[static_cast<std::size_t>(slot)] : nullptr;
}

void ArenaObserver::on_scheduler_entry(bool /*is_worker*/)
{
  const TaskOrder::Turn turn(order_);
  if (Guest* const mine = guest())
  {
    if (!cores_.empty())
    {
      mine->before = allowed_cores();
      bind_this_thread(cores_);
      mine->bound = ::gettid();
    }
    mine->entered = Trace::Clock::now();
  }
}

void ArenaObserver::on_scheduler_exit(bool is_worker)
{
  const TaskOrder::Turn turn(order_);
  if (Guest* const mine = guest())
  {
    if (!cores_.empty())
    {
      mine->bound = 0;
      bind_this_thread(mine->before);
    }
    if (is_worker)
    {
      trace_.add(activity_, mine->entered);
    }
  }
}

namespace
{

/// Places of the simulation's arena that only master threads take.
unsigned reserved_in(const Plan& plan)
{
  return plan.policy == Policy::Asynchronous ? 2U : 1U;
}

/// Without an analytics master thread, workers execute all there is.
unsigned reserved_for_analytics(const Plan& plan)
{
  return plan.has_master_thread() ? 1U : 0U;
}

} // namespace

Arenas::Arenas(const Plan& plan, Trace& trace)
  : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(plan.workers) + 1)
  , simulation_(plan.simulation, reserved_in(plan))
{
  {
    const SimulationsFloats floats; // an arena remembers them for its tasks
    simulation_.initialize();
  }
  if (!plan.one_arena())
  {
    analytics_ = std::make_unique<tbb::task_arena>(plan.analytics, reserved_for_analytics(plan),
        plan.low_priority ? tbb::task_arena::priority::low : tbb::task_arena::priority::normal);
    analytics_->initialize();
  }
  if (trace.on() || !plan.simulation_cores.empty())
  {
    observers_.push_back(std::make_unique<ArenaObserver>(
        simulation_, plan.simulation, plan.simulation_cores, Activity::WorkerSimulation, trace));
  }
  if (analytics_ && (trace.on() || !plan.analytics_cores.empty()))
  {
    observers_.push_back(std::make_unique<ArenaObserver>(
        *analytics_, plan.analytics, plan.analytics_cores, Activity::WorkerAnalytics, trace));
  }
}

void Arenas::stop_observing()
{
  observers_.clear();
}

} // namespace rivulet::insitu
