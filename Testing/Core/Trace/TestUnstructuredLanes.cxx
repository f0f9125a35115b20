// SPDX-License-Identifier: BSD-3-Clause
// Unstructured cells in the kernel: the lines of the same cells as those of another library, closed forms, and the same
// bytes for any instructions and lanes.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/CellMesh.h"
#include "Core/Trace/CurvilinearFlow.h"
#include "Store/Derived/StepBricks.h"
#include "Trace/Pathlines.h"
#include "Trace/Streamlines.h"
#include "Trace/VortexSeeds.h"

namespace rivulet::test
{
namespace
{

/// Passes all questions on, so that the kernel sees cells of another library.
class AsForeign final : public ForeignCells
{
public:
  explicit AsForeign(std::shared_ptr<const UnstructuredCells> cells)
    : cells_(std::move(cells))
  {
  }
  [[nodiscard]] std::int64_t cells() const override { return cells_->cells(); }
  [[nodiscard]] std::int64_t nodes() const override { return cells_->nodes(); }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override
  {
    return cells_->find(world, before, at);
  }
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override
  {
    cells_->weigh(cell, world, gradients, at);
  }
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override { return cells_->cell_sides(cell); }
  [[nodiscard]] std::string kinds() const override { return cells_->kinds(); }
  [[nodiscard]] bool needs_doubles() const override { return cells_->needs_doubles(); }

private:
  std::shared_ptr<const UnstructuredCells> cells_;
};

Grid row_grid(std::int64_t count, Centering centering)
{
  Grid grid;
  grid.nodes[0] = static_cast<std::int32_t>(count + (centering == Centering::Cell ? 1 : 0));
  return grid;
}

/// A flow in cells of a mesh, steady or of several steps.
class FlowInCells
{
public:
  FlowInCells(const CellMesh& mesh, std::vector<std::vector<double>> steps, Centering centering = Centering::Node)
    : steps_(std::move(steps))
    , cells_(mesh.cells())
  {
    const std::int64_t count = centering == Centering::Node ? mesh.points() : mesh.count();
    for (const std::vector<double>& values : steps_)
    {
      rows_.push_back(std::make_unique<ArrayBricks>(row_grid(count, centering),
          std::vector<MemoryArray>{ { { "velocity", ScalarType::Float64, 3, centering }, values.data() } }));
    }
    field_.velocity = { rows_.front().get(), 0, 0 };
    field_.grid = row_grid(count, centering);
    field_.foreign = cells_;
    field_.attributes = { { "velocity", field_.velocity } };
  }
  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] const std::shared_ptr<const UnstructuredCells>& cells() const { return cells_; }
  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }
  /// The same as cells of another library.
  [[nodiscard]] TracedLines trace_foreign(const std::vector<Vec3>& seeds, const StreamlineOptions& options)
  {
    field_.foreign = std::make_shared<AsForeign>(cells_);
    TracedLines lines = trace(seeds, options);
    field_.foreign = cells_;
    return lines;
  }

private:
  std::vector<std::vector<double>> steps_;
  std::shared_ptr<const UnstructuredCells> cells_;
  std::vector<std::unique_ptr<ArrayBricks>> rows_;
  TraceField field_;
};

Vec3 swirl(const Vec3& x)
{
  return { (0.5 - x[1]) + 0.1 * std::sin(7 * x[2]), x[0] - 0.5, 0.15 - 0.1 * x[0] };
}

CellMesh mesh_of(CellMesh::Kind kind, int cubes = 6)
{
  return { kind, cubes, kind == CellMesh::Kind::Voxels ? 0.0 : 0.2 };
}

