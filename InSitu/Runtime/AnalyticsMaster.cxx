// SPDX-License-Identifier: BSD-3-Clause
#include "AnalyticsMaster.h"

#include "Parallel/TaskOrder.h"

#include <utility>

namespace rivulet::insitu
{

namespace
{

constexpr int kLast = 1 << 30; ///< the notice that no more steps come; there are fewer of others

} // namespace

MasterThread::MasterThread(Ring& ring, Work work, Cores cores, Trace& trace)
  : AnalyticsMaster(ring, std::move(work))
  , cores_(std::move(cores))
  , trace_(trace)
{
}

MasterThread::~MasterThread()
{
  if (thread_.joinable())
  {
    thread_.detach();
  }
}

void MasterThread::start()
{
  thread_ = std::thread([this] { loop(); });
}

void MasterThread::loop()
{
  bind_this_thread(cores_);
  trace_.name_this_thread("analytics master");
  while (const std::optional<Ticket> ticket = ring_.take())
  {
    do_step(*ticket);
  }
  work_.end();
  ended_.set_value();
}

bool MasterThread::has_ended(Ring::Seconds limit)
{
  if (!thread_.joinable())
  {
    return true;
  }
  if (end_.wait_for(limit) != std::future_status::ready)
  {
    return false;
  }
  thread_.join();
  return true;
}

MasterTask::MasterTask(Ring& ring, Work work, tbb::task_arena& arena)
  : AnalyticsMaster(ring, std::move(work))
  , arena_(arena)
{
}

void MasterTask::do_there(const Job& job)
{
  done_ = std::make_unique<std::promise<void>>();
  const std::future<void> wait = done_->get_future();
  TaskOrder order;
  arena_.enqueue(
      [this, &job, &order] RIVULET_NOT_SANITIZED
      {
        std::unique_ptr<std::promise<void>> done; // the task may still be within set_value() when the wait is over
        {
          const TaskOrder::Task task(order);
          done = std::move(done_);
          job();
        }
        done->set_value();
      });
  wait.wait();
}

void MasterTask::notify()
{
  if (notices_++ == 0)
  {
    arena_.enqueue([this] RIVULET_NOT_SANITIZED { drain(); });
  }
}

void MasterTask::finish()
{
  ring_.close();
  if (notices_.fetch_add(kLast) == 0)
  {
    arena_.enqueue([this] RIVULET_NOT_SANITIZED { drain(); });
  }
}

/// One task at a time: steps leave in order. Each step has its notice; a notice whose step was dropped finds nothing.
void MasterTask::drain()
{
  int left = notices_;
  for (; left > 0 && left != kLast; left = --notices_)
  {
    if (const std::optional<Ticket> ticket = ring_.try_take())
    {
      do_step(*ticket);
    }
  }
  if (left == kLast)
  {
    const auto ended = ended_; // this object may be destroyed as soon as the end is known
    work_.end();
    ended->set_value();
  }
}

bool MasterTask::has_ended(Ring::Seconds limit)
{
  return end_.wait_for(limit) == std::future_status::ready;
}

} // namespace rivulet::insitu
