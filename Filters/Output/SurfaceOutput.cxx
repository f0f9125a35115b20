// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/SurfaceOutput.h"

#include "Filters/Output/LineOutput.h"
#include "Trace/Mesh/MakeMesh.h"
#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

namespace
{

/// Adds an array of numbers with `components` each.
template <class Array, class Get>
vtkSmartPointer<Array> make_array(const char* name, std::size_t count, int components, const Get& get)
{
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(count));
  for (std::size_t i = 0; i < count; ++i)
  {
    for (int c = 0; c < components; ++c)
    {
      array->SetTypedComponent(
          static_cast<vtkIdType>(i), c, static_cast<typename Array::ValueType>(get(i, static_cast<std::size_t>(c))));
    }
  }
  return array;
}

bool needs_doubles(const FlowInput& flow)
{
  const Result<std::shared_ptr<const Mesh>> mesh = make_mesh(flow.field());
  return mesh && needs_double_points(flow.field(), **mesh, true);
}

void set_geometry(const FlowSurface& surface, const FlowInput& flow, vtkPolyData& output)
{
  vtkNew<vtkPoints> points;
  const std::size_t count = surface.points.size();
  const auto place = [&](std::size_t i, std::size_t c)
  {
    return surface.points[i][c];
  };
  if (needs_doubles(flow))
  {
    points->SetData(make_array<vtkDoubleArray>("Points", count, 3, place));
  }
  else
  {
    points->SetData(make_array<vtkFloatArray>("Points", count, 3, place));
  }
  vtkNew<vtkCellArray> triangles;
  for (const std::array<std::int32_t, 3>& triangle : surface.triangles)
  {
    triangles->InsertNextCell({ vtkIdType{ triangle[0] }, vtkIdType{ triangle[1] }, vtkIdType{ triangle[2] } });
  }
  output.SetPoints(points);
  output.SetPolys(triangles);
}

} // namespace

void fill_surface(const FlowSurface& surface, PointAttributes& attributes, const FlowInput& flow, vtkPolyData& output)
{
  set_geometry(surface, flow, output);
  const std::size_t count = surface.points.size();
  vtkPointData& data = *output.GetPointData();
  add_attributes(attributes.arrays, static_cast<std::int64_t>(count), flow, {}, data);
  const auto add = [&](const char* name, const auto& get)
  {
    data.AddArray(make_array<vtkDoubleArray>(name, count, 1, [&](std::size_t i, std::size_t) { return get(i); }));
  };
  add("ReleaseTime", [&](std::size_t i) { return surface.release_times[i]; });
  add("ParticleAge", [&](std::size_t i) { return surface.age(i); });
  add("CurveLength", [&](std::size_t i) { return surface.curve_lengths[i]; });
  data.AddArray(make_array<vtkDoubleArray>(
      "ReleasePoint", count, 3, [&](std::size_t i, std::size_t c) { return surface.releases[i][c]; }));
  data.SetNormals(make_array<vtkFloatArray>(
      "Normals", count, 3, [&](std::size_t i, std::size_t c) { return surface.normals[i][c]; }));
  data.SetTCoords(make_array<vtkFloatArray>(
      "TextureCoordinates", count, 2, [&](std::size_t i, std::size_t c) { return surface.texture[i][c]; }));
}

} // namespace rivulet
