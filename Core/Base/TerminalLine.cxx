// SPDX-License-Identifier: BSD-3-Clause
#include "Base/TerminalLine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace rivulet
{

TerminalLine::TerminalLine()
  : terminal_(::isatty(STDERR_FILENO) == 1)
{
}

void TerminalLine::draw(const std::string& text)
{
  drawn_ = true;
  std::fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", text.c_str());
  std::fflush(stderr);
}

void TerminalLine::wipe()
{
  if (drawn_ && terminal_)
  {
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
  }
  drawn_ = false;
}

std::string bar_text(const std::string& verb, double part, int places)
{
  std::array<char, 16> percent{};
  std::snprintf(percent.data(), percent.size(), " %3.0f %%", std::floor(part * 100.0));
  std::string bar;
  if (places > 0)
  {
    const auto filled = static_cast<std::size_t>(part * places);
    bar = " [" + std::string(filled, '#') + std::string(static_cast<std::size_t>(places) - filled, '-') + "]";
  }
  return verb + bar + percent.data();
}

std::string time_left_text(double seconds)
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

} // namespace rivulet
