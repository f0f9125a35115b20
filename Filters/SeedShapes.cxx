// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/SeedShapes.h"

#include "vtkCell.h"
#include "vtkCellType.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkPoints.h"

namespace rivulet
{

namespace
{

Vec3 point_of(vtkDataSet& seeds, vtkIdType id)
{
  Vec3 point;
  seeds.GetPoint(id, point.data());
  return point;
}

/// Numbers of the points of each curve.
std::vector<std::vector<vtkIdType>> curves_of_cells(vtkDataSet& seeds)
{
  std::vector<std::vector<vtkIdType>> curves;
  vtkNew<vtkIdList> ids;
  for (vtkIdType cell = 0; cell < seeds.GetNumberOfCells(); ++cell)
  {
    const int type = seeds.GetCellType(cell);
    if (type != VTK_LINE && type != VTK_POLY_LINE)
    {
      continue;
    }
    seeds.GetCellPoints(cell, ids);
    const vtkIdType* const first = ids->GetPointer(0);
    const bool goes_on = type == VTK_LINE && !curves.empty() && curves.back().back() == first[0];
    if (goes_on)
    {
      curves.back().push_back(first[1]);
      continue;
    }
    curves.emplace_back(first, first + ids->GetNumberOfIds());
  }
  return curves;
}

} // namespace

Result<std::vector<std::vector<Vec3>>> curves_of(vtkDataSet& seeds)
{
  std::vector<std::vector<vtkIdType>> ids = curves_of_cells(seeds);
  if (ids.empty())
  {
    ids.emplace_back();
    for (vtkIdType i = 0; i < seeds.GetNumberOfPoints(); ++i)
    {
      ids.back().push_back(i);
    }
  }
  std::vector<std::vector<Vec3>> curves;
  for (const std::vector<vtkIdType>& curve : ids)
  {
    std::vector<Vec3> points;
    points.reserve(curve.size());
    for (const vtkIdType id : curve)
    {
      points.push_back(point_of(seeds, id));
    }
    if (points.size() > 1)
    {
      curves.push_back(std::move(points));
    }
  }
  if (curves.empty())
  {
    return fail(ErrorCode::BadArgument,
        "the seed source has no curve: a surface begins on a line of two points or more",
        "choose a line, or another dataset with lines");
  }
  return curves;
}

Result<SeedMesh> triangles_of(vtkDataSet& seeds)
{
  if (seeds.GetNumberOfPoints() > VTK_INT_MAX)
  {
    return fail(ErrorCode::BadArgument, "the seed source has too many points", "use a coarser mesh");
  }
  SeedMesh mesh;
  vtkNew<vtkIdList> corners;
  vtkNew<vtkPoints> places;
  for (vtkIdType i = 0; i < seeds.GetNumberOfCells(); ++i)
  {
    vtkCell* const cell = seeds.GetCell(i);
    if (cell->GetCellDimension() != 2 || cell->Triangulate(0, corners, places) == 0)
    {
      continue;
    }
    for (vtkIdType corner = 0; corner + 2 < corners->GetNumberOfIds(); corner += 3)
    {
      mesh.triangles.push_back(
          { static_cast<std::int32_t>(corners->GetId(corner)), static_cast<std::int32_t>(corners->GetId(corner + 1)),
              static_cast<std::int32_t>(corners->GetId(corner + 2)) });
    }
  }
  if (mesh.triangles.empty())
  {
    return fail(ErrorCode::BadArgument, "the seed source has no surface, of which a time surface could be made",
        "choose a dataset with triangles or polygons, such as a plane or a sphere");
  }
  for (vtkIdType i = 0; i < seeds.GetNumberOfPoints(); ++i)
  {
    mesh.points.push_back(point_of(seeds, i));
  }
  return mesh;
}

} // namespace rivulet
