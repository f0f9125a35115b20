// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/ArrayBricks.h"

namespace rivulet
{

ArrayBricks::ArrayBricks(const Grid& grid, std::vector<MemoryArray> arrays)
  : arrays_(std::move(arrays))
{
  info_.grid = grid;
  info_.times = { 0.0 };
  for (const MemoryArray& array : arrays_)
  {
    info_.variables.push_back(array.variable);
    info_.ranges.emplace_back();
    grids_.push_back(
        { .cells = grid.cells(), .count = { 1, 1, 1 }, .lattice = grid.lattice(array.variable.centering) });
  }
}

Lookup ArrayBricks::try_get(const BrickKey& key)
{
  const auto number = static_cast<std::size_t>(key.variable);
  const MemoryArray& array = arrays_[number];
  const Int3& lattice = grids_[number].lattice;
  const std::int64_t row = std::int64_t{ array.variable.components } * lattice[0];
  const BrickView view{ .data = array.values,
    .type = array.variable.type,
    .components = array.variable.components,
    .lattice = { { 0, 0, 0 }, lattice },
    .stride = { array.variable.components, row, row * lattice[1] } };
  return { Lookup::State::Ready, BrickPin(this, nullptr, view), nullptr };
}

} // namespace rivulet
