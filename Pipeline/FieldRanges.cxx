// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/FieldRanges.h"

#include "Base/Bytes.h"
#include "Parallel/Team.h"
#include "Pipeline/Rows.h"
#include "Store/Source/WaitForBrick.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMostComponents = 9;
constexpr std::int64_t kRowTuples = 256;

struct Extremes
{
  double low = kInfinity;
  double high = -kInfinity;

  void add(double value) // skips NaN
  {
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  void add(const Extremes& other)
  {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  [[nodiscard]] bool finite() const { return std::isfinite(low) && std::isfinite(high); }
};

/// Extremes of the components and of the squared magnitude.
struct TupleExtremes
{
  std::array<Extremes, kMostComponents> components;
  Extremes square;

  void add(const TupleExtremes& other)
  {
    for (std::size_t component = 0; component < components.size(); ++component)
    {
      components[component].add(other.components[component]);
    }
    square.add(other.square);
  }
  [[nodiscard]] bool finite(std::int32_t count) const
  {
    return square.finite() && std::all_of(components.begin(), components.begin() + count,
                                  [](const Extremes& extremes) { return extremes.finite(); });
  }
  [[nodiscard]] ValueRanges ranges(std::int32_t count) const
  {
    ValueRanges ranges;
    if (square.low > square.high)
    {
      return ranges;
    }
    for (std::int32_t component = 0; component < count; ++component)
    {
      const Extremes& extremes = components[static_cast<std::size_t>(component)];
      ranges.components.push_back({ extremes.low, extremes.high });
    }
    ranges.magnitude = { std::sqrt(square.low), std::sqrt(square.high) };
    return ranges;
  }
};

struct Scan
{
  TupleExtremes all;
  TupleExtremes finite;
};

template <class T, bool OnlyFinite>
void scan_row(TupleExtremes& to, const T* values, std::int64_t count, std::int32_t components)
{
  for (std::int64_t tuple = 0; tuple < count; ++tuple)
  {
    double square = 0.0;
    for (std::int32_t component = 0; component < components; ++component)
    {
      const double value = *values++;
      square += value * value;
      if (!OnlyFinite || std::isfinite(value))
      {
        to.components[static_cast<std::size_t>(component)].add(value);
      }
    }
    if (!OnlyFinite || std::isfinite(square))
    {
      to.square.add(square);
    }
  }
}

template <class T>
void scan_row(Scan& scan, const std::byte* row, std::int64_t count, std::int32_t components)
{
  const auto* values = reinterpret_cast<const T*>(row);
  TupleExtremes here;
  scan_row<T, false>(here, values, count, components);
  scan.all.add(here);
  if (!here.finite(components)) // infinity, or NaN only: rare enough to scan twice
  {
    here = {};
    scan_row<T, true>(here, values, count, components);
  }
  scan.finite.add(here);
}

/// `count` tuples from lattice point `at` along x.
void scan_tuples(Scan& scan, const BrickView& view, Int3 at, std::int64_t count)
{
  alignas(8) std::array<std::byte, sizeof(double) * kRowTuples * kMostComponents> row;
  while (count > 0)
  {
    const std::int64_t some = std::min(count, kRowTuples);
    copy_row(view, at, some, row.data());
    view.type == ScalarType::Float32 ? scan_row<float>(scan, row.data(), some, view.components)
                                     : scan_row<double>(scan, row.data(), some, view.components);
    at[0] += static_cast<std::int32_t>(some);
    count -= some;
  }
}

/// Planes of a brick that are scanned at once.
struct Slab
{
  std::int64_t brick = 0;
  Box box;
};

std::vector<Slab> cut(const LazyField& field, const ValueBlock& block)
{
  constexpr std::int64_t kSlabBytes = 4 * kMiB;
  const Variable& variable = field.info().variables[static_cast<std::size_t>(block.variable)];
  std::vector<Slab> slabs;
  for (const std::int64_t brick : bricks_of(*field.source(), block))
  {
    Box part = intersect(owned_values(field.source()->bricks(block.variable), brick), block.box);
    const std::int32_t end = part.end[2];
    const Int3 size = part.size();
    const std::int64_t plane = std::int64_t{ size[0] } * size[1] * static_cast<std::int64_t>(variable.tuple_bytes());
    const auto planes = static_cast<std::int32_t>(std::clamp<std::int64_t>(kSlabBytes / plane, 1, size[2]));
    while (part.begin[2] < end)
    {
      part.end[2] = std::min(end, part.begin[2] + planes);
      slabs.push_back({ brick, part });
      part.begin[2] = part.end[2];
    }
  }
  return slabs;
}

bool scan_slab(Scan& scan, LazyField& field, const ValueBlock& block, const Slab& slab)
{
  const BrickKey key{ block.variable, block.step, slab.brick };
  field.source()->read_ahead(key, slab.box);
  const BrickPin pin = field.pin(key);
  if (!pin)
  {
    return false;
  }
  for (Int3 at = slab.box.begin; at[2] < slab.box.end[2]; ++at[2])
  {
    for (at[1] = slab.box.begin[1]; at[1] < slab.box.end[1]; ++at[1])
    {
      scan_tuples(scan, pin.view(), at, slab.box.size()[0]);
    }
  }
  return true;
}

/// Point number `sample` of a sequence that fills the box evenly: multiples of the plastic number's powers (M.
/// Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018).
Int3 spread_point(const Box& box, std::int64_t sample)
{
  constexpr Vec3 kSteps{ 0.8191725133961645, 0.6710436067037893, 0.5497004779019703 };
  Int3 at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double turns = 0.5 + static_cast<double>(sample) * kSteps[axis];
    at[axis] = static_cast<std::int32_t>((turns - std::floor(turns)) * box.size()[axis]) + box.begin[axis];
  }
  return at;
}

/// Calls `use(view, first, count)` for rows of at most 16 tuples: 16 rows in each of at most 64 bricks, spread over a
/// step; fewer bricks once they have cost 4 MiB. `pin_of(key)` gives a brick.
template <class Pin, class Use>
void visit_some_rows(LazyField& field, int variable, int step, const Pin& pin_of, const Use& use)
{
  constexpr std::int64_t kBricks = 64;
  constexpr std::int64_t kRowsOfBrick = 16;
  constexpr std::int32_t kTuples = 16;
  constexpr std::int64_t kMostBytes = 4 * kMiB;
  const BrickGrid& grid = field.source()->bricks(variable);
  const Box all{ { 0, 0, 0 }, grid.lattice };
  const std::int64_t before = field.source()->statistics().bytes_read;
  for (std::int64_t sample = 0; sample < kBricks; ++sample)
  {
    const Int3 at = spread_point(all, sample);
    const BrickPin pin = pin_of(BrickKey{ variable, step, row_major(brick_holding(grid, at), grid.count) });
    for (std::int64_t number = 0; pin && number < kRowsOfBrick; ++number)
    {
      const Int3 first = spread_point(pin.view().lattice, number);
      use(pin.view(), first, std::min(kTuples, pin.view().lattice.end[0] - first[0]));
    }
    // A file without bricks may read far more than the bytes of one brick.
    if (field.source()->statistics().bytes_read - before > kMostBytes)
    {
      break;
    }
  }
}

std::vector<double> row_of_doubles(const BrickView& view, const Int3& at, std::int32_t count)
{
  std::vector<double> row(static_cast<std::size_t>(count) * static_cast<std::size_t>(view.components));
  if (view.type == ScalarType::Float64)
  {
    copy_row(view, at, count, reinterpret_cast<std::byte*>(row.data()));
    return row;
  }
  std::vector<float> floats(row.size());
  copy_row(view, at, count, reinterpret_cast<std::byte*>(floats.data()));
  std::copy(floats.begin(), floats.end(), row.begin());
  return row;
}

/// Which of `count` points, or cells, from `first` on along x are hidden in the file.
std::vector<std::uint8_t> hidden_row(
    const FileBricks& source, Centering centering, int step, const Int3& first, std::int32_t count)
{
  std::vector<std::uint8_t> hidden(static_cast<std::size_t>(count), 0);
  const Box row{ first, { first[0] + count, first[1] + 1, first[2] + 1 } };
  if (source.hides(centering, step) && !source.read_hidden(centering, step, row, hidden.data()))
  {
    std::fill(hidden.begin(), hidden.end(), std::uint8_t{ 1 });
  }
  return hidden;
}

} // namespace

