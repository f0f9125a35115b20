// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/ResidenceOutput.h"

#include "vtkCellArray.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnsignedCharArray.h"

namespace rivulet
{

namespace
{

/// Adds an array with a component for each region. `value_of`: of a stay.
template <class Array, class ValueOf>
void add_of_stays(const char* name, const ResidenceTimes& result, const std::vector<std::string>& names,
    vtkDataSet& output, const ValueOf& value_of)
{
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(static_cast<int>(result.regions));
  for (std::size_t region = 0; region < names.size() && names.size() > 1; ++region)
  {
    array->SetComponentName(static_cast<vtkIdType>(region), names[region].c_str());
  }
  array->SetNumberOfTuples(static_cast<vtkIdType>(result.ends.size()));
  for (std::size_t i = 0; i < result.stays.size(); ++i)
  {
    array->SetValue(static_cast<vtkIdType>(i), value_of(result.stays[i]));
  }
  output.GetPointData()->AddArray(array);
}

} // namespace

void fill_residence(const ResidenceTimes& result, const std::vector<std::string>& names, vtkDataSet& output)
{
  const auto add_times = [&](const char* name, double Stay::*member)
  {
    add_of_stays<vtkDoubleArray>(name, result, names, output, [=](const Stay& stay) { return stay.*member; });
  };
  add_times("ResidenceTime", &Stay::residence);
  add_times("ExposureTime", &Stay::exposure);
  add_times("FirstEntryTime", &Stay::first_entry);
  add_times("FirstExitTime", &Stay::first_exit);
  add_of_stays<vtkTypeInt64Array>("Entries", result, names, output, [](const Stay& stay) { return stay.entries; });
  add_of_stays<vtkTypeInt64Array>("Exits", result, names, output, [](const Stay& stay) { return stay.exits; });
  add_of_stays<vtkUnsignedCharArray>("InsideAtEnd", result, names, output,
      [](const Stay& stay) { return static_cast<unsigned char>(stay.inside_at_end ? 1 : 0); });
  vtkNew<vtkDoubleArray> times;
  times->SetName("EndTime");
  vtkNew<vtkIntArray> reasons;
  reasons->SetName("ReasonForTermination");
  for (const EndState& end : result.ends)
  {
    times->InsertNextValue(end.time);
    reasons->InsertNextValue(static_cast<int>(end.reason));
  }
  output.GetPointData()->AddArray(times);
  output.GetPointData()->AddArray(reasons);
  output.GetPointData()->SetActiveScalars("ResidenceTime");
}

void fill_visits(const std::vector<Crossing>& visits, vtkPolyData& output)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  vtkNew<vtkTypeInt64Array> seeds;
  seeds->SetName("SeedId");
  vtkNew<vtkIntArray> regions;
  regions->SetName("Region");
  vtkNew<vtkDoubleArray> times;
  times->SetName("Time");
  vtkNew<vtkUnsignedCharArray> entries;
  entries->SetName("Entry");
  for (const Crossing& visit : visits)
  {
    const vtkIdType point = points->InsertNextPoint(visit.point.data());
    vertices->InsertNextCell(1, &point);
    seeds->InsertNextValue(visit.id);
    regions->InsertNextValue(visit.surface);
    times->InsertNextValue(visit.time);
    entries->InsertNextValue(visit.to_positive ? 0 : 1);
  }
  output.SetPoints(points);
  output.SetVerts(vertices);
  for (vtkDataArray* const array : { static_cast<vtkDataArray*>(seeds), static_cast<vtkDataArray*>(regions),
           static_cast<vtkDataArray*>(times), static_cast<vtkDataArray*>(entries) })
  {
    output.GetPointData()->AddArray(array);
  }
}

} // namespace rivulet
