// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Signals that ask for a stop, as Ctrl-C does. The first asks the work at hand to stop; the next one goes to the
/// handler that was there before, which usually ends the process.
///
///     const StopSignals stop({ SIGINT });
///     while (!stop.requested().load()) ...
///
/// Objects may be nested: the innermost is asked, and a second signal goes to the handler before the outermost. Make
/// and destroy them on one thread, in reverse order. requested() may be read by any thread.
#pragma once

#include <atomic>
#include <vector>

namespace rivulet
{

class StopSignals
{
public:
  /// Takes these signals, whatever is done with them now.
  explicit StopSignals(const std::vector<int>& numbers);
  /// Puts the handlers back.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Set once a stop was asked for.
  [[nodiscard]] const std::atomic<bool>& requested() const { return requested_; }

private:
  std::atomic<bool> requested_{ false };
  std::atomic<bool>* outer_ = nullptr; ///< what is asked when this is gone
  std::vector<int> taken_;             ///< by this object
};

} // namespace rivulet
