// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/ReleaseTimes.h"

#include "Base/Times.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkPointData.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace rivulet
{

namespace
{

constexpr double kMostReleases = 1e6; ///< of each seed

Result<std::vector<double>> repeated(ReleaseChoice choice, const std::vector<double>& steps)
{
  choice.start = stands_for_end(choice.start) ? steps.front() : choice.start;
  choice.end = stands_for_end(choice.end) ? steps.back() : choice.end;
  choice.interval = choice.interval == 0.0 ? mean_interval(steps) : choice.interval;
  const double count = (choice.end - choice.start) / choice.interval;
  if (!(choice.interval > 0.0) || !(count >= 0.0))
  {
    std::ostringstream text;
    text << "particles are released from time " << format_time(choice.start) << " to " << format_time(choice.end)
         << " every " << format_time(choice.interval);
    return fail(
        ErrorCode::BadArgument, text.str(), "set Release Interval to 0 or more, and Release End after Release Start");
  }
  if (count > kMostReleases)
  {
    return fail(ErrorCode::BadArgument, "each seed releases more than a million particles", "raise Release Interval");
  }
  return repeated_times(choice.start, choice.end, choice.interval, steps);
}

std::vector<double> at_steps(const ReleaseChoice& choice, const std::vector<double>& steps, bool backward)
{
  std::vector<double> times{ backward ? steps.back() : steps.front() };
  const auto every = static_cast<std::size_t>(choice.every_nth);
  for (std::size_t i = every; every > 0 && i < steps.size(); i += every)
  {
    times.push_back(backward ? steps[steps.size() - 1 - i] : steps[i]);
  }
  return times;
}

Result<vtkDataArray*> array_of_times(vtkDataSet& seeds, const ReleaseChoice& choice)
{
  vtkDataArray* array = seeds.GetPointData()->GetArray(choice.array.c_str());
  if (array == nullptr || array->GetNumberOfComponents() != 1)
  {
    return fail(ErrorCode::BadArgument, "the seeds have no point array \"" + choice.array + "\" of one component",
        "choose another Release Array, or another Release");
  }
  return array;
}

} // namespace

double mean_interval(const std::vector<double>& steps)
{
  return steps.size() > 1 ? (steps.back() - steps.front()) / static_cast<double>(steps.size() - 1) : 1.0;
}

std::vector<double> repeated_times(double start, double end, double interval, const std::vector<double>& steps)
{
  const double sign = end < start ? -1.0 : 1.0;
  const double limit = sign > 0.0 ? steps.back() : steps.front();
  const double slack = time_slack(steps);
  const std::int64_t count = whole_intervals(start, end, interval);
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(count) + 1);
  for (std::int64_t i = 0; i <= count; ++i)
  {
    const double time = start + sign * static_cast<double>(i) * interval;
    const bool just_beyond = (time - limit) * sign > 0.0 && std::fabs(time - limit) <= slack;
    times.push_back(just_beyond ? limit : time);
  }
  return times;
}

Result<std::vector<double>> release_times(const ReleaseChoice& choice, const std::vector<double>& steps, bool backward)
{
  switch (choice.kind)
  {
  case ReleaseChoice::Kind::Repeatedly:
    return repeated(choice, steps);
  case ReleaseChoice::Kind::AtTimes:
    if (choice.times.empty())
    {
      return fail(ErrorCode::BadArgument, "there are no Release Times", "add some, or choose another Release");
    }
    return choice.times;
  case ReleaseChoice::Kind::FromArray:
    return std::vector<double>{};
  default:
    return at_steps(choice, steps, backward);
  }
}

Result<std::vector<PathSeed>> particles_of(vtkDataSet& seeds, const MovedSeeds& moved, const std::vector<double>& times,
    const ReleaseChoice& choice, std::int64_t first, std::int64_t last)
{
  vtkDataArray* of_seed = nullptr;
  if (choice.kind == ReleaseChoice::Kind::FromArray)
  {
    Result<vtkDataArray*> found = array_of_times(seeds, choice);
    if (!found)
    {
      return forward_error(found);
    }
    of_seed = *found;
  }
  const std::int64_t each = of_seed != nullptr ? 1 : static_cast<std::int64_t>(times.size());
  if (seeds.GetNumberOfPoints() > (VTK_INT_MAX / 2) / each)
  {
    return fail(ErrorCode::BadArgument,
        std::to_string(seeds.GetNumberOfPoints()) + " seeds release " + std::to_string(each) + " particles each",
        "use fewer seeds or releases: at most 1073741823 particles");
  }
  std::vector<PathSeed> particles;
  particles.reserve(static_cast<std::size_t>((last - first) * each));
  for (std::int64_t i = first; i < last; ++i)
  {
    PathSeed particle;
    seeds.GetPoint(i, particle.point.data());
    for (std::int64_t release = 0; release < each; ++release)
    {
      if (!moved.empty())
      {
        particle.point = moved[static_cast<std::size_t>(release)][static_cast<std::size_t>(i)];
      }
      particle.time = of_seed != nullptr ? of_seed->GetTuple1(i) : times[static_cast<std::size_t>(release)];
      particles.push_back(particle);
    }
  }
  return particles;
}

Result<double> first_release(vtkDataSet& seeds, const std::vector<double>& times, const ReleaseChoice& choice,
    const std::vector<double>& steps, bool backward)
{
  std::vector<double> all = times;
  if (choice.kind == ReleaseChoice::Kind::FromArray)
  {
    Result<vtkDataArray*> array = array_of_times(seeds, choice);
    if (!array)
    {
      return forward_error(array);
    }
    for (vtkIdType i = 0; i < (*array)->GetNumberOfTuples(); ++i)
    {
      all.push_back((*array)->GetTuple1(i));
    }
  }
  std::erase_if(all, [&](double time) { return !(time >= steps.front() && time <= steps.back()); });
  if (all.empty())
  {
    std::ostringstream text;
    text << "no particle is released between the first time of the input, " << format_time(steps.front())
         << ", and the last, " << format_time(steps.back());
    return fail(ErrorCode::BadArgument, text.str(), "set release times within these");
  }
  return backward ? *std::max_element(all.begin(), all.end()) : *std::min_element(all.begin(), all.end());
}

} // namespace rivulet
