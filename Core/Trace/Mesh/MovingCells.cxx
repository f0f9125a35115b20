// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/MovingCells.h"

#include "Parallel/Team.h"

#include <algorithm>

namespace rivulet
{

MovingCells::MovingCells(std::vector<std::shared_ptr<const UnstructuredCells>> steps, std::vector<double> times,
    TimeInterpolation interpolation)
  : steps_(std::move(steps))
  , times_(std::move(times))
  , interpolation_(interpolation)
  , any_(*std::find_if(steps_.begin(), steps_.end(), [](const auto& cells) { return cells != nullptr; }))
  , intervals_(std::make_unique<During[]>(steps_.size()))
{
}

bool MovingCells::needs_doubles() const
{
  return std::any_of(
      steps_.begin(), steps_.end(), [](const auto& cells) { return cells != nullptr && cells->needs_doubles(); });
}

bool MovingCells::holds(std::int32_t interval) const
{
  const StepRange needed = steps_for(interpolation_, { interval, interval }, steps_.size());
  bool all = true;
  for (std::int32_t number = needed.first; number <= needed.last; ++number)
  {
    all = all && step(number) != nullptr;
  }
  return all;
}

std::shared_ptr<const UnstructuredCells> MovingCells::make(std::int32_t interval) const
{
  UnstructuredCells::Steps about{ step(interval), step(interval + 1) };
  about.cubic = interpolation_ == TimeInterpolation::Cubic ? CubicWeights::make(times_, interval) : CubicWeights{};
  about.before = about.cubic.has_before ? step(interval - 1) : nullptr;
  about.after = about.cubic.has_after ? step(interval + 2) : nullptr;
  return UnstructuredCells::between(about, resolve_threads(0));
}

const std::shared_ptr<const UnstructuredCells>& MovingCells::shared_during(std::int32_t interval) const
{
  During& during = intervals_[static_cast<std::size_t>(interval)];
  std::call_once(during.made, [&] { during.cells = make(interval); });
  return during.cells;
}

} // namespace rivulet
