// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/GridConversion.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkRectilinearGrid.h"
#include "vtkStructuredGrid.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace rivulet
{

namespace
{

std::string letter(std::size_t axis)
{
  return { static_cast<char>('x' + axis) };
}

/// Checks that origin, spacing and direction are finite. Spacing along an axis of one node has no meaning and may be
/// zero.
Result<void> check_geometry(vtkImageData& image)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double spacing = image.GetSpacing()[axis];
    const bool flat = image.GetExtent()[2 * axis] == image.GetExtent()[2 * axis + 1];
    if (!std::isfinite(image.GetOrigin()[axis]) || !std::isfinite(spacing) || (spacing == 0.0 && !flat))
    {
      return fail(ErrorCode::BadArgument,
          "the image data has the origin " + std::to_string(image.GetOrigin()[axis]) + " and the spacing " +
              std::to_string(spacing) + " along " + letter(axis),
          "give it a finite origin and a spacing that is not zero, where the data come from");
    }
  }
  const double* direction = image.GetDirectionMatrix()->GetData();
  if (!std::all_of(direction, direction + 9, [](double entry) { return std::isfinite(entry); }))
  {
    return fail(ErrorCode::BadArgument, "the direction matrix of the image data has an entry that is not finite",
        "set the matrix again where the data come from");
  }
  return {};
}

Result<void> check_axis(vtkDataArray* coordinates, std::int64_t nodes, std::size_t axis)
{
  const std::int64_t count = coordinates != nullptr ? coordinates->GetNumberOfTuples() : 0;
  if (count != nodes)
  {
    return fail(ErrorCode::BadArgument,
        "the rectilinear grid has " + std::to_string(count) + " " + letter(axis) + " coordinates for " +
            std::to_string(nodes) + " points along " + letter(axis),
        "give it one coordinate for each, where the data come from");
  }
  const auto at = [&](std::int64_t node)
  {
    return coordinates->GetComponent(node, 0);
  };
  for (std::int64_t node = 0; node < nodes; ++node)
  {
    const double step = node > 0 ? at(node) - at(node - 1) : 1.0;
    if (!std::isfinite(at(node)) || !std::isfinite(step) || step == 0.0 ||
        (node > 1 && (step > 0.0) != (at(1) > at(0))))
    {
      return fail(ErrorCode::BadArgument,
          "the " + letter(axis) + " coordinates of the rectilinear grid do not rise or fall throughout: number " +
              std::to_string(node) + " is " + std::to_string(at(node)),
          "put them in order where the data come from, each different from the one before");
    }
  }
  return {};
}

Result<void> check_geometry(vtkRectilinearGrid& grid)
{
  const std::array<vtkDataArray*, 3> coordinates{ grid.GetXCoordinates(), grid.GetYCoordinates(),
    grid.GetZCoordinates() };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const int* extent = grid.GetExtent() + 2 * axis;
    if (Result<void> good = check_axis(coordinates[axis], std::int64_t{ extent[1] } - extent[0] + 1, axis); !good)
    {
      return good;
    }
  }
  return {};
}

template <class DataSet>
Result<Grid> checked_grid_of(DataSet& dataset)
{
  if (Result<void> good = check_geometry(dataset); !good)
  {
    return forward_error(good);
  }
  return grid_of(dataset);
}

} // namespace

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
    // A slab of one node gets the cells above it. The last slab has no cells above and gets the cells below.
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
    const double spacing = image.GetSpacing()[axis];
    grid.spacing[at] = spacing == 0.0 && grid.nodes[at] == 1 ? 1.0 : spacing;
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
    return checked_grid_of(*image);
  }
  if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(dataset))
  {
    return checked_grid_of(*rectilinear);
  }
  return fail(ErrorCode::Unsupported,
      std::string("the input is a ") + dataset->GetClassName() + ", not image data or a rectilinear grid",
      "use Resample To Image first");
}

