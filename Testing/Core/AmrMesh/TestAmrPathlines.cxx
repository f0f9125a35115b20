// SPDX-License-Identifier: BSD-3-Clause
// Pathlines through AMR meshes, whose boxes stay or move from time step to time step.
#include "AmrMesh/AmrBricks.h"
#include "AmrMesh/MovingLevels.h"
#include "Core/AmrMesh/AmrInMemory.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Store/Derived/StepBricks.h"
#include "Trace/PathlineMarch.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace rivulet::test
{
namespace
{

const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3, 2.0 };
constexpr double kForever = std::numeric_limits<double>::infinity();

using Meshes = std::vector<std::shared_ptr<const AmrMesh>>;

Meshes fixed_levels()
{
  return Meshes(kTimes.size(), std::make_shared<const AmrMesh>(three_levels()));
}

/// Boxes of two finer levels that wander around the axis; the finest level is missing at one step.
Meshes wandering_levels()
{
  Meshes meshes;
  for (std::size_t step = 0; step < kTimes.size(); ++step)
  {
    const auto by = static_cast<std::int32_t>(3 * step);
    const std::vector<Box> coarse{ { { 0, 0, 0 }, { 9, 20, 20 } }, { { 9, 0, 0 }, { 20, 20, 20 } } };
    const std::vector<Box> middle{ { { 8 + by, 20 - by, 4 }, { 26 + by, 36 - by, 34 } },
      { { 2, 2, 4 }, { 8, 8, 20 } } };
    const std::vector<Box> fine{ { { 40 + 4 * by, 88 - 4 * by, 40 }, { 90 + 4 * by, 136 - 4 * by, 96 } } };
    std::vector<std::vector<Box>> boxes{ coarse, middle, fine };
    std::vector<Int3> ratios{ { 1, 1, 1 }, { 2, 2, 2 }, { 4, 4, 4 } };
    if (step == 2)
    {
      boxes.pop_back();
    }
    meshes.push_back(std::make_shared<const AmrMesh>(*AmrMesh::create(levels_of(20, ratios, boxes))));
  }
  return meshes;
}

/// Velocity and an array of steps, each on its own mesh, held as bricks that neighbouring steps have in common.
class FlowOnMovingLevels
{
public:
  FlowOnMovingLevels(Meshes meshes, Centering centering, const VelocityInTime& velocity,
      std::int64_t cache_bytes = std::int64_t{ 64 } << 20)
    : meshes_(std::move(meshes))
    , cache_bytes_(cache_bytes)
  {
    for (std::size_t step = 0; step < meshes_.size(); ++step)
    {
      const double time = kTimes[step];
      velocities_.push_back(std::make_shared<FunctionPatches>(*meshes_[step], centering, 3,
          [=](const Vec3& x)
          {
            const Vec3 v = velocity(x, time);
            return std::vector<double>{ v[0], v[1], v[2] };
          }));
      heights_.push_back(std::make_shared<FunctionPatches>(
          *meshes_[step], centering, 1, [=](const Vec3& x) { return std::vector<double>{ 3.0 * x[0] - x[2] + time }; },
          "height"));
    }
    EXPECT_TRUE(hold(0, 0));
    velocity_ = std::make_unique<StepBricks>(kTimes, StepBricks::Values{ held_.front().velocity.get(), 0, 0 });
    height_ = std::make_unique<StepBricks>(kTimes, StepBricks::Values{ held_.front().height.get(), 0, 0 });
    field_.velocity = { velocity_.get(), 0, 0 };
    field_.grid = meshes_.front()->level(0).grid;
    field_.attributes = { { "velocity", { velocity_.get(), 0, 0 } }, { "height", { height_.get(), 0, 0 } } };
  }

  [[nodiscard]] FunctionPatches& patches(std::size_t step) { return *velocities_[step]; }

  /// A context that holds the intervals of a range, of which all steps must have one mesh unless it is one interval.
  [[nodiscard]] AdvectionContext context(
      const IntervalRange& range, const std::array<double, 2>& limits, const PathlineOptions& options)
  {
    EXPECT_TRUE(hold(range.first, range.last));
    std::vector<StepBricks::Step> velocities;
    std::vector<StepBricks::Step> heights;
    for (std::size_t i = 0; i < held_.size(); ++i)
    {
      const std::int32_t step = range.first + static_cast<std::int32_t>(i);
      velocities.push_back({ step, { held_[i].velocity.get(), 0, 0 } });
      heights.push_back({ step, { held_[i].height.get(), 0, 0 } });
    }
    EXPECT_TRUE(velocity_->hold(velocities));
    EXPECT_TRUE(height_->hold(heights));
    Result<AdvectionContext> made = AdvectionContext::unsteady(field_, kTimes, limits, options);
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().describe());
    made->set_intervals(range.first, range.last);
    return *made;
  }

private:
  struct Held
  {
    std::unique_ptr<AmrBricks> velocity;
    std::unique_ptr<AmrBricks> height;
  };

  [[nodiscard]] bool hold(std::int32_t first, std::int32_t last)
  {
    const auto at = [this](std::int32_t step) -> const std::shared_ptr<const AmrMesh>&
    {
      return meshes_[static_cast<std::size_t>(step)];
    };
    std::vector<Held> held;
    const Result<std::shared_ptr<const AmrMesh>> common = moving_.common(at(first), at(first + 1));
    for (std::int32_t step = first; common && step <= last + 1; ++step)
    {
      const std::shared_ptr<const AmrMesh> own = *with_levels_of(at(step), **common);
      const auto number = static_cast<std::size_t>(step);
      held.push_back({ std::make_unique<AmrBricks>(*common, own, velocities_[number], cache_bytes_),
          std::make_unique<AmrBricks>(*common, own, heights_[number], cache_bytes_) });
    }
    held_ = std::move(held);
    return common.has_value();
  }

  Meshes meshes_;
  std::int64_t cache_bytes_;
  MovingLevels moving_;
  std::vector<std::shared_ptr<FunctionPatches>> velocities_;
  std::vector<std::shared_ptr<FunctionPatches>> heights_;
  std::vector<Held> held_;
  std::unique_ptr<StepBricks> velocity_;
  std::unique_ptr<StepBricks> height_;
  TraceField field_;
};

