// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rivulet
{

std::string format_bytes(std::int64_t bytes)
{
  static constexpr std::array<const char*, 5> units{ "B", "KiB", "MiB", "GiB", "TiB" };
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (std::fabs(value) >= 1024.0 && unit + 1 < units.size())
  {
    value /= 1024.0;
    ++unit;
  }
  const bool whole = value == std::floor(value);
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), whole ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

namespace
{
// The factor of a unit such as "MiB", "M" or "MB"; 0 if it is none.
double unit_factor(std::string_view unit)
{
  if (unit.empty() || unit == "B")
  {
    return 1.0;
  }
  static constexpr std::string_view letters = "KMGT";
  const char letter = unit[0] == 'k' ? 'K' : unit[0];
  const std::size_t power = letters.find(letter);
  if (power == std::string_view::npos)
  {
    return 0.0;
  }
  const std::string_view rest = unit.substr(1);
  if (rest.empty() || rest == "iB")
  {
    return std::pow(1024.0, static_cast<double>(power + 1));
  }
  return rest == "B" ? std::pow(1000.0, static_cast<double>(power + 1)) : 0.0;
}
} // namespace

Result<std::int64_t> parse_bytes(std::string_view text)
{
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ')
  {
    unit.remove_prefix(1);
  }
  const double bytes = number * unit_factor(unit);
  if (error != std::errc{} || !(number >= 0.0) || unit_factor(unit) == 0.0 ||
      bytes > 0.5 * static_cast<double>(std::numeric_limits<std::int64_t>::max()))
  {
    return fail(ErrorCode::BadArgument, "\"" + std::string(text) + "\" is not a number of bytes",
        "write a number with an optional unit, such as 512MiB or 2G");
  }
  return static_cast<std::int64_t>(bytes);
}

} // namespace rivulet
