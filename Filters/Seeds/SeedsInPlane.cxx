// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/SeedsInPlane.h"

#include "Pipeline/GridConversion.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkPointSet.h"

#include <vector>

namespace rivulet
{

namespace
{

/// A plane across which points are moved.
struct Plane
{
  Vec3 point{ 0, 0, 0 };
  Vec3 normal{ 0, 0, 0 }; ///< unit
};

/// One plane for each axis along which the grid has one node.
std::vector<Plane> planes_of(const Grid& grid, vtkDataSet& dataset)
{
  std::vector<Plane> planes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (grid.nodes[axis] != 1)
    {
      continue;
    }
    Plane plane;
    for (std::size_t i = 0; i < 3; ++i)
    {
      plane.normal[i] = grid.direction[3 * i + axis];
    }
    dataset.GetPoint(0, plane.point.data());
    planes.push_back(plane);
  }
  return planes;
}

/// The point across the plane. Along an axis of the world its other coordinates keep their bits.
Vec3 moved(const Vec3& point, const Plane& plane)
{
  double distance = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
  {
    distance += (point[i] - plane.point[i]) * plane.normal[i];
  }
  Vec3 to = point;
  for (std::size_t i = 0; i < 3; ++i)
  {
    const bool along = plane.normal[i] == 1.0 || plane.normal[i] == -1.0;
    to[i] = along ? plane.point[i] : plane.normal[i] != 0.0 ? point[i] - distance * plane.normal[i] : point[i];
  }
  return to;
}

} // namespace

vtkSmartPointer<vtkDataSet> seeds_in_plane(vtkDataObject* input, vtkDataObject* seeds)
{
  auto* const points = vtkPointSet::SafeDownCast(seeds);
  auto* const dataset = vtkDataSet::SafeDownCast(input);
  if (points == nullptr || dataset == nullptr || points->GetNumberOfPoints() == 0 || dataset->GetNumberOfPoints() == 0)
  {
    return nullptr;
  }
  const Result<Grid> grid = grid_of(dataset);
  const std::vector<Plane> planes = grid ? planes_of(*grid, *dataset) : std::vector<Plane>{};
  vtkNew<vtkPoints> in_plane;
  in_plane->SetDataTypeToDouble();
  in_plane->SetNumberOfPoints(points->GetNumberOfPoints());
  bool any = false;
  for (vtkIdType i = 0; i < points->GetNumberOfPoints() && !planes.empty(); ++i)
  {
    Vec3 before;
    points->GetPoint(i, before.data());
    Vec3 after = before;
    for (const Plane& plane : planes)
    {
      after = moved(after, plane);
    }
    any = any || after != before;
    in_plane->SetPoint(i, after.data());
  }
  if (!any)
  {
    return nullptr;
  }
  auto made = vtkSmartPointer<vtkPointSet>::Take(points->NewInstance());
  made->ShallowCopy(points);
  made->SetPoints(in_plane);
  return made;
}

vtkSmartPointer<vtkInformationVector> seeds_in_plane(vtkInformationVector& input, vtkInformationVector& seeds)
{
  const vtkSmartPointer<vtkDataSet> moved =
      seeds_in_plane(vtkDataObject::GetData(&input, 0), vtkDataObject::GetData(&seeds, 0));
  if (moved == nullptr)
  {
    return nullptr;
  }
  auto copy = vtkSmartPointer<vtkInformationVector>::New();
  copy->Copy(&seeds, 1);
  copy->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), moved);
  return copy;
}

} // namespace rivulet