void expect_near(const TracedLines& lines, const TracedLines& expected, double tolerance)
{
  ASSERT_EQ(lines.lines.size(), expected.lines.size());
  for (std::size_t line = 0; line < lines.lines.size(); ++line)
  {
    EXPECT_EQ(lines.lines[line].reason, expected.lines[line].reason) << line;
    ASSERT_EQ(lines.lines[line].points, expected.lines[line].points) << line;
  }
  const auto near = [&](const auto& ours, const auto& others, double within)
  {
    ASSERT_EQ(ours.size(), others.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
    {
      ASSERT_NEAR(ours[i], others[i], within) << i;
    }
  };
  const auto doubles_of = [](const AttributeValues& array)
  {
    return std::span(reinterpret_cast<const double*>(array.values.data()), array.values.size() / sizeof(double));
  };
  near(lines.points, expected.points, tolerance);
  near(lines.vorticity, expected.vorticity, 100 * tolerance);
  near(lines.time, expected.time, 100 * tolerance); // long where it is slow
  near(doubles_of(lines.attributes[0]), doubles_of(expected.attributes[0]), tolerance);
}

} // namespace

TEST(UnstructuredLanes, GiveTheLinesOfTheSameCellsOfAnotherLibrary)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    const CellMesh mesh = mesh_of(kind);
    FlowInCells flow(mesh, { mesh.values(swirl) });
    // RungeKutta45 chooses other steps where rounding decides whether one is good enough.
    for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4 })
    {
      for (const bool exact_ends : { false, true })
      {
        SCOPED_TRACE(std::to_string(static_cast<int>(integrator)) + (exact_ends ? " exact" : ""));
        const StreamlineOptions options = options_for(integrator, exact_ends);
        const TracedLines lines = flow.trace(scattered_seeds(), options);
        ASSERT_GT(lines.lines.size(), 60U);
        expect_near(lines, flow.trace_foreign(scattered_seeds(), options), 1e-6);
      }
    }
  }
}

TEST(UnstructuredLanes, TakeValuesOfCells)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    const CellMesh mesh = mesh_of(kind);
    std::vector<double> values;
    for (std::int64_t cell = 0; cell < mesh.count(); ++cell)
    {
      const Vec3 v = swirl(mesh.point(mesh.nodes_of(cell)[0]));
      values.insert(values.end(), v.begin(), v.end());
    }
    FlowInCells flow(mesh, { values }, Centering::Cell);
    const StreamlineOptions options = options_for(Integrator::RungeKutta4);
    expect_near(flow.trace(scattered_seeds(), options), flow.trace_foreign(scattered_seeds(), options), 1e-6);
  }
}

TEST(UnstructuredLanes, GiveTheSameBytesForAnyInstructionsLanesAndThreads)
{
  const std::vector<Vec3> seeds = scattered_seeds();
  std::size_t compared = 0;
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    const CellMesh mesh = mesh_of(kind);
    FlowInCells flow(mesh, { mesh.values(swirl) });
    for (const Integrator integrator : kIntegrators)
    {
      for (const double step : { 0.4, 3.0 })
      {
        StreamlineOptions options = options_for(integrator, integrator == Integrator::RungeKutta45);
        options.direction = TraceDirection::Forward;
        options.step_unit = StepUnit::CellLength;
        options.initial_step = options.maximum_step = step;
        expect_same_on_every_target("unstructured", [&] { return bytes_of(flow.trace(seeds, options)); });
        const TracedLines all = flow.trace(seeds, options);
        EXPECT_EQ(bytes_of(all), bytes_of(flow.trace(seeds, options, 3)));
        for (const std::ptrdiff_t few : { 1, 3, 7 })
        {
          const TracedLines some = flow.trace({ seeds.begin(), seeds.begin() + few }, options);
          compared += some.points.size();
          EXPECT_TRUE(std::equal(some.points.begin(), some.points.end(), all.points.begin())) << few;
          EXPECT_TRUE(std::equal(some.vorticity.begin(), some.vorticity.end(), all.vorticity.begin())) << few;
        }
      }
    }
  }
  EXPECT_GT(compared, 5000U);
}

