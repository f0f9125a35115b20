// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/MovingSeeds.h"

#include "Base/Times.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <sstream>

namespace rivulet
{

double MovingSeeds::time(const std::vector<double>& times) const
{
  const double first = choice_.backward ? times.back() : times.front();
  return choice_.stay ? first : asked_.value_or(first);
}

bool MovingSeeds::move() const
{
  return std::any_of(places_.begin(), places_.end(), [this](const auto& each) { return each != places_.front(); });
}

/// Keeps the places of the seeds at the next release.
Result<void> MovingSeeds::keep_places(vtkDataSet& seeds)
{
  std::vector<Vec3> places(static_cast<std::size_t>(seeds.GetNumberOfPoints()));
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    seeds.GetPoint(static_cast<vtkIdType>(i), places[i].data());
  }
  if (!places_.empty() && places_.front().size() != places.size())
  {
    std::ostringstream text;
    text << "the seeds are " << places_.front().size() << " points at time " << format_time(release_times_.front())
         << " and " << places.size() << " at time " << format_time(release_times_[places_.size()]);
    return fail(ErrorCode::BadArgument, text.str(), "give them the same points at all times, or set Static Seeds");
  }
  places_.push_back(std::move(places));
  return {};
}

Result<bool> MovingSeeds::take(vtkInformationVector** ports, double, const std::vector<double>& times, bool anew)
{
  vtkInformation* const info = ports[1]->GetInformationObject(0);
  const bool move = !choice_.stay && choice_.releases.kind != ReleaseChoice::Kind::FromArray && info != nullptr &&
                    info->Has(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
  vtkDataSet* const seeds = vtkDataSet::GetData(ports[1], 0);
  if (!move || seeds == nullptr)
  {
    release_times_.clear();
    places_.clear();
    asked_.reset();
    return false;
  }
  if (anew)
  {
    Result<std::vector<double>> release = release_times(choice_.releases, times, choice_.backward);
    if (!release)
    {
      return forward_error(release);
    }
    asked_ = time(times);
    release_times_ = std::move(*release);
    places_.clear();
  }
  else if (places_.size() == release_times_.size())
  {
    return false;
  }
  if (Result<void> good = *asked_ == release_times_[places_.size()] ? keep_places(*seeds) : Result<void>{}; !good)
  {
    return forward_error(good);
  }
  if (places_.size() == release_times_.size())
  {
    return false;
  }
  asked_ = release_times_[places_.size()];
  return true;
}

} // namespace rivulet
