// SPDX-License-Identifier: BSD-3-Clause
#include "Base/TimeText.h"

#include <array>
#include <charconv>

namespace rivulet
{

std::string text_of_time(double time)
{
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), time);
  return error == std::errc() ? std::string(text.data(), end) : std::to_string(time);
}

} // namespace rivulet
