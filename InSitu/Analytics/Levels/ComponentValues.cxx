// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/ComponentValues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace rivulet
{

namespace
{

constexpr std::int64_t kSliceCells = std::int64_t{ 1 } << 17;

/// The smallest and the largest finite value so far.
struct Extremes
{
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value)
  {
    if (std::isfinite(value))
    {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  }
};

/// Where the cells of a patch lie among the stored ones.
struct StoredCells
{
  Long3 cells{};  ///< without ghosts
  Long3 stored{}; ///< with ghosts
  std::int64_t first = 0;

  explicit StoredCells(const rivulet_block& block)
  {
    std::int64_t layer = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      cells[axis] = block.cells[axis];
      stored[axis] = cells[axis] + block.ghosts[axis] + rivulet_ghosts_above(&block, static_cast<int>(axis));
      first += layer * block.ghosts[axis];
      layer *= stored[axis];
    }
  }
  [[nodiscard]] std::int64_t rows() const { return cells[1] * cells[2]; }
  /// The first stored cell of a row.
  [[nodiscard]] std::int64_t row(std::int64_t number) const
  {
    return first + stored[0] * (number % cells[1] + stored[1] * (number / cells[1]));
  }
};

template <class From, class To>
void copy_row(const From* from, std::int64_t stride, To* to, std::int64_t count, Extremes& extremes)
{
  for (std::int64_t i = 0; i < count; ++i)
  {
    to[i] = static_cast<To>(from[i * stride]);
    extremes.add(static_cast<double>(to[i]));
  }
}

template <class From, class To>
AmrRange copy_cells(const Host& host, const StoredCells& cells, const From* from, std::int64_t stride, To* to)
{
  std::vector<Extremes> of_slots(static_cast<std::size_t>(host.slots()));
  const std::int64_t grain = std::max<std::int64_t>(1, kSliceCells / cells.cells[0]);
  host.for_ranges(cells.rows(), grain,
      [&](std::int64_t begin, std::int64_t end, int slot) noexcept
      {
        for (std::int64_t row = begin; row < end; ++row)
        {
          copy_row(from + cells.row(row) * stride, stride, to + row * cells.cells[0], cells.cells[0],
              of_slots[static_cast<std::size_t>(slot)]);
        }
      });
  Extremes all;
  for (const Extremes& one : of_slots)
  {
    all.add(one.least);
    all.add(one.most);
  }
  return all.least <= all.most ? AmrRange{ true, all.least, all.most } : AmrRange{ true, 0.0, 0.0 };
}

template <class From>
AmrRange copy_from(const Host& host, const ChosenField& chosen, const OwnComponent& what, std::byte* values)
{
  const rivulet_block& block = chosen.field->block[what.block];
  const int number = chosen.numbers[what.variable];
  const auto* const from = static_cast<const From*>(block.data[number]) + what.component;
  const std::int64_t stride = chosen.field->variable[number].components;
  const StoredCells cells(block);
  return chosen.info.variables[what.variable].type == ScalarType::Float32
             ? copy_cells(host, cells, from, stride, reinterpret_cast<float*>(values))
             : copy_cells(host, cells, from, stride, reinterpret_cast<double*>(values));
}

} // namespace

std::size_t bytes_of_component(const ChosenField& chosen, const OwnComponent& what)
{
  const StoredCells cells(chosen.field->block[what.block]);
  return static_cast<std::size_t>(cells.cells[0] * cells.rows()) * size_of(chosen.info.variables[what.variable].type);
}

AmrRange copy_component(const Host& host, const ChosenField& chosen, const OwnComponent& what, std::byte* values)
{
  switch (chosen.field->variable[chosen.numbers[what.variable]].type)
  {
  case RIVULET_FLOAT32:
    return copy_from<float>(host, chosen, what, values);
  case RIVULET_INT32:
    return copy_from<std::int32_t>(host, chosen, what, values);
  case RIVULET_INT64:
    return copy_from<std::int64_t>(host, chosen, what, values);
  case RIVULET_UINT8:
    return copy_from<std::uint8_t>(host, chosen, what, values);
  default:
    return copy_from<double>(host, chosen, what, values);
  }
}

} // namespace rivulet
