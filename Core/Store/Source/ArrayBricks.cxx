// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/ArrayBricks.h"

namespace rivulet
{

namespace
{

Int3 sum(const Int3& a, const Int3& b)
{
  return { a[0] + b[0], a[1] + b[1], a[2] + b[2] };
}

} // namespace

ArrayBricks::ArrayBricks(const Grid& grid, std::vector<MemoryArray> arrays, const Int3& first)
  : first_(first)
  , arrays_(std::move(arrays))
{
  info_.grid = grid;
  info_.grid.nodes = sum(grid.nodes, first);
  info_.times = { 0.0 };
  for (const MemoryArray& array : arrays_)
  {
    info_.variables.push_back(array.variable);
    info_.ranges.emplace_back();
    grids_.push_back({ .cells = sum(grid.cells(), first),
        .count = { 1, 1, 1 },
        .lattice = sum(grid.lattice(array.variable.centering), first) });
  }
}

Lookup ArrayBricks::try_get(const BrickKey& key)
{
  const auto number = static_cast<std::size_t>(key.variable);
  const MemoryArray& array = arrays_[number];
  const Int3& lattice = grids_[number].lattice;
  const std::int64_t row = std::int64_t{ array.variable.components } * (lattice[0] - first_[0]);
  const BrickView view{ .data = array.values,
    .type = array.variable.type,
    .components = array.variable.components,
    .lattice = { first_, lattice },
    .stride = { array.variable.components, row, row * (lattice[1] - first_[1]) } };
  return { Lookup::State::Ready, BrickPin(this, nullptr, view), nullptr };
}

} // namespace rivulet
