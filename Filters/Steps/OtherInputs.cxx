// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/OtherInputs.h"

#include "Filters/Steps/StepRequests.h"
#include "vtkAlgorithm.h"
#include "vtkAppendFilter.h"
#include "vtkAppendPolyData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkInformation.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <set>

namespace rivulet
{

namespace
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

void add_sources(vtkAlgorithm& filter, int port, std::set<vtkAlgorithm*>& to)
{
  for (int i = 0; i < filter.GetNumberOfInputConnections(port); ++i)
  {
    vtkAlgorithm* const from = filter.GetInputAlgorithm(port, i);
    if (from == nullptr || !to.insert(from).second)
    {
      continue;
    }
    for (int of_source = 0; of_source < from->GetNumberOfInputPorts(); ++of_source)
    {
      add_sources(*from, of_source, to);
    }
  }
}

/// Datasets with points.
std::vector<vtkDataSet*> blocks_with_points(vtkCompositeDataSet& composite)
{
  std::vector<vtkDataSet*> blocks;
  const auto each = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite.NewIterator());
  for (each->InitTraversal(); !each->IsDoneWithTraversal(); each->GoToNextItem())
  {
    auto* const block = vtkDataSet::SafeDownCast(each->GetCurrentDataObject());
    if (block != nullptr && block->GetNumberOfPoints() > 0)
    {
      blocks.push_back(block);
    }
  }
  return blocks;
}

/// One dataset with the points and cells of all, and the arrays that all have.
vtkSmartPointer<vtkDataSet> one_of(vtkCompositeDataSet& composite)
{
  const std::vector<vtkDataSet*> blocks = blocks_with_points(composite);
  if (blocks.size() < 2)
  {
    vtkSmartPointer<vtkDataSet> only = blocks.empty() ? nullptr : blocks.front();
    return only != nullptr ? only : vtkSmartPointer<vtkDataSet>(vtkSmartPointer<vtkPolyData>::New());
  }
  const bool surfaces = std::all_of(
      blocks.begin(), blocks.end(), [](vtkDataSet* block) { return vtkPolyData::SafeDownCast(block) != nullptr; });
  const auto append = [&blocks](auto& filter) -> vtkSmartPointer<vtkDataSet>
  {
    for (vtkDataSet* const block : blocks)
    {
      filter.AddInputDataObject(block);
    }
    filter.Update();
    return filter.GetOutput();
  };
  vtkNew<vtkAppendPolyData> polygons;
  vtkNew<vtkAppendFilter> any;
  return surfaces ? append(*polygons) : append(*any);
}

} // namespace

bool OtherInputs::shares_source(vtkAlgorithm& filter)
{
  std::set<vtkAlgorithm*> of_field;
  add_sources(filter, 0, of_field);
  std::set<vtkAlgorithm*> of_others;
  for (int port = 1; port < filter.GetNumberOfInputPorts(); ++port)
  {
    add_sources(filter, port, of_others);
  }
  return std::any_of(
      of_others.begin(), of_others.end(), [&](vtkAlgorithm* source) { return of_field.count(source) > 0; });
}

void OtherInputs::take(vtkAlgorithm& filter, vtkInformationVector** inputs, double time, bool copies)
{
  ports_.clear();
  changed_.clear();
  time_ = time;
  for (int port = 1; port < filter.GetNumberOfInputPorts(); ++port)
  {
    const bool one = filter.GetInputPortInformation(port)->Has(vtkAlgorithm::INPUT_IS_REPEATABLE()) == 0;
    auto& taken = *ports_.emplace_back(vtkSmartPointer<vtkInformationVector>::New());
    for (int i = 0; i < inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      vtkInformation* const given = inputs[port]->GetInformationObject(i);
      vtkSmartPointer<vtkDataObject> data = vtkDataObject::GetData(given);
      auto* const composite = vtkCompositeDataSet::SafeDownCast(data);
      if (one && composite != nullptr)
      {
        data = one_of(*composite);
      }
      else if (copies && data != nullptr)
      {
        data = vtkSmartPointer<vtkDataObject>::Take(data->NewInstance());
        data->ShallowCopy(vtkDataObject::GetData(given));
      }
      vtkNew<vtkInformation> info;
      info->CopyEntry(given, Pipeline::TIME_STEPS());
      info->Set(vtkDataObject::DATA_OBJECT(), data);
      taken.Append(info);
    }
    changed_.push_back(pipeline_time(filter, port));
  }
}

bool OtherInputs::are_of(vtkAlgorithm& filter, double time) const
{
  std::vector<vtkMTimeType> changed;
  for (int port = 1; port < filter.GetNumberOfInputPorts(); ++port)
  {
    changed.push_back(pipeline_time(filter, port));
  }
  return !ports_.empty() && time == time_ && changed == changed_;
}

vtkInformationVector** OtherInputs::with_field(vtkInformationVector** inputs)
{
  all_.assign(1, inputs[0]);
  all_.insert(all_.end(), ports_.begin(), ports_.end());
  return all_.data();
}

} // namespace rivulet
