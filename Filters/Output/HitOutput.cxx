// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/HitOutput.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkIdTypeArray.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// Adds an array of one number for each of `count` things.
template <class Array, class Get>
void add_numbers(const char* name, std::size_t count, const Get& get, vtkFieldData& output)
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

double duration_of(const Hit& hit)
{
  return std::fabs(hit.arrival_time - hit.release_time);
}

} // namespace

std::vector<HitGroup> groups_of(std::span<const Hit> hits)
{
  std::vector<HitGroup> groups;
  for (std::size_t i = 0; i < hits.size(); ++i)
  {
    const bool goes_on = i > 0 && hits[i].seed == hits[i - 1].seed && hits[i].release_time == hits[i - 1].release_time;
    if (!goes_on)
    {
      groups.push_back({ i, 0 });
    }
    ++groups.back().count;
  }
  return groups;
}

void fill_hits(const SourceDestinationResult& result, vtkPolyData& output)
{
  const std::vector<Hit>& hits = result.hits;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkDoubleArray> releases;
  releases->SetName("ReleasePoint");
  releases->SetNumberOfComponents(3);
  for (const Hit& hit : hits)
  {
    const vtkIdType point = points->InsertNextPoint(hit.arrival_point.data());
    vertices->InsertNextCell(1, &point);
    releases->InsertNextTuple(hit.release_point.data());
  }
  output.SetPoints(points);
  output.SetVerts(vertices);
  vtkPointData& data = *output.GetPointData();
  const std::size_t count = hits.size();
  add_numbers<vtkIdTypeArray>(
      "SeedId", count, [&](std::size_t i) { return hits[i].seed; }, data);
  add_numbers<vtkIntArray>(
      "Source", count, [&](std::size_t i) { return hits[i].source; }, data);
  add_numbers<vtkIntArray>(
      "Destination", count, [&](std::size_t i) { return hits[i].destination; }, data);
  add_numbers<vtkDoubleArray>(
      "ReleaseTime", count, [&](std::size_t i) { return hits[i].release_time; }, data);
  add_numbers<vtkDoubleArray>(
      "ArrivalTime", count, [&](std::size_t i) { return hits[i].arrival_time; }, data);
  add_numbers<vtkDoubleArray>(
      "Duration", count, [&](std::size_t i) { return duration_of(hits[i]); }, data);
  add_numbers<vtkDoubleArray>(
      "Length", count, [&](std::size_t i) { return hits[i].length; }, data);
  data.AddArray(releases);
}

void fill_counts(const SourceDestinationResult& result, const std::vector<std::string>& sources,
    const std::vector<std::string>& destinations, vtkTable& output)
{
  vtkNew<vtkStringArray> from;
  vtkNew<vtkStringArray> to;
  from->SetName("Source");
  to->SetName("Destination");
  for (const std::string& source : sources)
  {
    for (const std::string& destination : destinations)
    {
      from->InsertNextValue(source);
      to->InsertNextValue(destination);
    }
  }
  output.AddColumn(from);
  output.AddColumn(to);
  vtkFieldData& rows = *output.GetRowData();
  const std::size_t count = sources.size() * destinations.size();
  const auto released = [&](std::size_t i)
  {
    return result.released[i / destinations.size()];
  };
  add_numbers<vtkIdTypeArray>("Released", count, released, rows);
  add_numbers<vtkIdTypeArray>(
      "Hits", count, [&](std::size_t i) { return result.hit_counts[i]; }, rows);
  add_numbers<vtkDoubleArray>(
      "Share", count,
      [&](std::size_t i)
      { return released(i) > 0 ? static_cast<double>(result.hit_counts[i]) / static_cast<double>(released(i)) : 0.0; },
      rows);
}

void fill_histograms(const SourceDestinationResult& result, const std::vector<std::string>& sources,
    const std::vector<std::string>& destinations, int bins, vtkTable& output)
{
  double longest = 0.0;
  for (const Hit& hit : result.hits)
  {
    longest = std::max(longest, duration_of(hit));
  }
  longest = longest > 0.0 ? longest : 1.0;
  std::vector<double> edges;
  edges.reserve(static_cast<std::size_t>(bins) + 1);
  for (int i = 0; i < bins; ++i)
  {
    edges.push_back(longest * i / bins);
  }
  edges.push_back(longest);
  const Result<std::vector<std::int64_t>> counts = arrival_histograms(result, edges, ArrivalTime::SinceRelease);
  vtkFieldData& rows = *output.GetRowData();
  const auto count = static_cast<std::size_t>(bins);
  add_numbers<vtkDoubleArray>(
      "From", count, [&](std::size_t i) { return edges[i]; }, rows);
  add_numbers<vtkDoubleArray>(
      "To", count, [&](std::size_t i) { return edges[i + 1]; }, rows);
  for (std::size_t pair = 0; pair < sources.size() * destinations.size() && counts; ++pair)
  {
    const std::string name = sources[pair / destinations.size()] + " to " + destinations[pair % destinations.size()];
    add_numbers<vtkIdTypeArray>(
        name.c_str(), count, [&](std::size_t i) { return (*counts)[pair * (count + 2) + i + 1]; }, rows);
  }
}

void fill_line_hits(std::span<const Hit> hits, std::span<const HitGroup> groups, vtkCellData& output)
{
  const std::size_t count = groups.size();
  const auto last = [&](std::size_t i) -> const Hit&
  {
    const auto begin = hits.begin() + static_cast<std::ptrdiff_t>(groups[i].first);
    return *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(groups[i].count),
        [](const Hit& a, const Hit& b) { return duration_of(a) < duration_of(b); });
  };
  add_numbers<vtkIdTypeArray>(
      "SeedId", count, [&](std::size_t i) { return last(i).seed; }, output);
  add_numbers<vtkDoubleArray>(
      "ReleaseTime", count, [&](std::size_t i) { return last(i).release_time; }, output);
  add_numbers<vtkIntArray>(
      "Source", count, [&](std::size_t i) { return last(i).source; }, output);
  add_numbers<vtkIntArray>(
      "Destination", count, [&](std::size_t i) { return last(i).destination; }, output);
  add_numbers<vtkIntArray>(
      "Hits", count, [&](std::size_t i) { return groups[i].count; }, output);
}

} // namespace rivulet