/// A march through the intervals, one by one or all at once.
class March
{
public:
  March(FlowOnMovingLevels& flow, std::vector<PathSeed> seeds, const PathlineOptions& options, int threads = 1,
      bool one_by_one = true)
    : flow_(flow)
    , options_(options)
    , run_{ threads, {} }
    , one_by_one_(one_by_one)
    , march_(std::move(seeds), kTimes, backward())
  {
  }

  TracedLines at(double time)
  {
    const PathlineMarch::Plan plan = march_.plan(time);
    if (plan.march && one_by_one_)
    {
      for (std::int32_t i = 0; i <= plan.march->last - plan.march->first; ++i)
      {
        const std::int32_t interval = backward() ? plan.march->last - i : plan.march->first + i;
        go_on({ interval, interval });
      }
    }
    else if (plan.march)
    {
      go_on(*plan.march);
    }
    const std::array<double, 2> limits{ backward() ? time : -kForever, backward() ? kForever : time };
    Result<PathlineFrame> frame =
        plan.ahead ? march_.frame_ahead(time, flow_.context(*plan.ahead, limits, options_), run_) : march_.frame(time);
    EXPECT_TRUE(frame.has_value());
    return std::move(frame->lines);
  }

private:
  [[nodiscard]] bool backward() const { return options_.direction == TraceDirection::Backward; }
  void go_on(const IntervalRange& range)
  {
    EXPECT_TRUE(march_.go_on(flow_.context(range, { -kForever, kForever }, options_), run_).has_value());
  }

  FlowOnMovingLevels& flow_;
  PathlineOptions options_;
  RunOptions run_;
  bool one_by_one_;
  PathlineMarch march_;
};

std::vector<PathSeed> ring_of_seeds(double time)
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 24; ++i)
  {
    const double angle = 0.26 * i;
    seeds.push_back(
        { { (0.2 + 0.025 * i) * std::cos(angle), (0.2 + 0.025 * i) * std::sin(angle), -0.5 + 0.04 * i }, time });
  }
  return seeds;
}

Vec3 turned(const Vec3& x, double angle)
{
  return { std::cos(angle) * x[0] - std::sin(angle) * x[1], std::sin(angle) * x[0] + std::cos(angle) * x[1], x[2] };
}

const VelocityInTime kTurning = turning(1.0, 0.5); // the angle after t is t + t^2 / 4

VelocityInTime swinging()
{
  return [](const Vec3& x, double t)
  {
    const double a = 1.0 + std::sin(2.0 * t);
    return Vec3{ -a * x[1] + 0.3 * std::sin(6.0 * x[2]), x[0] + 0.2 * a * std::cos(5.0 * x[1]),
      0.1 + 0.2 * std::sin(4.0 * x[0] + t) };
  };
}

struct Levels
{
  const char* name;
  Meshes (*meshes)();
};

class AmrPathlines : public testing::TestWithParam<Levels>
{
};

