// SPDX-License-Identifier: BSD-3-Clause
// Crossings of planes, boxes, functions and labels, against closed forms; the same bits for any bricks and threads.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Support/FaultyBricks.h"
#include "Trace/Advect/Advect.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/FlowMap/Crossings.h"
#include "Trace/Lines/PathRecorder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <numbers>

namespace rivulet::test
{
namespace
{

struct Crossed
{
  std::vector<EndState> ends;
  std::vector<Crossing> crossings;
};

Crossed cross(const AdvectionContext& context, const std::vector<PathSeed>& seeds, const std::vector<Surface>& surfaces,
    int threads = 1)
{
  Crossed result;
  result.ends.resize(2 * seeds.size());
  FixedSeeds source(context, seeds);
  Crossings recorder(result.ends, surfaces);
  const AdvectionSummary summary = advect(context, source, recorder, { threads, {} });
  EXPECT_EQ(summary.data_error, nullptr);
  result.crossings = recorder.all();
  return result;
}

AdvectionContext in_time(FlowInTime& flow, const TraceOptions& options, BrickSource* source = nullptr)
{
  if (source != nullptr)
  {
    flow.field().velocity.source = source;
  }
  return *AdvectionContext::unsteady(flow.field(), flow.source().info().times, { -1e300, 1e300 }, options);
}

TEST(CrossingSearch, FindsTheFirstStepThatCrosses)
{
  const auto tries_to_find = [](double root, const std::function<double(double)>& value)
  {
    CrossingSearch search;
    search.begin(0.7, value(0.0), value(0.7));
    int tries = 0;
    while (!search.converged())
    {
      const double step = search.next();
      EXPECT_GT(step, 0.0);
      EXPECT_LT(step, 0.7);
      search.narrow(step, value(step) > 0.0, value(step));
      ++tries;
    }
    EXPECT_GT(value(search.next()), 0.0);
    EXPECT_NEAR(search.next(), root, 1e-14);
    return tries;
  };
  EXPECT_LE(tries_to_find(0.3, [](double x) { return x - 0.3; }), 12);
  EXPECT_LE(tries_to_find(0.25, [](double x) { return x * x * x - 0.015625; }), 20);
  EXPECT_LE(tries_to_find(0.1, [](double x) { return std::expm1(5.0 * (x - 0.1)); }), 20);
  EXPECT_LE(tries_to_find(0.6999, [](double x) { return x > 0.6999 ? 1.0 : -1.0; }), 100);
  EXPECT_LE(tries_to_find(1e-9, [](double x) { return x - 1e-9; }), 30);
}

TEST(Crossing, OfAPlaneInUniformFlowIsExact)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 3 }, along_x([](double t) { return 1.0 + t; }), { 2, 2, 2 });
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    // x = -1.5 + t + t^2 / 2 is 0.3 when t = sqrt(1 + 3.6) - 1.
    const Crossed result = cross(in_time(flow, timed_steps(integrator, 0.2)), { { { -1.5, 0.1, 0.2 }, 0.0 } },
        { plane({ 0.3, 0, 0 }, { 1, 0, 0 }) });
    ASSERT_EQ(result.crossings.size(), 1U);
    const Crossing& crossing = result.crossings.front();
    EXPECT_NEAR(crossing.time, std::sqrt(4.6) - 1.0, 1e-13);
    EXPECT_NEAR(crossing.point[0], 0.3, 1e-13);
    EXPECT_NEAR(crossing.length, 1.8, 1e-13);
    EXPECT_TRUE(crossing.to_positive);
    EXPECT_EQ(result.ends[0].reason, Termination::OutOfDomain);
  }
}

