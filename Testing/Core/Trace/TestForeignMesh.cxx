// SPDX-License-Identifier: BSD-3-Clause
// Foreign cells: the cells of a uniform grid, found and weighed by this test, give the lines of the grid itself.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Store/Derived/StepBricks.h"
#include "Store/Source/ArrayBricks.h"
#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/VortexSeeds.h"

#include <cmath>
#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

/// The cells of a uniform grid along the axes, without those where `hides` says so.
class CellsOfGrid final : public ForeignCells
{
public:
  explicit CellsOfGrid(const Grid& grid, std::function<bool(const Int3&)> hides = nullptr)
    : grid_(grid)
    , geometry_(*GridGeometry::create(grid))
    , hides_(std::move(hides))
  {
  }

  [[nodiscard]] std::int64_t cells() const override { return volume(grid_.cells()); }
  [[nodiscard]] std::int64_t nodes() const override { return volume(grid_.nodes); }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override
  {
    std::optional<CellPosition> place = geometry_.locate(world);
    if (!place || (hides_ && hides_(place->cell)))
    {
      return -1;
    }
    const std::int64_t cell = row_major(place->cell, grid_.cells());
    const std::int64_t found = before >= 0 && has(before, world) ? before : cell;
    weigh(found, world, false, at);
    return found;
  }
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override
  {
    const Int3 low = from_row_major(cell, grid_.cells());
    const Vec3 corner = geometry_.world_of_node(low);
    Vec3 share;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      share[axis] = (world[axis] - corner[axis]) / grid_.spacing[axis];
    }
    at = {};
    for (int i = 0; i < 8; ++i)
    {
      const Int3 up{ i & 1, i >> 1 & 1, i >> 2 };
      at.nodes.push_back(row_major({ low[0] + up[0], low[1] + up[1], low[2] + up[2] }, grid_.nodes));
      Vec3 factor;
      Vec3 slope;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        factor[axis] = up[axis] != 0 ? share[axis] : 1.0 - share[axis];
        slope[axis] = (up[axis] != 0 ? 1.0 : -1.0) / grid_.spacing[axis];
      }
      at.weights.push_back(factor[0] * factor[1] * factor[2]);
      if (gradients)
      {
        at.gradients.push_back(
            { slope[0] * factor[1] * factor[2], factor[0] * slope[1] * factor[2], factor[0] * factor[1] * slope[2] });
      }
    }
  }
  [[nodiscard]] Vec3 cell_sides(std::int64_t) const override { return grid_.spacing; }
  [[nodiscard]] std::string kinds() const override { return "boxes"; }
  [[nodiscard]] bool needs_doubles() const override { return geometry_.needs_doubles(); }

private:
  [[nodiscard]] bool has(std::int64_t cell, const Vec3& world) const
  {
    CellWeights at;
    weigh(cell, world, false, at);
    return std::all_of(at.weights.begin(), at.weights.end(), [](double weight) { return weight >= 0.0; });
  }

  Grid grid_;
  GridGeometry geometry_;
  std::function<bool(const Int3&)> hides_;
};

/// A grid on which so many values lie in one row.
Grid row_grid(std::int64_t count, Centering centering)
{
  Grid grid;
  grid.nodes[0] = static_cast<std::int32_t>(count + (centering == Centering::Cell ? 1 : 0));
  return grid;
}

/// The same velocities as a FlowInMemory, as those of foreign cells.
class ForeignFlow
{
public:
  explicit ForeignFlow(FlowInMemory& flow, std::function<bool(const Int3&)> hides = nullptr)
    : variable_(flow.field().velocity.source->info().variables.front())
    , row_(row_grid(volume(flow.field().grid.lattice(variable_.centering)), variable_.centering),
          { { variable_, flow.values().data() } })
  {
    field_.velocity = { &row_, 0, 0 };
    field_.grid = flow.field().grid;
    field_.foreign = std::make_shared<CellsOfGrid>(flow.field().grid, std::move(hides));
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  Variable variable_;
  ArrayBricks row_;
  TraceField field_;
};

Velocity spiral()
{
  return [](const Vec3& x)
  {
    return Vec3{ -x[1] + 0.1 * x[0] * x[2], x[0] + 0.2, 0.3 + 0.1 * x[1] * x[2] };
  };
}

const std::vector<Vec3> kSeeds{ { 1, 0, -1.5 }, { 0.3, 0.4, 0.1 }, { -1.2, 0.7, -0.9 }, { 1.99, 1.99, 0 },
  { 9, 0, 0 } };

void expect_near(const TracedLines& lines, const TracedLines& expected, double tolerance)
{
  ASSERT_EQ(lines.lines.size(), expected.lines.size());
  ASSERT_EQ(lines.points.size(), expected.points.size());
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
  {
    EXPECT_EQ(lines.lines[i].reason, expected.lines[i].reason) << i;
    EXPECT_EQ(lines.lines[i].points, expected.lines[i].points) << i;
  }
  for (std::size_t i = 0; i < lines.points.size(); ++i)
  {
    ASSERT_NEAR(lines.points[i], expected.points[i], tolerance) << i;
  }
  for (std::size_t i = 0; i < lines.vorticity.size(); ++i)
  {
    ASSERT_NEAR(lines.vorticity[i], expected.vorticity[i], 1e-9) << i;
  }
}

TEST(ForeignMesh, GivesTheLinesOfTheGridWithTheSameCells)
{
  FlowInMemory flow(cube_grid(17, 2.0), spiral());
  ForeignFlow foreign(flow);
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    StreamlineOptions options = fixed_steps(integrator, 0.05, 30.0);
    options.direction = TraceDirection::Both;
    options.compute_vorticity = true;
    expect_near(foreign.trace(kSeeds, options), flow.trace(kSeeds, options), 1e-6);
    options.step_unit = StepUnit::CellLength;
    expect_near(foreign.trace(kSeeds, options), flow.trace(kSeeds, options), 1e-6);
  }
}