TEST_P(AmrPathlines, ArcsAreThoseOfTheClosedForm)
{
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    for (const Centering centering : { Centering::Cell, Centering::Node })
    {
      FlowOnMovingLevels flow(GetParam().meshes(), centering, kTurning);
      PathlineOptions options = timed_steps(integrator, 0.02);
      options.compute_vorticity = true;
      const std::vector<PathSeed> seeds = ring_of_seeds(0.0);
      const TracedLines lines = March(flow, seeds, options).at(2.0);
      ASSERT_EQ(lines.lines.size(), seeds.size());
      for (const TracedLine& line : lines.lines)
      {
        const auto first = static_cast<std::size_t>(line.first_point);
        for (std::size_t i = first; i < first + static_cast<std::size_t>(line.points); ++i)
        {
          const double t = lines.time[i];
          const Vec3 exact = turned(seeds[static_cast<std::size_t>(line.seed)].point, t + 0.25 * t * t);
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            ASSERT_NEAR(lines.points[3 * i + axis], exact[axis], 3e-7) << line.seed << ", time " << t;
          }
          const auto* height = reinterpret_cast<const double*>(lines.attributes[1].values.data());
          ASSERT_NEAR(height[i], 3.0 * exact[0] - exact[2] + t, 1e-6);
          ASSERT_NEAR(lines.vorticity[3 * i + 2], 2.0 * (1.0 + 0.5 * t), 1e-10);
        }
        EXPECT_EQ(lines.time[first + static_cast<std::size_t>(line.points) - 1], 2.0);
      }
    }
  }
}

TEST_P(AmrPathlines, AreThoseOfOneGridOfTheFinestCells)
{
  const VelocityInTime stretching = [](const Vec3& x, double t)
  {
    return Vec3{ 0.2 - x[1] * (1.0 + t) + 0.1 * x[2], x[0] - 0.3 * t * x[2], 0.1 * x[0] - 0.2 * x[1] + 0.1 * t };
  };
  FlowInTime plain(cube_grid(161, 1.0), kTimes, stretching, { 16, 16, 16 });
  FlowOnMovingLevels flow(GetParam().meshes(), Centering::Node, stretching);
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.03);
  options.exact_ends = false; // points before the border depend on the size of the cells there
  const std::vector<PathSeed> seeds = ring_of_seeds(0.1);
  const TracedLines expected = plain.trace(seeds, options);
  const TracedLines lines = March(flow, seeds, options).at(2.0);
  ASSERT_EQ(lines.points.size(), expected.points.size());
  EXPECT_GT(lines.points.size(), 4000U);
  for (std::size_t i = 0; i < lines.points.size(); ++i)
  {
    ASSERT_NEAR(lines.points[i], expected.points[i], 3e-7) << i;
  }
}

TEST_P(AmrPathlines, UniformFlowGoesStraight)
{
  FlowOnMovingLevels flow(GetParam().meshes(), Centering::Cell, along_x([](double t) { return 0.5 + t; }));
  const TracedLines lines = March(
      flow, { { { -0.99, 0.33, -0.2 }, 0.0 }, { { 0.9, 0, 0 }, 0.0 } }, timed_steps(Integrator::RungeKutta4, 0.01))
                                .at(1.3);
  ASSERT_EQ(lines.lines.size(), 2U);
  for (std::size_t i = 0; i < static_cast<std::size_t>(lines.lines[0].points); ++i)
  {
    const double t = lines.time[i];
    ASSERT_NEAR(lines.points[3 * i], -0.99 + 0.5 * t + 0.5 * t * t, 3e-7);
    ASSERT_EQ(lines.points[3 * i + 1], 0.33F);
  }
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfTime);
  EXPECT_EQ(lines.lines[1].reason, Termination::OutOfDomain);
  EXPECT_NEAR(lines.points[lines.points.size() - 3], 1.0, 1e-6);
}

TEST_P(AmrPathlines, TheSameBytesForThreadsCachesAndInstructionSets)
{
  for (const bool backward : { false, true })
  {
    PathlineOptions options;
    options.direction = backward ? TraceDirection::Backward : TraceDirection::Forward;
    const auto bytes = [&](int threads, std::int64_t cache)
    {
      FlowOnMovingLevels flow(GetParam().meshes(), Centering::Cell, swinging(), cache);
      return bytes_of(March(flow, ring_of_seeds(backward ? 1.9 : 0.1), options, threads).at(backward ? 0.0 : 2.0));
    };
    const std::string expected = bytes(1, std::int64_t{ 64 } << 20);
    EXPECT_GT(expected.size(), 24 * 20 * 20U);
    EXPECT_TRUE(bytes(3, std::int64_t{ 64 } << 20) == expected) << "threads";
    EXPECT_TRUE(bytes(2, 1) == expected) << "smallest cache";
    expect_same_on_every_target("moving levels", [&] { return bytes(2, std::int64_t{ 64 } << 20); });
  }
}

