// SPDX-License-Identifier: BSD-3-Clause
// Runs that may only last so long.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"

namespace rivulet::test
{
namespace
{

/// A rotation, and the height above z = 0 to interpolate along its lines.
class RotationWithHeights
{
public:
  RotationWithHeights()
    : flow_(cube_grid(9, 1.0), rotation(1.0))
    , heights_(values_of(flow_.field().grid))
    , source_(flow_.field().grid, { { { "height", ScalarType::Float64, 1, Centering::Node }, heights_.data() } })
  {
    flow_.field().attributes = { { "height", { &source_, 0, 0 } } };
  }

  [[nodiscard]] TracedLines trace(const StreamlineOptions& options, const RunOptions& run)
  {
    const std::vector<Vec3> seeds(8, Vec3{ 0.5, 0, 0.25 });
    Result<TracedLines> lines = trace_streamlines(flow_.field(), seeds, options, run);
    EXPECT_TRUE(lines.has_value());
    return std::move(*lines);
  }

private:
  static std::vector<double> values_of(const Grid& grid)
  {
    std::vector<double> values;
    for (std::int64_t i = 0; i < volume(grid.nodes); ++i)
    {
      values.push_back(lattice_position(grid, Centering::Node, from_row_major(i, grid.nodes))[2]);
    }
    return values;
  }

  FlowInMemory flow_;
  std::vector<double> heights_;
  ArrayBricks source_;
};

StreamlineOptions endless_lines()
{
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 1e-4, 1e9);
  options.maximum_steps = std::int64_t{ 1 } << 40;
  return options;
}

TEST(OutOfSeconds, LinesEndWhereTheyAreWithAllAttributes)
{
  RotationWithHeights flow;
  const TracedLines lines = flow.trace(endless_lines(), { .threads = 2, .progress = {}, .maximum_seconds = 1e-3 });
  EXPECT_FALSE(lines.cancelled);
  EXPECT_EQ(lines.data_error, nullptr);
  ASSERT_FALSE(lines.lines.empty());
  for (const TracedLine& line : lines.lines)
  {
    EXPECT_EQ(line.reason, Termination::OutOfSeconds);
  }
  for (const SeedFate& fate : lines.seeds)
  {
    EXPECT_EQ(fate.reason[0], Termination::OutOfSeconds);
  }
  const auto* heights = reinterpret_cast<const double*>(lines.attributes[0].values.data());
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    ASSERT_NEAR(heights[i], 0.25, 1e-12);
  }
}

TEST(OutOfSeconds, ARequestToStopIsStillOne)
{
  RotationWithHeights flow;
  const TracedLines lines =
      flow.trace(endless_lines(), { .threads = 2, .progress = [](double) { return false; }, .maximum_seconds = 1e6 });
  EXPECT_TRUE(lines.cancelled);
  EXPECT_EQ(lines.seeds[0].reason[0], Termination::Cancelled);
}

TEST(OutOfSeconds, WhatIsDoneBeforeIsTheSameBytes)
{
  RotationWithHeights flow;
  const StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 10);
  const TracedLines without = flow.trace(options, {});
  const TracedLines with = flow.trace(options, { .threads = 2, .progress = {}, .maximum_seconds = 1e6 });
  EXPECT_EQ(bytes_of(with), bytes_of(without));
}

} // namespace
} // namespace rivulet::test
