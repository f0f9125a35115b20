// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Progress on the standard error stream. A terminal shows a bar that is redrawn in place. Elsewhere a plain line
/// appears every few seconds. Nothing appears when quiet.
///
///     ProgressLine line("converting", quiet);
///     convert(reader, path, { .progress = line.callback() });
///
/// One thread. compose() is public for tests.
#pragma once

#include "Base/TerminalLine.h"
#include "Convert/Converter.h"

#include <chrono>
#include <string>

namespace rivulet::command
{

class ProgressLine
{
public:
  ProgressLine(std::string verb, bool quiet);

  void show(std::int64_t done, std::int64_t total);
  [[nodiscard]] ByteProgress callback();

  /// Text of the line, as in "converting [#####-----]  50 %, 1 GiB of 2 GiB, 512 MiB/s, 0:02 left". `bar`: characters
  /// between the brackets; 0 leaves out the bar.
  [[nodiscard]] static std::string compose(
      const std::string& verb, std::int64_t done, std::int64_t total, double seconds, int bar);

private:
  using Clock = std::chrono::steady_clock;

  std::string verb_;
  bool quiet_;
  TerminalLine line_; ///< its destructor clears the line
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

/// Seconds since construction.
class Stopwatch
{
public:
  [[nodiscard]] double seconds() const
  {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Rate as text, as in "612 MiB/s".
[[nodiscard]] std::string format_rate(std::int64_t bytes, double seconds);

} // namespace rivulet::command