Grid grid_of(vtkStructuredGrid& curvilinear)
{
  Grid grid;
  grid.kind = Grid::Kind::Curvilinear;
  const int* extent = curvilinear.GetExtent();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.first[axis] = extent[2 * axis];
    grid.nodes[axis] = extent[2 * axis + 1] - extent[2 * axis] + 1;
  }
  return grid;
}

Result<Grid> stored_grid_of(vtkDataSet* dataset)
{
  auto* const curvilinear = vtkStructuredGrid::SafeDownCast(dataset);
  if (curvilinear == nullptr || curvilinear->GetNumberOfPoints() == 0)
  {
    return grid_of(dataset);
  }
  const Grid grid = grid_of(*curvilinear);
  if (curvilinear->GetNumberOfPoints() != volume(grid.nodes))
  {
    return fail(ErrorCode::BadArgument,
        "the input has " + std::to_string(curvilinear->GetNumberOfPoints()) + " points, and an extent of " +
            std::to_string(volume(grid.nodes)),
        "check what it was made from");
  }
  return grid;
}

vtkDataArray* places_of(vtkDataSet& dataset)
{
  auto* const curvilinear = vtkStructuredGrid::SafeDownCast(&dataset);
  return curvilinear != nullptr && curvilinear->GetPoints() != nullptr ? curvilinear->GetPoints()->GetData() : nullptr;
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

std::array<double, 6> bounds_of(const Grid& grid)
{
  std::array<double, 6> bounds;
  const Box nodes{ { 0, 0, 0 }, grid.nodes };
  if (grid.kind == Grid::Kind::Rectilinear)
  {
    vtkNew<vtkRectilinearGrid> like;
    set_geometry(*like, grid, nodes);
    like->GetBounds(bounds.data());
  }
  else
  {
    vtkNew<vtkImageData> like;
    set_geometry(*like, grid, nodes);
    like->GetBounds(bounds.data());
  }
  return bounds;
}

Result<void> check_length(vtkAbstractArray& array, const Grid& grid, Centering centering)
{
  const std::int64_t expected = volume(grid.lattice(centering));
  if (array.GetNumberOfTuples() == expected)
  {
    return {};
  }
  const std::string name = array.GetName() != nullptr ? array.GetName() : "";
  const char* const ghosts = vtkDataSetAttributes::GhostArrayName();
  return fail(ErrorCode::BadArgument,
      "the array \"" + name + "\" has " + std::to_string(array.GetNumberOfTuples()) + " values for " +
          std::to_string(expected) + (centering == Centering::Node ? " points" : " cells"),
      "check the filter that made it, or leave it out with Pass Arrays" +
          (name == ghosts ? std::string() : std::string(", which must keep ") + ghosts));
}

Result<const std::uint8_t*> ghosts_of(vtkDataSet& dataset, const Grid& grid, Centering centering)
{
  vtkDataSetAttributes* attributes = centering == Centering::Node
                                         ? static_cast<vtkDataSetAttributes*>(dataset.GetPointData())
                                         : static_cast<vtkDataSetAttributes*>(dataset.GetCellData());
  vtkAbstractArray* array = attributes->GetAbstractArray(vtkDataSetAttributes::GhostArrayName());
  if (array == nullptr)
  {
    return nullptr;
  }
  auto* ghosts = vtkUnsignedCharArray::SafeDownCast(array);
  if (ghosts == nullptr || ghosts->GetNumberOfComponents() != 1)
  {
    return fail(ErrorCode::BadArgument,
        std::string("the array \"") + array->GetName() + "\", which hides " +
            (centering == Centering::Node ? "points" : "cells") + ", is a " + array->GetClassName() + " of " +
            std::to_string(array->GetNumberOfComponents()) + " components, not of one unsigned char each",
        "leave it out with Pass Arrays, or make it a vtkUnsignedCharArray of one component");
  }
  if (Result<void> good = check_length(*ghosts, grid, centering); !good)
  {
    return forward_error(good);
  }
  return ghosts->GetPointer(0);
}

} // namespace rivulet
