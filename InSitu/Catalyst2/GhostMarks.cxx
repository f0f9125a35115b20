// SPDX-License-Identifier: BSD-3-Clause
#include "GhostMarks.h"

#include "GridShape.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

constexpr std::uint64_t kAllBits = ~std::uint64_t{ 0 };
constexpr std::uint64_t kDuplicate = 1; // VTK's
constexpr std::uint64_t kHidden = 32;

std::uint64_t mark_at(const Numbers& marks, std::int64_t cell)
{
  const auto read = [&](auto mark)
  {
    std::memcpy(&mark, marks.at(cell), sizeof(mark));
    return static_cast<std::uint64_t>(mark);
  };
  return marks.bytes == 1   ? read(std::uint8_t{})
         : marks.bytes == 2 ? read(std::uint16_t{})
         : marks.bytes == 4 ? read(std::uint32_t{})
                            : read(std::uint64_t{});
}

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

OwnCells own_cells(const GhostMarks& marks, const Long3& cells)
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
Result<void> apply_to_box(const Place& field, const GhostMarks& marks, Domain& domain)
{
  const Long3 cells = layers_of(domain.grid.cells);
  const OwnCells own = own_cells(marks, cells);
  if (own.number == 0)
  {
    domain.grid.elements = 0;
    return {};
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

void tell_of_hidden(const Place& field, const Numbers& marks, Teller& teller)
{
  for (std::int64_t i = 0; i < marks.count; ++i)
  {
    if ((mark_at(marks, i) & kHidden) != 0)
    {
      teller.warn_once(
          field.refuse("hidden cells (mark 32) are not known here, and are shown", "leave them out").value());
      return;
    }
  }
}

} // namespace

bool is_ghost(const GhostMarks& marks, std::int64_t cell)
{
  return (mark_at(marks.numbers, cell) & marks.bits) != 0;
}

bool marks_ghosts(const Place& mesh, const Place& field)
{
  const std::string name = field.name();
  const Result<std::string> type = mesh.need_text("state/metadata/vtk_fields/" + name + "/attribute_type");
  return name == "vtkGhostType" || name == "ascent_ghosts" || (type && *type == "Ghosts");
}

Result<void> apply_ghost_marks(const Place& field, Domain& domain, Teller& teller)
{
  Result<Place> values = field.need("values");
  Result<Numbers> numbers = values ? values->numbers() : forward_error(values);
  if (!numbers)
  {
    return forward_error(numbers);
  }
  const bool integers = numbers->type != CONDUIT_FLOAT32_ID && numbers->type != CONDUIT_FLOAT64_ID;
  if (!integers || numbers->count != domain.grid.elements)
  {
    return field.refuse("marks of ghosts must be one integer for each element", "mark all cells");
  }
  const bool of_vtk = field.name() != "ascent_ghosts";
  if (of_vtk)
  {
    tell_of_hidden(field, *numbers, teller);
  }
  const GhostMarks marks{ *numbers, of_vtk ? kDuplicate : kAllBits };
  if (domain.grid.kind == GridKind::Mesh)
  {
    domain.ghosts = marks;
    return {};
  }
  return apply_to_box(field, marks, domain);
}

} // namespace rivulet::catalyst2
