// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/SeedShapes.h"

#include "Base/Vector.h"
#include "vtkCell.h"
#include "vtkCellType.h"
#include "vtkDataSet.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkPoints.h"

#include <algorithm>
#include <cmath>

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

/// Distance of a point from the line through two others, times the distance of these.
double area_between(const Vec3& a, const Vec3& b, const Vec3& point)
{
  return length_of(cross(difference(b, a), difference(point, a)));
}

/// Whether a curve goes straight on, but for rounding, from `a` to the last of three points.
bool goes_straight(const Vec3& a, const Vec3& b, const Vec3& c)
{
  static constexpr double kRounding = 1e-6; // of points in floats
  const double length = distance(a, c);
  return area_between(a, c, b) <= kRounding * length * length && distance(a, b) <= length;
}

} // namespace

double length_of(const std::vector<std::vector<Vec3>>& curves)
{
  double length = 0.0;
  for (const std::vector<Vec3>& curve : curves)
  {
    for (std::size_t i = 1; i < curve.size(); ++i)
    {
      length += distance(curve[i - 1], curve[i]);
    }
  }
  return length;
}

std::vector<std::vector<Vec3>> respaced(const std::vector<std::vector<Vec3>>& curves, double spacing)
{
  std::vector<std::vector<Vec3>> result;
  for (const std::vector<Vec3>& curve : curves)
  {
    std::vector<Vec3> corners{ curve.front() };
    for (std::size_t i = 1; i < curve.size(); ++i)
    {
      if (corners.size() > 1 && goes_straight(corners[corners.size() - 2], corners.back(), curve[i]))
      {
        corners.pop_back();
      }
      corners.push_back(curve[i]);
    }
    std::vector<Vec3> points{ corners.front() };
    for (std::size_t i = 1; i < corners.size(); ++i)
    {
      static constexpr double kMostPieces = 1000.0;
      const double pieces = std::clamp(std::ceil(distance(corners[i - 1], corners[i]) / spacing), 1.0, kMostPieces);
      for (double piece = 1.0; piece < pieces; ++piece)
      {
        Vec3 between;
        for (std::size_t c = 0; c < 3; ++c)
        {
          between.at(c) = corners[i - 1].at(c) + piece / pieces * (corners[i].at(c) - corners[i - 1].at(c));
        }
        points.push_back(between);
      }
      points.push_back(corners[i]);
    }
    result.push_back(std::move(points));
  }
  return result;
}

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
    return fail(ErrorCode::BadArgument, "the dataset has no triangles or polygons",
        "choose a surface, such as a plane or a sphere");
  }
  for (vtkIdType i = 0; i < seeds.GetNumberOfPoints(); ++i)
  {
    mesh.points.push_back(point_of(seeds, i));
  }
  return mesh;
}

} // namespace rivulet
