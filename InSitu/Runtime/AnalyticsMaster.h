// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Execution of analytics beside the simulation: by a thread of their own, or by tasks.
///
///     MasterThread master(ring, work, cores, trace);
///     master.start();
///     master.do_there([&] { group.create(); });
///     ring.put(...); master.notify();
///     master.finish();
///     if (!master.has_ended(limit)) ...      // then nothing that `work` uses may be destroyed
///
/// The master thread has its own loop of steps (Dirand et al. 2018, Fig. 1). With tasks, there is no such thread: the
/// simulation enqueues a task for each step (Table 3 there), and any worker may run it.
///
/// All functions are called by the simulation's thread.
#pragma once

#include "Cores.h"
#include "Ring.h"
#include "Trace.h"

#include <tbb/task_arena.h>

#include <atomic>
#include <future>
#include <memory>
#include <thread>

namespace rivulet::insitu
{

class AnalyticsMaster
{
public:
  using Job = std::function<void()>;

  /// Functions that throw nothing.
  struct Work
  {
    std::function<void(const Ticket&)> step;
    Job end; ///< after the last step
  };

  AnalyticsMaster(Ring& ring, Work work)
    : ring_(ring)
    , work_(std::move(work))
  {
  }
  AnalyticsMaster(const AnalyticsMaster&) = delete;
  AnalyticsMaster& operator=(const AnalyticsMaster&) = delete;
  virtual ~AnalyticsMaster() = default;

  /// Throws std::system_error where the system refuses a thread.
  virtual void start() = 0;
  /// Has a job done where analytics run, and waits for it.
  virtual void do_there(const Job& job) = 0;
  /// The same if it can begin now. False if not; then nothing was done.
  [[nodiscard]] virtual bool do_there_now(const Job& job) = 0;
  /// A step was put into the ring.
  virtual void notify() = 0;
  /// No more steps will come.
  virtual void finish() = 0;
  /// Waits until Work::end has returned, for so long at most. After finish().
  [[nodiscard]] virtual bool has_ended(Ring::Seconds limit) = 0;

protected:
  void do_step(const Ticket& ticket)
  {
    work_.step(ticket);
    ring_.done(ticket);
  }

  Ring& ring_;
  Work work_;
};

class MasterThread final : public AnalyticsMaster
{
public:
  /// `cores`: of the thread; empty: it is not bound.
  MasterThread(Ring& ring, Work work, Cores cores, Trace& trace);
  /// A thread that has not ended is left to itself.
  ~MasterThread() override;

  void start() override;
  void do_there(const Job& job) override { ring_.ask(job, false); }
  [[nodiscard]] bool do_there_now(const Job& job) override { return ring_.ask(job, true); }
  void notify() override {}
  void finish() override { ring_.close(); }
  [[nodiscard]] bool has_ended(Ring::Seconds limit) override;

private:
  void loop();

  Cores cores_;
  Trace& trace_;
  std::promise<void> ended_;
  std::future<void> end_ = ended_.get_future();
  std::thread thread_;
};

class MasterTask final : public AnalyticsMaster
{
public:
  MasterTask(Ring& ring, Work work, tbb::task_arena& arena);

  void start() override {}
  void do_there(const Job& job) override;
  [[nodiscard]] bool do_there_now(const Job& /*job*/) override { return false; }
  void notify() override;
  void finish() override;
  [[nodiscard]] bool has_ended(Ring::Seconds limit) override;

private:
  void drain();

  tbb::task_arena& arena_;
  std::unique_ptr<std::promise<void>> done_; ///< of the job that is to be done there
  std::atomic<int> notices_{ 0 };            ///< not yet handled; a task is under way unless it is 0
  std::shared_ptr<std::promise<void>> ended_ = std::make_shared<std::promise<void>>();
  std::future<void> end_ = ended_->get_future();
};

} // namespace rivulet::insitu
