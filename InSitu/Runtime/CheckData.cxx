// SPDX-License-Identifier: BSD-3-Clause
#include "CheckData.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

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

/// The first name that an earlier one of the list has, too; null if each is used once.
template <class Named>
const char* name_listed_twice(const Named* list, std::int32_t count)
{
  std::set<std::string_view> names;
  const Named* const twice =
      std::find_if(list, list + count, [&](const Named& each) { return !names.insert(each.name).second; });
  return twice == list + count ? nullptr : twice->name;
}

/// Why an array of `count` elements cannot be as it is described; empty if it can. `tuple`: values of an element.
std::string why_no_array(
    std::int64_t count, std::int32_t type, std::int64_t tuple, std::int64_t stride, std::int64_t size)
{
  const std::int64_t value = bytes_of_type(type);
  if (stride != 0 && (stride < tuple * value || stride % value != 0))
  {
    return "has a stride of " + std::to_string(stride) +
           " bytes, which is no multiple of a value's, or less than an element";
  }
  if (size < 0 || (stride != 0 && count > kMostBytes / stride))
  {
    return "has a negative size, or too many values";
  }
  const std::int64_t needed = count == 0 ? 0 : (count - 1) * (stride == 0 ? tuple : stride / value) + tuple;
  return size == 0 || needed <= size
             ? ""
             : "has " + std::to_string(size) + " values, and " + std::to_string(needed) + " would be read";
}

bool is_real(std::int32_t type)
{
  return type == 0 || type == RIVULET_FLOAT64 || type == RIVULET_FLOAT32;
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
  if (const char* const twice = name_listed_twice(field.variable, field.variables); twice != nullptr)
  {
    return refuse(where, text_of("variable", twice) + " is listed twice");
  }
  return {};
}

/// Coordinates of a rectilinear field increase along each axis.
Result<void> check_coordinates(const rivulet_field& field, const std::string& where)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double* const along = field.coordinates[axis];
    for (std::int64_t i = 0; along != nullptr && i <= field.cells[axis]; ++i)
    {
      if (!std::isfinite(along[i]) || (i > 0 && !(along[i] > along[i - 1])))
      {
        return refuse(where, std::string("the coordinates along ") + "xyz"[axis] +
                                 " are not finite, or do not increase at " + std::to_string(i));
      }
    }
  }
  return {};
}

/// Shapes other than a uniform grid's, which have one level.
Result<void> check_shape(const rivulet_field& field, const std::string& where)
{
  const bool rectilinear =
      field.coordinates[0] != nullptr || field.coordinates[1] != nullptr || field.coordinates[2] != nullptr;
  if (field.points == nullptr)
  {
    return rectilinear && field.levels > 1 ? refuse(where, "a rectilinear field has one level")
                                           : check_coordinates(field, where);
  }
  if (rectilinear || field.levels > 1)
  {
    return refuse(where, "a curvilinear field has one level, and no coordinates along axes");
  }
  const bool known = field.points->type == RIVULET_FLOAT32 || field.points->type == RIVULET_FLOAT64;
  return known && field.points->components == 3 ? Result<void>()
                                                : refuse(where, "points have three components of float32 or float64");
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
    const bool flat = field.centring == RIVULET_NODES && field.levels == 1;
    if (field.cells[axis] < (flat ? 0 : 1))
    {
      return refuse(where, "the domain has no cells along an axis");
    }
  }
  if (field.levels < 1 || (field.levels > 1 && field.ratio == nullptr))
  {
    return refuse(where, "levels without ratios");
  }
  for (std::int64_t i = 0; i < 3 * (std::int64_t{ field.levels } - 1); ++i)
  {
    if (field.ratio[i] < 1)
    {
      return refuse(where, "a ratio of levels is less than 1");
    }
  }
  return check_shape(field, where);
}

/// Cells of the domain on a level; less than 0 if they are too many.
std::array<std::int64_t, 3> cells_on(const rivulet_field& field, int level)
{
  std::array<std::int64_t, 3> cells{ field.cells[0], field.cells[1], field.cells[2] };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (int finer = 0; finer < level; ++finer)
    {
      const bool over =
          __builtin_mul_overflow(cells[axis], field.ratio[3 * static_cast<std::size_t>(finer) + axis], &cells[axis]);
      cells[axis] = over ? -1 : cells[axis];
    }
  }
  return cells;
}