TEST(Crossing, SurfacesMayEndParticles)
{
  FlowInMemory flow(cube_grid(9, 2.0), uniform_flow({ 1.0, 0.5, 0.0 }));
  const AdvectionContext context =
      *AdvectionContext::steady(flow.field(), fixed_steps(Integrator::RungeKutta4, 0.4, 100.0));
  std::vector<Surface> surfaces{ box({ -1, -1, -1 }, { 1, 1, 1 }), plane({ 0, 0.1, 0 }, { 0, 1, 0 }) };
  surfaces[0].ends = true;
  const Crossed result = cross(context, { { { -0.7, -0.2, 0.0 }, 0.0 } }, surfaces);
  ASSERT_EQ(result.crossings.size(), 2U);
  EXPECT_EQ(result.crossings[0].surface, 1);
  EXPECT_NEAR(result.crossings[0].point[1], 0.1, 1e-13);
  EXPECT_NEAR(result.crossings[0].time, 0.6, 1e-13);
  EXPECT_EQ(result.crossings[1].surface, 0);
  EXPECT_NEAR(result.crossings[1].point[0], 1.0, 1e-13);
  EXPECT_EQ(result.ends[0].reason, Termination::Crossed);
  EXPECT_EQ(result.ends[0].point, result.crossings[1].point);
  EXPECT_EQ(result.ends[0].time, result.crossings[1].time);
}

TEST(Crossing, WithinOneStepComesTheNearestFirst)
{
  FlowInMemory flow(cube_grid(9, 2.0), uniform_flow({ 1.0, 0.0, 0.0 }));
  const AdvectionContext context =
      *AdvectionContext::steady(flow.field(), fixed_steps(Integrator::RungeKutta4, 1.0, 100.0));
  const std::vector<Surface> surfaces{ plane({ 0.9, 0, 0 }, { 1, 0, 0 }), plane({ 0.2, 0, 0 }, { -1, 0, 0 }),
    plane({ 0.5, 0, 0 }, { 1, 0, 0 }) };
  const Crossed result = cross(context, { { { 0.0, 0.1, 0.2 }, 0.0 } }, surfaces);
  ASSERT_EQ(result.crossings.size(), 3U);
  EXPECT_EQ(result.crossings[0].surface, 1);
  EXPECT_FALSE(result.crossings[0].to_positive);
  EXPECT_EQ(result.crossings[1].surface, 2);
  EXPECT_EQ(result.crossings[2].surface, 0);
  EXPECT_NEAR(result.crossings[0].point[0], 0.2, 1e-13);
  EXPECT_NEAR(result.crossings[1].point[0], 0.5, 1e-13);
  EXPECT_NEAR(result.crossings[2].point[0], 0.9, 1e-13);
}

/// On a circle, a particle that turns at the rate 1 crosses y = 0 downwards after pi, and again after 2 pi upwards.
TEST(Crossing, OnACircleHasTheOrderOfTheIntegrator)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 4, 8 }, turning(1.0, 0.0), { 4, 4, 4 });
  std::array<double, 2> errors{};
  for (std::size_t level = 0; level < 2; ++level)
  {
    const double step = level == 0 ? 0.2 : 0.1;
    const Crossed result = cross(in_time(flow, timed_steps(Integrator::RungeKutta4, step)),
        { { { 1.0, 0.001, 0.2 }, 0.0 } }, { plane({ 0, 0.001, 0 }, { 0, 1, 0 }) });
    ASSERT_EQ(result.crossings.size(), 3U) << level; // the seed is on the plane, which it leaves upwards
    const double angle = std::numbers::pi - 2.0 * std::asin(0.001 / std::hypot(1.0, 0.001));
    errors[level] = std::fabs(result.crossings[1].time - angle);
    EXPECT_FALSE(result.crossings[1].to_positive);
    EXPECT_NEAR(result.crossings[1].point[1], 0.001, 1e-13);
  }
  EXPECT_LT(errors[0], 1e-4);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.3);
}

