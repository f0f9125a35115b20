// SPDX-License-Identifier: BSD-3-Clause
#include "CheckData.h"

#include <array>
#include <cmath>
#include <limits>

namespace rivulet::insitu
{

namespace
{

/// Bytes of one array. A quarter of the addresses there are, so that sums of a few do not overflow.
constexpr std::int64_t kMostBytes = std::int64_t{ 1 } << 60;

tl::unexpected<Error> refuse(const std::string& where, const std::string& what)
{
  return fail(ErrorCode::BadArgument, where + ": " + what, "correct the call of rivulet_insitu_publish");
}

bool has_name(const char* name)
{
  return name != nullptr && *name != '\0';
}

/// True if `count` tuples of a known type are less than kMostBytes.
bool fits(std::int64_t count, std::int32_t type, std::int32_t components)
{
  const std::int64_t size = bytes_of_type(type);
  return size > 0 && components > 0 && count <= kMostBytes / size / components;
}

std::string text_of(const char* kind, const char* name)
{
  return std::string(kind) + " \"" + name + "\"";
}

Result<void> check_variables(const rivulet_field& field, const std::string& where)
{
  if (field.variables < 1 || field.variable == nullptr)
  {
    return refuse(where, "there are no variables");
  }
  for (int i = 0; i < field.variables; ++i)
  {
    const rivulet_variable& variable = field.variable[i];
    if (!has_name(variable.name) || bytes_of_type(variable.type) == 0 || variable.components < 1)
    {
      return refuse(where, "variable " + std::to_string(i) + " lacks a name, a known type or components");
    }
  }
  return {};
}

/// Cells of the domain on each level, or an error.
Result<void> check_grid(const rivulet_field& field, const std::string& where)
{
  if (field.centring != RIVULET_CELLS && field.centring != RIVULET_NODES)
  {
    return refuse(where, "the centring " + std::to_string(field.centring) + " is unknown");
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    if (!(std::isfinite(field.origin[axis]) && std::isfinite(field.spacing[axis]) && field.spacing[axis] > 0))
    {
      return refuse(where, "origin and spacing must be finite, and the spacing positive");
    }
    if (field.cells[axis] < 1)
    {
      return refuse(where, "the domain has no cells along an axis");
    }
  }
  if (field.levels < 1 || (field.levels > 1 && field.ratio == nullptr))
  {
    return refuse(where, "levels without ratios");
  }
  for (int i = 0; i < 3 * (field.levels - 1); ++i)
  {
    if (field.ratio[i] < 1)
    {
      return refuse(where, "a ratio of levels is less than 1");
    }
  }
  return {};
}

/// Cells of the domain on a level; less than 1 if they are too many.
std::array<std::int64_t, 3> cells_on(const rivulet_field& field, int level)
{
  std::array<std::int64_t, 3> cells{ field.cells[0], field.cells[1], field.cells[2] };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (int finer = 0; finer < level; ++finer)
    {
      const bool over =
          __builtin_mul_overflow(cells[axis], field.ratio[3 * static_cast<std::size_t>(finer) + axis], &cells[axis]);
      cells[axis] = over ? 0 : cells[axis];
    }
  }
  return cells;
}

Result<void> check_block(const rivulet_field& field, int number, const std::string& where)
{
  const rivulet_block& block = field.block[number];
  const std::string here = where + ", block " + std::to_string(number);
  if (block.level < 0 || block.level >= field.levels)
  {
    return refuse(here, "there is no level " + std::to_string(block.level));
  }
  const auto domain = cells_on(field, block.level);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (block.cells[axis] < 1 || block.ghosts[axis] < 0)
    {
      return refuse(here, "no cells along an axis, or less than no ghost layers");
    }
    if (block.begin[axis] < 0 || block.begin[axis] > domain[axis] - block.cells[axis])
    {
      return refuse(here, "its cells are not all in the domain of its level");
    }
  }
  const std::int64_t values = values_of_block(field.centring, block);
  if (values < 0 || block.data == nullptr)
  {
    return refuse(here, "too many cells, or no data");
  }
  for (int i = 0; i < field.variables; ++i)
  {
    if (block.data[i] == nullptr || !fits(values, field.variable[i].type, field.variable[i].components))
    {
      return refuse(here, text_of("variable", field.variable[i].name) + " has no data, or too many");
    }
  }
  return {};
}

} // namespace

