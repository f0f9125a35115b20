// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/SimulationTimes.h"

#include "Filters/Input/InputOrigin.h"
#include "vtkInformation.h"
#include "vtkStreamingDemandDrivenPipeline.h"

namespace rivulet
{

void SimulationTimes::look_at(vtkAlgorithm& filter, vtkInformation& input)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const int count = input.Has(Pipeline::TIME_STEPS()) != 0 ? input.Length(Pipeline::TIME_STEPS()) : 0;
  if (count == 0 || !comes_from_simulation(filter))
  {
    seen_.clear();
    return;
  }
  const double now = input.Get(Pipeline::TIME_STEPS())[count - 1];
  if (!seen_.empty() && now < seen_.back())
  {
    seen_.clear();
  }
  if (seen_.empty() || now > seen_.back())
  {
    seen_.push_back(now);
  }
}

std::vector<double> SimulationTimes::with_next() const
{
  std::vector<double> all = seen_;
  all.push_back(seen_.back() + (seen_.size() > 1 ? seen_.back() - seen_[seen_.size() - 2] : 1.0));
  return all;
}

} // namespace rivulet
