// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/CopyPoints.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int64_t kRowBytes = std::int64_t{ 1 } << 20; ///< of values in a slice of a copy

template <class From, class To>
void convert(const void* from, To* to, std::int64_t count)
{
  const auto* values = static_cast<const From*>(from);
  std::transform(values, values + count, to, [](From value) { return static_cast<To>(value); });
}

template <class To>
void convert_from(std::int32_t type, const std::byte* from, std::int64_t first, To* to, std::int64_t count)
{
  switch (type)
  {
  case RIVULET_FLOAT32:
    return convert<float>(from + first * 4, to, count);
  case RIVULET_INT32:
    return convert<std::int32_t>(from + first * 4, to, count);
  case RIVULET_INT64:
    return convert<std::int64_t>(from + first * 8, to, count);
  case RIVULET_UINT8:
    return convert<std::uint8_t>(from + first, to, count);
  default:
    return convert<double>(from + first * 8, to, count);
  }
}

} // namespace

Long3 stored_size(const rivulet_block& block, bool nodes)
{
  Long3 size{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t along = block.cells[axis] + (nodes ? 1 : 0);
    size[axis] = along + block.ghosts[axis] + rivulet_ghosts_above(&block, static_cast<int>(axis));
  }
  return size;
}

void copy_points(const Host& host, const ChosenField& chosen, const CopiedPoints& what, std::byte* values)
{
  const rivulet_field& field = *chosen.field;
  const rivulet_block& from = field.block[what.block];
  const int number = chosen.numbers[what.variable];
  const Variable& as = chosen.info.variables[what.variable];
  const bool points_of_grid = number == ChosenField::kPoints;
  const std::int32_t type = points_of_grid ? field.points->type : field.variable[number].type;
  const auto* const data = static_cast<const std::byte*>(points_of_grid ? from.points[0] : from.data[number]);
  const Long3 stored = stored_size(from, points_of_grid || field.centring == RIVULET_NODES);
  const Box& points = what.points;
  const Box& into = what.into;
  const Int3 size = points.size();
  const std::int64_t row = std::int64_t{ size[0] } * as.components;
  const std::int64_t grain = std::max<std::int64_t>(1, kRowBytes / (row * 8));
  host.for_ranges(std::int64_t{ size[1] } * size[2], grain,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t number_of_row = begin; number_of_row < end; ++number_of_row)
        {
          const Int3 at{ points.begin[0], points.begin[1] + static_cast<std::int32_t>(number_of_row % size[1]),
            points.begin[2] + static_cast<std::int32_t>(number_of_row / size[1]) };
          const auto place = [&](std::size_t axis)
          {
            return at[axis] - from.begin[axis] + from.ghosts[axis];
          };
          const std::int64_t first = (place(0) + stored[0] * (place(1) + stored[1] * place(2))) * as.components;
          const Int3 in{ at[0] - into.begin[0], at[1] - into.begin[1], at[2] - into.begin[2] };
          std::byte* const to = values + row_major(in, into.size()) * static_cast<std::int64_t>(as.tuple_bytes());
          if (as.type == ScalarType::Float32)
          {
            convert_from(type, data, first, reinterpret_cast<float*>(to), row);
          }
          else
          {
            convert_from(type, data, first, reinterpret_cast<double*>(to), row);
          }
        }
      });
}

} // namespace rivulet
