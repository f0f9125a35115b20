// SPDX-License-Identifier: BSD-3-Clause
// Cells that are hidden at some time steps: between two steps a cell is hidden that is hidden at either, hidden values
// count nowhere, and the bytes are the same for all ways to the steps.
#include "Core/Trace/MarchInSteps.h"
#include "Trace/FlowMap/FlowMap.h"
#include "Trace/Mesh/HiddenCells.h"
#include "Trace/SourceDestination.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{
namespace
{

using Masks = std::vector<std::shared_ptr<const HiddenCells>>;

/// Whether a place lies in a body that moves.
bool in_body(const Vec3& x, double t)
{
  return std::hypot(x[0] - 1.5 - 1.4 * t, x[1] - 3.0, x[2] - 4.2 + t) < 1.1;
}

/// The swinging flow, with anything inside the body.
std::shared_ptr<const AnalyticField> flow_with_body(double inside)
{
  return std::make_shared<FormulaInTime>(
      [=, flow = swinging_flow()](const Vec3& x, double t) {
        return in_body(x, t) ? Vec3{ inside, inside, inside } : flow->velocity(x, t);
      });
}

/// Points of the body, and some cells, are hidden.
Masks masks_of(const Grid& grid)
{
  Masks masks;
  for (std::size_t step = 0; step < kTimes.size(); ++step)
  {
    std::vector<std::uint8_t> points(static_cast<std::size_t>(volume(grid.nodes)));
    std::vector<std::uint8_t> cells(static_cast<std::size_t>(volume(grid.cells())));
    for (std::size_t i = 0; i < points.size(); ++i)
    {
      const Int3 node = from_row_major(static_cast<std::int64_t>(i), grid.nodes);
      points[i] = in_body(lattice_position(grid, Centering::Node, node), kTimes[step]) ? 2 : 0;
    }
    for (std::size_t i = 0; i < cells.size(); ++i)
    {
      cells[i] = (i * 7 + step * 11) % 97 == 0 ? 32 : 0;
    }
    masks.push_back(HiddenCells::of(grid, points.data(), cells.data()));
  }
  return masks;
}

std::vector<PathSeed> seeds_for(bool backward)
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 400; ++i)
  {
    const double time = kTimes[static_cast<std::size_t>(i % 3 + (backward ? 2 : 0))] + (i % 4 == 1 ? 0.13 : 0.0);
    seeds.push_back({ { std::fmod(0.4 + 0.37 * i, 6.2), std::fmod(0.1 + 0.61 * i, 6.2), std::fmod(0.23 * i, 6.2) },
        std::min(time, kTimes.back()) });
  }
  return seeds;
}

struct Case
{
  bool backward;
  TimeInterpolation interpolation;
};

class HiddenInTime : public ::testing::TestWithParam<Case>
{
public:
  HiddenInTime()
    : grid_(uniform_grid({ 21, 19, 17 }, kBox))
    , masks_(masks_of(grid_))
  {
    options_.direction = GetParam().backward ? TraceDirection::Backward : TraceDirection::Forward;
    options_.time_interpolation = GetParam().interpolation;
  }

protected:
  [[nodiscard]] AnalyticBricks source(double inside, const Int3& brick_cells = { 5, 6, 7 }) const
  {
    return { flow_with_body(inside), grid_, { .brick_cells = brick_cells, .times = kTimes } };
  }
  [[nodiscard]] TracedLines at_once(AnalyticBricks& source, int threads = 1) const
  {
    TraceField field;
    field.velocity = { &source, 0, 0 };
    field.grid = grid_;
    field.hidden = masks_;
    field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
    Result<TracedLines> lines = trace_pathlines(field, {}, seeds_for(GetParam().backward), options_, { threads, {} });
    EXPECT_TRUE(lines.has_value());
    return std::move(*lines);
  }
  [[nodiscard]] double last() const { return GetParam().backward ? kTimes.front() : kTimes.back(); }

  Grid grid_;
  Masks masks_;
  PathlineOptions options_;
};

