// SPDX-License-Identifier: BSD-3-Clause
#include "JoinedCells.h"

#include "GhostMarks.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace rivulet::catalyst2
{

namespace
{

using Integers = std::vector<std::int64_t>;

/// Integers of a place; none if the tree has none.
Result<Integers> integers_at(const std::optional<Place>& place)
{
  return place ? place->integers() : Result<Integers>(Integers());
}

/// Numbers that describe each cell.
struct CellNumbers
{
  Integers shape;
  Integers size;
  Integers offset;
};

Result<CellNumbers> read_numbers(const Cells& cells)
{
  Result<Integers> shape = integers_at(cells.shape);
  Result<Integers> size = integers_at(cells.size);
  Result<Integers> offset = integers_at(cells.offset);
  if (!shape || !size || !offset)
  {
    return !shape ? forward_error(shape) : !size ? forward_error(size) : forward_error(offset);
  }
  return CellNumbers{ std::move(*shape), std::move(*size), std::move(*offset) };
}

/// Numbers in the connectivity.
Result<std::int64_t> length_of(const GridShape& grid)
{
  Result<Numbers> numbers = grid.shapes.connectivity ? grid.shapes.connectivity->numbers()
                                                     : Result<Numbers>(Numbers{ .count = grid.vertices });
  return numbers ? Result<std::int64_t>(numbers->count) : forward_error(numbers);
}

tl::unexpected<Error> refuse_cell(const GridShape& grid, std::size_t cell, const std::string& what)
{
  return fail(ErrorCode::Unsupported, "cell " + std::to_string(cell) + " " + what, "correct its elements", grid.path);
}

/// A cell with a shape of a number that has no name, or a name that is not translated.
tl::unexpected<Error> refuse_shape(const GridShape& grid, std::size_t cell, std::int64_t number)
{
  const auto named = grid.shapes.others.find(number);
  return refuse_cell(grid, cell,
      named == grid.shapes.others.end() ? "has a shape that is not in shape_map, " + std::to_string(number)
                                        : "has the shape \"" + named->second + "\", which is not translated");
}

/// All points of cells are there.
template <class Index>
Result<void> check_points(std::span<const Index> points, const GridShape& grid)
{
  const auto wrong =
      std::find_if(points.begin(), points.end(), [&](Index each) { return each < 0 || each >= grid.vertices; });
  return wrong == points.end()
             ? Result<void>()
             : fail(ErrorCode::Unsupported, "its cells have a point that is not there, " + std::to_string(*wrong),
                   "correct its elements", grid.path);
}

} // namespace

Result<JoinedCells> JoinedCells::of(const std::vector<Domain>& domains)
{
  JoinedCells joined;
  std::int64_t first_point = 0;
  Result<void> added;
  for (const Domain& each : domains)
  {
    added = joined.add_types(each.grid);
    const bool shown = added && domains.size() == 1 && joined.show_points(each.grid);
    if (added)
    {
      added = shown ? joined.check_shown(each.grid) : joined.add_points(each.grid, first_point);
    }
    if (!added)
    {
      return forward_error(added);
    }
    joined.add_ghosts(each);
    first_point += each.grid.vertices;
  }
  return joined;
}

Result<void> JoinedCells::add_types(const GridShape& grid)
{
  Result<CellNumbers> numbers = read_numbers(grid.shapes);
  Result<std::int64_t> length = length_of(grid);
  if (!numbers || !length)
  {
    return !numbers ? forward_error(numbers) : forward_error(length);
  }
  type_.reserve(type_.size() + static_cast<std::size_t>(grid.elements));
  offset_.reserve(offset_.size() + static_cast<std::size_t>(grid.elements));
  std::int64_t used = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(grid.elements); ++i)
  {
    const auto shape = grid.shapes.shapes.find(numbers->shape.empty() ? 0 : numbers->shape[i]);
    if (shape == grid.shapes.shapes.end())
    {
      return refuse_shape(grid, i, numbers->shape[i]);
    }
    const std::int64_t wanted = shape->second.points;
    const std::int64_t size = numbers->size.empty() ? wanted : numbers->size[i];
    if (size < 0 || (wanted > 0 && size != wanted) || size > *length - used)
    {
      return refuse_cell(grid, i, "cannot have " + std::to_string(size) + " points");
    }
    if (!numbers->offset.empty() && numbers->offset[i] != used)
    {
      return refuse_cell(grid, i, "does not begin behind the cell before, at " + std::to_string(used));
    }
    used += size;
    type_.push_back(shape->second.type);
    offset_.push_back(offset_.back() + size);
  }
  return used == *length ? Result<void>()
                         : fail(ErrorCode::Unsupported,
                               "its cells have " + std::to_string(used) +
                                   " points together, but its connectivity has " + std::to_string(*length),
                               "give the points of all cells, and of no more", grid.path);
}

