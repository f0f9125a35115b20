// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Limit of the threads that compute at one time, while any number of threads wait for storage. A thread that must wait
/// gives its turn to another thread, which reads something else. A parallel file system, which answers late but serves
/// many requests at a time, so gets requests from many threads, and the page cache from as many as there are cores. The
/// kind of storage need not be known in advance.
///
/// Any thread may call any function.
#pragma once

#include "Io/Files/File.h"

#include <atomic>
#include <semaphore>

namespace rivulet
{

class ReadTurns final : public ReadPause
{
public:
  explicit ReadTurns(int at_once)
    : turns_(at_once)
  {
  }

  /// Turn of one thread. The constructor waits for it; the destructor ends it.
  class Turn
  {
  public:
    explicit Turn(ReadTurns& turns)
      : turns_(turns)
    {
      turns_.begin();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { turns_.end(); }

  private:
    ReadTurns& turns_;
  };

  void before_waiting() override { turns_.release(); }
  void after_waiting() override { turns_.acquire(); }

  /// Largest number of threads that computed or waited for storage at one time.
  [[nodiscard]] int most() const { return most_.load(); }

private:
  void begin()
  {
    turns_.acquire();
    const int now = at_work_.fetch_add(1) + 1;
    int most = most_.load();
    while (now > most && !most_.compare_exchange_weak(most, now))
    {
    }
  }
  void end()
  {
    at_work_.fetch_sub(1);
    turns_.release();
  }

  std::counting_semaphore<> turns_;
  std::atomic<int> at_work_{ 0 };
  std::atomic<int> most_{ 0 };
};

} // namespace rivulet