TEST(Crossing, OfALabelIsAtTheFaceOfItsCells)
{
  const Grid grid = cube_grid(9, 2.0);
  FlowInMemory flow(grid, uniform_flow({ 1.0, 0.0, 0.0 }));
  std::vector<std::int32_t> labels(static_cast<std::size_t>(volume(grid.cells())), 7);
  for (std::int64_t i = 0; i < volume(grid.cells()); ++i)
  {
    const Int3 cell = from_row_major(i, grid.cells());
    labels[static_cast<std::size_t>(i)] = cell[0] >= 3 && cell[0] < 6 ? 5 : 7;
  }
  const AdvectionContext context =
      *AdvectionContext::steady(flow.field(), fixed_steps(Integrator::RungeKutta4, 0.33, 100.0));
  const Crossed result = cross(context, { { { -1.9, 0.1, 0.2 }, 0.0 } }, { border_of_label(labels.data(), 5) });
  ASSERT_EQ(result.crossings.size(), 2U);
  EXPECT_NEAR(result.crossings[0].point[0], -0.5, 1e-13);
  EXPECT_FALSE(result.crossings[0].to_positive);
  EXPECT_NEAR(result.crossings[1].point[0], 1.0, 1e-13);
  EXPECT_TRUE(result.crossings[1].to_positive);
}

std::string bytes_of(const Crossed& result)
{
  std::string bytes;
  for (const Crossing& crossing : result.crossings)
  {
    append(bytes, &crossing.id, 1);
    append(bytes, &crossing.surface, 1);
    append(bytes, crossing.point.data(), 3);
    append(bytes, &crossing.time, 1);
    append(bytes, &crossing.length, 1);
  }
  for (const EndState& end : result.ends)
  {
    append(bytes, end.point.data(), 3);
    append(bytes, &end.time, 1);
    append(bytes, &end.steps, 1);
    append(bytes, &end.reason, 1);
  }
  return bytes;
}

TEST(Crossing, IsTheSameForAnyBricksThreadsOrderAndInstructionSet)
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 60; ++i)
  {
    seeds.push_back({ { -1.0 + i / 30.0, 0.9 - i / 40.0, -0.5 + i / 60.0 }, 0.1 + i / 100.0 });
  }
  const auto ball = [](const Vec3& x, std::int64_t)
  {
    return std::sqrt(x[0] * x[0] + (x[1] - 0.4) * (x[1] - 0.4)) - 0.6;
  };
  std::vector<Surface> surfaces{ plane({ 0, 0, 0 }, { 1, 0.3, 0.1 }), { .side = ball },
    box({ -2, -1, -1 }, { 2, 1, 1 }) };
  surfaces[2].ends = true;
  for (const Grid& grid : { cube_grid(9, 2.0), stretched_grid() })
  {
    PathlineOptions options = timed_steps(Integrator::RungeKutta45, 0.3);
    options.maximum_error = 1e-6;
    options.minimum_step = 0.0;
    options.maximum_step = 0.5;
    options.direction = TraceDirection::Both;
    std::string expected;
    for (const Int3& bricks : { Int3{ 32, 32, 32 }, Int3{ 3, 2, 1 } })
    {
      FlowInTime flow(grid, { 0, 0.4, 1, 2 }, turning(1.5, 0.5), bricks);
      for (const int threads : { 1, 3 })
      {
        FaultyBricks late(flow.source(), { .answer = FaultyBricks::Answer::LaterInRandomOrder, .hits = 1 });
        const std::string bytes = bytes_of(cross(in_time(flow, options, &late), seeds, surfaces, threads));
        expected = expected.empty() ? bytes : expected;
        EXPECT_TRUE(bytes == expected) << threads << " threads, bricks of " << bricks[0];
      }
      expect_same_on_every_target(
          "crossings", [&] { return bytes_of(cross(in_time(flow, options, &flow.source()), seeds, surfaces)); });
    }
    EXPECT_GT(expected.size(), 60U * 80U);
  }
}

/// A recorder of first entries.
class Entries final : public Recorder
{
public:
  explicit Entries(const std::vector<Surface>& surfaces)
    : log_(surfaces, CrossingLog::Kept::FirstEntries)
  {
  }
  void prepare(const AdvectionContext&, int) override {}
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  [[nodiscard]] CrossingLog* crossings_of(int) override { return &log_; }
  void ended(int, const Particle& particle) override { reason_ = particle.reason; }
  [[nodiscard]] std::vector<Crossing>& crossings() { return log_.crossings(); }
  [[nodiscard]] Termination reason() const { return reason_; }

private:
  CrossingLog log_;
  Termination reason_ = Termination::None;
};