/// Linear fields are exact, and so is their vorticity: a solid rotation keeps its radius but for the error of steps.
TEST(UnstructuredLanes, TurnInCirclesInALinearFlow)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    CellMesh mesh = mesh_of(kind);
    mesh.mirror_some();
    mesh.shuffle();
    FlowInCells flow(mesh, { mesh.values([](const Vec3& x) { return Vec3{ 0.5 - x[1], x[0] - 0.5, 0.0 }; }) });
    StreamlineOptions options = options_for(Integrator::RungeKutta4);
    options.step_unit = StepUnit::Length;
    options.initial_step = 0.002;
    options.maximum_steps = 2000;
    options.maximum_length = 2.0;
    options.direction = TraceDirection::Forward;
    const TracedLines lines = flow.trace({ { 0.8, 0.5, 0.31 }, { 0.5, 0.1, 0.6 }, { 0.3, 0.3, 0.9 } }, options);
    ASSERT_EQ(lines.lines.size(), 3U);
    ASSERT_GT(lines.points.size(), 3U * 900U);
    const double radii[] = { 0.3, 0.4, std::sqrt(0.08) };
    std::size_t first = 0;
    for (std::size_t line = 0; line < 3; ++line)
    {
      for (std::size_t i = first; i < first + static_cast<std::size_t>(lines.lines[line].points); ++i)
      {
        EXPECT_NEAR(std::hypot(lines.points[3 * i] - 0.5, lines.points[3 * i + 1] - 0.5), radii[line], 2e-7);
        EXPECT_NEAR(lines.vorticity[3 * i + 2], 2.0, 1e-10);
      }
      first += static_cast<std::size_t>(lines.lines[line].points);
    }
  }
}

/// Ways that lie on faces and edges, and go through vertices: each reaches the border.
TEST(UnstructuredLanes, GoOnAlongFacesEdgesAndThroughVertices)
{
  constexpr int kCubes = 8;
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const CellMesh mesh(kind, kCubes);
    for (const Vec3& along : { Vec3{ 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 },
             { 1, 1, 1 }, { 1, -1, 0 }, { -1, 1, 1 }, { 1, 2, 0 } })
    {
      FlowInCells flow(mesh, { mesh.values([&](const Vec3&) { return along; }) });
      const double speed = length_of(along);
      std::vector<Vec3> seeds;
      for (const double x : { 0.25, 0.5, 0.375 })
      {
        for (const double y : { 0.25, 0.5, 0.4375 })
        {
          seeds.push_back({ x, y, 0.5 });
          seeds.push_back({ x, 0.5, y });
          seeds.push_back({ 0.5, x, y });
        }
      }
      for (const double step : { 1.0 / 64, 0.01, 0.125 })
      {
        StreamlineOptions options = options_for(Integrator::RungeKutta4, true);
        options.direction = TraceDirection::Forward;
        options.step_unit = StepUnit::Length;
        options.initial_step = step;
        const TracedLines lines = flow.trace(seeds, options);
        ASSERT_EQ(lines.lines.size(), seeds.size());
        std::size_t end = 0;
        for (const TracedLine& line : lines.lines)
        {
          end += static_cast<std::size_t>(line.points);
          EXPECT_EQ(line.reason, Termination::OutOfDomain);
          const Vec3& seed = seeds[static_cast<std::size_t>(line.seed)];
          double way = HUGE_VAL;
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            const double left = along[axis] > 0 ? 1 - seed[axis] : seed[axis];
            way = along[axis] != 0 ? std::min(way, left / std::fabs(along[axis])) : way;
          }
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            EXPECT_NEAR(lines.points[3 * (end - 1) + axis], seed[axis] + way * along[axis], 2e-6 * speed);
          }
        }
      }
    }
  }
}

