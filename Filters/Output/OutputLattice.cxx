// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/OutputLattice.h"

#include "Pipeline/GridConversion.h"
#include "vtkDataArray.h"
#include "vtkDataObject.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStructuredGrid.h"
#include "vtkType.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace rivulet
{

namespace
{

/// The origin, spacing and direction of image data, or of nothing for a curvilinear grid; none for any other input, or
/// if it does not say which extent it will have.
std::optional<Grid> geometry_of(vtkInformation& input)
{
  vtkDataObject* const data = vtkDataObject::GetData(&input);
  auto* const image = vtkImageData::SafeDownCast(data);
  if (input.Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()) == 0 ||
      (image == nullptr && vtkStructuredGrid::SafeDownCast(data) == nullptr))
  {
    return std::nullopt;
  }
  Grid grid;
  if (image != nullptr)
  {
    image->GetOrigin(grid.origin.data());
    image->GetSpacing(grid.spacing.data());
    std::copy_n(image->GetDirectionMatrix()->GetData(), 9, grid.direction.begin());
  }
  return grid;
}

} // namespace

bool has_bounds(const double* bounds)
{
  const bool ordered = bounds[0] <= bounds[1] || bounds[2] <= bounds[3] || bounds[4] <= bounds[5];
  return ordered && std::any_of(bounds, bounds + 6, [](double end) { return end != 0.0; });
}

Result<Grid> lattice_of_box(const double* bounds, const int* dimensions)
{
  static constexpr std::array<double, 6> kUnitBox{ 0, 1, 0, 1, 0, 1 };
  bounds = has_bounds(bounds) ? bounds : kUnitBox.data();
  Grid grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double low = bounds[2 * axis];
    const double high = bounds[2 * axis + 1];
    const int nodes = dimensions[axis];
    if (nodes < 1 || (nodes > 1 && !(high > low)) || !std::isfinite(low) || !std::isfinite(high))
    {
      return fail(ErrorCode::BadArgument,
          "the box of the output has " + std::to_string(nodes) + " points along axis " + std::to_string(axis) +
              " from " + std::to_string(low) + " to " + std::to_string(high),
          low == high ? "set Dimensions to 1 along this axis, or Bounds with high ends above low ones"
                      : "set Bounds with high ends above low ones, and Dimensions of 1 or more");
    }
    grid.nodes[axis] = nodes;
    grid.origin[axis] = low;
    grid.spacing[axis] = nodes > 1 ? (high - low) / (nodes - 1) : 1.0;
  }
  return grid;
}

Result<Grid> lattice_of_field(vtkInformation& input, int refinement)
{
  std::optional<Grid> geometry = geometry_of(input);
  if (!geometry)
  {
    return fail(ErrorCode::BadArgument,
        "the input is no image data and no curvilinear or unstructured grid, whose points the output could have",
        "set Lattice to Box, with its Bounds and Dimensions");
  }
  Grid grid = *std::move(geometry);
  std::array<int, 6> extent;
  input.Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent.data());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t first = std::int64_t{ extent[2 * axis] } * refinement;
    const std::int64_t last = std::int64_t{ extent[2 * axis + 1] } * refinement;
    if (last < first || std::max(std::abs(first), std::abs(last)) > VTK_INT_MAX)
    {
      return fail(ErrorCode::BadArgument, "the input is empty, or too large for this Refinement", "lower Refinement");
    }
    grid.first[axis] = static_cast<std::int32_t>(first);
    grid.nodes[axis] = static_cast<std::int32_t>(last - first + 1);
    grid.spacing[axis] /= refinement;
  }
  return grid;
}

namespace
{

vtkSmartPointer<vtkPoints> points_at(const std::vector<Vec3>& places)
{
  vtkNew<vtkDoubleArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  coordinates->SetNumberOfTuples(static_cast<vtkIdType>(places.size()));
  std::copy_n(reinterpret_cast<const double*>(places.data()), 3 * places.size(), coordinates->GetPointer(0));
  const auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetData(coordinates);
  return points;
}

} // namespace

void set_nodes(vtkStructuredGrid& grid, const Grid& lattice, const Box& nodes, const std::vector<Vec3>& places)
{
  grid.SetExtent(extent_of(lattice, nodes).data());
  grid.SetPoints(points_at(places));
}

void set_cells(vtkUnstructuredGrid& grid, vtkUnstructuredGrid& like)
{
  grid.CopyStructure(&like);
  for (const int of : { vtkDataObject::POINT, vtkDataObject::CELL })
  {
    if (vtkDataArray* const ghosts = like.GetAttributes(of)->GetArray(vtkDataSetAttributes::GhostArrayName()))
    {
      grid.GetAttributes(of)->AddArray(ghosts);
    }
  }
}

void set_places(vtkUnstructuredGrid& grid, const std::vector<Vec3>& places)
{
  if (!places.empty())
  {
    grid.SetPoints(points_at(places));
  }
}

} // namespace rivulet
