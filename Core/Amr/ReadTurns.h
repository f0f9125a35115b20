// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How many threads compute at once, while any number wait for storage: a thread that must wait gives its turn to
/// another, which finds something else to read. So storage that answers late but many at a time (a parallel file
/// system) is kept busy by many threads, and the page cache by as many as there are cores: nobody has to know in
/// advance which it is.
///
/// Any thread.
#pragma once

#include "Io/File.h"

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

  /// Work of one thread, which waits for its turn first.
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

  /// The most threads that computed or waited for storage at one time.
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
