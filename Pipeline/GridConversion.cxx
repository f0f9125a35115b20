// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/GridConversion.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkUnsignedCharArray.h"

#include <string>

namespace rivulet
{

std::array<int, 6> extent_of(const Grid& grid, const Box& nodes)
{
  std::array<int, 6> extent;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    extent[2 * axis] = grid.first[axis] + nodes.begin[axis];
    extent[2 * axis + 1] = grid.first[axis] + nodes.end[axis] - 1;
  }
  return extent;
}

std::array<int, 6> whole_extent_of(const Grid& grid)
{
  return extent_of(grid, { { 0, 0, 0 }, grid.nodes });
}

Box nodes_of(const Grid& grid, const int extent[6])
{
  Box nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes.begin[axis] = extent[2 * axis] - grid.first[axis];
    nodes.end[axis] = extent[2 * axis + 1] - grid.first[axis] + 1;
  }
  return intersect(nodes, { { 0, 0, 0 }, grid.nodes });
}

Box lattice_of(const Grid& grid, const Box& nodes, Centering centering)
{
  if (centering == Centering::Node || nodes.empty())
  {
    return nodes;
  }
  Box cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // A slab of one node shows the cells above it; the last slab has none above and shows those below.
    cells.begin[axis] = std::min(nodes.begin[axis], grid.cells()[axis] - 1);
    cells.end[axis] = std::max(nodes.end[axis] - 1, cells.begin[axis] + 1);
  }
  return cells;
}

Grid grid_of(vtkImageData& image)
{
  Grid grid;
  const int* extent = image.GetExtent();
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto at = static_cast<std::size_t>(axis);
    grid.first[at] = extent[2 * at];
    grid.nodes[at] = extent[2 * at + 1] - extent[2 * at] + 1;
    grid.origin[at] = image.GetOrigin()[axis];
    grid.spacing[at] = image.GetSpacing()[axis];
  }
  std::copy_n(image.GetDirectionMatrix()->GetData(), 9, grid.direction.begin());
  return grid;
}

Grid grid_of(vtkRectilinearGrid& rectilinear)
{
  Grid grid;
  grid.kind = Grid::Kind::Rectilinear;
  const int* extent = rectilinear.GetExtent();
  const std::array<vtkDataArray*, 3> coordinates{ rectilinear.GetXCoordinates(), rectilinear.GetYCoordinates(),
    rectilinear.GetZCoordinates() };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.first[axis] = extent[2 * axis];
    grid.nodes[axis] = extent[2 * axis + 1] - extent[2 * axis] + 1;
    for (vtkIdType at = 0; at < coordinates[axis]->GetNumberOfTuples(); ++at)
    {
      grid.axes[axis].push_back(coordinates[axis]->GetComponent(at, 0));
    }
  }
  return grid;
}

Result<Grid> grid_of(vtkDataSet* dataset)
{
  if (dataset == nullptr || dataset->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the input has no points", "check the filter before this one");
  }
  if (auto* image = vtkImageData::SafeDownCast(dataset))
  {
    return grid_of(*image);
  }
  if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(dataset))
  {
    return grid_of(*rectilinear);
  }
  return fail(ErrorCode::Unsupported,
      std::string("the input is a ") + dataset->GetClassName() + ", not image data or a rectilinear grid",
      "use Resample To Image first");
}

void set_geometry(vtkImageData& image, const Grid& grid, const Box& nodes)
{
  image.SetExtent(extent_of(grid, nodes).data());
  image.SetOrigin(grid.origin.data());
  image.SetSpacing(grid.spacing.data());
  vtkNew<vtkMatrix3x3> direction;
  direction->DeepCopy(grid.direction.data());
  image.SetDirectionMatrix(direction);
}

void set_geometry(vtkRectilinearGrid& rectilinear, const Grid& grid, const Box& nodes)
{
  rectilinear.SetExtent(extent_of(grid, nodes).data());
  std::array<vtkNew<vtkDoubleArray>, 3> coordinates;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::int32_t at = nodes.begin[axis]; at < nodes.end[axis]; ++at)
    {
      coordinates[axis]->InsertNextValue(grid.axes[axis][static_cast<std::size_t>(at)]);
    }
  }
  rectilinear.SetXCoordinates(coordinates[0]);
  rectilinear.SetYCoordinates(coordinates[1]);
  rectilinear.SetZCoordinates(coordinates[2]);
}

const std::uint8_t* ghosts_of(vtkDataSet& dataset, Centering centering)
{
  vtkDataSetAttributes* attributes = centering == Centering::Node
                                         ? static_cast<vtkDataSetAttributes*>(dataset.GetPointData())
                                         : static_cast<vtkDataSetAttributes*>(dataset.GetCellData());
  auto* ghosts = vtkUnsignedCharArray::SafeDownCast(attributes->GetArray(vtkDataSetAttributes::GhostArrayName()));
  return ghosts != nullptr && ghosts->GetNumberOfTuples() > 0 ? ghosts->GetPointer(0) : nullptr;
}

} // namespace rivulet
