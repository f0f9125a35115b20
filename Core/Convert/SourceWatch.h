// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Looks now and then whether a source is still what it was, so that hours of work on files that somebody rewrites end
/// soon. Takes no more than about a hundredth of the time, however many files there are.
///
///     SourceWatch watch(reader);
///     every 0.1 seconds:  Result<void> same = watch.look();
///
/// One thread.
#pragma once

#include "Io/LatticeReader.h"

#include <algorithm>
#include <chrono>

namespace rivulet
{

class SourceWatch
{
public:
  explicit SourceWatch(LatticeReader& source)
    : source_(source)
  {
  }

  /// Fails with what LatticeReader::check_unchanged() says.
  [[nodiscard]] Result<void> look()
  {
    const Clock::time_point start = Clock::now();
    if (start < next_)
    {
      return {};
    }
    Result<void> same = source_.check_unchanged();
    next_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 100 * (Clock::now() - start));
    return same;
  }

private:
  using Clock = std::chrono::steady_clock;
  LatticeReader& source_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

} // namespace rivulet