/// Lengths in fates are sums of other numbers for each frame.
std::string bytes_of_frame(TracedLines lines)
{
  for (SeedFate& fate : lines.seeds)
  {
    fate.length = {};
    fate.time = {};
  }
  return bytes_of(lines);
}

TEST_P(AmrPathlines, DoNotDependOnTheTimesLookedAt)
{
  for (const Integrator integrator : { Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    for (const bool backward : { false, true })
    {
      PathlineOptions options;
      options.integrator = integrator;
      options.direction = backward ? TraceDirection::Backward : TraceDirection::Forward;
      std::vector<PathSeed> seeds = ring_of_seeds(backward ? 2.0 : 0.0);
      for (std::size_t i = 0; i < seeds.size(); i += 3)
      {
        seeds[i].time = 1.1; // comes later
      }
      FlowOnMovingLevels flow(GetParam().meshes(), Centering::Cell, swinging());
      March wandering(flow, seeds, options, 2);
      for (const double time : { 0.7, 2.0, 0.2, 1.3, 0.0, 1.8, 0.4 })
      {
        FlowOnMovingLevels other(GetParam().meshes(), Centering::Cell, swinging());
        EXPECT_TRUE(bytes_of_frame(wandering.at(time)) == bytes_of_frame(March(other, seeds, options).at(time)))
            << time;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AmrPathlines,
    testing::Values(Levels{ "Fixed", fixed_levels }, Levels{ "Wandering", wandering_levels }),
    [](const auto& each) { return each.param.name; });

// A source of all steps on one mesh is traced at once, and step by step.
TEST(AmrPathlinesOfOneMesh, TheSameBytesAtOnceAndStepByStep)
{
  for (const bool backward : { false, true })
  {
    for (const Centering centering : { Centering::Cell, Centering::Node })
    {
      PathlineOptions options;
      options.direction = backward ? TraceDirection::Backward : TraceDirection::Forward;
      const std::vector<PathSeed> seeds = ring_of_seeds(backward ? 1.9 : 0.1);
      FlowOnMovingLevels at_once(fixed_levels(), centering, swinging());
      FlowOnMovingLevels by_step(fixed_levels(), centering, swinging());
      const double end = backward ? 0.0 : 2.0;
      TracedLines expected = March(at_once, seeds, options, 2, false).at(end);
      EXPECT_EQ(expected.lines.size(), seeds.size());
      EXPECT_TRUE(
          bytes_of_frame(March(by_step, seeds, options, 2, true).at(end)) == bytes_of_frame(std::move(expected)));
    }
  }
}

TEST(AmrPathlinesOfOneMesh, ABoxThatCannotBeReadAtOneStepEndsLinesThere)
{
  FlowOnMovingLevels flow(fixed_levels(), Centering::Cell, kTurning);
  flow.patches(2).break_box(2, 0);
  const TracedLines lines =
      March(flow, { { { 0.1, 0.05, 0 }, 0.0 }, { { 0.8, 0, -0.9 }, 0.0 } }, PathlineOptions()).at(2.0);
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].reason, Termination::DataMissing);
  EXPECT_EQ(lines.lines[1].reason, Termination::OutOfTime);
  ASSERT_NE(lines.data_error, nullptr);
  EXPECT_THAT(lines.data_error->describe(), testing::HasSubstr("broken"));
}

TEST(AmrPathlinesOfOneMesh, StepsOnDifferentMeshesAreNotHeldTogether)
{
  const Meshes meshes = wandering_levels();
  std::vector<std::unique_ptr<AmrBricks>> bricks;
  for (const std::shared_ptr<const AmrMesh>& mesh : meshes)
  {
    const auto patches = std::make_shared<FunctionPatches>(
        *mesh, Centering::Cell, 1, [](const Vec3&) { return std::vector<double>{ 1.0 }; });
    bricks.push_back(std::make_unique<AmrBricks>(mesh, patches, 1));
  }
  StepBricks steps(kTimes, { bricks[0].get(), 0, 0 });
  EXPECT_TRUE(steps.hold({ { 1, { bricks[1].get(), 0, 0 } } }));
  EXPECT_EQ(steps.own_cut(), meshes[1].get());
  const Result<void> both = steps.hold({ { 0, { bricks[0].get(), 0, 0 } }, { 1, { bricks[1].get(), 0, 0 } } });
  ASSERT_FALSE(both.has_value());
  EXPECT_THAT(both.error().what, testing::HasSubstr("at time 0.4"));
}

} // namespace
} // namespace rivulet::test
