// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/BlockData.h"

#include "Catalyst/Values.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>

namespace rivulet::insitu
{

namespace
{

std::int64_t ratio_of(const rivulet_field& field, std::int32_t level, int axis)
{
  std::int64_t ratio = 1;
  for (std::int32_t below = 0; below < level; ++below)
  {
    ratio *= field.ratio[3 * below + axis];
  }
  return ratio;
}

/// Cells of a block: those that are stored, with ghosts; those that are passed on; those that are its own.
struct Cells
{
  Range stored;
  Range shown;
  Range own;
};

Cells cells_of(const rivulet_field& field, const rivulet_block& block, Ghosts ghosts)
{
  Cells cells;
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto a = static_cast<std::size_t>(axis);
    cells.own.begin[a] = block.begin[a];
    cells.own.end[a] = block.begin[a] + block.cells[a];
    cells.stored.begin[a] = cells.own.begin[a] - block.ghosts[a];
    cells.stored.end[a] = cells.own.end[a] + block.ghosts[a];
    cells.shown.begin[a] = std::max<std::int64_t>(0, cells.stored.begin[a]);
    cells.shown.end[a] = std::min(domain_cells(field, block.level, axis), cells.stored.end[a]);
  }
  cells.shown = ghosts == Ghosts::Drop ? cells.own : cells.shown;
  return cells;
}

Range nodes_of(Range cells)
{
  for (std::int64_t& end : cells.end)
  {
    ++end;
  }
  return cells;
}

/// Marks what lies outside `own` as a duplicate of another block's.
vtkSmartPointer<vtkUnsignedCharArray> ghosts_of(const Range& shown, const Range& own, unsigned char mark)
{
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfValues(shown.count());
  unsigned char* to = ghosts->GetPointer(0);
  const auto within = [&](std::size_t axis, std::int64_t at)
  {
    return own.begin[axis] <= at && at < own.end[axis];
  };
  for (std::int64_t k = shown.begin[2]; k < shown.end[2]; ++k)
  {
    for (std::int64_t j = shown.begin[1]; j < shown.end[1]; ++j)
    {
      for (std::int64_t i = shown.begin[0]; i < shown.end[0]; ++i)
      {
        *to++ = within(0, i) && within(1, j) && within(2, k) ? 0 : mark;
      }
    }
  }
  return ghosts;
}

} // namespace

std::int64_t domain_cells(const rivulet_field& field, std::int32_t level, int axis)
{
  return field.cells[axis] * ratio_of(field, level, axis);
}

double spacing_of(const rivulet_field& field, std::int32_t level, int axis)
{
  return field.spacing[axis] / static_cast<double>(ratio_of(field, level, axis));
}

void fill_block(const rivulet_field& field, const rivulet_block& block, Ghosts ghosts, vtkImageData& image)
{
  const Cells cells = cells_of(field, block, ghosts);
  const Range points = nodes_of(cells.shown);
  image.SetOrigin(field.origin);
  image.SetSpacing(
      spacing_of(field, block.level, 0), spacing_of(field, block.level, 1), spacing_of(field, block.level, 2));
  const auto first = [&](std::size_t axis)
  {
    return static_cast<int>(points.begin[axis]);
  };
  const auto last = [&](std::size_t axis)
  {
    return static_cast<int>(points.end[axis] - 1);
  };
  image.SetExtent(first(0), last(0), first(1), last(1), first(2), last(2));
  const bool nodes = field.centring == RIVULET_NODES;
  vtkDataSetAttributes& values =
      nodes ? static_cast<vtkDataSetAttributes&>(*image.GetPointData()) : *image.GetCellData();
  const Range stored = nodes ? nodes_of(cells.stored) : cells.stored;
  const Range shown = nodes ? points : cells.shown;
  for (std::int32_t i = 0; i < field.variables; ++i)
  {
    values.AddArray(part_of(field.variable[i], block.data[i], stored, shown));
  }
  if (cells.shown != cells.own)
  {
    image.GetCellData()->AddArray(ghosts_of(cells.shown, cells.own, vtkDataSetAttributes::DUPLICATECELL));
    if (nodes)
    {
      image.GetPointData()->AddArray(ghosts_of(points, nodes_of(cells.own), vtkDataSetAttributes::DUPLICATEPOINT));
    }
  }
}

} // namespace rivulet::insitu
