// SPDX-License-Identifier: BSD-3-Clause
// Grids of one layer of nodes are planes: a line whose velocity points out of the plane ends there, whatever the
// bricks.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"

#include <cmath>

namespace rivulet::test
{
namespace
{

constexpr double kLastCalm = 3.0; ///< along the flow: the last node where it keeps to the plane
constexpr double kPlane = 0.7;
constexpr double kStep = 0.07;

/// One of the three orientations of a plane: axes `along` and `beside` lie in it.
struct Plane
{
  std::size_t along;
  std::size_t beside;
  std::size_t across;
};

constexpr Plane kPlanes[]{ { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 } };

Grid plane_grid(const Plane& plane, Grid::Kind kind)
{
  Grid grid;
  grid.kind = kind;
  grid.nodes[plane.along] = 13;
  grid.nodes[plane.beside] = 9;
  grid.nodes[plane.across] = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.spacing[axis] = 0.5;
    grid.origin[axis] = axis == plane.across ? kPlane : 0.0;
    for (int i = 0; kind == Grid::Kind::Rectilinear && i < grid.nodes[axis]; ++i)
    {
      grid.axes[axis].push_back(axis == plane.across ? kPlane : 0.5 * i + (i % 2 == 0 ? 0.0 : 0.1));
    }
  }
  return grid;
}

/// Straight on, and beyond kLastCalm across the plane, too, times `across`.
VelocityInTime flow_that_leaves(const Plane& plane, double across)
{
  return [=](const Vec3& x, double)
  {
    Vec3 velocity;
    velocity[plane.along] = 1.0;
    velocity[plane.beside] = 0.2;
    velocity[plane.across] = x[plane.along] > kLastCalm + 1e-9 ? across : 0.0;
    return velocity;
  };
}

std::vector<Vec3> seeds_on(const Plane& plane)
{
  std::vector<Vec3> seeds;
  for (int i = 0; i < 20; ++i)
  {
    Vec3 seed;
    seed[plane.along] = 0.03 + 0.11 * i;
    seed[plane.beside] = 0.1 + 0.05 * i;
    seed[plane.across] = kPlane;
    seeds.push_back(seed);
  }
  return seeds;
}

struct FlatCase
{
  Plane plane;
  Grid::Kind kind = Grid::Kind::Uniform;
  double across = 0.3;
  Int3 brick_cells{ 64, 64, 64 };
  ScalarType type = ScalarType::Float32;
  Centering centering = Centering::Node;
  bool unsteady = false;
  Integrator integrator = Integrator::RungeKutta4;
};

TracedLines trace(const FlatCase& what)
{
  const std::vector<double> times = what.unsteady ? std::vector<double>{ 0, 2, 100 } : std::vector<double>{ 0 };
  AnalyticBricks source(std::make_shared<FormulaInTime>(flow_that_leaves(what.plane, what.across)),
      plane_grid(what.plane, what.kind),
      { .brick_cells = what.brick_cells, .type = what.type, .centering = what.centering, .times = times });
  TraceField field;
  field.velocity = { &source, 0, 0 };
  field.grid = source.info().grid;
  field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
  const std::vector<Vec3> seeds = seeds_on(what.plane);
  const StreamlineOptions options = fixed_steps(what.integrator, kStep, 100.0);
  if (!what.unsteady)
  {
    return std::move(*trace_streamlines(field, seeds, options, { 1, {} }));
  }
  PathlineOptions in_time;
  static_cast<TraceOptions&>(in_time) = options;
  std::vector<PathSeed> starts;
  for (const Vec3& seed : seeds)
  {
    starts.push_back({ seed, 0.5 });
  }
  return std::move(*trace_pathlines(field, {}, starts, in_time, { 1, {} }));
}

std::vector<FlatCase> flat_cases()
{
  std::vector<FlatCase> cases;
  for (const Plane& plane : kPlanes)
  {
    for (const Grid::Kind kind : { Grid::Kind::Uniform, Grid::Kind::Rectilinear })
    {
      for (const bool unsteady : { false, true })
      {
        for (const ScalarType type : { ScalarType::Float32, ScalarType::Float64 })
        {
          cases.push_back({ .plane = plane, .kind = kind, .type = type, .unsteady = unsteady });
        }
        cases.push_back({ .plane = plane, .kind = kind, .unsteady = unsteady, .integrator = Integrator::RungeKutta45 });
      }
    }
  }
  return cases;
}

/// Where the velocity points out of the plane, the next sample would be beside it.
void expect_ends_at_the_last_calm_node(const FlatCase& what, const TracedLines& lines)
{
  ASSERT_EQ(lines.lines.size(), 20U);
  for (std::size_t point = 0; point < lines.time.size(); ++point)
  {
    ASSERT_EQ(lines.points[3 * point + what.plane.across], static_cast<float>(kPlane));
  }
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
  {
    EXPECT_EQ(lines.lines[i].reason, Termination::OutOfDomain);
    const double end = end_of(lines, i)[what.plane.along];
    EXPECT_GT(end, kLastCalm - kStep);
    EXPECT_LE(end, kLastCalm + 1e-6);
  }
}

TEST(FlatGrids, ALineEndsWhereItsVelocityPointsOutOfThePlane)
{
  for (const FlatCase& what : flat_cases())
  {
    expect_ends_at_the_last_calm_node(what, trace(what));
  }
}

TEST(FlatGrids, BytesAreTheSameWhateverTheBricks)
{
  for (FlatCase what : flat_cases())
  {
    const std::string expected = bytes_of(trace(what));
    for (const Int3& cells : { Int3{ 1, 1, 1 }, Int3{ 2, 3, 5 }, Int3{ 9, 9, 9 } })
    {
      what.brick_cells = cells;
      EXPECT_TRUE(bytes_of(trace(what)) == expected);
    }
  }
}

TEST(FlatGrids, BytesAreTheSameWhateverTheInstructionSet)
{
  for (const FlatCase& what : flat_cases())
  {
    expect_same_on_every_target("flat", [&] { return bytes_of(trace(what)); });
  }
}

// The velocity of a cell, unlike that between nodes, jumps.
TEST(FlatGrids, ALineThroughCellValuesKeepsToThePlaneToo)
{
  for (const Plane& plane : kPlanes)
  {
    FlatCase what{ .plane = plane, .centering = Centering::Cell };
    const TracedLines whole = trace(what);
    ASSERT_EQ(whole.lines.size(), 20U);
    for (std::size_t point = 0; point < whole.time.size(); ++point)
    {
      ASSERT_EQ(whole.points[3 * point + plane.across], static_cast<float>(kPlane));
    }
    what.brick_cells = { 1, 1, 1 };
    EXPECT_TRUE(bytes_of(trace(what)) == bytes_of(whole));
  }
}

TEST(FlatGrids, LinesDoNotLeaveThePlaneByWhatIsWithinTheTolerance)
{
  for (const Plane& plane : kPlanes)
  {
    const TracedLines calm = trace({ .plane = plane, .across = 0.0 });
    const TracedLines noisy = trace({ .plane = plane, .across = 1e-7 });
    ASSERT_EQ(noisy.points.size(), calm.points.size());
    EXPECT_TRUE(std::equal(noisy.points.begin(), noisy.points.end(), calm.points.begin()));
  }
}

} // namespace
} // namespace rivulet::test
