// SPDX-License-Identifier: BSD-3-Clause
// Positions on the faces, edges and corners of grids, and within rounding of them: each is in a cell of the grid or
// outside, and lines read no value that is not the grid's.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"

#include <cmath>
#include <limits>

namespace rivulet::test
{
namespace
{

struct NamedGrid
{
  const char* name;
  Grid grid;
};

Grid box_grid(const Int3& nodes, const Vec3& origin, const Vec3& spacing)
{
  Grid grid;
  grid.nodes = nodes;
  grid.origin = origin;
  grid.spacing = spacing;
  return grid;
}

/// Axes that are no multiples of anything, each rising or falling.
Grid uneven_grid(const Int3& nodes, const std::array<bool, 3>& falling)
{
  Grid grid;
  grid.kind = Grid::Kind::Rectilinear;
  grid.nodes = nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (int i = 0; i < nodes[axis]; ++i)
    {
      const double x = 0.1 * i + 0.013 * i * i;
      grid.axes[axis].push_back(falling[axis] ? -x : x);
    }
  }
  return grid;
}

std::vector<NamedGrid> grids()
{
  Grid shifted = box_grid({ 5, 4, 6 }, { 0.1, -1e3, 1.0 / 3 }, { 0.1, 0.3, 1.0 / 7 });
  shifted.first = { 2, -7, 11 };
  Grid turned = box_grid({ 5, 6, 4 }, { 1, 2, 3 }, { 0.1, 0.2, 0.3 });
  const double c = std::cos(0.4);
  const double s = std::sin(0.4);
  turned.direction = { c, -s, 0, s, c, 0, 0, 0, 1 };
  Grid swapped = box_grid({ 5, 6, 4 }, { 0, 0, 0 }, { 0.1, 0.1, 0.1 });
  swapped.direction = { 0, 1, 0, 0, 0, -1, 1, 0, 0 };
  return { { "at zero", box_grid({ 5, 4, 6 }, { 0, 0, 0 }, { 1, 1, 1 }) },
    { "tenths", box_grid({ 5, 4, 6 }, { 0, 0, 0 }, { 0.1, 0.1, 0.1 }) },
    { "negative spacing", box_grid({ 5, 4, 6 }, { 0.4, 0, 0 }, { -0.1, 0.1, -0.1 }) }, { "shifted", shifted },
    { "turned", turned }, { "swapped", swapped }, { "flat", box_grid({ 5, 4, 1 }, { 0, 0, 0.7 }, { 0.1, 0.1, 0.1 }) },
    { "flat along x", box_grid({ 1, 4, 5 }, { 0.1, 0, 0 }, { 1, 0.1, 0.1 }) },
    { "one cell", box_grid({ 2, 2, 2 }, { 0, 0, 0 }, { 0.3, 0.3, 0.3 }) },
    { "uneven", uneven_grid({ 5, 4, 6 }, { false, false, false }) },
    { "uneven and falling", uneven_grid({ 5, 4, 6 }, { true, false, true }) },
    { "uneven and flat", uneven_grid({ 5, 1, 6 }, { false, false, true }) } };
}

/// `x` and what doubles lie about it, the nearest and some farther ones.
std::vector<double> neighbours(double x)
{
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<double> all{ x };
  for (const double to : { -kFar, kFar })
  {
    double at = x;
    for (int ulps = 0; ulps < 4; ++ulps)
    {
      all.push_back(at = std::nextafter(at, to));
    }
    for (const double by : { 1e-300, 1e-17, 2.8e-17, 5.5e-17, 1.2e-16, 1e-12 })
    {
      all.push_back(to > 0 ? x + by : x - by);
    }
  }
  return all;
}

bool in_a_cell(const GridGeometry& space, const CellPosition& at)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (at.cell[axis] < 0 || at.cell[axis] >= space.cells()[axis] || !(at.fraction[axis] >= 0.0) ||
        !(at.fraction[axis] <= 1.0) || (space.flat(static_cast<int>(axis)) && at.fraction[axis] != 0.0))
    {
      return false;
    }
  }
  return true;
}

/// World positions of nodes on each face, edge and corner of the grid and of a cell inside.
std::vector<Vec3> marked_nodes(const Grid& grid)
{
  const GridGeometry space = *GridGeometry::create(grid);
  std::vector<Vec3> places;
  for (int i = 0; i < 27; ++i)
  {
    const Int3 pick{ i % 3, i / 3 % 3, i / 9 };
    CellPosition at;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const bool flat = grid.nodes[axis] == 1;
      at.cell[axis] = pick[axis] == 0 ? 0 : pick[axis] == 1 ? (grid.cells()[axis] - 1) / 2 : grid.cells()[axis] - 1;
      at.fraction[axis] = pick[axis] == 2 && !flat ? 1.0 : 0.0;
    }
    places.push_back(space.world(at));
  }
  return places;
}

