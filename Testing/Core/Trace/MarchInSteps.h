// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A PathlineMarch through a field of a few steps, for tests.
///
///     March march(source, seeds, options, 1, true);
///     PathlineFrame frame = march.at(1.1);
#pragma once

#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Core/Trace/SomeSteps.h"
#include "Trace/PathlineMarch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{

inline constexpr double kForever = std::numeric_limits<double>::infinity();
inline const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3, 2.0 };

inline std::shared_ptr<const AnalyticField> swinging_flow()
{
  return std::make_shared<FormulaInTime>(
      [](const Vec3& x, double t)
      {
        const double a = 1.2 + std::sin(2 * t);
        return Vec3{ a * std::sin(x[2]) + std::cos(x[1]), std::sin(x[0]) + a * std::cos(x[2]), 0.8 * std::sin(x[1]) };
      });
}

/// A march that is shown the intervals of a plan one by one, with the steps that each needs, or all of them at once.
class March
{
public:
  March(AnalyticBricks& all, std::vector<PathSeed> seeds, const PathlineOptions& options, int threads, bool one_by_one,
      const std::vector<double>& times = kTimes)
    : steps_(all)
    , options_(options)
    , run_{ threads, {} }
    , one_by_one_(one_by_one)
    , march_(std::move(seeds), times, options.direction == TraceDirection::Backward)
  {
    field_.velocity = { &steps_, 0, 0 };
    field_.grid = all.info().grid;
    field_.attributes = { { "velocity", { &steps_, 0, 0 } }, { "speed", { &steps_, 1, 0 } } };
  }

  PathlineFrame at(double time)
  {
    const PathlineMarch::Plan plan = march_.plan(time);
    if (plan.march)
    {
      go_on(*plan.march);
    }
    frames_ahead_ += plan.ahead ? 1 : 0;
    Result<PathlineFrame> frame =
        plan.ahead ? march_.frame_ahead(time, context(*plan.ahead, time), run_) : march_.frame(time);
    EXPECT_TRUE(frame.has_value());
    EXPECT_EQ(frame->lines.data_error, nullptr);
    return std::move(*frame);
  }

  [[nodiscard]] const PathlineMarch& march() const { return march_; }
  void keep_ends_only() { march_.keep_ends_only(); }
  bool grow(std::vector<double> times, std::vector<PathSeed> seeds)
  {
    return march_.grow(std::move(times), std::move(seeds));
  }
  void set_tail(double duration) { march_.set_tail(duration); }
  /// Hidden cells of all steps; the march is shown those of the steps that an interval needs.
  void hide(std::vector<std::shared_ptr<const HiddenCells>> hidden) { hidden_ = std::move(hidden); }
  void end_at(const std::vector<Surface>& surfaces) { march_.end_at(surfaces); }
  void record_at(const std::vector<Surface>& surfaces) { march_.record_at(surfaces); }
  [[nodiscard]] TraceStatistics take_statistics() { return march_.take_statistics(); }
  /// Number of frames that took something from the field.
  [[nodiscard]] int frames_ahead() const { return frames_ahead_; }

private:
  [[nodiscard]] bool backward() const { return options_.direction == TraceDirection::Backward; }

  void go_on(const IntervalRange& range)
  {
    const double forever = backward() ? -kForever : kForever;
    if (!one_by_one_)
    {
      EXPECT_TRUE(march_.go_on(context(range, forever), run_).has_value());
      return;
    }
    for (std::int32_t i = 0; i <= range.last - range.first; ++i)
    {
      const std::int32_t interval = backward() ? range.last - i : range.first + i;
      EXPECT_TRUE(march_.go_on(context({ interval, interval }, forever), run_).has_value());
    }
  }

  AdvectionContext context(const IntervalRange& range, double limit)
  {
    const StepRange steps = steps_for(options_.time_interpolation, range, kTimes.size());
    steps_.hold(steps);
    field_.hidden = hidden_;
    for (std::size_t step = 0; step < hidden_.size(); ++step)
    {
      field_.hidden[step] = steps.has(static_cast<std::int32_t>(step)) ? hidden_[step] : nullptr;
    }
    const std::array<double, 2> limits = backward() ? std::array{ limit, kForever } : std::array{ -kForever, limit };
    AdvectionContext made = *AdvectionContext::unsteady(field_, kTimes, limits, options_);
    made.set_intervals(range.first, range.last);
    return made;
  }

  SomeSteps steps_;
  TraceField field_;
  std::vector<std::shared_ptr<const HiddenCells>> hidden_;
  PathlineOptions options_;
  RunOptions run_;
  bool one_by_one_;
  PathlineMarch march_;
  int frames_ahead_ = 0;
};

/// Bytes of lines and fates. Lengths in fates are left out: those of a frame are sums of other numbers.
inline std::string bytes_of_frame(TracedLines lines)
{
  for (SeedFate& fate : lines.seeds)
  {
    for (const std::size_t way : { 0U, 1U })
    {
      EXPECT_TRUE(std::isfinite(fate.length[way]));
      fate.length[way] = 0.0;
      fate.time[way] = fate.reason[way] == Termination::SeedOutside ? 0.0 : fate.time[way];
    }
  }
  return bytes_of(lines);
}

} // namespace rivulet::test
