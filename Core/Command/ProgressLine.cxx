// SPDX-License-Identifier: BSD-3-Clause
#include "Command/ProgressLine.h"

#include <algorithm>

namespace rivulet::command
{

namespace
{

constexpr std::chrono::seconds kPlainInterval{ 5 };
constexpr int kBarPlaces = 24;

} // namespace

std::string format_rate(std::int64_t bytes, double seconds)
{
  return format_bytes(static_cast<std::int64_t>(static_cast<double>(bytes) / std::max(seconds, 1e-3))) + "/s";
}

std::string ProgressLine::compose(
    const std::string& verb, std::int64_t done, std::int64_t total, double seconds, int bar)
{
  const double part = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 1.0;
  std::string text = bar_text(verb, part, bar) + ", " + format_bytes(done) + " of " + format_bytes(total);
  if (done > 0 && seconds > 0.0)
  {
    text += ", " + format_rate(done, seconds) + ", " +
            time_left_text(seconds * static_cast<double>(total - done) / static_cast<double>(done));
  }
  return text;
}

ProgressLine::ProgressLine(std::string verb, bool quiet)
  : verb_(std::move(verb))
  , quiet_(quiet)
{
}

void ProgressLine::show(std::int64_t done, std::int64_t total)
{
  const Clock::time_point now = Clock::now();
  if (quiet_ || (!line_.on_terminal() && now - last_ < kPlainInterval))
  {
    return;
  }
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  line_.draw(compose(verb_, done, total, seconds, line_.on_terminal() ? kBarPlaces : 0));
}

ByteProgress ProgressLine::callback()
{
  return [this](std::int64_t done, std::int64_t total)
  {
    show(done, total);
  };
}

} // namespace rivulet::command
