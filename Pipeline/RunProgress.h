// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Progress of a long run, and the user's ways to stop it. In ParaView: progress bar and abort button. In scripts
/// (pvbatch, pvpython): a line on the terminal after some seconds, and Ctrl-C. The first SIGINT during a run stops the
/// run. The next one goes to the handler that was there before, and so does one that came too late to stop anything.
///
///     const Ranks ranks;
///     RunProgress progress(*this, "tracing lines", &ranks);
///     Result<TracedLines> lines = trace_streamlines(..., { .progress = progress.callback() });
///     progress.finish();
///
/// Ranks: with `ranks` all stop together. Then each call of the function from callback() is collective, and so is
/// finish(), which answers the calls of ranks that are not done yet. Every rank calls finish() in any case. No other
/// collective call may lie between the two.
///
/// Threads: the one that called RequestData only. Lifetime: within that of the algorithm.
#pragma once

#include "Base/StopSignals.h"
#include "Base/TerminalLine.h"
#include "Pipeline/Ranks.h"
#include "vtkRivuletPipelineModule.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>

class vtkAlgorithm;

namespace rivulet
{

class VTKRIVULETPIPELINE_EXPORT RunProgress
{
public:
  /// `what` is a text for the line on the terminal, such as "tracing lines". Without `ranks` this rank stops alone.
  RunProgress(vtkAlgorithm& algorithm, std::string what, const Ranks* ranks = nullptr);
  ~RunProgress();
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

  /// Shows the share done and returns false once the run should stop. Must not outlive this object.
  [[nodiscard]] std::function<bool(double)> callback();

  /// Called when the run is over. With ranks, collective.
  void finish();

  /// Whether the run was asked to stop before it was over; with ranks the same on all of them.
  [[nodiscard]] bool stopped() const { return stopped_; }

  /// After a stop: keeps the output, which the pipeline would throw away, and warns once that the output is `what`.
  void keep_what_is_there(const std::string& what, const std::string& remedy);

private:
  [[nodiscard]] bool tick(double share);
  void look_for_stop(double share);
  [[nodiscard]] bool exchange(bool unfinished, double& share);
  void draw(double share);

  vtkAlgorithm& algorithm_;
  std::string what_;
  const Ranks* ranks_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::optional<StopSignals> interrupt_; ///< in scripts
  std::optional<TerminalLine> line_;     ///< in scripts on a terminal, on the first rank
  std::string drawn_;
  double mean_share_ = 0.0; ///< of all ranks, at the last exchange
  bool stop_ = false;
  bool stopped_ = false;
};

} // namespace rivulet
