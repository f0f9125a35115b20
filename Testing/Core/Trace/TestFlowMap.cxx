// SPDX-License-Identifier: BSD-3-Clause
// Ends of particles on a lattice, and the exponents made of them, against closed forms and pathlines.
#include "Core/Trace/FlowInTime.h"
#include "Support/LoweredLimit.h"
#include "Trace/FlowMap/ExponentChunks.h"
#include "Trace/FlowMap/FlowMap.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace rivulet::test
{
namespace
{

Grid lattice_over(const Int3& nodes, double half)
{
  Grid lattice;
  lattice.nodes = nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    lattice.origin[axis] = nodes[axis] == 1 ? 0.1 : -half;
    lattice.spacing[axis] = nodes[axis] == 1 ? 1.0 : 2 * half / (nodes[axis] - 1);
  }
  return lattice;
}

/// Stretched along x and squeezed along y at the rate  first + growth t.
VelocityInTime stretching(double first, double growth)
{
  return [=](const Vec3& x, double t)
  {
    const double rate = first + growth * t;
    return Vec3{ rate * x[0], -rate * x[1], 0.0 };
  };
}

FlowMap map_of(
    FlowInTime& flow, const Grid& lattice, const FlowMapTimes& when, const PathlineOptions& options, int threads = 1)
{
  Result<FlowMap> map = flow_map(flow.field(), {}, lattice, when, options, { threads, {} });
  EXPECT_TRUE(map.has_value()) << (map ? "" : map.error().describe());
  EXPECT_EQ(map->data_error, nullptr);
  return std::move(*map);
}

std::string bytes_of(const FlowMap& map)
{
  std::string bytes;
  for (const EndState& end : map.ends)
  {
    const double values[5] = { end.point[0], end.point[1], end.point[2], end.time, end.length };
    bytes.append(reinterpret_cast<const char*>(values), sizeof(values));
    bytes.append(reinterpret_cast<const char*>(&end.steps), sizeof(end.steps));
    bytes.append(reinterpret_cast<const char*>(&end.reason), sizeof(end.reason));
  }
  return bytes;
}

TEST(FlowMap, ExponentOfAStretchingFlowIsItsMeanRate)
{
  // exp of the integral of 0.3 + 0.4 t over [0, 1] is 0.5; backward the other axis is the one that is stretched.
  for (const FlowMapTimes& when : { FlowMapTimes{ 0, 1 }, FlowMapTimes{ 1, 0 } })
  {
    for (const Int3& nodes : { Int3{ 7, 6, 5 }, Int3{ 7, 6, 1 } })
    {
      FlowInTime flow(cube_grid(9, 2.0), { 0, 0.25, 1 }, stretching(0.3, 0.4));
      const FlowMap map = map_of(flow, lattice_over(nodes, 0.9), when, timed_steps(Integrator::RungeKutta4, 0.01));
      const Buffer<double> exponents = lyapunov_exponent(map);
      ASSERT_EQ(exponents.size(), static_cast<std::size_t>(volume(nodes)));
      for (const double exponent : exponents)
      {
        ASSERT_NEAR(exponent, 0.5, 1e-9);
      }
    }
  }
}

TEST(FlowMap, ExponentOfARotationIsZero)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(0.7, 0.4));
  const FlowMap map =
      map_of(flow, lattice_over({ 6, 5, 4 }, 0.9), { 0.1, 0.9 }, timed_steps(Integrator::RungeKutta4, 0.01));
  for (const double exponent : lyapunov_exponent(map))
  {
    ASSERT_NEAR(exponent, 0.0, 1e-9);
  }
}

/// The shear x' = y^3 has phi_x = x + T y^3: F = [1, 3 T y^2; 0, 1], whose largest singular value is known.
TEST(FlowMap, ExponentsOfAShearConvergeWithTheSecondOrder)
{
  constexpr double kDuration = 0.5;
  std::array<double, 2> errors{ 0, 0 };
  for (std::size_t level = 0; level < 2; ++level)
  {
    // The lattice's nodes are nodes of the field, which particles stay beside: interpolation adds nothing.
    const int nodes = level == 0 ? 9 : 17;
    FlowInTime flow(cube_grid(2 * nodes - 1, 2.0), { 0, kDuration },
        [](const Vec3& x, double) {
          return Vec3{ x[1] * x[1] * x[1], 0.0, 0.0 };
        },
        { 8, 8, 8 });
    const Grid lattice = lattice_over({ 3, nodes, 1 }, 1.0);
    const Buffer<double> exponents =
        lyapunov_exponent(map_of(flow, lattice, { 0, kDuration }, timed_steps(Integrator::RungeKutta4, 0.1)));
    for (std::int32_t j = 1; j + 1 < nodes; ++j)
    {
      const double y = lattice.origin[1] + j * lattice.spacing[1];
      const double trace = 2.0 + 9.0 * kDuration * kDuration * y * y * y * y;
      const double exact = std::log(std::sqrt(0.5 * (trace + std::sqrt(trace * trace - 4.0)))) / kDuration;
      const auto at = static_cast<std::size_t>(row_major({ 1, j, 0 }, lattice.nodes));
      errors[level] = std::max(errors[level], std::fabs(exponents[at] - exact));
    }
  }
  EXPECT_LT(errors[0], 0.1);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2);
}

