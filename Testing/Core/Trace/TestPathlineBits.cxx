// SPDX-License-Identifier: BSD-3-Clause
// The bytes of pathlines do not depend on bricks, threads, the order in which bricks arrive, or the instruction set.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Support/FaultyBricks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rivulet::test
{
namespace
{

const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3, 2.0 };

AnalyticBricksOptions in_bricks(const Int3& cells)
{
  return { .brick_cells = cells, .times = kTimes };
}

std::vector<PathSeed> scattered_seeds()
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 60; ++i)
  {
    seeds.push_back({ { 0.1 + 0.1 * i, 6.2 - 0.09 * i, 0.05 * i + 1.0 }, 2.0 * i / 59 });
  }
  return seeds;
}

/// How lines are traced.
struct Way
{
  Integrator integrator;
  TimeInterpolation interpolation = TimeInterpolation::Linear;
};

PathlineOptions options_for(const Way& way)
{
  PathlineOptions options;
  options.integrator = way.integrator;
  options.time_interpolation = way.interpolation;
  options.direction = TraceDirection::Both;
  return options;
}

TraceField field_of(BrickSource& source)
{
  TraceField field;
  field.velocity = { &source, 0, 0 };
  field.grid = source.info().grid;
  field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
  return field;
}

std::string trace(const TraceField& field, const std::vector<PathSeed>& seeds, const Way& way, int threads)
{
  const Result<TracedLines> lines = trace_pathlines(field, {}, seeds, options_for(way), { threads, {} });
  if (!lines)
  {
    ADD_FAILURE() << lines.error().describe();
    return {};
  }
  EXPECT_GT(lines->lines.size(), 30U);
  EXPECT_EQ(lines->data_error, nullptr);
  return bytes_of(*lines);
}

std::string trace(BrickSource& source, const Way& way, int threads)
{
  return trace(field_of(source), scattered_seeds(), way, threads);
}

/// The ABC flow with coefficients that swing.
std::shared_ptr<const AnalyticField> unsteady_flow()
{
  return std::make_shared<FormulaInTime>(
      [](const Vec3& x, double t)
      {
        const double a = 1.2 + std::sin(2 * t);
        const double b = 0.8 + std::cos(3 * t);
        return Vec3{ a * std::sin(x[2]) + std::cos(x[1]), b * std::sin(x[0]) + a * std::cos(x[2]),
          std::sin(x[1]) + b * std::cos(x[0]) };
      });
}

AnalyticBricks bricked(const Int3& cells)
{
  return AnalyticBricks(unsteady_flow(), uniform_grid({ 33, 29, 31 }, kBox), in_bricks(cells));
}

class PathlineBits : public ::testing::TestWithParam<Way>
{
};

TEST_P(PathlineBits, WhateverTheBricksAndThreads)
{
  AnalyticBricks whole = bricked({ 64, 64, 64 });
  const std::string expected = trace(whole, GetParam(), 1);
  for (const Int3& cells : { Int3{ 9, 9, 9 }, Int3{ 1, 2, 1 }, Int3{ 5, 7, 3 } })
  {
    AnalyticBricks source = bricked(cells);
    EXPECT_TRUE(trace(source, GetParam(), 1) == expected);
    EXPECT_TRUE(trace(source, GetParam(), 3) == expected);
  }
}

// With `hits` 1 the brick of one level is gone before that of the other has come, unless it is kept.
TEST_P(PathlineBits, WheneverBricksArrive)
{
  AnalyticBricks inner = bricked({ 6, 6, 6 });
  const std::string expected = trace(inner, GetParam(), 1);
  for (const int hits : { 1, 3 })
  {
    for (const FaultyBricks::Answer answer : { FaultyBricks::Answer::AtOnce, FaultyBricks::Answer::Later,
             FaultyBricks::Answer::LaterNewestFirst, FaultyBricks::Answer::LaterInRandomOrder })
    {
      FaultyBricks evicting(inner, { .answer = answer, .seed = 11, .hits = hits });
      EXPECT_TRUE(trace(evicting, GetParam(), 2) == expected);
      EXPECT_GT(evicting.misses(), 0);
      EXPECT_TRUE(evicting.waiting().empty());
    }
  }
  EXPECT_EQ(inner.pinned(), 0);
}

TEST_P(PathlineBits, AWorkerPinsTheBricksOfOneIntervalAtATime)
{
  AnalyticBricks source = bricked({ 4, 4, 4 });
  trace(source, GetParam(), 3);
  EXPECT_LE(source.most_pinned(), GetParam().interpolation == TimeInterpolation::Cubic ? 12 : 6);
  EXPECT_EQ(source.pinned(), 0);
}

struct KernelPath
{
  const char* name;
  Grid grid;
  AnalyticBricksOptions bricks;
  bool turned = false;
};

std::vector<KernelPath> kernel_paths()
{
  const Grid cube = uniform_grid({ 33, 29, 31 }, kBox);
  AnalyticBricksOptions doubles = in_bricks({ 9, 9, 9 });
  doubles.type = ScalarType::Float64;
  AnalyticBricksOptions padded = in_bricks({ 9, 9, 9 });
  padded.tuple_stride = 4;
  AnalyticBricksOptions cells = in_bricks({ 9, 9, 9 });
  cells.centering = Centering::Cell;
  return {
    { "floats", cube, in_bricks({ 9, 9, 9 }) },
    { "doubles", cube, doubles },
    { "padded", cube, padded },
    { "cells", cube, cells },
    { "turned", cube, in_bricks({ 9, 9, 9 }), true },
    { "stretched", stretched_grid(), in_bricks({ 9, 9, 9 }) },
    { "stretched doubles", stretched_grid(), doubles },
  };
}

std::string trace(const KernelPath& path, const Way& way)
{
  AnalyticBricks source(unsteady_flow(), path.grid, path.bricks);
  TraceField field = field_of(source);
  if (path.turned)
  {
    field.grid.direction = { 0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1 };
  }
  return trace(field, scattered_seeds(), way, 1);
}

TEST_P(PathlineBits, WhateverTheInstructionSet)
{
  for (const KernelPath& path : kernel_paths())
  {
    expect_same_on_every_target(path.name, [&] { return trace(path, GetParam()); });
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, PathlineBits,
    ::testing::Values(Way{ Integrator::RungeKutta2 }, Way{ Integrator::RungeKutta4 }, Way{ Integrator::RungeKutta45 },
        Way{ Integrator::RungeKutta4, TimeInterpolation::Cubic },
        Way{ Integrator::RungeKutta45, TimeInterpolation::Cubic }));

} // namespace
} // namespace rivulet::test