TEST_P(HiddenInTime, HiddenValuesCountNowhere)
{
  AnalyticBricks with_zeros = source(0.0);
  AnalyticBricks with_nan = source(std::nan(""));
  const TracedLines lines = at_once(with_zeros);
  EXPECT_GT(lines.lines.size(), 200U);
  EXPECT_TRUE(bytes_of(lines) == bytes_of(at_once(with_nan)));
  for (const SeedFate& fate : lines.seeds)
  {
    EXPECT_NE(fate.reason[GetParam().backward ? 1 : 0], Termination::UnexpectedValue);
  }
}

TEST_P(HiddenInTime, HasTheSameBytesForAllWays)
{
  AnalyticBricks bricks = source(std::nan(""));
  const std::string expected = bytes_of_frame(at_once(bricks));
  AnalyticBricks one = source(std::nan(""), { 64, 64, 64 });
  EXPECT_TRUE(bytes_of_frame(at_once(one, 3)) == expected);
  for (const bool one_by_one : { true, false })
  {
    March march(bricks, seeds_for(GetParam().backward), options_, 2, one_by_one);
    march.hide(masks_);
    EXPECT_TRUE(bytes_of_frame(march.at(last()).lines) == expected) << one_by_one;
  }
}

TEST_P(HiddenInTime, HasFramesThatDependOnNoOther)
{
  AnalyticBricks bricks = source(std::nan(""));
  const std::vector<double> times{ 0.0, 0.4, 0.7, 1.0, 1.1, 1.3, 1.9, 2.0 };
  const auto particles = [](PathlineFrame frame)
  {
    return bytes_of(frame.particles) + bytes_of_frame(std::move(frame.lines));
  };
  March wandering(bricks, seeds_for(GetParam().backward), options_, 2, true);
  wandering.hide(masks_);
  for (const std::size_t i : { 3U, 6U, 0U, 5U, 7U, 1U, 2U, 4U })
  {
    March fresh(bricks, seeds_for(GetParam().backward), options_, 1, false);
    fresh.hide(masks_);
    EXPECT_TRUE(particles(wandering.at(times[i])) == particles(fresh.at(times[i]))) << times[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, HiddenInTime,
    ::testing::Values(Case{ false, TimeInterpolation::Linear }, Case{ true, TimeInterpolation::Linear },
        Case{ false, TimeInterpolation::Cubic }, Case{ true, TimeInterpolation::Cubic }));

/// A row of ten cells of length 1 along x, some of them hidden at times 0, 1, 2 and 3.
class HiddenRow : public ::testing::Test
{
protected:
  HiddenRow()
  {
    grid_.nodes = { 11, 2, 2 };
    options_.terminal_speed = 0.0;
    options_.integrator = Integrator::RungeKutta4;
    options_.step_unit = StepUnit::Time;
    options_.initial_step = 0.125;
  }
  void hide(std::size_t step, std::vector<std::size_t> cells)
  {
    std::vector<std::uint8_t> marks(10);
    for (const std::size_t cell : cells)
    {
      marks.at(cell) = 32;
    }
    masks_.at(step) = HiddenCells::of(grid_, nullptr, marks.data());
  }
  [[nodiscard]] TracedLines trace(double speed, const std::vector<PathSeed>& seeds)
  {
    FlowInTime flow(grid_, { 0, 1, 2, 3 }, along_x([=](double) { return speed; }));
    flow.field().hidden = masks_;
    return flow.trace(seeds, options_);
  }
  [[nodiscard]] static PathSeed seed(double x, double time = 0.0) { return { { x, 0.5, 0.5 }, time }; }

  Grid grid_;
  Masks masks_{ 4 };
  PathlineOptions options_;
};

TEST_F(HiddenRow, EndsAParticleWhereACellBecomesHidden)
{
  hide(2, { 4, 5 });
  const TracedLines lines = trace(0.0, { seed(4.5), seed(3.5) });
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfDomain);
  EXPECT_EQ(lines.seeds[0].time[0], 1.0); // between 1 and 2 the value at 2 is needed
  EXPECT_EQ(lines.seeds[1].reason[0], Termination::OutOfTime);
}

TEST_F(HiddenRow, LetsParticlesPassBeforeAndAfter)
{
  hide(1, { 5 });
  hide(3, { 2 });
  // Cell 5 is hidden from 0 to 2, cell 2 from 2 to 3.
  const TracedLines lines = trace(1.0, { seed(1.25), seed(4.25), seed(6.0), seed(5.5, 2.0), seed(2.5, 1.0) });
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::OutOfTime); // in cell 2 from 0.75 to 1.75
  EXPECT_EQ(lines.seeds[1].reason[0], Termination::OutOfDomain);
  EXPECT_NEAR(lines.seeds[1].time[0], 0.75, 0.13);
  EXPECT_EQ(lines.seeds[2].reason[0], Termination::OutOfTime);
  EXPECT_EQ(lines.seeds[3].reason[0], Termination::OutOfTime);
  EXPECT_EQ(lines.seeds[4].reason[0], Termination::OutOfTime);
}

