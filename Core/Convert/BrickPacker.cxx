// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BrickPacker.h"

#include "Convert/RegionPlan.h"

#include <cstring>

namespace rivulet
{

namespace
{

// Copies the row and repeats its last tuple up to `points`.
void copy_row(std::byte* to, const std::byte* from, std::int32_t held, std::int32_t points, std::size_t tuple_bytes)
{
  std::memcpy(to, from, static_cast<std::size_t>(held) * tuple_bytes);
  const std::byte* last = from + static_cast<std::size_t>(held - 1) * tuple_bytes;
  for (std::int32_t point = held; point < points; ++point)
  {
    std::memcpy(to + static_cast<std::size_t>(point) * tuple_bytes, last, tuple_bytes);
  }
}

} // namespace

void pack_brick(
    const BrickLayout& layout, std::size_t tuple_bytes, const BoxView& from, const Int3& brick, std::byte* payload)
{
  const Box box = lattice_of(layout, Box{ brick, { brick[0] + 1, brick[1] + 1, brick[2] + 1 } });
  const Int3 held = box.size();
  const Int3 outer = from.box.size();
  const std::size_t row_bytes = static_cast<std::size_t>(layout.nodes[0]) * tuple_bytes;
  for (std::int32_t k = 0; k < layout.nodes[2]; ++k)
  {
    for (std::int32_t j = 0; j < layout.nodes[1]; ++j)
    {
      const Int3 at{ box.begin[0] - from.box.begin[0], box.begin[1] - from.box.begin[1] + std::min(j, held[1] - 1),
        box.begin[2] - from.box.begin[2] + std::min(k, held[2] - 1) };
      const std::byte* row = from.values + static_cast<std::size_t>(row_major(at, outer)) * tuple_bytes;
      copy_row(payload, row, held[0], layout.nodes[0], tuple_bytes);
      payload += row_bytes;
    }
  }
}

std::int64_t owned_points(const BrickLayout& layout, const Int3& brick)
{
  std::int64_t points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = std::int64_t{ brick[axis] } * layout.cells[axis];
    const bool last = brick[axis] + 1 == layout.grid.count[axis];
    points *= last ? layout.grid.lattice[axis] - begin : layout.cells[axis];
  }
  return points;
}

} // namespace rivulet
