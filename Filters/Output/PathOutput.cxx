// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/PathOutput.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

#include <array>
#include <cmath>

namespace rivulet
{

namespace
{

/// Adds an array of one number for each of `count` things.
template <class Array, class Get>
void add_numbers(const char* name, std::size_t count, const Get& get, vtkDataSetAttributes& output)
{
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfValues(static_cast<vtkIdType>(count));
  for (std::size_t i = 0; i < count; ++i)
  {
    array->SetValue(static_cast<vtkIdType>(i), static_cast<typename Array::ValueType>(get(i)));
  }
  output.AddArray(array);
}

/// Numbers of a particle of this rank.
std::int64_t seed_of(const ReleaseTable& table, std::int64_t particle)
{
  return table.first_seed + particle / table.releases;
}
std::int64_t release_of(const ReleaseTable& table, std::int64_t particle)
{
  return particle % table.releases;
}
std::int64_t id_of(const ReleaseTable& table, std::int64_t particle)
{
  return table.first_seed * table.releases + particle;
}

/// Frames without points know nothing of the input's arrays.
void name_arrays(const FlowInput& flow, TracedLines& lines)
{
  if (!lines.attributes.empty())
  {
    return;
  }
  for (const AttributeRequest& attribute : flow.field().attributes)
  {
    const FieldInfo& info = attribute.array.source->info();
    const Variable& variable = info.variables[static_cast<std::size_t>(attribute.array.variable)];
    lines.attributes.push_back({ attribute.name, variable.interpolated_type(), variable.components, {} });
  }
}

void add_ages(const std::vector<TracedLine>& lines, const ReleaseTable& table, vtkPolyData& output)
{
  vtkPointData& data = *output.GetPointData();
  auto* times = vtkDoubleArray::SafeDownCast(data.GetArray("SimulationTime"));
  vtkNew<vtkDoubleArray> ages;
  ages->SetName("ParticleAge");
  ages->SetNumberOfValues(output.GetNumberOfPoints());
  for (const TracedLine& line : lines)
  {
    const double start = table.particles[static_cast<std::size_t>(line.seed)].time;
    for (std::int64_t i = line.first_point; i < line.first_point + line.points; ++i)
    {
      ages->SetValue(i, std::fabs(times->GetValue(i) - start));
    }
  }
  data.AddArray(ages);
}

/// ParticleId, InjectionStepId and the number of the seed, under the given name, for each line.
void add_numbers_of(const std::vector<TracedLine>& lines, const ReleaseTable& table, const char* name_of_seed,
    vtkDataSetAttributes& output)
{
  const auto particle = [&](std::size_t i)
  {
    return std::int64_t{ lines[i].seed };
  };
  add_numbers<vtkIntArray>(
      "ParticleId", lines.size(), [&](std::size_t i) { return id_of(table, particle(i)); }, output);
  add_numbers<vtkIntArray>(
      name_of_seed, lines.size(), [&](std::size_t i) { return seed_of(table, particle(i)); }, output);
  add_numbers<vtkIntArray>(
      "InjectionStepId", lines.size(), [&](std::size_t i) { return release_of(table, particle(i)); }, output);
}

/// The ends of lines in one direction, under these names.
void add_ends(std::span<const SeedFate> fates, std::size_t way, const std::array<const char*, 4>& names,
    vtkDataSetAttributes& output)
{
  add_numbers<vtkIntArray>(
      names[0], fates.size(), [&](std::size_t i) { return static_cast<int>(fates[i].reason[way]); }, output);
  add_numbers<vtkDoubleArray>(
      names[1], fates.size(), [&](std::size_t i) { return fates[i].time[way]; }, output);
  add_numbers<vtkDoubleArray>(
      names[2], fates.size(), [&](std::size_t i) { return fates[i].length[way]; }, output);
  add_numbers<vtkIntArray>(
      names[3], fates.size(), [&](std::size_t i) { return fates[i].steps[way]; }, output);
}

} // namespace

void fill_pathlines(TracedLines& lines, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output)
{
  name_arrays(flow, lines);
  LineOutputOptions of_paths = options;
  of_paths.time = "SimulationTime";
  fill_lines(lines, flow, of_paths, output);
  add_ages(lines.lines, table, output);
  add_numbers_of(lines.lines, table, "SeedIds", *output.GetCellData());
}

void fill_particles(TracedLines& particles, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output)
{
  name_arrays(flow, particles);
  LineOutputOptions of_points = options;
  of_points.time = "SimulationTime";
  of_points.normals = false;
  fill_lines(particles, flow, of_points, output);
  add_ages(particles.lines, table, output);
  vtkNew<vtkCellArray> vertices;
  vertices->ShallowCopy(output.GetLines());
  vtkNew<vtkCellArray> none;
  output.SetVerts(vertices);
  output.SetLines(none);
  output.GetCellData()->Initialize();
  add_numbers_of(particles.lines, table, "InjectedPointId", *output.GetPointData());
}

void fill_streaks(Streaks& streaks, double time, const FlowInput& flow, const ReleaseTable& table,
    const LineOutputOptions& options, vtkPolyData& output)
{
  name_arrays(flow, streaks.lines);
  LineOutputOptions of_streaks = options;
  of_streaks.time = "SimulationTime";
  of_streaks.normals = false;
  fill_lines(streaks.lines, flow, of_streaks, output);
  output.GetCellData()->Initialize();
  add_numbers<vtkIntArray>(
      "SeedIds", streaks.lines.lines.size(),
      [&](std::size_t i) { return table.first_seed + streaks.lines.lines[i].seed; }, *output.GetCellData());
  const std::vector<std::int64_t>& particles = streaks.particles;
  const auto release = [&](std::size_t i)
  {
    return particles[i] < 0 ? time : table.particles[static_cast<std::size_t>(particles[i])].time;
  };
  vtkPointData& data = *output.GetPointData();
  add_numbers<vtkDoubleArray>(
      "ParticleAge", particles.size(), [&](std::size_t i) { return time - release(i); }, data);
  add_numbers<vtkDoubleArray>("ReleaseTime", particles.size(), release, data);
  add_numbers<vtkIntArray>(
      "ParticleId", particles.size(), [&](std::size_t i) { return particles[i] < 0 ? -1 : id_of(table, particles[i]); },
      data);
  add_numbers<vtkIntArray>(
      "InjectionStepId", particles.size(),
      [&](std::size_t i) { return particles[i] < 0 ? -1 : release_of(table, particles[i]); }, data);
}

void fill_releases(
    std::span<const SeedFate> fates, const ReleaseTable& table, TraceDirection direction, vtkPolyData& output)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  points->SetNumberOfPoints(static_cast<vtkIdType>(fates.size()));
  for (std::size_t i = 0; i < fates.size(); ++i)
  {
    const auto point = static_cast<vtkIdType>(i);
    points->SetPoint(point, table.particles[i].point.data());
    vertices->InsertNextCell(1, &point);
  }
  output.SetPoints(points);
  output.SetVerts(vertices);
  vtkPointData& data = *output.GetPointData();
  const auto number = [](std::size_t i)
  {
    return static_cast<std::int64_t>(i);
  };
  add_numbers<vtkIntArray>(
      "SeedId", fates.size(), [&](std::size_t i) { return seed_of(table, number(i)); }, data);
  add_numbers<vtkIntArray>(
      "InjectionStepId", fates.size(), [&](std::size_t i) { return release_of(table, number(i)); }, data);
  add_numbers<vtkDoubleArray>(
      "ReleaseTime", fates.size(), [&](std::size_t i) { return table.particles[i].time; }, data);
  add_ends(fates, direction == TraceDirection::Backward ? 1 : 0, { "ReasonForTermination", "Time", "Length", "Steps" },
      data);
  if (direction == TraceDirection::Both)
  {
    add_ends(fates, 1, { "ReasonBackwardTermination", "BackwardTime", "BackwardLength", "BackwardSteps" }, data);
  }
}