TEST_F(HiddenRow, LeavesSeedsInHiddenCellsOut)
{
  hide(1, { 5 });
  const TracedLines lines = trace(0.0, { seed(5.5, 0.5), seed(5.5, 1.0), seed(5.5, 1.5), seed(5.5, 2.0), seed(5.5) });
  for (const std::size_t i : { 0U, 1U, 2U })
  {
    EXPECT_EQ(lines.seeds[i].reason[0], Termination::SeedOutside) << i;
  }
  EXPECT_EQ(lines.seeds[3].reason[0], Termination::OutOfTime);
  EXPECT_EQ(lines.seeds[4].reason[0], Termination::OutOfDomain); // visible at time 0, and at no time after it
  EXPECT_TRUE(
      std::all_of(lines.lines.begin(), lines.lines.end(), [](const TracedLine& line) { return line.seed == 3; }));
}

TEST_F(HiddenRow, CountsReleasesInHiddenCellsAsOutside)
{
  hide(1, { 5 });
  FlowInTime flow(grid_, { 0, 1, 2, 3 }, along_x([](double) { return 0.25; }));
  flow.field().hidden = masks_;
  const auto query = [&]
  {
    return SourceDestinationQuery{ .sources = { *box_region({ { 0, 0, 0 }, { 6, 1, 1 } }) },
      .destinations = { *box_region({ { 4.7, 0, 0 }, { 10, 1, 1 } }) },
      .seeds = { { .places = std::vector<Vec3>{ { 5.5, 0.5, 0.5 }, { 4.5, 0.5, 0.5 }, { 2.5, 0.5, 0.5 } } } },
      .release_times = { 0.5, 2.0 },
      .end = 3.0 };
  };
  const Result<SourceDestinationResult> all = find_hits(flow.field(), {}, query(), options_, { 1, {} });
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->particles, 5);
  EXPECT_EQ(all->outside, 1);
  EXPECT_EQ(all->released[0], 5);
  EXPECT_EQ(all->hits.size(), 3U);
  Result<AdvectionContext> context = hit_context(flow.field(), {}, query(), options_);
  Result<HitMarch> march = HitMarch::create(query(), { 0, 1, 2, 3 }, options_);
  ASSERT_TRUE(context && march);
  while (const std::optional<IntervalRange> next = march->next())
  {
    context->set_intervals(next->first, next->first);
    ASSERT_TRUE(march->go_on(*context, { 1, {} }).has_value());
  }
  const SourceDestinationResult steps = march->take();
  EXPECT_EQ(steps.particles, all->particles);
  EXPECT_EQ(steps.outside, all->outside);
  EXPECT_EQ(steps.released, all->released);
  EXPECT_EQ(steps.ends, all->ends);
  EXPECT_EQ(steps.hits.size(), all->hits.size());
}

TEST(HiddenCells, AreThoseOfBothArrays)
{
  Grid grid;
  grid.nodes = { 4, 3, 1 };
  std::vector<std::uint8_t> points(12);
  std::vector<std::uint8_t> cells(6, 1); // duplicates are not hidden
  EXPECT_EQ(HiddenCells::of(grid, nullptr, nullptr), nullptr);
  EXPECT_EQ(HiddenCells::of(grid, points.data(), cells.data()), nullptr);
  points[11] = 2;
  cells[0] = 32;
  const auto hidden = HiddenCells::of(grid, points.data(), cells.data());
  ASSERT_NE(hidden, nullptr);
  for (int j = 0; j < 2; ++j)
  {
    for (int i = 0; i < 3; ++i)
    {
      EXPECT_EQ(hidden->has({ i, j, 0 }), (i == 0 && j == 0) || (i == 2 && j == 1));
    }
  }
}

} // namespace
} // namespace rivulet::test
