// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/Rows.h"

#include "Store/Source/WaitForBrick.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace rivulet
{

Int3 brick_holding(const BrickGrid& grid, const Int3& at)
{
  Int3 brick;
  for (int axis = 0; axis < 3; ++axis)
  {
    brick[axis] = std::min(at[axis] / grid.cells[axis], grid.count[axis] - 1);
  }
  return brick;
}

Box owned_values(const BrickGrid& grid, std::int64_t index)
{
  const Int3 brick = from_row_major(index, grid.count);
  Box box;
  for (int axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = brick[axis] * grid.cells[axis];
    const bool last = brick[axis] + 1 == grid.count[axis];
    box.end[axis] = last ? grid.lattice[axis] : box.begin[axis] + grid.cells[axis];
  }
  return box;
}

std::vector<std::int64_t> bricks_of(const FileBricks& source, const ValueBlock& block)
{
  const BrickGrid& grid = source.bricks(block.variable);
  const Int3 low = brick_holding(grid, block.box.begin);
  const Box& box = block.box;
  const Int3 high = brick_holding(grid, { box.end[0] - 1, box.end[1] - 1, box.end[2] - 1 });
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  for (Int3 at = low; at[2] <= high[2]; ++at[2])
  {
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
    {
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
      {
        const std::int64_t index = row_major(at, grid.count);
        order.emplace_back(source.storage_order({ block.variable, block.step, index }), index);
      }
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<std::int64_t> indices(order.size());
  std::transform(order.begin(), order.end(), indices.begin(), [](const auto& entry) { return entry.second; });
  return indices;
}

void copy_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  const std::int64_t offset = (at[0] - view.lattice.begin[0]) * view.stride[0] +
                              (at[1] - view.lattice.begin[1]) * view.stride[1] +
                              (at[2] - view.lattice.begin[2]) * view.stride[2];
  const auto* from = static_cast<const std::byte*>(view.data) + offset * scalar;
  const std::int64_t tuple = view.components * scalar;
  if (view.stride[0] == view.components)
  {
    std::memcpy(out, from, static_cast<std::size_t>(count * tuple));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
  {
    std::memcpy(out + i * tuple, from + i * view.stride[0] * scalar, static_cast<std::size_t>(tuple));
  }
}

void fill_nan(const Variable& variable, std::int64_t count, std::byte* out)
{
  const std::int64_t scalars = count * variable.components;
  if (variable.type == ScalarType::Float32)
  {
    std::fill_n(reinterpret_cast<float*>(out), scalars, std::numeric_limits<float>::quiet_NaN());
    return;
  }
  std::fill_n(reinterpret_cast<double*>(out), scalars, std::numeric_limits<double>::quiet_NaN());
}

void copy_rows(const BrickPin& pin, const Variable& variable, const Box& part, const Box& whole, std::byte* out)
{
  if (part.empty())
  {
    return;
  }
  const std::int64_t length = part.size()[0];
  for (Int3 at = part.begin; at[2] < part.end[2]; ++at[2])
  {
    for (at[1] = part.begin[1]; at[1] < part.end[1]; ++at[1])
    {
      const Int3 place{ at[0] - whole.begin[0], at[1] - whole.begin[1], at[2] - whole.begin[2] };
      std::byte* row = out + row_major(place, whole.size()) * static_cast<std::int64_t>(variable.tuple_bytes());
      pin ? copy_row(pin.view(), at, length, row) : fill_nan(variable, length, row);
    }
  }
}

Result<void> read_box(BrickSource& source, const ValueBlock& block, std::byte* out)
{
  const Variable& variable = source.info().variables[static_cast<std::size_t>(block.variable)];
  const BrickGrid& grid = source.bricks(block.variable);
  const Box& box = block.box;
  const Int3 low = brick_holding(grid, box.begin);
  const Int3 high = brick_holding(grid, { box.end[0] - 1, box.end[1] - 1, box.end[2] - 1 });
  for (Int3 at = low; at[2] <= high[2]; ++at[2])
  {
    for (at[1] = low[1]; at[1] <= high[1]; ++at[1])
    {
      for (at[0] = low[0]; at[0] <= high[0]; ++at[0])
      {
        const std::int64_t index = row_major(at, grid.count);
        std::shared_ptr<const Error> error;
        const BrickPin pin = wait_for_brick(source, { block.variable, block.step, index }, error);
        if (error)
        {
          return tl::unexpected(*error);
        }
        if (intersect(pin.view().lattice, box) == box) // with the shared layer no neighbour is needed
        {
          copy_rows(pin, variable, box, box, out);
          return {};
        }
        copy_rows(pin, variable, intersect(owned_values(grid, index), box), box, out);
      }
    }
  }
  return {};
}

} // namespace rivulet
