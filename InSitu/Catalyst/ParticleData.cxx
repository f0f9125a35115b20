// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/ParticleData.h"

#include "Catalyst/Values.h"
#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkIdTypeArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"

#include <numeric>

namespace rivulet::insitu
{

namespace
{

vtkSmartPointer<vtkDoubleArray> triples(const double* x, const double* y, const double* z, std::int64_t count)
{
  vtkNew<vtkDoubleArray> array;
  array->SetNumberOfComponents(3);
  array->SetNumberOfTuples(count);
  double* to = array->GetPointer(0);
  for (std::int64_t i = 0; i < count; ++i, to += 3)
  {
    to[0] = x[i];
    to[1] = y[i];
    to[2] = z[i];
  }
  return array;
}

vtkSmartPointer<vtkCellArray> vertices(std::int64_t count)
{
  vtkNew<vtkIdTypeArray> offsets;
  vtkNew<vtkIdTypeArray> points;
  offsets->SetNumberOfValues(count + 1);
  points->SetNumberOfValues(count);
  std::iota(offsets->GetPointer(0), offsets->GetPointer(0) + count + 1, 0);
  std::iota(points->GetPointer(0), points->GetPointer(0) + count, 0);
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, points);
  return cells;
}

} // namespace

vtkSmartPointer<vtkPolyData> particle_data(const rivulet_particles& particles)
{
  const std::int64_t count = particles.count;
  vtkNew<vtkPoints> points;
  points->SetData(triples(particles.x, particles.y, particles.z, count));
  vtkNew<vtkPolyData> data;
  data->SetPoints(points);
  data->SetVerts(vertices(count));
  vtkPointData& values = *data->GetPointData();
  if (particles.id != nullptr)
  {
    values.AddArray(array_of("id", RIVULET_INT64, 1, particles.id, count));
  }
  if (particles.type != nullptr)
  {
    values.AddArray(array_of("type", RIVULET_INT32, 1, particles.type, count));
  }
  if (particles.vx != nullptr && particles.vy != nullptr && particles.vz != nullptr)
  {
    vtkSmartPointer<vtkDoubleArray> velocity = triples(particles.vx, particles.vy, particles.vz, count);
    velocity->SetName("velocity");
    values.AddArray(velocity);
  }
  for (std::int32_t i = 0; i < particles.arrays; ++i)
  {
    const rivulet_array& array = particles.array[i];
    values.AddArray(array_of(array.name, array.type, array.components, array.data, count));
  }
  return data;
}

} // namespace rivulet::insitu
