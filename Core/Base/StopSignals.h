// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Signals that ask for a stop, such as SIGINT of Ctrl-C. The first one asks the current work to stop. The next one
/// goes to the handler that was there before, which usually ends the process.
///
///     const StopSignals stop({ SIGINT });
///     while (!stop.requested().load()) ...
///
/// Objects may be nested: the innermost gets the first signal, and a second signal goes to the handler from before the
/// outermost. Make and destroy them on one thread, in reverse order. requested() may be read by any thread.
#pragma once

#include <atomic>
#include <vector>

namespace rivulet
{

class StopSignals
{
public:
  /// Takes these signals from their present handlers.
  explicit StopSignals(const std::vector<int>& numbers);
  /// Puts the handlers back.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// True once a stop was requested.
  [[nodiscard]] const std::atomic<bool>& requested() const { return requested_; }

private:
  std::atomic<bool> requested_{ false };
  std::atomic<bool>* outer_ = nullptr; ///< flag of the object around this one
  std::vector<int> taken_;             ///< signals taken by this object
};

} // namespace rivulet
