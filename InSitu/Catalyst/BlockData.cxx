// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/BlockData.h"

#include "Catalyst/Values.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkRectilinearGrid.h"
#include "vtkStructuredGrid.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <array>
#include <iterator>

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

/// Cells of a block: cells in memory, with ghosts; cells that are passed on; cells without ghosts.
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
    cells.stored.end[a] = cells.own.end[a] + rivulet_ghosts_above(&block, axis);
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

/// VTK has one layer of cells where there is one layer of nodes.
Range flat_as_one(Range cells)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.end[axis] = std::max(cells.end[axis], cells.begin[axis] + 1);
  }
  return cells;
}

/// Marks cells or nodes outside `own`, as duplicates of another block's.
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

/// First and last point along each axis.
std::array<int, 6> extent_of(const Range& points)
{
  std::array<int, 6> extent{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    extent[2 * axis] = static_cast<int>(points.begin[axis]);
    extent[2 * axis + 1] = static_cast<int>(points.end[axis] - 1);
  }
  return extent;
}

void set_image(const rivulet_field& field, const rivulet_block& block, const Range& points, vtkImageData& image)
{
  image.SetOrigin(field.origin);
  image.SetSpacing(
      spacing_of(field, block.level, 0), spacing_of(field, block.level, 1), spacing_of(field, block.level, 2));
  image.SetExtent(extent_of(points).data());
}

vtkSmartPointer<vtkDataSet> rectilinear(const rivulet_field& field, const Range& points)
{
  vtkNew<vtkRectilinearGrid> grid;
  grid->SetExtent(extent_of(points).data());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    vtkNew<vtkDoubleArray> places;
    for (std::int64_t i = points.begin[axis]; i < points.end[axis]; ++i)
    {
      const double even = field.origin[axis] + field.spacing[axis] * static_cast<double>(i);
      places->InsertNextValue(field.coordinates[axis] != nullptr ? field.coordinates[axis][i] : even);
    }
    const auto set = std::array{ &vtkRectilinearGrid::SetXCoordinates, &vtkRectilinearGrid::SetYCoordinates,
      &vtkRectilinearGrid::SetZCoordinates }[axis];
    ((*grid).*set)(places);
  }
  return grid;
}

vtkSmartPointer<vtkDataSet> structured(
    const rivulet_field& field, const rivulet_block& block, const Range& stored, const Range& points)
{
  vtkNew<vtkStructuredGrid> grid;
  grid->SetExtent(extent_of(points).data());
  rivulet_variable places = *field.points;
  places.name = "Points";
  vtkNew<vtkPoints> nodes;
  nodes->SetData(part_of(places, block.points[0], stored, points));
  grid->SetPoints(nodes);
  return grid;
}

bool is_rectilinear(const rivulet_field& field)
{
  return std::any_of(
      std::begin(field.coordinates), std::end(field.coordinates), [](const double* along) { return along != nullptr; });
}

void add_values(const rivulet_field& field, const rivulet_block& block, const Cells& cells, vtkDataSet& data)
{
  const bool nodes = field.centring == RIVULET_NODES;
  const Range points = nodes_of(cells.shown);
  vtkDataSetAttributes& values = nodes ? static_cast<vtkDataSetAttributes&>(*data.GetPointData()) : *data.GetCellData();
  const Range stored = nodes ? nodes_of(cells.stored) : cells.stored;
  const Range shown = nodes ? points : cells.shown;
  for (std::int32_t i = 0; i < field.variables; ++i)
  {
    values.AddArray(part_of(field.variable[i], block.data[i], stored, shown));
  }
  if (cells.shown != cells.own)
  {
    data.GetCellData()->AddArray(
        ghosts_of(flat_as_one(cells.shown), flat_as_one(cells.own), vtkDataSetAttributes::DUPLICATECELL));
    if (nodes)
    {
      data.GetPointData()->AddArray(ghosts_of(points, nodes_of(cells.own), vtkDataSetAttributes::DUPLICATEPOINT));
    }
  }
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
  set_image(field, block, nodes_of(cells.shown), image);
  add_values(field, block, cells, image);
}

vtkSmartPointer<vtkDataSet> block_data(const rivulet_field& field, const rivulet_block& block)
{
  const Cells cells = cells_of(field, block, Ghosts::Pass);
  const Range points = nodes_of(cells.shown);
  vtkSmartPointer<vtkDataSet> data;
  if (field.points != nullptr)
  {
    data = structured(field, block, nodes_of(cells.stored), points);
  }
  else if (is_rectilinear(field))
  {
    data = rectilinear(field, points);
  }
  else
  {
    vtkNew<vtkImageData> image;
    set_image(field, block, points, *image);
    data = image;
  }
  add_values(field, block, cells, *data);
  return data;
}

vtkSmartPointer<vtkDataSet> empty_data(const rivulet_field& field)
{
  if (field.points != nullptr)
  {
    return vtkSmartPointer<vtkStructuredGrid>::New();
  }
  if (is_rectilinear(field))
  {
    return vtkSmartPointer<vtkRectilinearGrid>::New();
  }
  return vtkSmartPointer<vtkImageData>::New();
}

} // namespace rivulet::insitu