std::int64_t bytes_of_type(std::int32_t type)
{
  switch (type)
  {
  case RIVULET_FLOAT32:
  case RIVULET_INT32:
    return 4;
  case RIVULET_FLOAT64:
  case RIVULET_INT64:
    return 8;
  case RIVULET_UINT8:
    return 1;
  default:
    return 0;
  }
}

std::int64_t values_of_block(std::int32_t centring, const rivulet_block& block)
{
  std::int64_t values = 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::int64_t more = 2 * std::int64_t{ block.ghosts[axis] } + (centring == RIVULET_NODES ? 1 : 0);
    std::int64_t along = 0;
    if (__builtin_add_overflow(block.cells[axis], more, &along) || __builtin_mul_overflow(values, along, &values) ||
        values > kMostBytes)
    {
      return -1;
    }
  }
  return values;
}

namespace
{

Result<void> check_arrays(const rivulet_particles& particles, const std::string& where)
{
  if (particles.arrays < 0 || (particles.arrays > 0 && particles.array == nullptr))
  {
    return refuse(where, "the list of arrays is missing");
  }
  for (int i = 0; i < particles.arrays; ++i)
  {
    const rivulet_array& array = particles.array[i];
    if (!has_name(array.name) || !fits(particles.count, array.type, array.components) ||
        (particles.count > 0 && array.data == nullptr))
    {
      return refuse(where, "array " + std::to_string(i) + " lacks a name, a known type, components or data");
    }
  }
  return {};
}

} // namespace

Result<void> check_particles(const rivulet_particles& particles)
{
  if (!has_name(particles.name))
  {
    return refuse("particles", "the name is missing");
  }
  const std::string where = text_of("particles", particles.name);
  if (particles.count < 0 || !fits(particles.count, RIVULET_FLOAT64, 1))
  {
    return refuse(where, "the count is " + std::to_string(particles.count));
  }
  if (particles.count > 0 && (particles.x == nullptr || particles.y == nullptr || particles.z == nullptr))
  {
    return refuse(where, "x, y or z is missing");
  }
  if (Result<void> checked = check_arrays(particles, where); !checked)
  {
    return checked;
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    if (!std::isfinite(particles.low[axis]) || !std::isfinite(particles.high[axis]) ||
        particles.high[axis] < particles.low[axis])
    {
      return refuse(where, "the corners of the domain are not finite, or in the wrong order");
    }
  }
  return {};
}

Result<void> check_field(const rivulet_field& field)
{
  if (!has_name(field.name))
  {
    return refuse("field", "the name is missing");
  }
  const std::string where = text_of("field", field.name);
  Result<void> checked = check_grid(field, where);
  if (checked)
  {
    checked = check_variables(field, where);
  }
  if (checked && (field.blocks < 0 || (field.blocks > 0 && field.block == nullptr)))
  {
    return refuse(where, "the list of blocks is missing");
  }
  for (int i = 0; checked && i < field.blocks; ++i)
  {
    checked = check_block(field, i, where);
  }
  return checked;
}

Result<void> check_object(const rivulet_object& object)
{
  if (!has_name(object.name))
  {
    return refuse("an object", "it has no name");
  }
  if (!has_name(object.type) || object.data == nullptr || object.clone == nullptr || object.release == nullptr)
  {
    return refuse(text_of("the object", object.name), "it lacks a type, data, or the functions clone and release");
  }
  return {};
}

} // namespace rivulet::insitu
