// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The order that TBB makes between a thread and its tasks, told to ThreadSanitizer, which does not see it in a library
/// that was built without it:
///
///     memory before -> each task -> memory after        no order between the tasks
///
///     TaskOrder order; // lives from before the tasks until after them
///     tbb::parallel_for(0, n, [&](int i) RIVULET_NOT_SANITIZED { TaskOrder::Task task(order); body(i); });
///
/// The lambda itself is not looked at, since it reads its captures before it can tell its place; the body is. Without
/// the sanitizer nothing of this makes code.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define RIVULET_TELL_ORDER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RIVULET_TELL_ORDER 1
#endif
#endif

#ifdef RIVULET_TELL_ORDER
#include <sanitizer/tsan_interface.h>
#define RIVULET_NOT_SANITIZED __attribute__((no_sanitize("thread")))
#else
#define RIVULET_NOT_SANITIZED
#endif

namespace rivulet
{

class TaskOrder
{
public:
  class Task
  {
  public:
    RIVULET_NOT_SANITIZED explicit Task(TaskOrder& order)
      : order_(order)
    {
      acquire(&order_.begin_);
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    RIVULET_NOT_SANITIZED ~Task() { release(&order_.end_); }

  private:
    TaskOrder& order_;
  };

  /// A task that begins when the tasks before it have ended.
  class Turn
  {
  public:
    RIVULET_NOT_SANITIZED explicit Turn(TaskOrder& order)
      : task_(order)
    {
      acquire(&order.end_);
    }

  private:
    Task task_;
  };

  TaskOrder() { release(&begin_); }
  TaskOrder(const TaskOrder&) = delete;
  TaskOrder& operator=(const TaskOrder&) = delete;
  ~TaskOrder() { acquire(&end_); }

private:
#ifdef RIVULET_TELL_ORDER
  static void acquire(char* point)
  {
    __tsan_acquire(point);
  }
  static void release(char* point)
  {
    __tsan_release(point);
  }
#else
  static void acquire(const char* /*point*/) {}
  static void release(const char* /*point*/) {}
#endif

  char begin_ = 0;
  char end_ = 0;
};

} // namespace rivulet
