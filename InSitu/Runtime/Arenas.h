// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The two arenas of a session, in which the threads of one TBB scheduler work: workers go from one to the other, as
/// the sizes of a Plan allow.
///
///     Arenas arenas(plan, trace);
///     arenas.simulation().execute(compute);   // the simulation's thread
///     arenas.analytics().execute(analyse);    // the analytics master thread
///
/// A master thread that waits for its tasks executes only tasks of the arena it is in. So neither master thread works
/// for the other side, unless the plan has one arena for both.
///
/// The limit of workers holds for the whole process while this object lives. The two arenas may be one object.
#pragma once

#include "Parallel/TaskOrder.h"
#include "Plan.h"
#include "Trace.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <atomic>
#include <memory>

namespace rivulet::insitu
{

/// Binds threads while they are in an arena, and records the times of workers in it.
class ArenaObserver final : public tbb::task_scheduler_observer
{
public:
  /// `slots`: size of the arena.
  ArenaObserver(tbb::task_arena& arena, int slots, Cores cores, Activity activity, Trace& trace);
  /// Gives threads that are in the arena the cores back that they had before.
  ~ArenaObserver() override;

  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

private:
  /// Of the thread that has a slot of the arena.
  struct Guest
  {
    Cores before;
    std::atomic<int> bound{ 0 }; ///< number of the thread while it is bound
    Trace::Clock::time_point entered;
  };

  [[nodiscard]] Guest* guest();

  Cores cores_;
  Activity activity_;
  Trace& trace_;
  std::vector<Guest> guests_;
  TaskOrder order_; ///< of the calls of this observer
};

class Arenas
{
public:
  Arenas(const Plan& plan, Trace& trace);
  Arenas(const Arenas&) = delete;
  Arenas& operator=(const Arenas&) = delete;

  [[nodiscard]] tbb::task_arena& simulation() { return simulation_; }
  [[nodiscard]] tbb::task_arena& analytics() { return analytics_ ? *analytics_ : simulation_; }
  /// Records and binds nothing from now on. No thread is in an observer's function afterwards.
  void stop_observing();

private:
  tbb::global_control limit_;
  tbb::task_arena simulation_;
  std::unique_ptr<tbb::task_arena> analytics_; ///< nullptr: one arena
  std::vector<std::unique_ptr<ArenaObserver>> observers_;
};

} // namespace rivulet::insitu