// Where the border is, is known within the tolerance with which cells are found.
TEST(ForeignMesh, EndsLinesOnTheBorder)
{
  FlowInMemory flow(cube_grid(17, 2.0), spiral());
  ForeignFlow foreign(flow);
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.05, 30.0);
  options.direction = TraceDirection::Both;
  options.exact_ends = true;
  const TracedLines lines = foreign.trace(kSeeds, options);
  const TracedLines expected = flow.trace(kSeeds, options);
  ASSERT_EQ(lines.lines.size(), expected.lines.size());
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
  {
    const Vec3 end = end_of(lines, i);
    EXPECT_EQ(lines.lines[i].reason, Termination::OutOfDomain);
    EXPECT_NEAR(std::max({ std::fabs(end[0]), std::fabs(end[1]), std::fabs(end[2]) }), 2.0, 1e-6);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(end[axis], end_of(expected, i)[axis], 2e-6) << i;
    }
  }
}

TEST(ForeignMesh, TakesVelocitiesOfCells)
{
  FlowInMemory flow(cube_grid(17, 2.0), spiral(), Centering::Cell);
  ForeignFlow foreign(flow);
  const StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.05, 5.0);
  expect_near(foreign.trace(kSeeds, options), flow.trace(kSeeds, options), 1e-6);
}

TEST(ForeignMesh, EndsLinesAtCellsThatAreNotFound)
{
  FlowInMemory flow(cube_grid(17, 2.0), uniform_flow({ 1, 0, 0 }));
  ForeignFlow foreign(flow, [](const Int3& cell) { return cell[0] >= 12; });
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.07, 30.0);
  options.exact_ends = true;
  const TracedLines lines = foreign.trace({ { -1, 0.1, 0.1 }, { 1.5, 0, 0 } }, options);
  ASSERT_EQ(lines.lines.size(), 1U);
  EXPECT_NEAR(end_of(lines, 0)[0], 1.0, 1e-6);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_EQ(lines.seeds[1].reason[0], Termination::SeedOutside);
}

TEST(ForeignMesh, GivesTheSameBytesForAnyThreads)
{
  FlowInMemory flow(cube_grid(17, 2.0), spiral());
  ForeignFlow foreign(flow);
  std::vector<Vec3> seeds;
  for (int i = 0; i < 300; ++i)
  {
    seeds.push_back({ -1.9 + i / 80.0, 1.5 - i / 100.0, -1.0 + i / 150.0 });
  }
  StreamlineOptions options;
  options.maximum_length = 10.0;
  const std::string expected = bytes_of(foreign.trace(seeds, options));
  for (const int threads : { 2, 3, 7 })
  {
    EXPECT_EQ(bytes_of(foreign.trace(seeds, options, threads)), expected);
  }
}

TEST(ForeignMesh, InterpolatesArrays)
{
  FlowInMemory flow(cube_grid(9, 2.0), spiral());
  ForeignFlow foreign(flow);
  std::vector<float> numbers;
  const GridGeometry geometry = *GridGeometry::create(flow.field().grid);
  for (std::int64_t i = 0; i < volume(flow.field().grid.nodes); ++i)
  {
    const Vec3 x = geometry.world_of_node(from_row_major(i, flow.field().grid.nodes));
    numbers.push_back(static_cast<float>(x[0] + 2.0 * x[1] - x[2]));
  }
  ArrayBricks row(row_grid(volume(flow.field().grid.nodes), Centering::Node),
      { { { "linear", ScalarType::Float32, 1, Centering::Node }, numbers.data() } });
  foreign.field().attributes = { { "linear", { &row, 0, 0 } } };
  const TracedLines lines = foreign.trace(kSeeds, fixed_steps(Integrator::RungeKutta4, 0.05, 5.0));
  const auto* values = reinterpret_cast<const float*>(lines.attributes[0].values.data());
  ASSERT_GT(lines.time.size(), 100U);
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    const float* x = lines.points.data() + 3 * i;
    ASSERT_NEAR(values[i], x[0] + 2.0F * x[1] - x[2], 1e-5) << i;
  }
}