TEST(FlowMap, EndsAreTheLastPointsOfPathlines)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.4, 1.1, 2 }, turning(0.7, 0.4), { 3, 4, 5 });
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    PathlineOptions options = timed_steps(integrator, 0.03);
    options.maximum_error = 1e-7;
    options.maximum_step = 0.2;
    options.first_time = 0.2;
    options.last_time = 1.9;
    const Grid lattice = lattice_over({ 9, 8, 3 }, 1.7);
    const GridGeometry nodes = *GridGeometry::create(lattice);
    std::vector<PathSeed> seeds;
    for (std::int64_t i = 0; i < volume(lattice.nodes); ++i)
    {
      seeds.push_back({ nodes.world_of_node(from_row_major(i, lattice.nodes)), 0.2 });
    }
    const TracedLines lines = flow.trace(seeds, options);
    const FlowMap map = map_of(flow, lattice, { 0.2, 1.9 }, options);
    ASSERT_EQ(lines.lines.size(), seeds.size());
    std::int64_t left = 0;
    for (std::size_t i = 0; i < seeds.size(); ++i)
    {
      const EndState& end = map.ends[i];
      const SeedFate& fate = lines.seeds[i];
      ASSERT_EQ(end.reason, fate.reason[0]) << i;
      ASSERT_EQ(end.time, fate.time[0]) << i;
      ASSERT_EQ(end.length, fate.length[0]) << i;
      ASSERT_EQ(end.steps, fate.steps[0]) << i;
      const Vec3 last = end_of(lines, i);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        ASSERT_EQ(static_cast<float>(end.point[axis]), static_cast<float>(last[axis])) << i;
      }
      left += end.reason == Termination::OutOfDomain ? 1 : 0;
    }
    EXPECT_GT(left, 0);
    EXPECT_EQ(map.steps, lines.statistics.integration_steps);
  }
}

TEST(FlowMap, IsTheSameForAnyThreadsAndBricks)
{
  const Grid lattice = lattice_over({ 17, 9, 10 }, 1.9);
  std::string expected;
  for (const Int3& bricks : { Int3{ 8, 8, 8 }, Int3{ 3, 4, 5 }, Int3{ 1, 2, 1 } })
  {
    FlowInTime flow(cube_grid(9, 2.0), { 0, 0.4, 1.1, 2 }, stretching(0.4, 0.3), bricks);
    for (const int threads : { 1, 3 })
    {
      const std::string bytes =
          bytes_of(map_of(flow, lattice, { 2, 0 }, timed_steps(Integrator::RungeKutta45, 0.05), threads));
      expected = expected.empty() ? bytes : expected;
      EXPECT_TRUE(bytes == expected) << threads << " threads, bricks of " << bricks[0];
    }
  }
}

