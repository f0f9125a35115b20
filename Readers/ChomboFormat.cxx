// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/ChomboFormat.h"

#include "Amr/ChomboFile.h"
#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int64_t kSampleBytes = 4 * kMiB;

/// Patches spread evenly over the dump whose values of the variable fit the limit; the smallest one if none does.
std::vector<std::int32_t> choose_patches(const AmrDump& dump, const AmrVariable& variable)
{
  const auto bytes_of = [&](std::size_t patch)
  {
    return volume(variable.stored_size(dump.patches[patch], dump.dimensions)) *
           static_cast<std::int64_t>(variable.components.size() * sizeof(double));
  };
  std::int64_t all = 0;
  std::size_t smallest = 0;
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    all += bytes_of(i);
    smallest = bytes_of(i) < bytes_of(smallest) ? i : smallest;
  }
  const auto stride = static_cast<std::size_t>(1 + all / kSampleBytes);
  std::vector<std::int32_t> chosen;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < dump.patches.size(); i += stride)
  {
    if (bytes + bytes_of(i) <= kSampleBytes)
    {
      bytes += bytes_of(i);
      chosen.push_back(static_cast<std::int32_t>(i));
    }
  }
  return chosen.empty() ? std::vector<std::int32_t>{ static_cast<std::int32_t>(smallest) } : chosen;
}

template <class T>
void widen(const PatchVariable& values, std::vector<AmrRange>& ranges)
{
  const std::size_t count = values.values.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i)
  {
    T value{};
    std::memcpy(&value, values.values.data() + i * sizeof(T), sizeof(T));
    const auto number = static_cast<double>(value);
    if (std::isfinite(number))
    {
      AmrRange& range = ranges[i % ranges.size()];
      range.minimum = std::min(range.minimum, number);
      range.maximum = std::max(range.maximum, number);
    }
  }
}

void widen(const PatchVariable& values, std::vector<AmrRange>& ranges)
{
  switch (values.type)
  {
  case StoredType::Int8:
    return widen<std::int8_t>(values, ranges);
  case StoredType::UInt8:
    return widen<std::uint8_t>(values, ranges);
  case StoredType::Int16:
    return widen<std::int16_t>(values, ranges);
  case StoredType::UInt16:
    return widen<std::uint16_t>(values, ranges);
  case StoredType::Int32:
    return widen<std::int32_t>(values, ranges);
  case StoredType::UInt32:
    return widen<std::uint32_t>(values, ranges);
  case StoredType::Int64:
    return widen<std::int64_t>(values, ranges);
  case StoredType::UInt64:
    return widen<std::uint64_t>(values, ranges);
  case StoredType::Float32:
    return widen<float>(values, ranges);
  default:
    return widen<double>(values, ranges);
  }
}

} // namespace

Result<DumpIndex> ChomboFormat::find(std::span<const std::string> paths, bool only_complete)
{
  return find_plot_files(paths, only_complete);
}

Result<AmrDump> ChomboFormat::open(const std::string& path)
{
  return read_chombo(path);
}

std::int64_t ChomboFormat::find_ranges(AmrDump& dump, int number)
{
  AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
  const std::array<std::int32_t, 1> numbers{ number };
  Result<PatchData> data = reader_.read(dump, choose_patches(dump, variable), numbers, {});
  if (!data)
  {
    return 0; // the error is reported when the values are read
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<AmrRange> ranges(variable.components.size(), { true, kInfinity, -kInfinity });
  for (const PatchVariable& values : data->values)
  {
    if (values.state == PatchVariable::State::Read)
    {
      widen(values, ranges);
    }
  }
  const bool known =
      std::all_of(ranges.begin(), ranges.end(), [](const AmrRange& range) { return range.minimum <= range.maximum; });
  for (std::size_t c = 0; known && c < ranges.size(); ++c)
  {
    variable.components[c].ranges.assign(dump.patches.size(), ranges[c]);
  }
  return data->statistics.bytes_read;
}

} // namespace rivulet
