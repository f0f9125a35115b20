// SPDX-License-Identifier: BSD-3-Clause
#include "Base/WholeType.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>
#include <string>

namespace rivulet
{

namespace
{

constexpr std::array<std::string_view, 9> kNames{ "", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
  "uint64" };

} // namespace

std::string_view name_of(WholeType type)
{
  return kNames[static_cast<std::size_t>(type)];
}

WholeType whole_type_named(std::string_view name)
{
  for (std::size_t i = 1; i < kNames.size(); ++i)
  {
    if (name == kNames[i])
    {
      return static_cast<WholeType>(i);
    }
  }
  return WholeType::None;
}

Result<void> check_whole(const Variable& variable, const void* values, std::int64_t count)
{
  if (variable.whole != WholeType::Int64 && variable.whole != WholeType::UInt64)
  {
    return {};
  }
  const auto* const first = static_cast<const double*>(values);
  const double* const large =
      std::find_if(first, first + count, [](double value) { return std::fabs(value) > kLargestWhole; });
  if (large == first + count)
  {
    return {};
  }
  std::ostringstream number;
  number << std::setprecision(19) << *large;
  return fail(ErrorCode::Unsupported,
      "\"" + variable.name + "\" has whole numbers from 2^53 on, about " + number.str() + ", which doubles do not hold",
      "leave the variable out, or write it as numbers of 32 bits or as float64");
}

} // namespace rivulet
