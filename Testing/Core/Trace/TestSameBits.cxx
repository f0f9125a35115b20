// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a result do not depend on bricks, threads, the order in which bricks arrive, or the instruction set.
#include "Core/Trace/BytesOfLines.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "Trace/Streamlines.h"

#include <gtest/gtest.h>

#include <functional>

namespace rivulet::test
{
namespace
{

std::vector<Vec3> scattered_seeds()
{
  std::vector<Vec3> seeds;
  for (int i = 0; i < 60; ++i)
  {
    seeds.push_back({ 0.1 + 0.1 * i, 6.2 - 0.09 * i, 0.05 * i + 1.0 });
  }
  seeds.push_back({ -1, 0, 0 }); // outside
  return seeds;
}

StreamlineOptions options_for(Integrator integrator)
{
  StreamlineOptions options;
  options.integrator = integrator;
  options.maximum_length = 12.0;
  options.maximum_steps = 300;
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

std::string trace(BrickSource& source, Integrator integrator, int threads)
{
  const Result<TracedLines> lines =
      trace_streamlines(field_of(source), scattered_seeds(), options_for(integrator), { threads, {} });
  EXPECT_TRUE(lines.has_value());
  EXPECT_GT(lines->lines.size(), 100U);
  EXPECT_EQ(lines->data_error, nullptr);
  return bytes_of(*lines);
}

AnalyticBricks bricked(const Int3& cells)
{
  return AnalyticBricks(analytic_field("abc"), uniform_grid({ 33, 29, 31 }, kBox), { .brick_cells = cells });
}

class SameBits : public ::testing::TestWithParam<Integrator>
{
};

TEST_P(SameBits, WhateverTheBricks)
{
  AnalyticBricks whole = bricked({ 64, 64, 64 });
  AnalyticBricks cubes = bricked({ 9, 9, 9 });
  AnalyticBricks single = bricked({ 1, 1, 1 });
  const std::string expected = trace(whole, GetParam(), 1);
  EXPECT_TRUE(trace(cubes, GetParam(), 1) == expected);
  EXPECT_TRUE(trace(single, GetParam(), 1) == expected);
}

TEST_P(SameBits, WhateverTheThreads)
{
  AnalyticBricks source = bricked({ 5, 7, 3 });
  const std::string expected = trace(source, GetParam(), 1);
  EXPECT_TRUE(trace(source, GetParam(), 2) == expected);
  EXPECT_TRUE(trace(source, GetParam(), 5) == expected);
}

TEST_P(SameBits, WheneverBricksArrive)
{
  AnalyticBricks inner = bricked({ 6, 6, 6 });
  const std::string expected = trace(inner, GetParam(), 1);
  for (const FaultyBricks::Answer answer : { FaultyBricks::Answer::AtOnce, FaultyBricks::Answer::Later,
           FaultyBricks::Answer::LaterNewestFirst, FaultyBricks::Answer::LaterInRandomOrder })
  {
    FaultyBricks evicting(inner, { .answer = answer, .seed = 11, .hits = 3 });
    EXPECT_TRUE(trace(evicting, GetParam(), 2) == expected);
    EXPECT_GT(evicting.misses(), 0);
  }
}

/// One flow that takes its own way through the kernel.
struct KernelPath
{
  const char* name;
  Grid grid; ///< of the source
  AnalyticBricksOptions bricks;
  std::function<void(TraceField&)> change; ///< of the dataset
  double maximum_time = 0.0;
  const char* field = "abc";
};

std::vector<KernelPath> kernel_paths()
{
  static const std::vector<std::uint8_t> hidden = []
  {
    std::vector<std::uint8_t> flags(std::size_t{ 32 } * 28 * 30, 0);
    for (std::size_t i = 0; i < flags.size(); i += 37)
    {
      flags[i] = 32;
    }
    return flags;
  }();
  const Grid cube = uniform_grid({ 33, 29, 31 }, kBox);
  const auto as_it_is = [](TraceField&) {
  };
  const auto turned = [](TraceField& field)
  {
    field.grid.direction = { 0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1 };
  };
  const auto with_holes = [](TraceField& field)
  {
    field.cell_ghosts = hidden.data();
  };
  const auto alone = [](TraceField& field)
  {
    field.attributes.clear();
  };
  const Int3 nine{ 9, 9, 9 };
  return {
    { "floats", cube, { .brick_cells = nine }, as_it_is },
    { "doubles", cube, { .brick_cells = nine, .type = ScalarType::Float64 }, as_it_is },
    { "padded", cube, { .brick_cells = nine, .tuple_stride = 4 }, as_it_is },
    { "cells", cube, { .brick_cells = nine, .centering = Centering::Cell }, as_it_is },
    { "turned", cube, { .brick_cells = nine }, turned },
    { "stretched", stretched_grid(), { .brick_cells = nine }, as_it_is },
    { "stretched doubles", stretched_grid(), { .brick_cells = nine, .type = ScalarType::Float64 }, as_it_is },
    { "holes", cube, { .brick_cells = nine }, with_holes },
    { "flat", flat_grid(), { .brick_cells = nine }, as_it_is, 0.0, "rotation" },
    { "short time", cube, { .brick_cells = nine }, as_it_is, 0.7 },
    { "no arrays", cube, { .brick_cells = nine }, alone },
  };
}

std::string trace(const KernelPath& path, Integrator integrator)
{
  AnalyticBricks source(analytic_field(path.field), path.grid, path.bricks);
  TraceField field = field_of(source);
  path.change(field);
  StreamlineOptions options = options_for(integrator);
  options.maximum_time = path.maximum_time;
  std::vector<Vec3> seeds = scattered_seeds();
  if (field.grid.nodes[2] == 1)
  {
    for (Vec3& seed : seeds)
    {
      seed = { 0.4 * seed[0] - 1.5, 0.4 * seed[1] - 1.5, 1.0 };
    }
  }
  const Result<TracedLines> lines = trace_streamlines(field, seeds, options, { 1, {} });
  if (!lines)
  {
    ADD_FAILURE() << path.name << ": " << lines.error().describe();
    return {};
  }
  EXPECT_GT(lines->lines.size(), 20U) << path.name;
  return bytes_of(*lines);
}

TEST_P(SameBits, WhateverTheInstructionSet)
{
  for (const KernelPath& path : kernel_paths())
  {
    expect_same_on_every_target(path.name, [&] { return trace(path, GetParam()); });
  }
}

TEST_P(SameBits, AWorkerPinsOneBrickAtATime)
{
  AnalyticBricks source = bricked({ 4, 4, 4 });
  trace(source, GetParam(), 3);
  EXPECT_LE(source.most_pinned(), 3);
  EXPECT_EQ(source.pinned(), 0);
}

INSTANTIATE_TEST_SUITE_P(Integrators, SameBits,
    ::testing::Values(Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45));

TEST(BrickFaults, ALineThatMeetsABadBrickEndsThereAndOthersGoOn)
{
  AnalyticBricks inner = bricked({ 9, 9, 9 });
  FaultyBricks source(inner, {});
  const std::int64_t bad = inner.bricks(0).index_of_cell({ 12, 12, 12 });
  source.fail({ 0, 0, bad });
  const Result<TracedLines> lines =
      trace_streamlines(field_of(source), scattered_seeds(), options_for(Integrator::RungeKutta45), { 2, {} });
  ASSERT_TRUE(lines.has_value());
  EXPECT_NE(lines->data_error, nullptr);
  std::size_t missing = 0;
  std::size_t others = 0;
  for (const SeedFate& fate : lines->seeds)
  {
    missing += fate.reason[0] == Termination::DataMissing ? 1 : 0;
    others += fate.reason[0] != Termination::DataMissing ? 1 : 0;
  }
  EXPECT_GT(missing, 0U);
  EXPECT_GT(others, 0U);
}

TEST(BrickFaults, AnUnhealthySourceIsReported)
{
  AnalyticBricks inner = bricked({ 9, 9, 9 });
  FaultyBricks source(inner, {});
  source.set_health(fail(ErrorCode::Truncated, "the file was cut short", "restore it", "flow.rvf", 4096));
  const Result<TracedLines> lines =
      trace_streamlines(field_of(source), scattered_seeds(), options_for(Integrator::RungeKutta4), { 1, {} });
  ASSERT_TRUE(lines.has_value());
  ASSERT_NE(lines->data_error, nullptr);
  EXPECT_EQ(lines->data_error->path, "flow.rvf");
}

TEST(BrickFaults, CancellingWhileBricksAreOnTheirWayLosesNothing)
{
  AnalyticBricks inner = bricked({ 3, 3, 3 });
  FaultyBricks source(inner, { .answer = FaultyBricks::Answer::Later, .hits = 1, .gather = 50 });
  StreamlineOptions options = options_for(Integrator::RungeKutta4);
  options.maximum_length = 1e9;
  options.maximum_steps = 1 << 30;
  const Result<TracedLines> lines = trace_streamlines(field_of(source), scattered_seeds(), options,
      { 2, [](double)
          {
            return false;
          } });
  ASSERT_TRUE(lines.has_value());
  EXPECT_TRUE(source.waiting().empty());
  EXPECT_EQ(inner.pinned(), 0);
}

} // namespace
} // namespace rivulet::test
