// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/LineOutput.h"

#include "Filters/Output/LineNormals.h"
#include "Parallel/Team.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkInformation.h"
#include "vtkIntArray.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

namespace rivulet
{

namespace
{

constexpr std::size_t kLinesAtATime = 16; ///< lines that a thread takes at a time for their normals

/// Gives the memory of `values` to `array`.
template <class T>
void adopt(Buffer<T>& values, vtkDataArray& array)
{
  const auto scalars = static_cast<vtkIdType>(values.size() * sizeof(T)) / array.GetDataTypeSize();
  if (scalars > 0)
  {
    array.SetVoidArray(values.release(), scalars, 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
  }
}

void add_doubles(Buffer<double>& values, const char* name, int components, vtkDataSetAttributes& output)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  adopt(values, *array);
  output.AddArray(array);
}

/// Rounds and clamps as VTK's own interpolation does.
template <class Scalar>
void convert(const Scalar* values, vtkDataArray& array)
{
  const vtkIdType count = array.GetNumberOfValues();
  switch (array.GetDataType())
  {
    vtkTemplateMacro(VTK_TT* out = static_cast<VTK_TT*>(array.GetVoidPointer(0));
                     for (vtkIdType i = 0; i < count;
                          ++i) { vtkMath::RoundDoubleToIntegralIfNecessary(static_cast<double>(values[i]), out + i); });
  default: // VTK_BIT has no pointer to single values
    for (vtkIdType i = 0; i < count; ++i)
    {
      const int components = array.GetNumberOfComponents();
      array.SetComponent(i / components, static_cast<int>(i % components), values[i] < 0.5 ? 0.0 : 1.0);
    }
  }
}

/// Copies name, component names and information keys of the input. Some versions of VTK copy ranges, too: Modified()
/// removes them.
void describe_as(vtkDataArray& input, vtkDataArray& array)
{
  array.SetName(input.GetName());
  array.CopyComponentNames(&input);
  if (input.HasInformation())
  {
    array.CopyInformation(input.GetInformation());
    array.Modified();
  }
}

/// Interpolated values as an array of the input's type.
vtkSmartPointer<vtkDataArray> make_array(AttributeValues& values, vtkDataArray& input, std::int64_t points)
{
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(input.GetDataType()));
  array->SetNumberOfComponents(values.components);
  describe_as(input, *array);
  const int held = values.type == ScalarType::Float32 ? VTK_FLOAT : VTK_DOUBLE;
  if (input.GetDataType() == held)
  {
    adopt(values.values, *array);
    return array;
  }
  array->SetNumberOfTuples(points);
  values.type == ScalarType::Float32 ? convert(reinterpret_cast<const float*>(values.values.data()), *array)
                                     : convert(reinterpret_cast<const double*>(values.values.data()), *array);
  values.values = {};
  return array;
}

/// The input's array of this name. Later time steps may have others before it.
vtkDataArray& array_named(const FlowInput& flow, const std::string& name)
{
  const std::vector<vtkDataArray*>& all = flow.point_arrays();
  return **std::find_if(all.begin(), all.end(), [&](vtkDataArray* array) { return name == array->GetName(); });
}

/// 0, 1, 2, ...
Buffer<std::int64_t> count_up(std::size_t count, int threads)
{
  Buffer<std::int64_t> numbers(count);
  static constexpr std::size_t kAtATime = std::size_t{ 1 } << 18;
  std::atomic<std::size_t> next{ 0 };
  run_team(count < 2 * kAtATime ? 1 : threads,
      [&](int)
      {
        for (std::size_t begin = next.fetch_add(kAtATime); begin < count; begin = next.fetch_add(kAtATime))
        {
          std::iota(numbers.data() + begin, numbers.data() + std::min(begin + kAtATime, count),
              static_cast<std::int64_t>(begin));
        }
      });
  return numbers;
}

void add_geometry(TracedLines& lines, int threads, vtkPolyData& output)
{
  const auto count = static_cast<vtkIdType>(lines.points.size() / 3);
  vtkNew<vtkPoints> points;
  const auto set_points = [&](auto& coordinates, auto& values)
  {
    coordinates.SetNumberOfComponents(3);
    adopt(values, coordinates);
    points->SetData(&coordinates);
  };
  if (lines.places.empty())
  {
    set_points(*vtkSmartPointer<vtkFloatArray>::New(), lines.points);
  }
  else
  {
    set_points(*vtkSmartPointer<vtkDoubleArray>::New(), lines.places);
  }
  output.SetPoints(points);

  const auto cells = static_cast<vtkIdType>(lines.lines.size());
  vtkNew<vtkTypeInt64Array> offsets;
  offsets->SetNumberOfValues(cells + 1);
  for (vtkIdType i = 0; i < cells; ++i)
  {
    offsets->SetValue(i, lines.lines[static_cast<std::size_t>(i)].first_point);
  }
  offsets->SetValue(cells, count);
  vtkNew<vtkTypeInt64Array> connectivity;
  Buffer<std::int64_t> numbers = count_up(static_cast<std::size_t>(count), threads);
  adopt(numbers, *connectivity);
  vtkNew<vtkCellArray> cell_array;
  cell_array->SetData(offsets, connectivity);
  output.SetLines(cell_array);
}

void add_cell_data(const TracedLines& lines, std::int64_t first_seed, vtkCellData& output)
{
  vtkNew<vtkIntArray> reasons;
  vtkNew<vtkIntArray> seeds;
  reasons->SetName("ReasonForTermination");
  seeds->SetName("SeedIds");
  const auto count = static_cast<vtkIdType>(lines.lines.size());
  reasons->SetNumberOfValues(count);
  seeds->SetNumberOfValues(count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    const TracedLine& line = lines.lines[static_cast<std::size_t>(i)];
    reasons->SetValue(i, static_cast<int>(line.reason));
    seeds->SetValue(i, static_cast<int>(first_seed + line.seed));
  }
  output.AddArray(reasons);
  output.AddArray(seeds);
}

/// Normals of the points of one line.
void fill_normals(const TracedLine& line, vtkPolyData& lines, vtkDataArray& velocity, double* out)
{
  const auto first = static_cast<vtkIdType>(line.first_point);
  const auto count = static_cast<std::size_t>(line.points);
  auto* rotation = vtkDoubleArray::SafeDownCast(lines.GetPointData()->GetArray("Rotation"));
  std::vector<Vec3> normals(count);
  vtkDataArray& points = *lines.GetPoints()->GetData();
  if (points.GetDataType() == VTK_DOUBLE)
  {
    slide_normals({ static_cast<const double*>(points.GetVoidPointer(0)) + 3 * first, 3 * count }, normals);
  }
  else
  {
    slide_normals({ static_cast<const float*>(points.GetVoidPointer(0)) + 3 * first, 3 * count }, normals);
  }
  for (std::size_t i = 0; i < count; ++i)
  {
    Vec3 along;
    const vtkIdType point = first + static_cast<vtkIdType>(i);
    velocity.GetTuple(point, along.data());
    const Vec3 normal = turn_normal(normals[i], along, rotation->GetValue(point));
    std::copy(normal.begin(), normal.end(), out + 3 * point);
  }
}

void add_normals(const std::vector<TracedLine>& cells, const LineOutputOptions& options, vtkPolyData& lines)
{
  vtkDataArray* velocity = lines.GetPointData()->GetArray(options.velocity.c_str());
  vtkNew<vtkDoubleArray> normals;
  normals->SetName("Normals");
  normals->SetNumberOfComponents(3);
  normals->SetNumberOfTuples(lines.GetNumberOfPoints());
  double* out = normals->GetPointer(0);
  std::atomic<std::size_t> next{ 0 };
  run_team(cells.size() <= kLinesAtATime ? 1 : options.threads,
      [&](int)
      {
        for (std::size_t begin = next.fetch_add(kLinesAtATime); begin < cells.size();
             begin = next.fetch_add(kLinesAtATime))
        {
          for (std::size_t i = begin; i < std::min(begin + kLinesAtATime, cells.size()); ++i)
          {
            fill_normals(cells[i], lines, *velocity, out);
          }
        }
      });
  lines.GetPointData()->AddArray(normals);
  lines.GetPointData()->SetActiveVectors("Normals");
}

} // namespace

