// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A record of the activities of each thread, with their times, in the format of Chrome's tracer (chrome://tracing,
/// Perfetto): the picture of Dirand et al. 2018, Fig. 2, of a real run.
///
///     Trace trace(true);
///     const auto begin = Trace::Clock::now();
///     copy();
///     trace.add(Activity::Copy, begin, bytes);
///
/// Each thread has a row of its own, with at most 100 000 activities; later ones are counted but not kept. A row has
/// its own mutex, which only its thread takes until the trace is written. All functions may be called by any thread.
///
/// Format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (complete events, "ph":
/// "X").
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace rivulet::insitu
{

enum class Activity : std::uint8_t
{
  SimulationParallel,   ///< the simulation's thread: within run(), or between its marks
  SimulationSequential, ///< the simulation's thread: between two parallel parts
  Copy,                 ///< the simulation's thread: copies a step; argument: bytes
  Wait,                 ///< the simulation's thread: all buffers are full
  Analytics,            ///< one execution; argument: step
  AnalyticsParallel,    ///< one region of host->parallel; argument: elements
  WorkerSimulation,     ///< a worker in the simulation's arena
  WorkerAnalytics,      ///< a worker in the arena of analytics
  Count_
};

class Trace
{
public:
  using Clock = std::chrono::steady_clock;

  /// Times count from now on.
  explicit Trace(bool on);
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  [[nodiscard]] bool on() const { return on_; }
  /// An activity of the calling thread from `begin` until now. `label` must live as long as the trace; it may be null.
  void add(Activity activity, Clock::time_point begin, std::int64_t argument = 0, const char* label = nullptr) noexcept;
  /// Gives the calling thread's row a name. Without one it is a worker.
  void name_this_thread(const std::string& name);
  /// Comma-separated JSON objects, without brackets; rows of process `rank`.
  [[nodiscard]] std::string events(int rank) const;

private:
  struct Event
  {
    Activity activity;
    Clock::time_point begin;
    Clock::time_point end;
    std::int64_t argument;
    const char* label;
  };
  struct Row
  {
    mutable std::mutex mutex;
    std::string name;
    std::vector<Event> events;
    std::int64_t lost = 0;
  };

  Row& row();

  bool on_;
  std::uint64_t id_; ///< of this trace among all of the process; addresses come again
  Clock::time_point start_ = Clock::now();
  mutable std::mutex mutex_; ///< guards rows_
  std::vector<std::unique_ptr<Row>> rows_;
};

} // namespace rivulet::insitu