/// Velocities that are linear in space and time are exact for any mesh; the same bytes as from one thread.
TEST(UnstructuredLanes, GivePathlinesOfTheSameCellsOfAnotherLibrary)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    const CellMesh mesh = mesh_of(kind);
    std::vector<std::unique_ptr<ArrayBricks>> rows;
    std::vector<std::vector<double>> steps;
    std::vector<StepBricks::Step> held;
    const std::vector<double> times{ 0, 1, 2, 3 };
    for (const double t : times)
    {
      steps.push_back(mesh.values(
          [&](const Vec3& x)
          {
            const Vec3 v = swirl(x);
            return Vec3{ (1 + 0.3 * t) * v[0], (1 + 0.1 * t * t) * v[1], v[2] };
          }));
    }
    for (const std::vector<double>& values : steps)
    {
      rows.push_back(std::make_unique<ArrayBricks>(row_grid(mesh.points(), Centering::Node),
          std::vector<MemoryArray>{ { { "velocity", ScalarType::Float64, 3, Centering::Node }, values.data() } }));
      held.push_back({ static_cast<std::int32_t>(held.size()), { rows.back().get(), 0, 0 } });
    }
    StepBricks source(times, held.front().values);
    EXPECT_TRUE(source.hold(held));
    FlowInCells flow(mesh, { steps[0] });
    flow.field().velocity = { &source, 0, 0 };
    flow.field().attributes = { { "velocity", flow.field().velocity } };
    std::vector<PathSeed> seeds;
    for (const Vec3& seed : scattered_seeds())
    {
      seeds.push_back({ seed, 0.2 });
    }
    for (const TimeInterpolation interpolation : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
    {
      PathlineOptions options;
      options.initial_step = 0.05;
      options.step_unit = StepUnit::Time;
      options.time_interpolation = interpolation;
      options.last_time = 2.9;
      options.integrator = Integrator::RungeKutta4;
      const auto trace = [&](int threads)
      {
        Result<TracedLines> lines = trace_pathlines(flow.field(), times, seeds, options, { threads, {} });
        EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
        return std::move(*lines);
      };
      const TracedLines lines = trace(1);
      ASSERT_GT(lines.points.size(), 1000U);
      EXPECT_EQ(bytes_of(lines), bytes_of(trace(3)));
      expect_same_on_every_target("unstructured paths", [&] { return bytes_of(trace(1)); });
      flow.field().foreign = std::make_shared<AsForeign>(flow.cells());
      expect_near(lines, trace(1), 1e-6);
      flow.field().foreign = flow.cells();
    }
  }
}

TEST(UnstructuredLanes, HaveTheVorticityOfLinearFlowsInEachCell)
{
  const auto linear = [](const Vec3& x)
  {
    return Vec3{ 0.3 * x[0] - x[1] + 0.25 * x[2], 1.5 * x[0] + 0.2 * x[1] - 2.0 * x[2],
      -0.25 * x[0] + 0.5 * x[1] - x[2] };
  };
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    CellMesh mesh = mesh_of(kind, 4);
    if (kind != CellMesh::Kind::Voxels)
    {
      mesh.mirror_some();
    }
    FlowInCells of_points(mesh, { mesh.values(linear) });
    const VortexSeedOptions all{ .count = 1 << 20 };
    const Result<VortexSeeds> found = find_vortex_seeds(of_points.field(), all, { 2, {} });
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->cells_in_range, mesh.count());
    std::vector<double> in_cells;
    for (const VortexSeed& seed : found->seeds)
    {
      EXPECT_NEAR(seed.vorticity, length_of(Vec3{ 2.5, 0.5, 2.5 }), 1e-11) << seed.cell;
      CellWeights at;
      EXPECT_EQ(of_points.cells()->find(seed.position, -1, at), seed.cell);
      const Vec3 v = linear(seed.position);
      in_cells.insert(in_cells.end(), v.begin(), v.end());
    }
    FlowInCells of_cells(mesh, { in_cells }, Centering::Cell);
    const Result<VortexSeeds> others = find_vortex_seeds(of_cells.field(), all, { 2, {} });
    ASSERT_TRUE(others.has_value());
    ASSERT_EQ(others->cells_in_range, mesh.count());
    for (const VortexSeed& seed : others->seeds)
    {
      EXPECT_NEAR(seed.vorticity, length_of(Vec3{ 2.5, 0.5, 2.5 }), 1e-9) << seed.cell;
    }
    const VortexSeedOptions some{ .count = 20, .random_seed = 5 };
    const auto one = find_vortex_seeds(of_points.field(), some, { 1, {} });
    const auto three = find_vortex_seeds(of_points.field(), some, { 3, {} });
    ASSERT_EQ(one->seeds.size(), 20U);
    for (std::size_t i = 0; i < 20; ++i)
    {
      EXPECT_EQ(one->seeds[i].cell, three->seeds[i].cell);
      EXPECT_EQ(one->seeds[i].vorticity, three->seeds[i].vorticity);
    }
  }
}

} // namespace rivulet::test