void add_attributes(std::vector<AttributeValues>& values, std::int64_t points, const FlowInput& flow,
    const std::set<std::string>& left_out, vtkPointData& output)
{
  for (AttributeValues& each : values)
  {
    vtkDataArray& input = array_named(flow, each.name);
    if (left_out.count(input.GetName()) > 0)
    {
      continue;
    }
    const int number = output.AddArray(make_array(each, input, points));
    if (const int attribute = flow.attribute_type(input); attribute >= 0)
    {
      output.SetActiveAttribute(number, attribute);
    }
  }
}

void fill_lines(TracedLines& lines, const FlowInput& flow, const LineOutputOptions& options, vtkPolyData& output)
{
  vtkPointData& data = *output.GetPointData();
  add_attributes(lines.attributes, static_cast<std::int64_t>(lines.points.size() / 3), flow, options.left_out, data);
  add_geometry(lines, options.threads, output);
  add_doubles(lines.time, options.time, 1, data);
  if (flow.centering() == Centering::Cell)
  {
    add_doubles(lines.cell_velocity, options.velocity.c_str(), 3, data);
  }
  if (options.rotation)
  {
    add_doubles(lines.vorticity, "Vorticity", 3, data);
    add_doubles(lines.rotation, "Rotation", 1, data);
    add_doubles(lines.angular_velocity, "AngularVelocity", 1, data);
  }
  if (options.rotation && options.normals)
  {
    add_normals(lines.lines, options, output);
  }
  add_cell_data(lines, options.first_seed, *output.GetCellData());
}