TEST(GridBounds, EveryPositionAboutThemIsInACellOrOutside)
{
  for (const NamedGrid& each : grids())
  {
    const GridGeometry space = *GridGeometry::create(each.grid);
    for (const Vec3& place : marked_nodes(each.grid))
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        for (const double x : neighbours(place[axis]))
        {
          Vec3 world = place;
          world[axis] = x;
          const std::optional<CellPosition> at = space.locate(world);
          ASSERT_TRUE(at.has_value()) << each.name << ", " << x; // all are within the tolerance
          ASSERT_TRUE(in_a_cell(space, *at)) << each.name << ", " << x;
          const Vec3 back = space.world(*at);
          EXPECT_NEAR(back[axis], x, 1e-6) << each.name;
        }
      }
    }
  }
}

TEST(GridBounds, ALocationThatIsClampedIsInACell)
{
  const double below_one = std::nextafter(1.0, 0.0);
  for (const NamedGrid& each : grids())
  {
    const GridGeometry space = *GridGeometry::create(each.grid);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const int cells = space.cells()[axis];
      for (const int cell : { -2, -1, 0, cells - 1, cells, cells + 1 })
      {
        for (const double fraction : { 0.0, 5e-324, 1e-17, 0.5, below_one, 1.0 })
        {
          CellPosition at;
          at.cell[axis] = cell;
          at.fraction[axis] = fraction;
          const double upper = each.grid.nodes[axis] - 1;
          const double outside = std::max(-(cell + fraction), cell - upper + fraction);
          ASSERT_EQ(space.clamp_to_grid(at), outside <= GridGeometry::kTolerance) << each.name << cell << fraction;
          ASSERT_TRUE(outside > GridGeometry::kTolerance || in_a_cell(space, at))
              << each.name << cell << " " << fraction;
        }
      }
    }
  }
}

TEST(GridBounds, AStepToNextToThemEndsInACellOrOutside)
{
  for (const NamedGrid& each : grids())
  {
    if (each.grid.kind != Grid::Kind::Rectilinear)
    {
      continue;
    }
    const GridGeometry space = *GridGeometry::create(each.grid);
    const CellPosition start = *space.locate(lattice_position(each.grid, Centering::Cell, { 1, 0, 2 }));
    const Vec3 from = space.world(start);
    for (const Vec3& place : marked_nodes(each.grid))
    {
      for (const double by : neighbours(0.0))
      {
        CellPosition end =
            space.moved(start, { place[0] - from[0] + by, place[1] - from[1] + by, place[2] - from[2] - by });
        ASSERT_TRUE(space.clamp_to_grid(end)) << each.name;
        ASSERT_TRUE(in_a_cell(space, end)) << each.name;
      }
    }
  }
}

TEST(GridBounds, AStepThatIsNoNumberEndsOutside)
{
  const GridGeometry space = *GridGeometry::create(uneven_grid({ 5, 4, 6 }, { false, true, false }));
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double by : { std::nan(""), infinite, -infinite, 1e300, -1e300 })
  {
    CellPosition end = space.moved(CellPosition{}, { 0, by, 0 });
    EXPECT_FALSE(space.clamp_to_grid(end)) << by;
  }
}

/// Uniform flow in an array between others that are not numbers.
class GuardedFlow
{
public:
  GuardedFlow(const Grid& grid, const Vec3& velocity)
    : values_(9 * static_cast<std::size_t>(volume(grid.nodes)), std::numeric_limits<double>::quiet_NaN())
    , source_(
          grid, { { { "velocity", ScalarType::Float64, 3, Centering::Node }, values_.data() + values_.size() / 3 } })
  {
    for (std::size_t i = values_.size() / 3; i < 2 * values_.size() / 3; ++i)
    {
      values_[i] = velocity[i % 3];
    }
    field_.velocity = { &source_, 0, 0 };
    field_.grid = grid;
  }

  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options) const
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { 1, {} });
    EXPECT_TRUE(lines.has_value());
    return std::move(*lines);
  }

private:
  std::vector<double> values_;
  ArrayBricks source_;
  TraceField field_;
};

