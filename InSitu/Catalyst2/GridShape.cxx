// SPDX-License-Identifier: BSD-3-Clause
#include "GridShape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace rivulet::catalyst2
{

namespace
{

constexpr std::array<const char*, 3> kIndex{ "i", "j", "k" };
constexpr std::array<const char*, 3> kAxis{ "x", "y", "z" };
constexpr std::array<const char*, 3> kStep{ "dx", "dy", "dz" };
constexpr std::int64_t kMostCells = (std::int64_t{ 1 } << 31) - 1; // along an axis of a domain
constexpr std::int64_t kLastCell = std::int64_t{ 1 } << 50;        // of the whole grid

/// A number for each axis; `missing` where the simulation gives none.
template <class Number>
Result<std::array<Number, 3>> three_at(
    const std::optional<Place>& place, const std::array<const char*, 3>& names, Number missing)
{
  std::array<Number, 3> three{ missing, missing, missing };
  for (std::size_t axis = 0; place && axis < 3; ++axis)
  {
    const std::optional<Place> found = place->find(names[axis]);
    if (!found)
    {
      continue;
    }
    if constexpr (std::is_integral_v<Number>)
    {
      Result<Number> read = found->integer();
      if (!read)
      {
        return forward_error(read);
      }
      three[axis] = *read;
    }
    else
    {
      Result<Number> read = found->real();
      if (!read)
      {
        return forward_error(read);
      }
      three[axis] = *read;
    }
  }
  return three;
}

Result<void> check_cells(const Place& where, const Long3& cells)
{
  for (const std::int64_t along : cells)
  {
    if (along < 0 || along > kMostCells)
    {
      return where.refuse("the number of cells along an axis is " + std::to_string(along), "correct the dims");
    }
  }
  if (size_of(cells, 1) < 0)
  {
    return where.refuse("the number of nodes is too large", "correct the dims");
  }
  return {};
}

Result<void> read_uniform(const Place& coordset, GridShape& grid)
{
  Result<Place> dims = coordset.need("dims");
  if (!dims)
  {
    return forward_error(dims);
  }
  Result<Long3> points = three_at<std::int64_t>(*dims, kIndex, 1);
  Result<Real3> origin = three_at<double>(coordset.find("origin"), kAxis, 0);
  Result<Real3> spacing = three_at<double>(coordset.find("spacing"), kStep, 1);
  if (!points || !origin || !spacing)
  {
    return !points ? Result<void>(forward_error(points)) : !origin ? forward_error(origin) : forward_error(spacing);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.cells[axis] = (*points)[axis] - 1;
    grid.origin[axis] = (*origin)[axis];
    grid.spacing[axis] = grid.cells[axis] == 0 ? 1 : (*spacing)[axis];
    if (!(std::isfinite(grid.origin[axis]) && std::isfinite(grid.spacing[axis]) && grid.spacing[axis] > 0))
    {
      return coordset.refuse("origin and spacing must be finite, and the spacing positive", "correct them");
    }
  }
  return check_cells(coordset, grid.cells);
}

Result<void> read_rectilinear(const Place& coordset, GridShape& grid)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::optional<Place> values = coordset.find(std::string("values/") + kAxis[axis]);
    if (!values)
    {
      grid.coordinates[axis] = { 0 };
      continue;
    }
    Result<std::vector<double>> read = values->reals();
    if (!read)
    {
      return forward_error(read);
    }
    const bool finite = std::all_of(read->begin(), read->end(), [](double each) { return std::isfinite(each); });
    if (read->empty() || !finite ||
        std::adjacent_find(read->begin(), read->end(), std::greater_equal<>()) != read->end())
    {
      return values->refuse("the coordinates are not finite, or do not increase", "publish increasing ones");
    }
    grid.cells[axis] = static_cast<std::int64_t>(read->size()) - 1;
    grid.coordinates[axis] = std::move(*read);
  }
  return check_cells(coordset, grid.cells);
}

Result<void> read_structured(const Place& coordset, const Place& topology, GridShape& grid)
{
  Result<Place> dims = topology.need("elements/dims");
  Result<Place> values = coordset.need("values");
  if (!dims || !values)
  {
    return !dims ? forward_error(dims) : forward_error(values);
  }
  Result<Long3> cells = three_at<std::int64_t>(*dims, kIndex, 0);
  Result<Values> points = values_at(*values, "points");
  if (!cells || !points)
  {
    return !cells ? forward_error(cells) : forward_error(points);
  }
  if (Result<void> checked = check_cells(*dims, *cells); !checked)
  {
    return checked;
  }
  const std::int64_t nodes = size_of(*cells, 1);
  if (points->count != nodes || points->components != 3 ||
      (points->type != RIVULET_FLOAT32 && points->type != RIVULET_FLOAT64))
  {
    return values->refuse("there must be x, y and z of " + std::to_string(nodes) + " nodes, as float32 or float64",
        "publish three coordinates of each node, 0 for z of a flat grid");
  }
  grid.cells = *cells;
  grid.points = std::move(*points);
  return {};
}

/// Mesh Blueprint writes i0; its own functions read i as well.
Result<void> read_first_cell(const Place& topology, GridShape& grid)
{
  const std::optional<Place> origin = topology.find("elements/origin");
  if (!origin)
  {
    return {};
  }
  const bool short_names = origin->find("i").has_value();
  Result<Long3> first =
      three_at<std::int64_t>(origin, short_names ? kIndex : std::array<const char*, 3>{ "i0", "j0", "k0" }, 0);
  if (!first)
  {
    return forward_error(first);
  }
  if (std::any_of(first->begin(), first->end(), [](std::int64_t each) { return std::abs(each) > kLastCell; }))
  {
    return origin->refuse("the number of a first cell is too large", "correct it");
  }
  grid.first_cell = *first;
  return {};
}

Result<GridShape> read_shape(const Place& coordset, const Place& topology, const std::string& type)
{
  GridShape grid;
  grid.path = topology.path();
  Result<void> read;
  if (type == "uniform")
  {
    grid.kind = GridKind::Uniform;
    read = read_uniform(coordset, grid);
  }
  else if (type == "rectilinear")
  {
    grid.kind = GridKind::Rectilinear;
    read = read_rectilinear(coordset, grid);
  }
  else if (type == "structured")
  {
    grid.kind = GridKind::Structured;
    read = read_structured(coordset, topology, grid);
  }
  else
  {
    return topology.refuse("topologies of type \"" + type + "\" are not translated",
        "publish a uniform, rectilinear or structured one, or call rivulet_insitu_publish functions");
  }
  if (read)
  {
    read = read_first_cell(topology, grid);
  }
  return read ? Result<GridShape>(std::move(grid)) : forward_error(read);
}

} // namespace

std::int64_t size_of(const Long3& sides, std::int64_t more)
{
  std::int64_t size = 1;
  for (const std::int64_t side : sides)
  {
    if (__builtin_mul_overflow(size, side + more, &size))
    {
      return -1;
    }
  }
  return size;
}

Result<GridShape> shape_of(const Place& mesh, const Place& topology)
{
  Result<Place> type = topology.need("type");
  Result<std::string> type_text = type ? type->text() : forward_error(type);
  Result<Place> name = topology.need("coordset");
  Result<std::string> name_text = name ? name->text() : forward_error(name);
  if (!type_text || !name_text)
  {
    return !type_text ? forward_error(type_text) : forward_error(name_text);
  }
  Result<Place> coordset = mesh.need("coordsets/" + *name_text);
  if (!coordset)
  {
    return forward_error(coordset);
  }
  return read_shape(*coordset, topology, *type_text);
}

} // namespace rivulet::catalyst2
