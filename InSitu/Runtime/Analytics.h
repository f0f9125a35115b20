// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One of the configured analytics: its plugin, its communicator, its state (on or off), and its executions and time.
///
/// Nothing that a plugin does wrong leaves here: error codes, exceptions, and errors of MPI on its communicator, which
/// it may not have looked at, become messages. create, execute and destroy are called by one thread at a time. is_on(),
/// uses() and off_since() may be called by any.
#pragma once

#include "Configuration.h"
#include "Messages.h"
#include "MpiErrors.h"
#include "ParallelLoop.h"

#include <atomic>
#include <limits>

namespace rivulet::insitu
{

class Analytics
{
public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  struct Use
  {
    std::int64_t executions = 0;
    std::int64_t failures = 0;
    double seconds = 0;
  };

  /// The folder for result files, and the treatment of existing ones.
  struct Results
  {
    std::string output;
    Start start = Start::Restart;
  };

  /// Whether a plugin uses MPI with these options.
  [[nodiscard]] static bool asks_mpi(const rivulet_analytics& functions, const std::string& options)
  {
    return functions.asks_mpi != nullptr ? functions.asks_mpi(options.c_str()) != 0 : functions.uses_mpi != 0;
  }

  /// `functions`: null where the plugin cannot be loaded on this rank; then the analytics is off. The rest must live
  /// longer than this object. `stopped`: the session's limit of time has passed.
  Analytics(AnalyticsConfiguration configuration, Results results, const rivulet_analytics* functions,
      const ParallelLoop& loop, Messages& messages, Trace& trace, const std::atomic<bool>& stopped);
  Analytics(const Analytics&) = delete;
  Analytics& operator=(const Analytics&) = delete;

  [[nodiscard]] const std::string& name() const { return configuration_.name; }
  [[nodiscard]] bool uses_mpi() const { return uses_mpi_; }
  /// Whether it wants a variable of the data published under this name. By the simulation's thread, after create().
  [[nodiscard]] bool wants(const char* name, const char* variable) const
  {
    return functions_ != nullptr &&
           (!created_ || functions_->wants == nullptr || functions_->wants(self_, name, variable) != 0);
  }
  /// Before create().
  void set_rank(int rank, int ranks)
  {
    host_.rank = rank;
    host_.ranks = ranks;
  }
  /// `comm` becomes the plugin's. For analytics that use MPI, before create().
  void give(MPI_Comm comm)
  {
    host_.comm = comm;
    mpi_errors_.watch(comm);
  }
  [[nodiscard]] MPI_Comm comm() const { return host_.comm; }

  [[nodiscard]] bool due(std::int64_t step) const
  {
    return step >= configuration_.first && (step - configuration_.first) % configuration_.every == 0;
  }
  [[nodiscard]] bool is_on() const { return off_since_ == kNever; }
  /// Sequence number of the step at which it was switched off; -1: never on; kNever: on.
  [[nodiscard]] std::int64_t off_since() const { return off_since_; }
  void switch_off(std::int64_t sequence) { off_since_ = sequence; }
  [[nodiscard]] bool stops_on_error() const { return configuration_.on_error == OnError::Stop; }

  /// False, and a message, if the plugin fails.
  [[nodiscard]] bool create();
  /// Once. False, and a message, if the plugin fails. The caller keeps the host's state (KeptHost.h).
  [[nodiscard]] bool execute(const rivulet_snapshot& snapshot);
  /// A failure of a step that is not executed.
  void refuse_step(std::int64_t step, const std::string& reason);
  /// Executions for each step.
  [[nodiscard]] std::int64_t repeat() const { return configuration_.repeat; }
  /// Where create() has returned true; else nothing.
  void destroy();
  /// Leaves destroy() out: create() has failed on other ranks, which could not take part.
  void abandon() { created_ = false; }

  [[nodiscard]] Use use() const { return { executions_, failures_, seconds_ }; }

private:
  /// Calls a function of the plugin in the arena. False, and a message, if it fails.
  template <class Function>
  bool call(const char* what, const Function& function);
  [[nodiscard]] static bool tells_failure(std::int64_t in_turn);
  void tell_failure(const char* what, const std::string& failure);
  void tell_success();
  [[nodiscard]] std::string place() const;

  static void on_parallel(void* self, std::int64_t count, std::int64_t grain, rivulet_loop_body body, void* data);
  static void on_message(void* self, std::int32_t severity, const char* text);
  static std::int32_t on_stopped(void* self);

  AnalyticsConfiguration configuration_;
  Results results_;
  bool uses_mpi_;
  const rivulet_analytics* functions_;
  const ParallelLoop& loop_;
  Messages& messages_;
  Trace& trace_;
  const std::atomic<bool>& stopped_;
  rivulet_analytics_host host_{};
  MpiErrors mpi_errors_;
  void* self_ = nullptr;
  bool created_ = false;
  std::atomic<std::int64_t> failures_in_turn_{ 0 };
  std::atomic<std::int64_t> step_{ -1 }; ///< for messages; -1: outside of execute
  std::atomic<std::int64_t> off_since_{ kNever };
  std::atomic<std::int64_t> executions_{ 0 };
  std::atomic<std::int64_t> failures_{ 0 };
  std::atomic<double> seconds_{ 0 };
};

} // namespace rivulet::insitu