bool JoinedCells::show_points(const GridShape& grid)
{
  const Result<Numbers> numbers =
      grid.shapes.connectivity ? grid.shapes.connectivity->numbers() : Result<Numbers>(Numbers());
  const bool is_short =
      numbers && numbers->type == CONDUIT_INT32_ID && numbers->count <= std::numeric_limits<std::int32_t>::max();
  const bool known = is_short || (numbers && numbers->type == CONDUIT_INT64_ID);
  if (!known || numbers->count == 0 || numbers->stride != numbers->bytes || !numbers->aligned())
  {
    return false;
  }
  shown_ = numbers->first;
  if (is_short)
  {
    short_offset_.assign(offset_.begin(), offset_.end());
  }
  return true;
}

/// The runtime checks only this rank's data, too late: after its refusal, other ranks would publish their parts.
Result<void> JoinedCells::check_shown(const GridShape& grid) const
{
  const auto count = static_cast<std::size_t>(offset_.back());
  return short_offset_.empty() ? check_points(std::span(static_cast<const std::int64_t*>(shown_), count), grid)
                               : check_points(std::span(static_cast<const std::int32_t*>(shown_), count), grid);
}

Result<void> JoinedCells::add_points(const GridShape& grid, std::int64_t first_point)
{
  Integers points(grid.shapes.connectivity ? 0 : static_cast<std::size_t>(grid.vertices));
  std::iota(points.begin(), points.end(), 0);
  if (grid.shapes.connectivity)
  {
    Result<Integers> read = grid.shapes.connectivity->integers();
    if (!read)
    {
      return forward_error(read);
    }
    points = std::move(*read);
  }
  connectivity_.reserve(connectivity_.size() + points.size());
  for (const std::int64_t each : points)
  {
    connectivity_.push_back(first_point + each);
  }
  return check_points(std::span<const std::int64_t>(points), grid);
}

void JoinedCells::add_ghosts(const Domain& domain)
{
  if (domain.ghosts)
  {
    ghost_.resize(type_.size(), 0);
  }
  const std::size_t first = type_.size() - static_cast<std::size_t>(domain.grid.elements);
  for (std::int64_t i = 0; domain.ghosts && i < domain.grid.elements; ++i)
  {
    ghost_[first + static_cast<std::size_t>(i)] = is_ghost(*domain.ghosts, i) ? 1 : 0;
  }
}

void JoinedCells::describe(rivulet_mesh& mesh) const
{
  mesh.index = short_offset_.empty() ? RIVULET_INT64 : RIVULET_INT32;
  mesh.cells = static_cast<std::int64_t>(type_.size());
  mesh.type = type_.data();
  mesh.offset = short_offset_.empty() ? static_cast<const void*>(offset_.data()) : short_offset_.data();
  mesh.connectivity = shown_ == nullptr ? connectivity_.data() : shown_;
  mesh.ghost_cells = ghost_.empty() ? nullptr : ghost_.data();
}

} // namespace rivulet::catalyst2