namespace
{

template <class Array, class Get>
void add_fates(std::span<const SeedFate> fates, const char* name, const Get& get, vtkPointData& output)
{
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(fates.size()));
  for (std::size_t i = 0; i < fates.size(); ++i)
  {
    array->SetValue(static_cast<vtkIdType>(i), static_cast<typename Array::ValueType>(get(fates[i])));
  }
  output.AddArray(array);
}

void add_fates(std::span<const SeedFate> fates, const std::string& direction, std::size_t at, vtkPointData& output)
{
  add_fates<vtkIntArray>(
      fates, ("Reason" + direction + "Termination").c_str(), [at](const SeedFate& fate) { return fate.reason[at]; },
      output);
  add_fates<vtkDoubleArray>(
      fates, (direction + "Length").c_str(), [at](const SeedFate& fate) { return fate.length[at]; }, output);
  add_fates<vtkDoubleArray>(
      fates, (direction + "Time").c_str(), [at](const SeedFate& fate) { return fate.time[at]; }, output);
  add_fates<vtkIntArray>(
      fates, (direction + "Steps").c_str(), [at](const SeedFate& fate) { return fate.steps[at]; }, output);
}

} // namespace

void fill_seeds(
    std::span<const SeedFate> fates, std::span<const Vec3> seeds, std::int64_t first_seed, vtkPolyData& output)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkIntArray> ids;
  ids->SetName("SeedId");
  points->SetNumberOfPoints(static_cast<vtkIdType>(seeds.size()));
  for (std::size_t i = 0; i < seeds.size(); ++i)
  {
    const auto point = static_cast<vtkIdType>(i);
    points->SetPoint(point, seeds[i].data());
    vertices->InsertNextCell(1, &point);
    ids->InsertNextValue(static_cast<int>(first_seed + point));
  }
  output.SetPoints(points);
  output.SetVerts(vertices);
  output.GetPointData()->AllocateArrays(9); // these, at once
  output.GetPointData()->AddArray(ids);
  add_fates(fates, "Forward", 0, *output.GetPointData());
  add_fates(fates, "Backward", 1, *output.GetPointData());
}

} // namespace rivulet