namespace
{

/// The number of a crossing along its line.
struct CrossingNumber
{
  std::int64_t of_all = 0;
  std::int64_t of_direction = 0;
};

/// Backward the particle goes against the flow.
bool flow_goes_to_positive(const LineCrossing& crossing)
{
  return crossing.to_positive != crossing.backward;
}

std::vector<CrossingNumber> numbers_along_lines(std::span<const LineCrossing> crossings, bool both)
{
  std::vector<CrossingNumber> numbers;
  std::array<std::int64_t, 2> count{ 0, 0 }; // by direction
  for (std::size_t i = 0; i < crossings.size(); ++i)
  {
    const LineCrossing& each = crossings[i];
    if (i == 0 || each.seed != crossings[i - 1].seed || each.backward != crossings[i - 1].backward)
    {
      count = { 0, 0 };
    }
    const std::int64_t same = ++count.at(flow_goes_to_positive(each) ? 1 : 0);
    const std::int64_t sign = both && each.backward ? -1 : 1;
    numbers.push_back({ sign * (count[0] + count[1]), sign * same });
  }
  return numbers;
}

} // namespace

void fill_crossings(std::span<const LineCrossing> crossings, const ReleaseTable& table, bool both, vtkPolyData& output)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  for (const LineCrossing& each : crossings)
  {
    const vtkIdType point = points->InsertNextPoint(each.point.data());
    vertices->InsertNextCell(1, &point);
  }
  output.SetPoints(points);
  output.SetVerts(vertices);
  vtkPointData& data = *output.GetPointData();
  const std::size_t count = crossings.size();
  const auto particle = [&](std::size_t i)
  {
    return std::int64_t{ crossings[i].seed };
  };
  const std::vector<CrossingNumber> numbers = numbers_along_lines(crossings, both);
  add_numbers<vtkIntArray>(
      "Crossing", count, [&](std::size_t i) { return numbers[i].of_all; }, data);
  add_numbers<vtkIntArray>(
      "Return", count, [&](std::size_t i) { return numbers[i].of_direction; }, data);
  add_numbers<vtkIntArray>(
      "Direction", count, [&](std::size_t i) { return flow_goes_to_positive(crossings[i]) ? 1 : -1; }, data);
  add_numbers<vtkIntArray>(
      "ParticleId", count, [&](std::size_t i) { return id_of(table, particle(i)); }, data);
  add_numbers<vtkIntArray>(
      "SeedIds", count, [&](std::size_t i) { return seed_of(table, particle(i)); }, data);
  add_numbers<vtkIntArray>(
      "InjectionStepId", count, [&](std::size_t i) { return release_of(table, particle(i)); }, data);
  add_numbers<vtkDoubleArray>(
      "SimulationTime", count, [&](std::size_t i) { return crossings[i].time; }, data);
  add_numbers<vtkDoubleArray>(
      "ParticleAge", count,
      [&](std::size_t i)
      { return std::fabs(crossings[i].time - table.particles[static_cast<std::size_t>(crossings[i].seed)].time); },
      data);
  add_numbers<vtkDoubleArray>(
      "Length", count, [&](std::size_t i) { return crossings[i].length; }, data);
}

} // namespace rivulet
