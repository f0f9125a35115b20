// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Run/FilterRun.h"

#include "Filters/Input/WholeInput.h"
#include "Filters/Run/SharedTracing.h"
#include "vtkInformationVector.h"

namespace rivulet
{

FilterRun::FilterRun(vtkAlgorithm& filter, const FilterSettings& settings, RunReport& report)
  : filter_(filter)
  , settings_(settings)
  , report_(report)
{
}

Result<void> FilterRun::make_whole(vtkSmartPointer<vtkDataObject>& input, vtkInformation& connection) const
{
  return rivulet::make_whole(input, { filter_, connection, ranks_ }, settings_.run.memory_budget);
}

Result<void> FilterRun::together(const std::function<Result<void>()>& work) const
{
  return ranks_.agree(within_memory(work));
}

bool FilterRun::on_any_rank(bool here) const
{
  std::int64_t count = here ? 1 : 0;
  ranks_.max({ &count, 1 });
  return count > 0;
}

bool FilterRun::on_all_ranks(bool here) const
{
  return !on_any_rank(!here);
}

void FilterRun::show_progress(const std::string& doing, bool alone)
{
  progress_.emplace(filter_, doing, alone ? nullptr : &ranks_);
}

Result<void> FilterRun::advance(
    RunOptions options, DistributedBricks* bricks, const std::function<Result<void>(const RunOptions&)>& work)
{
  SharedTracing shared(ranks_, bricks);
  shared.attach(options);
  Result<void> done = within_memory([&] { return work(options); });
  shared.close([&] { (void)options.progress(1.0); });
  report_.particles_lent += shared.particles_lent();
  if (const std::optional<DistributedStatistics> read = shared.bricks())
  {
    report_.bricks_shared = report_.bricks_shared.value_or(DistributedStatistics{});
    *report_.bricks_shared += *read;
  }
  finish_progress();
  return done;
}

std::shared_ptr<const Error> FilterRun::fill(vtkInformationVector& outputs, const std::function<void()>& fill) const
{
  const Result<void> filled = within_memory(
      [&]() -> Result<void>
      {
        fill();
        return {};
      });
  if (filled)
  {
    return nullptr;
  }
  for (int port = 0; port < outputs.GetNumberOfInformationObjects(); ++port)
  {
    vtkDataObject::GetData(&outputs, port)->Initialize(); // outputs are complete or empty
  }
  return std::make_shared<const Error>(filled.error());
}

} // namespace rivulet
