// SPDX-License-Identifier: BSD-3-Clause
// Curvilinear grids in the kernel: the lines of the cells in memory, and the same bytes for any instructions and lanes.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/CurvilinearFlow.h"
#include "Trace/Streamlines.h"

namespace rivulet::test
{

TEST(CurvilinearLanes, GivesTheLinesOfTheCellsInMemory)
{
  const BentLattice lattice(kNodes, wavy);
  FlowInBricks bricks(lattice, { 64, 64, 64 });
  const std::vector<double> values = velocities(lattice);
  Grid row;
  row.nodes[0] = static_cast<std::int32_t>(volume(kNodes));
  ArrayBricks rows(row, { { { "velocity", ScalarType::Float64, 3, Centering::Node }, values.data() } });
  TraceField foreign;
  foreign.velocity = { &rows, 0, 0 };
  foreign.attributes = { { "velocity", { &rows, 0, 0 } } };
  foreign.foreign = lattice.cells();
  for (const Integrator integrator : kIntegrators)
  {
    const StreamlineOptions options = options_for(integrator);
    const Result<TracedLines> expected = trace_streamlines(foreign, scattered_seeds(), options, { 1, {} });
    ASSERT_TRUE(expected.has_value());
    ASSERT_GT(expected->lines.size(), 60U);
    const TracedLines lines = bricks.trace(scattered_seeds(), options);
    ASSERT_EQ(lines.lines.size(), expected->lines.size());
    for (std::size_t line = 0; line < lines.lines.size(); ++line)
    {
      EXPECT_EQ(lines.lines[line].reason, expected->lines[line].reason);
      ASSERT_EQ(lines.lines[line].points, expected->lines[line].points);
    }
    // The other mesh adds the nodes' values and gradients, each with its weight.
    const auto expect_near = [](const auto& ours, const auto& others, double tolerance)
    {
      ASSERT_EQ(ours.size(), others.size());
      for (std::size_t i = 0; i < ours.size(); ++i)
      {
        ASSERT_NEAR(ours[i], others[i], tolerance) << i;
      }
    };
    const auto doubles_of = [](const AttributeValues& array)
    {
      return std::span(reinterpret_cast<const double*>(array.values.data()), array.values.size() / sizeof(double));
    };
    expect_near(lines.points, expected->points, 1e-6); // these two are floats
    expect_near(lines.vorticity, expected->vorticity, 1e-5);
    expect_near(lines.time, expected->time, 1e-5); // long where it is slow
    expect_near(doubles_of(lines.attributes[0]), doubles_of(expected->attributes[0]), 1e-6);
  }
}

TEST(CurvilinearLanes, GivesTheSameBytesForAnyInstructionsAndLanes)
{
  const std::vector<Vec3> seeds = scattered_seeds();
  std::size_t compared = 0;
  for (const Mapping& mapping : { Mapping(wavy), Mapping(tube), Mapping(ring) })
  {
    const BentLattice lattice(kNodes, mapping);
    for (const Integrator integrator : kIntegrators)
    {
      for (const double step : { 0.4, 3.0 }) // 3: beyond the next cell, the tangent alone tells the face
      {
        StreamlineOptions options = options_for(integrator, integrator == Integrator::RungeKutta45);
        options.direction = TraceDirection::Forward;
        options.step_unit = StepUnit::CellLength;
        options.initial_step = options.maximum_step = step;
        FlowInBricks flow(lattice, { 5, 4, 7 });
        expect_same_on_every_target("curvilinear", [&] { return bytes_of(flow.trace(seeds, options)); });
        // A few particles fill some lanes, one alone one.
        const TracedLines all = flow.trace(seeds, options);
        for (const std::ptrdiff_t few : { 1, 3, 7 })
        {
          const TracedLines some = flow.trace({ seeds.begin(), seeds.begin() + few }, options);
          compared += some.points.size();
          ASSERT_LE(some.points.size(), all.points.size());
          EXPECT_TRUE(std::equal(some.points.begin(), some.points.end(), all.points.begin())) << few;
          EXPECT_TRUE(std::equal(some.vorticity.begin(), some.vorticity.end(), all.vorticity.begin())) << few;
        }
      }
    }
  }
  EXPECT_GT(compared, 5000U);
}

} // namespace rivulet::test
