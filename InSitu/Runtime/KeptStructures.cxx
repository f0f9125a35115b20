// SPDX-License-Identifier: BSD-3-Clause
#include "KeptStructures.h"

#include "CheckData.h"

#include <algorithm>
#include <cstring>

namespace rivulet::insitu
{

template <class T>
T* KeptStructures::list(const T* from, std::int64_t count)
{
  if (from == nullptr || count <= 0)
  {
    return nullptr;
  }
  auto* const to = static_cast<T*>(memory_.allocate(static_cast<std::size_t>(count) * sizeof(T), alignof(T)));
  std::copy_n(from, count, to);
  return to;
}

const char* KeptStructures::text(const char* from)
{
  return from == nullptr ? nullptr : list(from, static_cast<std::int64_t>(std::strlen(from)) + 1);
}

const rivulet_array* KeptStructures::arrays(const rivulet_array* from, std::int32_t count)
{
  rivulet_array* const to = list(from, count);
  for (std::int32_t i = 0; i < count; ++i)
  {
    to[i].name = text(from[i].name);
  }
  return to;
}

const rivulet_variable* KeptStructures::variables(const rivulet_variable* from, std::int32_t count)
{
  rivulet_variable* const to = list(from, count);
  for (std::int32_t i = 0; to != nullptr && i < count; ++i)
  {
    to[i].name = text(from[i].name);
  }
  return to;
}

rivulet_particles KeptStructures::copy(const rivulet_particles& from)
{
  rivulet_particles to = from;
  to.name = text(from.name);
  to.array = arrays(from.array, from.arrays);
  return to;
}

rivulet_field KeptStructures::copy(const rivulet_field& from)
{
  rivulet_field to = from;
  to.name = text(from.name);
  to.ratio = list(from.ratio, 3 * std::int64_t{ from.levels - 1 });
  to.variable = variables(from.variable, from.variables);
  to.points = variables(from.points, 1);
  std::int64_t pointers = 0;
  for (std::int32_t i = 0; i < from.variables; ++i)
  {
    pointers += pointers_of(from.variable[i]);
  }
  rivulet_block* const blocks = list(from.block, from.blocks);
  for (std::int32_t i = 0; i < from.blocks; ++i)
  {
    blocks[i].data = list(from.block[i].data, pointers);
    blocks[i].size = list(from.block[i].size, pointers);
    blocks[i].points = from.points == nullptr ? nullptr : list(from.block[i].points, pointers_of(*from.points));
  }
  to.block = blocks;
  return to;
}

rivulet_mesh KeptStructures::copy(const rivulet_mesh& from)
{
  rivulet_mesh to = from;
  to.name = text(from.name);
  to.at_point = arrays(from.at_point, from.point_arrays);
  to.at_cell = arrays(from.at_cell, from.cell_arrays);
  return to;
}

rivulet_object KeptStructures::copy(const rivulet_object& from)
{
  rivulet_object to = from;
  to.name = text(from.name);
  to.type = text(from.type);
  return to;
}

} // namespace rivulet::insitu
