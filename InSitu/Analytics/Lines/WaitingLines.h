// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lines of steps whose files could not be written, on the first rank. The next file has them, too: one line of each
/// particle since the last file.
///
///     WaitingLines waiting(host, limit);
///     const Result<LineSet> all = waiting.join(lines);
///     ... write all ...
///     written ? waiting.clear() : waiting.keep(std::move(lines));
///
/// Memory: `limit` bytes, and as much again while lines are joined. Above `limit`, lines of the oldest steps are
/// dropped, with a warning.
#pragma once

#include "Lines/LineSet.h"

#include <deque>

namespace rivulet
{

class WaitingLines
{
public:
  WaitingLines(const Host& host, std::int64_t limit)
    : host_(host)
    , limit_(limit)
  {
  }
  WaitingLines(const WaitingLines&) = delete;
  WaitingLines& operator=(const WaitingLines&) = delete;
  ~WaitingLines(); ///< warns of lines that wait still

  [[nodiscard]] bool empty() const { return steps_.empty(); }
  /// The waiting lines, and then the lines of the present step, joined by their seeds. Fails if there is no memory.
  [[nodiscard]] Result<LineSet> join(const LineSet& present) const;
  void keep(LineSet lines);
  /// They are in a file.
  void clear();

private:
  void tell_missing(std::int64_t steps) const;

  Host host_;
  std::int64_t limit_;
  std::deque<LineSet> steps_;
  std::int64_t bytes_ = 0;   ///< of all steps
  std::int64_t dropped_ = 0; ///< steps since the last file
};

} // namespace rivulet