/// Steps in memory as one source.
class RowsInTime
{
public:
  RowsInTime(const Grid& grid, std::vector<double> times, const VelocityInTime& velocity)
    : values_(times.size())
  {
    const GridGeometry geometry = *GridGeometry::create(grid);
    const Variable variable{ "velocity", ScalarType::Float64, 3, Centering::Node };
    std::vector<StepBricks::Step> steps;
    for (std::size_t step = 0; step < times.size(); ++step)
    {
      for (std::int64_t i = 0; i < volume(grid.nodes); ++i)
      {
        const Vec3 v = velocity(geometry.world_of_node(from_row_major(i, grid.nodes)), times[step]);
        values_[step].insert(values_[step].end(), v.begin(), v.end());
      }
      rows_.push_back(std::make_unique<ArrayBricks>(row_grid(volume(grid.nodes), Centering::Node),
          std::vector<MemoryArray>{ { variable, values_[step].data() } }));
      steps.push_back({ static_cast<std::int32_t>(step), { rows_.back().get(), 0, 0 } });
    }
    source_ = std::make_unique<StepBricks>(std::move(times), steps.front().values);
    EXPECT_TRUE(source_->hold(std::move(steps)));
    field_.velocity = { source_.get(), 0, 0 };
    field_.grid = grid;
    field_.foreign = std::make_shared<CellsOfGrid>(grid);
  }

  [[nodiscard]] TraceField& field() { return field_; }

private:
  std::vector<std::vector<double>> values_;
  std::vector<std::unique_ptr<ArrayBricks>> rows_;
  std::unique_ptr<StepBricks> source_;
  TraceField field_;
};

TEST(ForeignMesh, GivesThePathlinesOfTheGridLinearAndCubicInTime)
{
  const std::vector<double> times{ 0, 0.5, 1.25, 2, 3 };
  FlowInTime flow(cube_grid(9, 2.0), times, turning(1.0, 0.5));
  RowsInTime rows(cube_grid(9, 2.0), times, turning(1.0, 0.5));
  const std::vector<PathSeed> seeds{ { { 1, 0, 0 }, 0.0 }, { { 0.4, -1, 0.7 }, 0.6 }, { { 1.5, 1.4, -1 }, 0.0 } };
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    PathlineOptions options;
    options.integrator = Integrator::RungeKutta4;
    options.direction = TraceDirection::Forward;
    options.step_unit = StepUnit::Time;
    options.initial_step = 0.05;
    options.maximum_length = 100.0;
    options.time_interpolation = rule;
    options.exact_ends = false;
    options.compute_vorticity = true;
    const Result<TracedLines> lines = trace_pathlines(rows.field(), {}, seeds, options, { 2, {} });
    ASSERT_TRUE(lines.has_value()) << lines.error().describe();
    expect_near(*lines, flow.trace(seeds, options), 1e-6);
  }
}

TEST(ForeignMesh, NumbersCellsAndNearestPoints)
{
  FlowInMemory flow(cube_grid(5, 2.0), spiral()); // cells of edge 1
  ForeignFlow foreign(flow);
  const std::shared_ptr<const Mesh> mesh = *make_mesh(foreign.field());
  const Vec3 place{ -0.9, 0.2, 1.6 };
  const Mesh::Place found = *mesh->enter(place, {});
  EXPECT_EQ(mesh->label_number(place, found.at, {}, Centering::Cell), row_major({ 1, 2, 3 }, { 4, 4, 4 }));
  EXPECT_EQ(mesh->label_number(place, found.at, {}, Centering::Node), row_major({ 1, 2, 4 }, { 5, 5, 5 }));
  EXPECT_FALSE(mesh->enter({ 3, 0, 0 }, {}));
}

TEST(ForeignMesh, RefusesRowsOfAnotherLengthAndSearchesForVortices)
{
  FlowInMemory flow(cube_grid(5, 2.0), spiral());
  ForeignFlow foreign(flow);
  const Result<VortexSeeds> seeds = find_vortex_seeds(foreign.field(), {}, { 1, {} });
  ASSERT_FALSE(seeds.has_value());
  EXPECT_THAT(
      seeds.error().what, HasSubstr("one uniform, rectilinear or curvilinear grid, or in one dataset of tetrahedra"));
  foreign.field().foreign = std::make_shared<CellsOfGrid>(cube_grid(6, 2.0));
  const Result<TracedLines> lines = trace_streamlines(foreign.field(), kSeeds, {}, { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().what, HasSubstr("velocity array does not have one value for each node"));
}

} // namespace
} // namespace rivulet::test