TEST(GridBounds, ALineThatMissesTheLowerOneByRoundingEndsOnIt)
{
  // 0.3 - 0.1 - 0.1 - 0.1 is -2.8e-17.
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    Vec3 velocity{ 0, 0, 0 };
    velocity[axis] = -1;
    Vec3 seed{ 1.5, 1.5, 1.5 };
    seed[axis] = 0.3;
    const GuardedFlow flow(box_grid({ 5, 5, 5 }, { 0, 0, 0 }, { 1, 1, 1 }), velocity);
    for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
    {
      // Enough of them for the lanes, and one alone.
      for (const std::size_t count : { std::size_t{ 9 }, std::size_t{ 1 } })
      {
        const TracedLines lines = flow.trace(std::vector<Vec3>(count, seed), fixed_steps(integrator, 0.1, 10.0));
        ASSERT_EQ(lines.lines.size(), count);
        for (std::size_t i = 0; i < count; ++i)
        {
          EXPECT_EQ(lines.lines[i].reason, Termination::OutOfDomain);
          EXPECT_EQ(lines.lines[i].points, 4);
          EXPECT_NEAR(end_of(lines, i)[axis], 0.0, 1e-16);
        }
      }
    }
  }
}

/// Seeds from which steps of `step` along `way` come to within rounding of the grid's bounds.
std::vector<Vec3> seeds_towards_bounds(const Grid& grid, const Vec3& way, double step)
{
  const GridGeometry space = *GridGeometry::create(grid);
  std::vector<Vec3> seeds;
  for (const Vec3& place : marked_nodes(grid))
  {
    for (const int steps : { 0, 1, 2, 3, 7 })
    {
      for (const double by : { 0.0, 2.8e-17, -2.8e-17, 1e-16, -1e-16 })
      {
        Vec3 seed;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          seed[axis] = place[axis] - steps * step * way[axis] + by;
        }
        if (space.locate(seed))
        {
          seeds.push_back(seed);
        }
      }
    }
  }
  return seeds;
}

/// Every line goes straight on, by whole steps, until the next one would leave the grid.
void expect_straight_lines(const NamedGrid& each, const Vec3& way, const TracedLines& lines, double step)
{
  const GridGeometry space = *GridGeometry::create(each.grid);
  for (const SeedFate& fate : lines.seeds)
  {
    ASSERT_EQ(fate.reason[0], Termination::OutOfDomain) << each.name;
  }
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
  {
    const auto first = static_cast<std::size_t>(3 * lines.lines[i].first_point);
    const Vec3 end = end_of(lines, i);
    const auto steps = static_cast<double>(lines.lines[i].points - 1);
    Vec3 beyond;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(
          end[axis], lines.points[first + axis] + steps * step * way[axis], 4e-7 * std::max(1.0, std::fabs(end[axis])))
          << each.name;
      beyond[axis] = end[axis] + 1.001 * step * way[axis];
    }
    EXPECT_FALSE(space.locate(beyond)) << each.name;
  }
}

TEST(GridBounds, LinesReadNothingBeyondThem)
{
  const double step = 0.1;
  for (const NamedGrid& each : grids())
  {
    const GridGeometry space = *GridGeometry::create(each.grid);
    for (int way = 0; way < 6; ++way)
    {
      Vec3 velocity{ 0, 0, 0 };
      velocity[static_cast<std::size_t>(way % 3)] = way < 3 ? 1 : -1;
      const std::vector<Vec3> seeds = seeds_towards_bounds(each.grid, velocity, step);
      const GuardedFlow flow(each.grid, velocity);
      for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
      {
        expect_same_on_every_target(each.name,
            [&]
            {
              const TracedLines lines = flow.trace(seeds, fixed_steps(integrator, step, 100.0));
              expect_straight_lines(each, velocity, lines, step);
              return bytes_of(lines);
            });
      }
    }
  }
}

TEST(GridBounds, ALineThatComesFromOutsideOfACellsFaceIsTheSameForwardAndBackward)
{
  for (const NamedGrid& each : grids())
  {
    const Vec3 velocity{ 1, 0, 0 };
    const std::vector<Vec3> seeds = seeds_towards_bounds(each.grid, { -1, 0, 0 }, 0.1);
    StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.1, 100.0);
    options.direction = TraceDirection::Backward;
    const TracedLines backward = GuardedFlow(each.grid, velocity).trace(seeds, options);
    options.direction = TraceDirection::Forward;
    const TracedLines forward = GuardedFlow(each.grid, { -1, 0, 0 }).trace(seeds, options);
    ASSERT_EQ(backward.points.size(), forward.points.size()) << each.name;
    EXPECT_TRUE(std::equal(backward.points.begin(), backward.points.end(), forward.points.begin())) << each.name;
  }
}

} // namespace
} // namespace rivulet::test
