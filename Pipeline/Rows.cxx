// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/Rows.h"

#include "Base/WholeType.h"
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

namespace
{

// Number of the first scalar of a lattice point.
std::int64_t place_in(const BrickView& view, const Int3& at)
{
  return (at[0] - view.lattice.begin[0]) * view.stride[0] + (at[1] - view.lattice.begin[1]) * view.stride[1] +
         (at[2] - view.lattice.begin[2]) * view.stride[2];
}

} // namespace

void copy_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  const auto* from = static_cast<const std::byte*>(view.data) + place_in(view, at) * scalar;
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

namespace
{

template <class T, class Scalar>
void convert_row(const BrickView& view, const Int3& at, std::int64_t count, std::byte* out)
{
  const Scalar* from = static_cast<const Scalar*>(view.data) + place_in(view, at);
  T* to = reinterpret_cast<T*>(out);
  for (std::int64_t i = 0; i < count; ++i)
  {
    for (std::int32_t component = 0; component < view.components; ++component)
    {
      *to++ = whole_number<T>(static_cast<double>(from[i * view.stride[0] + component]));
    }
  }
}

void fill_missing(const Variable& variable, std::int64_t count, std::byte* out)
{
  const std::int64_t scalars = count * variable.components;
  if (variable.whole != WholeType::None)
  {
    std::memset(out, 0, static_cast<std::size_t>(count * user_tuple_bytes(variable)));
  }
  else if (variable.type == ScalarType::Float32)
  {
    std::fill_n(reinterpret_cast<float*>(out), scalars, std::numeric_limits<float>::quiet_NaN());
  }
  else
  {
    std::fill_n(reinterpret_cast<double*>(out), scalars, std::numeric_limits<double>::quiet_NaN());
  }
}

// Calls use(at, row) for each row of `part`: its first lattice point, and its place in a dense array of the points
// `whole`, counted in tuples.
template <class Use>
void for_each_row(const Box& part, const Box& whole, const Use& use)
{
  if (part.empty())
  {
    return;
  }
  for (Int3 at = part.begin; at[2] < part.end[2]; ++at[2])
  {
    for (at[1] = part.begin[1]; at[1] < part.end[1]; ++at[1])
    {
      use(at, row_major({ at[0] - whole.begin[0], at[1] - whole.begin[1], at[2] - whole.begin[2] }, whole.size()));
    }
  }
}

} // namespace

void copy_row_for_users(
    const BrickPin& pin, const Variable& variable, const Int3& at, std::int64_t count, std::byte* out)
{
  if (!pin)
  {
    fill_missing(variable, count, out);
  }
  else if (variable.whole == WholeType::None)
  {
    copy_row(pin.view(), at, count, out);
  }
  else
  {
    use_whole_type(variable.whole,
        [&](auto number)
        {
          using T = decltype(number);
          variable.type == ScalarType::Float32 ? convert_row<T, float>(pin.view(), at, count, out)
                                               : convert_row<T, double>(pin.view(), at, count, out);
        });
  }
}

void copy_rows_for_users(
    const BrickPin& pin, const Variable& variable, const Box& part, const Box& whole, std::byte* out)
{
  for_each_row(part, whole,
      [&](const Int3& at, std::int64_t place)
      { copy_row_for_users(pin, variable, at, part.size()[0], out + place * user_tuple_bytes(variable)); });
}

namespace
{

void copy_rows(const BrickView& view, const Box& part, const Box& whole, std::byte* out)
{
  const std::int64_t tuple = view.components * static_cast<std::int64_t>(size_of(view.type));
  for_each_row(part, whole,
      [&](const Int3& at, std::int64_t place) { copy_row(view, at, part.size()[0], out + place * tuple); });
}

} // namespace

Result<void> read_box(BrickSource& source, const ValueBlock& block, std::byte* out)
{
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
          copy_rows(pin.view(), box, box, out);
          return {};
        }
        copy_rows(pin.view(), intersect(owned_values(grid, index), box), box, out);
      }
    }
  }
  return {};
}

} // namespace rivulet