TEST(FlowMap, WhatLeavesTheFieldHasNoExponent)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, along_x([](double) { return 1.0; }));
  const Grid lattice = lattice_over({ 41, 3, 3 }, 2.5);
  const FlowMap map = map_of(flow, lattice, { 0, 1 }, timed_steps(Integrator::RungeKutta4, 0.1));
  const Buffer<double> exponents = lyapunov_exponent(map);
  for (std::size_t i = 0; i < map.ends.size(); ++i)
  {
    const Int3 node = from_row_major(static_cast<std::int64_t>(i), lattice.nodes);
    const double x = lattice.origin[0] + node[0] * lattice.spacing[0];
    const bool inside_across = node[1] == 1 && node[2] == 1;
    const bool outside = !inside_across || std::fabs(x) > 2.0 + 1e-9;
    const bool stays = !outside && x <= 1.0 + 1e-9;
    ASSERT_EQ(map.ends[i].reason, outside ? Termination::SeedOutside
                                  : stays ? Termination::OutOfTime
                                          : Termination::OutOfDomain)
        << x;
    ASSERT_TRUE(std::isnan(exponents[i])) << x; // neighbours across are outside
    if (outside)
    {
      ASSERT_DOUBLE_EQ(map.ends[i].point[0], x); // where it was to begin
    }
  }
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
TEST(FlowMap, KeepsNothingPerStep)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(1.0, 0.0), { 8, 8, 8 });
  const Grid lattice = lattice_over({ 8, 8, 8 }, 1.2);
  PathlineOptions options = timed_steps(Integrator::RungeKutta2, 1e-4);
  const GridGeometry nodes = *GridGeometry::create(lattice);
  std::vector<PathSeed> seeds;
  for (std::int64_t i = 0; i < volume(lattice.nodes); ++i)
  {
    seeds.push_back({ nodes.world_of_node(from_row_major(i, lattice.nodes)), 0.0 });
  }
  // Five million steps: paths of 28 bytes a point would take 140 MB.
  const LoweredLimit limit(RLIMIT_AS, memory_and(96 << 20));
  const FlowMap map = map_of(flow, lattice, { 0, 1 }, options);
  EXPECT_EQ(map.steps, 512 * 10000);
  const TracedLines lines = flow.trace(seeds, options);
  EXPECT_NE(lines.data_error, nullptr);
}
#endif

TEST(FlowMap, RefusesTimesThatTheFieldDoesNotHave)
{
  FlowInTime flow(cube_grid(5, 1.0), { 0, 1 }, turning(1.0, 0.0));
  const Grid lattice = lattice_over({ 3, 3, 3 }, 0.5);
  const PathlineOptions options = timed_steps(Integrator::RungeKutta4, 0.1);
  for (const FlowMapTimes& when : { FlowMapTimes{ 0, 0 }, { 0, 1.5 }, { 1, -0.5 }, { 0, std::nan("") } })
  {
    const Result<FlowMap> map = flow_map(flow.field(), {}, lattice, when, options, {});
    ASSERT_FALSE(map.has_value());
    EXPECT_EQ(map.error().code, ErrorCode::BadArgument);
  }
}

TEST(FlowMap, StopsWhenAsked)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(1.0, 0.0));
  const Grid lattice = lattice_over({ 20, 20, 20 }, 1.2);
  const Result<FlowMap> map = flow_map(flow.field(), {}, lattice, { 0, 1 }, timed_steps(Integrator::RungeKutta4, 1e-5),
      { .threads = 2,
          .progress = [](double)
          {
            return false;
          } });
  ASSERT_TRUE(map.has_value());
  EXPECT_TRUE(map->cancelled);
  EXPECT_EQ(map->ends.back().reason, Termination::Cancelled);
}

// In both directions of time, from and to the middle of an interval.
TEST(FlowMap, IntervalByIntervalIsTheSame)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1.0, 1.2, 2.0 },
      [](const Vec3& x, double t) {
        return Vec3{ std::sin(x[1] + t), (1 + t) * std::cos(x[0]), 0.3 * std::sin(x[2] * t) };
      });
  const Grid lattice = lattice_over({ 11, 9, 7 }, 1.5);
  PathlineOptions options;
  for (const FlowMapTimes& when : { FlowMapTimes{ 0.2, 1.9 }, FlowMapTimes{ 1.9, 0.2 }, FlowMapTimes{ 0.5, 1.0 } })
  {
    options.time_interpolation = when.start > 0.2 ? TimeInterpolation::Cubic : TimeInterpolation::Linear;
    const std::string expected = bytes_of(map_of(flow, lattice, when, options, 2));
    const bool backward = when.end < when.start;
    AdvectionContext context = *flow_map_context(flow.field(), {}, when, options);
    const std::int32_t first = context.interval_of(when.start, backward ? -1.0 : 1.0);
    const std::int32_t last = context.interval_of(when.end, backward ? 1.0 : -1.0);
    FlowMapMarch march(lattice, when);
    for (std::int32_t i = first; backward ? i >= last : i <= last; i += backward ? -1 : 1)
    {
      context.set_intervals(i, i);
      ASSERT_TRUE(march.go_on(context, { 2, {} }));
    }
    EXPECT_TRUE(bytes_of(march.take()) == expected) << when.start;
  }
}

