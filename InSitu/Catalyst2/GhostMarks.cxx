// SPDX-License-Identifier: BSD-3-Clause
#include "GhostMarks.h"

#include "GridShape.h"

#include <algorithm>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

/// Cells without a mark: their box, and their number.
struct OwnCells
{
  Long3 low{ std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::max(),
    std::numeric_limits<std::int64_t>::max() };
  Long3 high{ -1, -1, -1 };
  std::int64_t number = 0;

  void add(const Long3& cell)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      low[axis] = std::min(low[axis], cell[axis]);
      high[axis] = std::max(high[axis], cell[axis]);
    }
    ++number;
  }
};

OwnCells own_cells(const Numbers& marks, const Long3& cells)
{
  OwnCells own;
  std::int64_t number = 0;
  for (std::int64_t k = 0; k < cells[2]; ++k)
  {
    for (std::int64_t j = 0; j < cells[1]; ++j)
    {
      for (std::int64_t i = 0; i < cells[0]; ++i, ++number)
      {
        if (!is_ghost(marks, number))
        {
          own.add({ i, j, k });
        }
      }
    }
  }
  return own;
}

/// Cells along each axis; an axis without extent has one layer of them.
Long3 layers_of(const Long3& cells)
{
  Long3 layers = cells;
  for (std::int64_t& along : layers)
  {
    along = std::max<std::int64_t>(along, 1);
  }
  return layers;
}

/// Sets the ghost layers of a box.
Result<void> apply_to_box(const Place& field, const Numbers& marks, Domain& domain)
{
  const Long3 cells = layers_of(domain.grid.cells);
  const OwnCells own = own_cells(marks, cells);
  if (own.number == 0)
  {
    return field.refuse("all cells are marked as ghosts", "leave such a domain out");
  }
  Long3 sides{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    sides[axis] = own.high[axis] - own.low[axis] + 1;
    domain.below[axis] = own.low[axis];
    domain.above[axis] = cells[axis] - 1 - own.high[axis];
  }
  if (size_of(sides, 0) != own.number)
  {
    return field.refuse(
        "cells without marks are not a box", "mark layers of ghost cells at the sides of the domain only");
  }
  return {};
}

} // namespace

bool is_ghost(const Numbers& marks, std::int64_t cell)
{
  const std::byte* const mark = marks.at(cell);
  return std::any_of(mark, mark + marks.bytes, [](std::byte each) { return each != std::byte{ 0 }; });
}

bool marks_ghosts(const Place& mesh, const Place& field)
{
  const std::string name = field.name();
  const Result<std::string> type = mesh.need_text("state/metadata/vtk_fields/" + name + "/attribute_type");
  return name == "vtkGhostType" || name == "ascent_ghosts" || (type && *type == "Ghosts");
}

Result<void> apply_ghost_marks(const Place& field, Domain& domain)
{
  Result<std::string> at = field.need_text("association");
  Result<Place> values = field.need("values");
  Result<Numbers> marks = values ? values->numbers() : forward_error(values);
  if (!at || !marks)
  {
    return !at ? forward_error(at) : forward_error(marks);
  }
  const bool integers = marks->type != CONDUIT_FLOAT32_ID && marks->type != CONDUIT_FLOAT64_ID;
  if (*at != "element" || !integers || marks->count != domain.grid.elements)
  {
    return field.refuse("marks of ghosts must be one integer for each element", "mark ghost cells, not nodes");
  }
  if (domain.grid.kind == GridKind::Mesh)
  {
    domain.ghosts = *marks;
    return {};
  }
  return apply_to_box(field, *marks, domain);
}

} // namespace rivulet::catalyst2
