// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics on virtual cores, shaped as those of Dirand et al. 2018, Table 1. The same work is a plugin of the in situ
/// runtime (virtual_analytics.cxx), a dedicated process, a process that is stopped and continued, and a consumer of a
/// stream: each derives a Worker.
///
///     VirtualAnalysis analysis({ .kind = "parallel", .seconds = 0.1, .piece_seconds = 0.001, .pause_seconds = 0 });
///     analysis.run(step, worker);
///
///     kind          like there         work of a step
///     sequential    statistics         one thread ("parallel": false), all the time
///     parallel      statistics         one loop over pieces
///     nested        radial             two nested loops by plain TBB
///     histogram     histogram          loop, a reduction over ranks, loop, the same again
///     changing      Fig. 5             ten steps each of parallel, histogram and nested, and again
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace rivulet::bench
{

struct AnalysisOptions
{
  std::string kind = "parallel";
  double seconds = 0.1;          ///< of work for each step, all threads together
  double piece_seconds = 0.001;  ///< of a piece of a loop
  double pause_seconds = 0;      ///< of each of the two pauses that stand for a histogram's reductions
  std::int64_t reduce_bytes = 0; ///< of each reduction over ranks, real instead of a pause
  std::int64_t repeat = 1;       ///< times for each step; only for processes: a session repeats by itself
};

/// The ways in which work is done.
class Worker
{
public:
  virtual ~Worker() = default;
  /// On the calling thread.
  virtual void work(double seconds);
  virtual void pause(double seconds);
  /// Sums of all ranks, on one of them. Only in a session.
  virtual void reduce(std::int64_t bytes);
  /// body() for each of [0, pieces), in parallel.
  virtual void parallel(std::int64_t pieces, const std::function<void()>& body);
};

class VirtualAnalysis
{
public:
  explicit VirtualAnalysis(AnalysisOptions options)
    : options_(std::move(options))
  {
  }

  void run(std::int64_t step, Worker& worker) const;

private:
  void loop(double seconds, Worker& worker) const;
  void nested_loops(Worker& worker) const;
  void histogram(Worker& worker) const;

  AnalysisOptions options_;
};

/// From {"kind": ..., "seconds": ..., ...}; throws std::invalid_argument for another kind.
[[nodiscard]] AnalysisOptions analysis_options(const std::string& json);

} // namespace rivulet::bench