std::optional<ScannedRanges> scan_ranges(LazyField& field, const ValueBlock& block, std::chrono::nanoseconds limit)
{
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Slab> slabs = cut(field, block);
  std::atomic<std::size_t> next{ 0 };
  std::atomic<bool> given_up{ false };
  std::mutex mutex;
  Scan together;
  run_team(resolve_threads(0),
      [&](int)
      {
        Scan mine;
        for (std::size_t at = next++; at < slabs.size() && !given_up; at = next++)
        {
          const bool late = std::chrono::steady_clock::now() - start > limit;
          if (late || !scan_slab(mine, field, block, slabs[at]))
          {
            given_up = true;
          }
        }
        const std::lock_guard lock(mutex);
        together.all.add(mine.all);
        together.finite.add(mine.finite);
      });
  const std::int32_t components = field.info().variables[static_cast<std::size_t>(block.variable)].components;
  return given_up ? std::optional<ScannedRanges>()
                  : ScannedRanges{ together.all.ranges(components), together.finite.ranges(components), true };
}

ValueRanges estimate_ranges(LazyField& field, int variable, int step)
{
  Scan scan;
  visit_some_rows(
      field, variable, step, [&](const BrickKey& key) { return field.pin(key); },
      [&](const BrickView& view, const Int3& first, std::int32_t count) { scan_tuples(scan, view, first, count); });
  return scan.finite.ranges(field.info().variables[static_cast<std::size_t>(variable)].components);
}

std::vector<std::vector<double>> sample_values(LazyField& field, int variable, int step)
{
  const Variable& sampled = field.info().variables[static_cast<std::size_t>(variable)];
  const auto components = static_cast<std::size_t>(sampled.components);
  std::vector<std::vector<double>> values(components);
  const auto pin_of = [&](const BrickKey& key)
  {
    std::shared_ptr<const Error> unread; // reported when a filter needs the brick's values
    return wait_for_brick(*field.source(), key, unread);
  };
  visit_some_rows(field, variable, step, pin_of,
      [&](const BrickView& view, const Int3& first, std::int32_t count)
      {
        const std::vector<std::uint8_t> hidden = hidden_row(*field.source(), sampled.centering, step, first, count);
        const std::vector<double> row = row_of_doubles(view, first, count);
        for (std::size_t at = 0; at < row.size(); ++at)
        {
          if (hidden[at / components] == 0 && std::isfinite(row[at]))
          {
            values[at % components].push_back(row[at]);
          }
        }
      });
  return values;
}

} // namespace rivulet
