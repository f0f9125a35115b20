// SPDX-License-Identifier: BSD-3-Clause
#include "GridShape.h"

#include "CellShapes.h"
#include "Coordinates.h"

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

/// Reads one number.
Result<void> read_number(const Place& from, std::int64_t& to)
{
  Result<std::int64_t> read = from.integer();
  to = read ? *read : to;
  return read ? Result<void>() : forward_error(read);
}

Result<void> read_number(const Place& from, double& to)
{
  Result<double> read = from.real();
  to = read ? *read : to;
  return read ? Result<void>() : forward_error(read);
}

/// A number for each axis; `missing` where the simulation gives none. Other names are refused: they mean something.
template <class Number>
Result<std::array<Number, 3>> three_at(
    const std::optional<Place>& place, const std::array<const char*, 3>& names, Number missing)
{
  std::array<Number, 3> three{ missing, missing, missing };
  for (const Place& each : place ? place->children() : std::vector<Place>())
  {
    const auto* const axis = std::find(names.begin(), names.end(), each.name());
    if (axis == names.end())
    {
      return each.refuse("it is unknown", std::string("use ") + names[0] + ", " + names[1] + " and " + names[2]);
    }
    if (Result<void> read = read_number(each, three[static_cast<std::size_t>(axis - names.begin())]); !read)
    {
      return forward_error(read);
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
    const bool flat = grid.cells[axis] == 0;
    grid.spacing[axis] = flat ? 1 : (*spacing)[axis];
    const bool given = flat && coordset.find(std::string("spacing/") + kStep[axis]);
    grid.thickness[axis] = given && std::isfinite((*spacing)[axis]) ? std::max((*spacing)[axis], 0.0) : 0;
    if (!(std::isfinite(grid.origin[axis]) && std::isfinite(grid.spacing[axis]) && grid.spacing[axis] > 0))
    {
      return coordset.refuse("origin and spacing must be finite, and the spacing positive", "correct them");
    }
  }
  return check_cells(coordset, grid.cells);
}

Result<void> read_rectilinear(const Place& coordset, GridShape& grid)
{
  Result<std::vector<Place>> axes = axes_of(coordset);
  if (!axes)
  {
    return forward_error(axes);
  }
  grid.coordinates.fill(std::vector<double>(1, 0.0));
  for (std::size_t axis = 0; axis < axes->size(); ++axis)
  {
    const Place& values = (*axes)[axis];
    Result<std::vector<double>> read = values.reals();
    if (!read)
    {
      return forward_error(read);
    }
    const bool finite = std::all_of(read->begin(), read->end(), [](double each) { return std::isfinite(each); });
    if (read->empty() || !finite ||
        std::adjacent_find(read->begin(), read->end(), std::greater_equal<>()) != read->end())
    {
      return values.refuse("the coordinates are not finite, or do not increase", "publish increasing ones");
    }
    grid.cells[axis] = static_cast<std::int64_t>(read->size()) - 1;
    grid.coordinates[axis] = std::move(*read);
  }
  return check_cells(coordset, grid.cells);
}

Result<void> read_structured(const Place& coordset, const Place& topology, GridShape& grid)
{
  Result<Place> dims = topology.need("elements/dims");
  Result<Long3> cells = dims ? three_at<std::int64_t>(*dims, kIndex, 0) : forward_error(dims);
  Result<Values> points = points_of(coordset);
  if (!cells || !points)
  {
    return !cells ? forward_error(cells) : forward_error(points);
  }
  if (Result<void> checked = check_cells(*dims, *cells); !checked)
  {
    return checked;
  }
  const std::int64_t nodes = size_of(*cells, 1);
  const bool enough = points->components == 3 || ((*cells)[2] == 0 && (points->components == 2 || (*cells)[1] == 0));
  if (points->count != nodes || !enough)
  {
    return coordset.refuse("there must be x, y and z of " + std::to_string(nodes) + " nodes",
        "publish three coordinates of each node; z may be missing where the grid is flat");
  }
  grid.cells = *cells;
  grid.points = std::move(*points);
  return {};
}

/// The topology "points": each point is a cell.
Result<void> read_points(const Place& coordset, GridShape& grid)
{
  Result<Values> points = points_of(coordset);
  if (!points)
  {
    return forward_error(points);
  }
  grid.elements = points->count;
  grid.vertices = points->count;
  grid.points = std::move(*points);
  grid.shapes.shapes[0] = CellShape{ 1, 1 };
  return {};
}

Result<void> read_unstructured(const Place& coordset, const Place& topology, GridShape& grid)
{
  Result<void> read = read_points(coordset, grid);
  return read ? read_cell_shapes(topology, grid) : std::move(read);
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

/// Boxes of cells: values, and the place in the whole grid.
Result<void> read_box(const Place& coordset, const Place& topology, GridShape& grid)
{
  Result<void> read = grid.kind == GridKind::Uniform       ? read_uniform(coordset, grid)
                      : grid.kind == GridKind::Rectilinear ? read_rectilinear(coordset, grid)
                                                           : read_structured(coordset, topology, grid);
  if (!read)
  {
    return read;
  }
  Long3 layers = grid.cells;
  std::transform(
      layers.begin(), layers.end(), layers.begin(), [](auto each) { return std::max<std::int64_t>(each, 1); });
  grid.elements = size_of(layers, 0);
  grid.vertices = size_of(grid.cells, 1);
  return grid.kind == GridKind::Structured ? read_first_cell(topology, grid) : std::move(read);
}

/// True for the coordset of a rank that has nothing: no nodes along an axis, or no coordinates.
bool has_no_points(const Place& coordset, GridKind kind)
{
  if (kind == GridKind::Uniform)
  {
    return std::any_of(kIndex.begin(), kIndex.end(),
        [&](const char* name)
        {
          const std::optional<Place> dim = coordset.find(std::string("dims/") + name);
          const Result<std::int64_t> points = dim ? dim->integer() : Result<std::int64_t>(1);
          return points && *points == 0;
        });
  }
  const std::optional<Place> values = coordset.find("values");
  const std::vector<Place> axes = values ? values->children() : std::vector<Place>();
  const auto empty = [](const Place& each)
  {
    return each.empty();
  };
  return kind == GridKind::Rectilinear ? std::any_of(axes.begin(), axes.end(), empty)
                                       : !axes.empty() && std::all_of(axes.begin(), axes.end(), empty);
}

/// A type of topologies, and that of their coordsets.
struct NamedKind
{
  const char* topology;
  const char* coordset;
  GridKind kind;
};

constexpr std::array<NamedKind, 5> kKinds{ { { "uniform", "uniform", GridKind::Uniform },
    { "rectilinear", "rectilinear", GridKind::Rectilinear }, { "structured", "explicit", GridKind::Structured },
    { "unstructured", "explicit", GridKind::Mesh }, { "points", "explicit", GridKind::Mesh } } };

Result<GridShape> read_shape(const Place& coordset, const Place& topology, const std::string& type)
{
  const auto* const known =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const NamedKind& each) { return each.topology == type; });
  if (known == kKinds.end())
  {
    return topology.refuse("topologies of type \"" + type + "\" are not translated",
        "publish a uniform, rectilinear, structured or unstructured one, or points");
  }
  Result<std::string> of_coordset = coordset.need_text("type");
  if (!of_coordset || *of_coordset != known->coordset)
  {
    return !of_coordset ? forward_error(of_coordset)
                        : coordset.refuse("its type is \"" + *of_coordset + "\", but the topology is " + type,
                              std::string("use a coordset of type \"") + known->coordset + "\"");
  }
  GridShape grid;
  grid.kind = known->kind;
  grid.path = topology.path();
  if (has_no_points(coordset, grid.kind))
  {
    return grid;
  }
  Result<void> read = grid.kind != GridKind::Mesh ? read_box(coordset, topology, grid)
                      : type == "points"          ? read_points(coordset, grid)
                                                  : read_unstructured(coordset, topology, grid);
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
  Result<std::string> type = topology.need_text("type");
  Result<std::string> name = topology.need_text("coordset");
  if (!type || !name)
  {
    return !type ? forward_error(type) : forward_error(name);
  }
  Result<Place> coordset = mesh.need("coordsets/" + *name);
  if (!coordset)
  {
    return forward_error(coordset);
  }
  return read_shape(*coordset, topology, *type);
}

} // namespace rivulet::catalyst2
