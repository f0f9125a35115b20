// SPDX-License-Identifier: BSD-3-Clause
#include "CellShapes.h"

#include <algorithm>

namespace rivulet::catalyst2
{

namespace
{

struct NamedShape
{
  const char* name;
  CellShape shape;
};

constexpr std::array<NamedShape, 9> kShapes{ { { "point", { 1, 1 } }, { "line", { 3, 2 } }, { "tri", { 5, 3 } },
    { "polygonal", { 7, 0 } }, { "quad", { 9, 4 } }, { "tet", { 10, 4 } }, { "hex", { 12, 8 } }, { "wedge", { 13, 6 } },
    { "pyramid", { 14, 5 } } } };

Result<CellShape> shape_called(const std::string& name, const Place& place)
{
  const auto* const found =
      std::find_if(kShapes.begin(), kShapes.end(), [&](const NamedShape& each) { return each.name == name; });
  if (found == kShapes.end())
  {
    return place.refuse("cells of shape \"" + name + "\" are not translated",
        "publish point, line, tri, quad, polygonal, tet, hex, wedge, pyramid or mixed");
  }
  return found->shape;
}

/// Of an array that must be there.
Result<std::int64_t> count_at(const Place& place, const std::string& way)
{
  Result<Place> found = place.need(way);
  Result<Numbers> numbers = found ? found->numbers() : forward_error(found);
  return numbers ? Result<std::int64_t>(numbers->count) : forward_error(numbers);
}

/// Cells that have a size each.
Result<void> count_sizes(const Place& elements, GridShape& grid)
{
  Result<std::int64_t> sizes = count_at(elements, "sizes");
  if (!sizes)
  {
    return forward_error(sizes);
  }
  grid.elements = *sizes;
  grid.shapes.size = elements.find("sizes");
  grid.shapes.offset = elements.find("offsets");
  Result<std::int64_t> offsets = grid.shapes.offset ? count_at(elements, "offsets") : *sizes;
  if (!offsets)
  {
    return forward_error(offsets);
  }
  return *offsets == *sizes ? Result<void>()
                            : elements.refuse("there are " + std::to_string(*sizes) + " sizes, but " +
                                                  std::to_string(*offsets) + " offsets",
                                  "give one for each cell");
}

Result<void> read_mixed(const Place& elements, GridShape& grid)
{
  Result<Place> map = elements.need("shape_map");
  Result<std::int64_t> shapes = count_at(elements, "shapes");
  Result<void> read = count_sizes(elements, grid);
  if (!map || !shapes || !read)
  {
    return !map ? forward_error(map) : !shapes ? forward_error(shapes) : std::move(read);
  }
  if (*shapes != grid.elements)
  {
    return elements.refuse(
        "there are " + std::to_string(grid.elements) + " sizes, but " + std::to_string(*shapes) + " shapes",
        "give one for each cell");
  }
  grid.shapes.shape = elements.find("shapes");
  for (const Place& each : map->children())
  {
    Result<std::int64_t> number = each.integer();
    if (!number)
    {
      return forward_error(number);
    }
    if (const Result<CellShape> shape = shape_called(each.name(), *map); shape)
    {
      grid.shapes.shapes[*number] = *shape;
    }
    else
    {
      grid.shapes.others[*number] = each.name(); // writers list all shapes that they know
    }
  }
  return {};
}

/// Cells of one shape.
Result<void> read_single(const Place& elements, const std::string& name, std::int64_t points, GridShape& grid)
{
  Result<CellShape> shape = shape_called(name, elements);
  if (!shape)
  {
    return forward_error(shape);
  }
  grid.shapes.shapes[0] = *shape;
  if (shape->points == 0)
  {
    return count_sizes(elements, grid);
  }
  grid.elements = points / shape->points;
  return points % shape->points == 0 ? Result<void>()
                                     : elements.refuse("the connectivity has " + std::to_string(points) +
                                                           " numbers, no multiple of " + std::to_string(shape->points),
                                           "give the points of whole cells");
}

} // namespace

Result<void> read_cell_shapes(const Place& topology, GridShape& grid)
{
  Result<Place> elements = topology.need("elements");
  Result<std::string> name = elements ? elements->need_text("shape") : forward_error(elements);
  Result<std::int64_t> points = name ? count_at(*elements, "connectivity") : forward_error(name);
  if (!points)
  {
    return forward_error(points);
  }
  if (topology.find("subelements"))
  {
    return topology.refuse(
        "cells of shape \"" + *name + "\" with subelements are not translated", "publish cells whose points are given");
  }
  grid.shapes.connectivity = elements->find("connectivity");
  return *name == "mixed" ? read_mixed(*elements, grid) : read_single(*elements, *name, *points, grid);
}

} // namespace rivulet::catalyst2
