// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Motions of a mesh, flows that change with time, and ways through them, for tests of meshes that move.
#pragma once

#include "Core/Trace/CurvilinearFlow.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/PathlineMarch.h"
#include "Trace/Pathlines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

namespace rivulet::test
{

using VelocityAt = std::function<Vec3(const Vec3& place, double time)>;
using MappingAt = std::function<Vec3(const Vec3& share, double time)>;

/// The unit cube, twisted around its axis and sheared by an angle that grows with time, and not linearly.
inline Vec3 twisted(const Vec3& x, double time)
{
  const double angle = (0.3 * time + 0.02 * time * time) * std::sin(3 * x[2] + 1);
  const double a = x[0] - 0.5;
  const double b = x[1] - 0.5;
  return { 0.5 + a * std::cos(angle) - b * std::sin(angle) + 0.1 * time * x[2],
    0.5 + a * std::sin(angle) + b * std::cos(angle), x[2] + 0.05 * std::sin(time + 4 * x[0]) };
}

inline PathlineOptions options_in_time(double step, TimeInterpolation interpolation = TimeInterpolation::Linear)
{
  PathlineOptions options;
  options.integrator = Integrator::RungeKutta4;
  options.step_unit = StepUnit::Time;
  options.initial_step = step;
  options.time_interpolation = interpolation;
  return options;
}

inline std::vector<PathSeed> seeds_within(double low, double high, int count, double first = 0.0, double last = 0.0)
{
  Points points;
  std::vector<PathSeed> seeds;
  for (int i = 0; i < count; ++i)
  {
    seeds.push_back({ points.next(low, high), first + (last - first) * i / count });
  }
  return seeds;
}

inline const std::vector<double> kStepTimes{ 0, 1, 1.5, 3, 4 };

inline Vec3 uneven(const Vec3& x, double time)
{
  return { 0.2 * std::sin(4 * x[1] + time), 0.2 * std::cos(3 * x[2] - time) - 0.05 * x[0], 0.1 * std::sin(5 * x[0]) };
}

/// Values of an attribute of three doubles at a point.
inline Vec3 value_of(const TracedLines& lines, std::size_t attribute, std::int64_t point)
{
  Vec3 value;
  std::memcpy(value.data(), lines.attributes[attribute].values.data() + static_cast<std::size_t>(point) * sizeof(Vec3),
      sizeof(Vec3));
  return value;
}

/// The rule of the kernel, for a velocity that is a formula.
inline Vec3 classical_steps(const VelocityAt& velocity, Vec3 place, double time, double step, int steps)
{
  const auto beyond = [&](const Vec3& slope, double by)
  {
    return Vec3{ place[0] + by * slope[0], place[1] + by * slope[1], place[2] + by * slope[2] };
  };
  for (int i = 0; i < steps; ++i, time += step)
  {
    const Vec3 a = velocity(place, time);
    const Vec3 b = velocity(beyond(a, step / 2), time + step / 2);
    const Vec3 c = velocity(beyond(b, step / 2), time + step / 2);
    const Vec3 d = velocity(beyond(c, step), time + step);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      place[axis] += step / 6 * (a[axis] + 2 * b[axis] + 2 * c[axis] + d[axis]);
    }
  }
  return place;
}

inline PathlineOptions error_controlled()
{
  PathlineOptions options;
  options.integrator = Integrator::RungeKutta45;
  options.maximum_error = 1e-5;
  return options;
}

/// Where pathlines are at the end, with all steps at hand, or with those of one interval at a time, as a pipeline that
/// is executed step by step has them: then seeds of later releases are not located before. `hold(field, steps)` leaves
/// the others out of the field's mesh.
template <class Hold>
PathlineFrame frame_of(const TraceField& all, const std::vector<double>& times, const std::vector<PathSeed>& seeds,
    const PathlineOptions& options, bool one_by_one, const Hold& hold)
{
  const bool backward = options.direction == TraceDirection::Backward;
  PathlineMarch march(seeds, times, backward);
  const auto last = static_cast<std::int32_t>(times.size()) - 2;
  for (std::int32_t i = 0; i <= (one_by_one ? last : 0); ++i)
  {
    const std::int32_t interval = backward ? last - i : i;
    const IntervalRange range = one_by_one ? IntervalRange{ interval, interval } : IntervalRange{ 0, last };
    TraceField field = all;
    hold(field, steps_for(options.time_interpolation, range, times.size()));
    const double forever = std::numeric_limits<double>::infinity();
    Result<AdvectionContext> context = AdvectionContext::unsteady(field, times, { -forever, forever }, options);
    EXPECT_TRUE(context.has_value()) << (context ? "" : context.error().describe());
    context->set_intervals(range.first, range.last);
    EXPECT_TRUE(march.go_on(*context, { 2, {} }).has_value());
  }
  Result<PathlineFrame> frame = march.frame(backward ? times.front() : times.back());
  EXPECT_TRUE(frame.has_value());
  return std::move(*frame);
}

} // namespace rivulet::test
