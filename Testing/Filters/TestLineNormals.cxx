// SPDX-License-Identifier: BSD-3-Clause
// The sliding normals against VTK's own, line by line, bends, straight and degenerate lines included.
#include "Filters/Output/LineNormals.h"
#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkPolyLine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace rivulet::test
{
namespace
{

std::vector<Vec3> vtk_normals(std::vector<float> coordinates)
{
  const auto count = static_cast<vtkIdType>(coordinates.size() / 3);
  vtkNew<vtkFloatArray> values;
  values->SetNumberOfComponents(3);
  values->SetArray(coordinates.data(), static_cast<vtkIdType>(coordinates.size()), 1);
  vtkNew<vtkPoints> points;
  points->SetData(values);
  vtkNew<vtkCellArray> lines;
  lines->InsertNextCell(static_cast<int>(count));
  for (vtkIdType i = 0; i < count; ++i)
  {
    lines->InsertCellPoint(i);
  }
  vtkNew<vtkDoubleArray> normals;
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(count);
  vtkPolyLine::GenerateSlidingNormals(points, lines, normals);
  std::vector<Vec3> result(static_cast<std::size_t>(count));
  for (vtkIdType i = 0; i < count; ++i)
  {
    normals->GetTuple(i, result[static_cast<std::size_t>(i)].data());
  }
  return result;
}

void expect_as_vtk(const std::vector<float>& points)
{
  std::vector<Vec3> normals(points.size() / 3);
  slide_normals(points, normals);
  const std::vector<Vec3> expected = vtk_normals(points);
  for (std::size_t i = 0; i < normals.size(); ++i)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      ASSERT_NEAR(normals[i][axis], expected[i][axis], 1e-9) << "point " << i;
    }
  }
}

TEST(LineNormals, AHelixSlidesAsInVtk)
{
  std::vector<float> points;
  for (int i = 0; i < 200; ++i)
  {
    const float t = 0.1F * static_cast<float>(i);
    points.insert(points.end(), { std::cos(t), std::sin(t), 0.2F * t });
  }
  expect_as_vtk(points);
}

TEST(LineNormals, RandomWalksSlideAsInVtk)
{
  std::mt19937 random(7);
  std::normal_distribution<float> step(0.0F, 0.3F);
  for (int walk = 0; walk < 50; ++walk)
  {
    std::vector<float> points{ 0, 0, 0 };
    for (int i = 0; i < 60; ++i)
    {
      const std::size_t last = points.size() - 3;
      points.insert(
          points.end(), { points[last] + 0.5F, points[last + 1] + step(random), points[last + 2] + step(random) });
    }
    expect_as_vtk(points);
  }
}

TEST(LineNormals, StraightLinesHaveSomeNormalAsInVtk)
{
  expect_as_vtk({ 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0 });
  expect_as_vtk({ 0, 0, 0, 0, 0, 2, 0, 0, 3 });
  expect_as_vtk({ 0, 0, 0, 1, 2, 3 });
}

TEST(LineNormals, RepeatedPointsAreSteppedOver)
{
  expect_as_vtk({ 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 2, 1, 1, 2, 1, 1 });
  expect_as_vtk({ 1, 1, 1, 1, 1, 1, 1, 1, 1 });
}

TEST(LineNormals, ALineThatStartsStraightAndBendsLater)
{
  expect_as_vtk({ 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 1, 0, 4, 2, 1, 3, 3, 2 });
}

TEST(LineNormals, TurningByAQuarterGivesTheThirdDirection)
{
  const Vec3 turned = turn_normal({ 0, 2, 0 }, { 5, 0, 0 }, std::numbers::pi / 2);
  EXPECT_NEAR(turned[0], 0.0, 1e-15);
  EXPECT_NEAR(turned[1], 0.0, 1e-15);
  EXPECT_NEAR(turned[2], -2.0, 1e-15);
}

} // namespace
} // namespace rivulet::test
