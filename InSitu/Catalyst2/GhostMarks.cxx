// SPDX-License-Identifier: BSD-3-Clause
#include "GhostMarks.h"

#include "GridShape.h"

#include <algorithm>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

/// Marks in memory, whatever integer they are: a cell is marked if any of its bytes is not 0.
struct Marks
{
  const std::byte* first;
  std::int64_t stride;
  std::int64_t bytes;

  [[nodiscard]] bool at(std::int64_t cell) const
  {
    const std::byte* const mark = first + cell * stride;
    return std::any_of(mark, mark + bytes, [](std::byte each) { return each != std::byte{ 0 }; });
  }
};

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

OwnCells own_cells(const Marks& marks, const Long3& cells)
{
  OwnCells own;
  std::int64_t number = 0;
  for (std::int64_t k = 0; k < cells[2]; ++k)
  {
    for (std::int64_t j = 0; j < cells[1]; ++j)
    {
      for (std::int64_t i = 0; i < cells[0]; ++i, ++number)
      {
        if (!marks.at(number))
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

} // namespace

bool marks_ghosts(const Place& mesh, const Place& field)
{
  const std::string name = field.name();
  const auto said = mesh.find("state/metadata/vtk_fields/" + name + "/attribute_type");
  const Result<std::string> type = said ? said->text() : Result<std::string>("");
  return name == "vtkGhostType" || name == "ascent_ghosts" || (type && *type == "Ghosts");
}

Result<void> apply_ghost_marks(const Place& field, Domain& domain)
{
  Result<Place> values = field.need("values");
  Result<Place> association = field.need("association");
  Result<std::string> at = association ? association->text() : forward_error(association);
  if (!values || !at)
  {
    return !values ? forward_error(values) : forward_error(at);
  }
  const Long3 cells = layers_of(domain.grid.cells);
  const conduit_datatype* const type = conduit_node_dtype(values->node());
  if (*at != "element" || conduit_datatype_is_integer(type) == 0 ||
      conduit_datatype_number_of_elements(type) != size_of(cells, 0))
  {
    return field.refuse("marks of ghosts must be one integer for each element", "mark ghost cells, not nodes");
  }
  const Marks marks{ static_cast<const std::byte*>(conduit_node_element_ptr(values->node(), 0)),
    conduit_datatype_stride(type), conduit_datatype_element_bytes(type) };
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

} // namespace rivulet::catalyst2
