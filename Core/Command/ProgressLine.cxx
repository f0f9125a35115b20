// SPDX-License-Identifier: BSD-3-Clause
#include "Command/ProgressLine.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace rivulet::command
{

namespace
{

constexpr std::chrono::seconds kPlainInterval{ 5 };
constexpr int kBarPlaces = 24;

std::string format_time_left(double seconds)
{
  const auto whole = static_cast<long long>(std::ceil(std::min(seconds, 1e9)));
  std::array<char, 48> text{};
  if (whole >= 3600)
  {
    std::snprintf(text.data(), text.size(), "%lld:%02lld:%02lld left", whole / 3600, whole / 60 % 60, whole % 60);
  }
  else
  {
    std::snprintf(text.data(), text.size(), "%lld:%02lld left", whole / 60, whole % 60);
  }
  return text.data();
}

std::string draw_bar(double part, int places)
{
  const auto filled = static_cast<std::size_t>(part * places);
  return " [" + std::string(filled, '#') + std::string(static_cast<std::size_t>(places) - filled, '-') + "]";
}

} // namespace

std::string format_rate(std::int64_t bytes, double seconds)
{
  return format_bytes(static_cast<std::int64_t>(static_cast<double>(bytes) / std::max(seconds, 1e-3))) + "/s";
}

std::string ProgressLine::compose(
    const std::string& verb, std::int64_t done, std::int64_t total, double seconds, int bar)
{
  const double part = total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 1.0;
  std::array<char, 16> percent{};
  std::snprintf(percent.data(), percent.size(), " %3.0f %%", std::floor(part * 100.0));
  std::string text = verb + (bar > 0 ? draw_bar(part, bar) : "") + percent.data() + ", " + format_bytes(done) + " of " +
                     format_bytes(total);
  if (done > 0 && seconds > 0.0)
  {
    text += ", " + format_rate(done, seconds) + ", " +
            format_time_left(seconds * static_cast<double>(total - done) / static_cast<double>(done));
  }
  return text;
}

ProgressLine::ProgressLine(std::string verb, bool quiet)
  : verb_(std::move(verb))
  , quiet_(quiet)
  , terminal_(::isatty(STDERR_FILENO) == 1)
{
}

ProgressLine::~ProgressLine()
{
  if (drawn_ && terminal_)
  {
    std::fputs("\r\033[K", stderr);
  }
}

void ProgressLine::show(std::int64_t done, std::int64_t total)
{
  const Clock::time_point now = Clock::now();
  if (quiet_ || (!terminal_ && now - last_ < kPlainInterval))
  {
    return;
  }
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string text = compose(verb_, done, total, seconds, terminal_ ? kBarPlaces : 0);
  std::fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", text.c_str());
  std::fflush(stderr);
}

ByteProgress ProgressLine::callback()
{
  return [this](std::int64_t done, std::int64_t total)
  {
    show(done, total);
  };
}

} // namespace rivulet::command
