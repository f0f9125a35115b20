// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/RunProgress.h"

#include "Pipeline/ErrorReport.h"
#include "vtkAlgorithm.h"
#include "vtkProcessModule.h"

#include <array>
#include <csignal>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

constexpr double kQuietSeconds = 3.0; ///< before the first line is drawn: most runs are over by then
constexpr int kBarPlaces = 24;

/// Whether a script runs this process: pvbatch, or a client without a window. A server is neither, and ParaView's
/// window is a client with a Qt application.
bool run_by_script()
{
  const int type = vtkProcessModule::GetProcessType();
  if (type != vtkProcessModule::PROCESS_CLIENT)
  {
    return type == vtkProcessModule::PROCESS_BATCH; // without the search for a symbol, which takes 30 us
  }
  const auto* application = static_cast<void* const*>(dlsym(RTLD_DEFAULT, "_ZN16QCoreApplication4selfE"));
  return application == nullptr || *application == nullptr;
}

/// Whether this process may take Ctrl-C for a stop. It may not if SIGINT is ignored, as in the background of a shell,
/// nor on a thread of a simulation. In a process that a script runs.
bool may_take_interrupts()
{
  struct sigaction action = {};
  return getpid() == static_cast<pid_t>(syscall(SYS_gettid)) && sigaction(SIGINT, nullptr, &action) == 0 &&
         action.sa_handler != SIG_IGN;
}

} // namespace

RunProgress::RunProgress(vtkAlgorithm& algorithm, std::string what, const Ranks* ranks)
  : algorithm_(algorithm)
  , what_(std::move(what))
  , ranks_(ranks)
{
  const bool by_script = run_by_script();
  if (by_script && may_take_interrupts())
  {
    interrupt_.emplace(std::vector<int>{ SIGINT });
  }
  if (by_script && Ranks().rank() == 0 && line_.emplace().on_terminal() == false)
  {
    line_.reset();
  }
}

RunProgress::~RunProgress()
{
  const bool too_late = interrupt_ && interrupt_->requested().load() && !stopped_;
  interrupt_.reset();
  if (too_late)
  {
    std::raise(SIGINT);
  }
}

std::function<bool(double)> RunProgress::callback()
{
  return [this](double share)
  {
    return tick(share);
  };
}

bool RunProgress::tick(double share)
{
  look_for_stop(ranks_ != nullptr && ranks_->size() > 1 ? mean_share_ : share);
  (void)exchange(true, share);
  draw(share);
  return !stop_;
}

/// Shows the share done and asks the pipeline whether the user wants a stop, with which it throws the output away
/// unless told otherwise.
void RunProgress::look_for_stop(double share)
{
  algorithm_.UpdateProgress(share);
  stop_ = stop_ || algorithm_.CheckAbort();
}

/// Checks for a stop and exchanges three values with the other ranks: whether any is to stop, the mean share, and
/// whether any is unfinished.
bool RunProgress::exchange(bool unfinished, double& share)
{
  stop_ = stop_ || (interrupt_ && interrupt_->requested().load());
  if (ranks_ != nullptr && ranks_->size() > 1)
  {
    std::array<double, 3> sums{ stop_ ? 1.0 : 0.0, unfinished ? 1.0 : 0.0, share };
    ranks_->sum(sums);
    stop_ = sums[0] > 0.0;
    unfinished = sums[1] > 0.0;
    share = mean_share_ = sums[2] / ranks_->size();
  }
  stopped_ = stopped_ || (stop_ && unfinished);
  return unfinished;
}

void RunProgress::draw(double share)
{
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (!line_ || seconds < kQuietSeconds)
  {
    return;
  }
  std::string text = bar_text(what_, share, kBarPlaces);
  text += share > 0.0 ? ", " + time_left_text(seconds * (1.0 - share) / share) : "";
  text += stop_ ? ", stopping" : interrupt_ ? ", Ctrl-C stops" : "";
  if (text != drawn_)
  {
    line_->draw(text);
    drawn_ = std::move(text);
  }
}

void RunProgress::finish()
{
  double share = 1.0;
  while (exchange(false, share))
  {
    draw(share);
    look_for_stop(share); // this rank may be the one with the button
    share = 1.0;
  }
  if (!stopped_)
  {
    algorithm_.SetAbortOutput(false); // asked too late: the output is whole
  }
  if (line_)
  {
    line_->wipe();
  }
}

void RunProgress::keep_what_is_there(const std::string& what, const std::string& remedy)
{
  algorithm_.SetAbortOutput(false);
  if (ranks_ == nullptr || ranks_->rank() == 0)
  {
    Error stopped;
    stopped.code = ErrorCode::Cancelled;
    stopped.what = "stopped on request: " + what;
    stopped.remedy = remedy;
    report_warning(&algorithm_, stopped);
  }
}

} // namespace rivulet