Result<void> check_box(const rivulet_field& field, const rivulet_block& block, const std::string& here)
{
  const auto domain = cells_on(field, block.level);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = domain[axis] == 0;
    const std::int32_t above = block.ghosts_above[axis];
    if (block.cells[axis] < (flat ? 0 : 1) || block.ghosts[axis] < 0 || above < RIVULET_NO_GHOSTS ||
        (flat && (block.ghosts[axis] != 0 || above > 0)))
    {
      return refuse(here, "no cells along an axis, or less than no ghost layers, or some of a flat axis");
    }
    if (block.begin[axis] < 0 || block.begin[axis] > domain[axis] - block.cells[axis])
    {
      return refuse(here, "its cells are not all in the domain of its level");
    }
  }
  return {};
}

/// The arrays of one variable, from `data` on.
Result<void> check_values(std::int64_t count, const rivulet_variable& variable, const void* const* data,
    const std::int64_t* size, const std::string& here)
{
  const std::string name = variable.name == nullptr ? "points" : text_of("variable", variable.name);
  for (std::int32_t i = 0; i < pointers_of(variable); ++i)
  {
    if (data[i] == nullptr || !fits(count, variable.type, variable.components))
    {
      return refuse(here, name + " has no data, or too many");
    }
    const std::string defect = why_no_array(count, variable.type, variable.separate != 0 ? 1 : variable.components,
        variable.stride, size == nullptr ? 0 : size[i]);
    if (!defect.empty())
    {
      return refuse(here, std::string(name).append(" ").append(defect));
    }
  }
  return {};
}