TEST(Crossing, FirstEntriesAreOneForEachSurfaceAndEndWithTheLast)
{
  FlowInMemory flow(cube_grid(17, 2.0), rotation(1.0));
  const AdvectionContext context =
      *AdvectionContext::steady(flow.field(), fixed_steps(Integrator::RungeKutta4, 0.05, 30.0));
  std::vector<Surface> surfaces{ plane({ 0, 0, 0 }, { 1, 0, 0 }), plane({ 0, 0, 0 }, { -1, 0, 0 }),
    plane({ 0, 0, 0.5 }, { 0, 0, -1 }) };
  for (const bool reaches_all : { false, true })
  {
    surfaces.resize(reaches_all ? 2 : 3); // no particle goes up to the third
    Entries recorder(surfaces);
    FixedSeeds source(context, std::vector<PathSeed>{ { { 1, 0.1, 0 }, 0.0 } });
    const AdvectionSummary summary = advect(context, source, recorder, { 1, {} });
    ASSERT_EQ(recorder.crossings().size(), 2U);
    EXPECT_EQ(recorder.crossings()[0].surface, 1);
    EXPECT_EQ(recorder.crossings()[0].length, 0.0);
    EXPECT_EQ(recorder.crossings()[1].surface, 0);
    EXPECT_FALSE(recorder.crossings()[1].to_positive);
    EXPECT_NEAR(recorder.crossings()[1].time, 0.5 * std::numbers::pi - std::atan(0.1), 1e-6);
    EXPECT_EQ(recorder.reason(), reaches_all ? Termination::Crossed : Termination::OutOfLength);
    EXPECT_EQ(summary.steps < 40, reaches_all);
  }
}

/// Paths that end at a surface, which is their last point.
class PathsToSurfaces final : public Recorder
{
public:
  PathsToSurfaces(std::size_t count, const std::vector<Surface>& surfaces)
    : paths_(count, 1.0)
    , log_(surfaces)
  {
  }
  void prepare(const AdvectionContext& context, int workers) override { paths_.prepare(context, workers); }
  [[nodiscard]] LineStore* store_of(int worker) override { return paths_.store_of(worker); }
  [[nodiscard]] CrossingLog* crossings_of(int) override { return &log_; }
  void ended(int worker, const Particle& particle) override { paths_.ended(worker, particle); }
  [[nodiscard]] PathRecorder& paths() { return paths_; }

private:
  PathRecorder paths_;
  CrossingLog log_;
};

TEST(Crossing, IsAPointOfThePath)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(1.0));
  const AdvectionContext context =
      *AdvectionContext::steady(flow.field(), fixed_steps(Integrator::RungeKutta4, 0.05, 100.0));
  std::vector<Surface> surfaces{ plane({ 0, 0, 0 }, { 1, 0, 0 }) };
  surfaces[0].ends = true;
  const std::vector<PathSeed> seeds{ { { 1, 0.1, 0 }, 0.0 }, { { 0.5, 0.2, 0.3 }, 0.0 } };
  FixedSeeds source(context, seeds);
  PathsToSurfaces recorder(4, surfaces);
  const AdvectionSummary summary = advect(context, source, recorder, { 1, {} });
  EXPECT_EQ(summary.outside, 0);
  for (std::size_t seed = 0; seed < 2; ++seed)
  {
    const TracedPath& path = recorder.paths().paths()[seed];
    EXPECT_EQ(path.reason, Termination::Crossed);
    ASSERT_GT(path.chain.points, 10);
    const PointBlock& block = *path.chain.tail;
    float last[3];
    const std::ptrdiff_t row = block.used - 1;
    std::memcpy(last, block.part(context.layout().position) + row * std::ptrdiff_t{ sizeof(last) }, sizeof(last));
    EXPECT_NEAR(last[0], 0.0F, 1e-7F);
    EXPECT_NEAR(last[1], std::hypot(seeds[seed].point[0], seeds[seed].point[1]), 1e-6);
  }
}

} // namespace
} // namespace rivulet::test