// As the steps of a simulation come: the last of the times is one that is still to come.
TEST(FlowMap, SoFarIsThatOfTheStepsSoFar)
{
  const std::vector<double> times{ 0, 0.5, 1.0, 1.2, 2.0, 2.1 };
  const auto velocity = [](const Vec3& x, double t)
  {
    return Vec3{ std::sin(x[1] + t), (1 + t) * std::cos(x[0]), 0.3 * std::sin(x[2] * t) };
  };
  FlowInTime whole(cube_grid(17, 2.0), times, velocity);
  const Grid lattice = lattice_over({ 11, 9, 7 }, 1.5);
  const PathlineOptions options;
  FlowMapMarch march(lattice, { times[1], std::numeric_limits<double>::infinity() });
  for (std::size_t step = 2; step + 1 < times.size(); ++step)
  {
    const std::vector<double> known(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(step) + 2);
    FlowInTime flow(cube_grid(17, 2.0), known, velocity);
    AdvectionContext context = *flow_map_context(flow.field(), {}, { times[1], known.back() }, options);
    context.set_intervals(static_cast<std::int32_t>(step) - 1, static_cast<std::int32_t>(step) - 1);
    ASSERT_TRUE(march.go_on(context, { 2, {} }));
    const FlowMap map = march.so_far(times[step]);
    EXPECT_TRUE(bytes_of(map) == bytes_of(map_of(whole, lattice, { times[1], times[step] }, options, 2))) << step;
    EXPECT_GT(std::ranges::count(map.ends, Termination::OutOfTime, &EndState::reason), 100);
  }
}

/// The nodes of a box and those next to it in a lattice.
Box with_neighbours(const Box& box, const Int3& nodes)
{
  Box larger;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    larger.begin[axis] = std::max(0, box.begin[axis] - 1);
    larger.end[axis] = std::min(nodes[axis], box.end[axis] + 1);
  }
  return larger;
}

// Any box of a lattice, in chunks of any size, has the exponents and ends of the whole lattice.
TEST(FlowMap, ChunksGiveTheExponentsOfTheWholeLattice)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1.0 },
      [](const Vec3& x, double t) {
        return Vec3{ std::sin(2 * x[1] + t), (1 + t) * std::cos(x[0]), 0.3 * std::sin(x[2] + t) };
      });
  const FlowMapTimes when{ 0.1, 0.9 };
  const AdvectionContext context = *flow_map_context(flow.field(), {}, when, PathlineOptions());
  for (const Int3& nodes : { Int3{ 11, 9, 8 }, Int3{ 13, 10, 1 } })
  {
    const Grid lattice = lattice_over(nodes, 1.9);
    FlowMap whole = map_of(flow, lattice, when, PathlineOptions());
    const Buffer<double> expected = lyapunov_exponent(whole);
    const Box all{ { 0, 0, 0 }, nodes };
    Box some{ { 2, 1, 0 }, { 7, 9, 1 } };
    some.end[2] = nodes[2] > 1 ? 6 : 1;
    some.begin[2] = nodes[2] > 1 ? 3 : 0;
    for (const Box& box : { all, some })
    {
      for (const std::int64_t most : { std::int64_t{ 1 }, std::int64_t{ 350 }, std::int64_t{ 1 << 20 } })
      {
        ExponentChunks chunks(lattice, box, most, { .ends = true });
        std::int64_t steps = 0;
        for (int i = 0; i < chunks.count(); ++i)
        {
          FlowMapMarch march = chunks.march(when);
          ASSERT_TRUE(march.go_on(context, { 2, {} }));
          FlowMap map = march.take();
          steps += map.steps;
          chunks.add(std::move(map), 2);
        }
        EXPECT_TRUE(most > 1 || chunks.count() > 2);
        const Grid traced = part_of(lattice, with_neighbours(box, nodes));
        EXPECT_EQ(steps, map_of(flow, traced, when, PathlineOptions()).steps) << "each node is traced once";
        for (std::int64_t i = 0; i < box.count(); ++i)
        {
          const Int3 at = from_row_major(i, box.size());
          const Int3 node{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
          const auto of_whole = static_cast<std::size_t>(row_major(node, nodes));
          const auto of_box = static_cast<std::size_t>(i);
          ASSERT_EQ(std::memcmp(&chunks.exponents()[of_box], &expected[of_whole], sizeof(double)), 0)
              << node[0] << ' ' << node[1] << ' ' << node[2];
          ASSERT_EQ(chunks.ends()[of_box].point, whole.ends[of_whole].point);
        }
      }
    }
  }
}

} // namespace
} // namespace rivulet::test