Result<void> check_block(const rivulet_field& field, int number, const std::string& where)
{
  const rivulet_block& block = field.block[number];
  const std::string here = where + ", block " + std::to_string(number);
  if (block.level < 0 || block.level >= field.levels)
  {
    return refuse(here, "there is no level " + std::to_string(block.level));
  }
  Result<void> checked = check_box(field, block, here);
  const std::int64_t values = checked ? values_of_block(field.centring, block) : 0;
  if (checked && (values < 0 || block.data == nullptr))
  {
    return refuse(here, "too many cells, or no data");
  }
  if (checked && field.points != nullptr)
  {
    const std::int64_t nodes = values_of_block(RIVULET_NODES, block);
    checked = nodes < 0 || block.points == nullptr ? refuse(here, "a block of a curvilinear field lacks its points")
                                                   : check_values(nodes, *field.points, block.points, nullptr, here);
  }
  std::int32_t pointer = 0;
  for (int i = 0; checked && i < field.variables; ++i)
  {
    const rivulet_variable& variable = field.variable[i];
    checked = check_values(
        values, variable, block.data + pointer, block.size == nullptr ? nullptr : block.size + pointer, here);
    pointer += pointers_of(variable);
  }
  return checked;
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
    const std::int64_t more =
        std::int64_t{ block.ghosts[axis] } + rivulet_ghosts_above(&block, axis) + (centring == RIVULET_NODES ? 1 : 0);
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

Result<void> check_arrays(std::int32_t arrays, const rivulet_array* list, std::int64_t count, const std::string& where)
{
  if (arrays < 0 || (arrays > 0 && list == nullptr))
  {
    return refuse(where, "the list of arrays is missing");
  }
  for (int i = 0; i < arrays; ++i)
  {
    const rivulet_array& array = list[i];
    if (!has_name(array.name) || !fits(count, array.type, array.components) || (count > 0 && array.data == nullptr))
    {
      return refuse(where, "array " + std::to_string(i) + " lacks a name, a known type, components or data");
    }
    if (const std::string defect = why_no_array(count, array.type, array.components, array.stride, array.size);
        !defect.empty())
    {
      return refuse(where, text_of("array", array.name) + " " + defect);
    }
  }
  if (const char* const twice = name_listed_twice(list, arrays); twice != nullptr)
  {
    return refuse(where, text_of("array", twice) + " is listed twice");
  }
  return {};
}

/// Strides of the arrays that every set of particles may have.
Result<void> check_strides(const rivulet_particles& particles, const std::string& where)
{
  if (!is_real(particles.real))
  {
    return refuse(where, "positions and velocities are float64 or float32");
  }
  const std::int32_t real = particles.real == 0 ? RIVULET_FLOAT64 : particles.real;
  const std::string defect = why_no_array(particles.count, real, 1, particles.stride, 0);
  // Stride of the tags: a multiple of 4 bytes, so that packed structures will do, and at least 8 where there is an id.
  const std::int64_t bytes_of_tag = particles.id == nullptr ? 4 : 8;
  const std::string of_tags = why_no_array(particles.count, RIVULET_INT32, bytes_of_tag / 4, particles.tag_stride, 0);
  return defect.empty() && of_tags.empty() ? Result<void>()
                                           : refuse(where, "it " + (defect.empty() ? of_tags : defect));
}

/// Points of a cell of a type of VTK; 0: any number; -1: the type is not one that can be given so.
int points_of_type(std::uint8_t type)
{
  constexpr std::array<std::int8_t, 30> kPoints{
    -1, 1, 0, 2, 0, 3, 0, 0, 4, 4,      // vertex, poly vertex, line, poly line, triangle, strip, polygon, pixel, quad
    4, 8, 8, 6, 5, -1, -1, -1, -1, -1,  // tetrahedron, voxel, hexahedron, wedge, pyramid; prisms cannot
    -1, 3, 6, 8, 10, 20, 15, 13, 9, 27, // quadratic edge, triangle, quad, tetrahedron, hexahedron, wedge, pyramid; ...
  };
  return type < kPoints.size() ? kPoints.at(type) : -1;
}

/// Offsets must begin at 0, not fall, and end within the largest possible array; points must exist. Connectivity is
/// read from 0 to the last offset, and nowhere else, also with wrong offsets between.
template <class Index>
Result<void> check_cells(const rivulet_mesh& mesh, const std::string& where)
{
  const auto* const offset = static_cast<const Index*>(mesh.offset);
  const auto* const point = static_cast<const Index*>(mesh.connectivity);
  if (mesh.cells > 0 && !fits(offset[mesh.cells], RIVULET_INT64, 1))
  {
    return refuse(where, "the last offset is " + std::to_string(offset[mesh.cells]) + ", which no array can hold");
  }
  for (std::int64_t cell = 0; cell < mesh.cells; ++cell)
  {
    if (offset[cell + 1] < offset[cell] || (cell == 0 && offset[0] != 0))
    {
      return refuse(where, "the offsets of cell " + std::to_string(cell) + " do not begin at 0, or fall");
    }
    if (offset[cell + 1] > offset[mesh.cells])
    {
      return refuse(where, "cell " + std::to_string(cell) + " ends at " + std::to_string(offset[cell + 1]) +
                               ", beyond the last offset, " + std::to_string(offset[mesh.cells]));
    }
    const int points = points_of_type(mesh.type[cell]);
    if (points < 0 || (points > 0 && offset[cell + 1] - offset[cell] != points))
    {
      return refuse(where,
          "cell " + std::to_string(cell) + " is of type " + std::to_string(mesh.type[cell]) +
              (points < 0 ? ", which cannot be published" : ", and has not " + std::to_string(points) + " points"));
    }
    for (Index at = offset[cell]; at < offset[cell + 1]; ++at)
    {
      if (point[at] < 0 || point[at] >= mesh.points)
      {
        return refuse(
            where, "cell " + std::to_string(cell) + " has a point that is not there, " + std::to_string(point[at]));
      }
    }
  }
  return {};
}

/// Numbers, types and pointers.
Result<void> check_members(const rivulet_mesh& mesh, const std::string& where)
{
  const bool indices = mesh.index == 0 || mesh.index == RIVULET_INT64 || mesh.index == RIVULET_INT32;
  if (!is_real(mesh.real) || !indices || mesh.points < 0 || mesh.cells < 0 || !fits(mesh.points, RIVULET_FLOAT64, 3) ||
      !fits(mesh.cells, RIVULET_INT64, 1))
  {
    return refuse(where, "a type is unknown, or a number of points or cells is none");
  }
  if ((mesh.points > 0 && mesh.point == nullptr) ||
      (mesh.cells > 0 && (mesh.type == nullptr || mesh.offset == nullptr || mesh.connectivity == nullptr)))
  {
    return refuse(where, "points, types, offsets or connectivity are missing");
  }
  return {};
}

} // namespace

Result<void> check_mesh(const rivulet_mesh& mesh)
{
  if (!has_name(mesh.name))
  {
    return refuse("mesh", "the name is missing");
  }
  const std::string where = text_of("mesh", mesh.name);
  if (Result<void> whole = check_members(mesh, where); !whole)
  {
    return whole;
  }
  Result<void> checked = check_arrays(mesh.point_arrays, mesh.at_point, mesh.points, where + ", points");
  checked = checked ? check_arrays(mesh.cell_arrays, mesh.at_cell, mesh.cells, where + ", cells") : checked;
  return !checked                      ? checked
         : mesh.index == RIVULET_INT32 ? check_cells<std::int32_t>(mesh, where)
                                       : check_cells<std::int64_t>(mesh, where);
}

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
  Result<void> checked = check_arrays(particles.arrays, particles.array, particles.count, where);
  checked = checked ? check_strides(particles, where) : checked;
  if (!checked)
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
