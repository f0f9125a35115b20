// SPDX-License-Identifier: BSD-3-Clause
// Curvilinear grids whose nodes and values lie in bricks: the bytes of the cells in memory, whatever the bricks,
// whenever they arrive, and exact ends.
#include "Core/Trace/BentLattice.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Io/FieldFile/FieldFileWriter.h"
#include "Io/FieldFile/WriteBox.h"
#include "Store/Derived/StepBricks.h"
#include "Store/Field/OpenField.h"
#include "Support/FaultyBricks.h"
#include "Support/TemporaryFolder.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/Termination.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Mesh/WorldPosition.h"
#include "Trace/Pathlines.h"
#include "Trace/SourceDestination.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

/// Arrays of three doubles at the nodes of a lattice, one for each step, in bricks of so many cells.
class CutArrays final : public BrickSource
{
public:
  CutArrays(const Int3& nodes, const Int3& cells, std::vector<std::vector<double>> steps)
    : steps_(std::move(steps))
  {
    info_.grid.nodes = nodes;
    info_.variables = { { "velocity", ScalarType::Float64, 3, Centering::Node } };
    info_.ranges.resize(1);
    for (std::size_t step = 0; step < steps_.size(); ++step)
    {
      info_.times.push_back(static_cast<double>(step));
    }
    grid_.lattice = nodes;
    grid_.cells = cells;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      grid_.count[axis] = (nodes[axis] - 2) / cells[axis] + 1;
    }
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    const Int3 at = from_row_major(key.index, grid_.count);
    Box box;
    std::int64_t first = 0;
    const Long3 stride{ 3, std::int64_t{ 3 } * grid_.lattice[0],
      std::int64_t{ 3 } * grid_.lattice[0] * grid_.lattice[1] };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = at[axis] * grid_.cells[axis];
      box.end[axis] = std::min(box.begin[axis] + grid_.cells[axis] + 1, grid_.lattice[axis]);
      first += box.begin[axis] * stride[axis];
    }
    const double* const values = steps_[static_cast<std::size_t>(key.step)].data() + first;
    return { Lookup::State::Ready, BrickPin(this, nullptr, { values, ScalarType::Float64, 3, box, stride, 1 }),
      nullptr };
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  BrickGrid grid_;
  std::vector<std::vector<double>> steps_;
};

std::vector<double> points_of(const BentLattice& lattice)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
  {
    const Vec3 x = lattice.point(i);
    values.insert(values.end(), x.begin(), x.end());
  }
  return values;
}

std::vector<double> velocities(const BentLattice& lattice, double scale = 1.0, double speed = 1.0)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
  {
    const Vec3 x = lattice.point(i);
    const Vec3 v{ scale * (0.5 - x[1]) + 0.1 * std::sin(7 * x[2]), scale * (x[0] - 0.5), 0.15 - 0.1 * x[0] * scale };
    values.insert(values.end(), { speed * v[0], speed * v[1], speed * v[2] });
  }
  return values;
}

/// A flow that turns faster and slower from step to step: beyond an interval, its velocities say nothing.
std::vector<std::vector<double>> velocities_in_time(const BentLattice& lattice, int steps, double speed = 1.0)
{
  std::vector<std::vector<double>> all;
  for (int step = 0; step < steps; ++step)
  {
    all.push_back(velocities(lattice, step % 2 == 0 ? 1.0 : 1.9, speed));
  }
  return all;
}

std::vector<Vec3> scattered_seeds(int count = 40)
{
  Points points;
  std::vector<Vec3> seeds;
  for (int i = 0; i < count; ++i)
  {
    seeds.push_back(points.next(0.05, 0.95));
  }
  seeds.push_back({ 3, 0, 0 });
  return seeds;
}

/// The same flow, its nodes and values in bricks.
class FlowInBricks
{
public:
  FlowInBricks(const BentLattice& lattice, const Int3& cells, int steps = 1, double speed = 1.0)
    : places_(lattice.nodes(), cells, { points_of(lattice) })
    , values_(lattice.nodes(), cells, velocities_in_time(lattice, steps, speed))
  {
    field_.velocity = { &values_, 0, 0 };
    field_.grid.nodes = lattice.nodes();
    field_.attributes = { { "velocity", { &values_, 0, 0 } } };
    set_places(places_);
  }
  void set_places(BrickSource& source)
  {
    Result<std::shared_ptr<const CurvilinearGrid>> grid = CurvilinearGrid::create({ &source, 0, 0 });
    EXPECT_TRUE(grid.has_value()) << (grid ? "" : grid.error().describe());
    field_.curvilinear = *std::move(grid);
  }
  /// Each brick misses until it was requested, and after so many hits again.
  void wait_for_bricks(FaultyBricks::Answer answer)
  {
    slow_values_ =
        std::make_unique<FaultyBricks>(values_, FaultyBricks::Options{ .answer = answer, .seed = 5, .hits = 3 });
    slow_places_ =
        std::make_unique<FaultyBricks>(places_, FaultyBricks::Options{ .answer = answer, .seed = 6, .hits = 3 });
    field_.velocity.source = slow_values_.get();
    field_.attributes.front().array.source = slow_values_.get();
    set_places(*slow_places_);
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] CutArrays& places() { return places_; }

  [[nodiscard]] TracedLines trace(
      const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1) const
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  CutArrays places_;
  CutArrays values_;
  std::unique_ptr<FaultyBricks> slow_values_;
  std::unique_ptr<FaultyBricks> slow_places_;
  TraceField field_;
};

/// The same as rows of foreign cells.
class RowsInTime
{
public:
  RowsInTime(const BentLattice& lattice, std::vector<std::vector<double>> values)
    : values_(std::move(values))
  {
    Grid row;
    row.nodes[0] = static_cast<std::int32_t>(volume(lattice.nodes()));
    std::vector<StepBricks::Step> steps;
    std::vector<double> times;
    for (const std::vector<double>& of_step : values_)
    {
      rows_.push_back(std::make_unique<ArrayBricks>(row,
          std::vector<MemoryArray>{ { { "velocity", ScalarType::Float64, 3, Centering::Node }, of_step.data() } }));
      steps.push_back({ static_cast<std::int32_t>(times.size()), { rows_.back().get(), 0, 0 } });
      times.push_back(static_cast<double>(times.size()));
    }
    source_ = std::make_unique<StepBricks>(std::move(times), steps.front().values);
    EXPECT_TRUE(source_->hold(std::move(steps)));
    field_.velocity = { source_.get(), 0, 0 };
    field_.grid = row;
    field_.foreign = lattice.cells();
  }
  [[nodiscard]] TraceField& field() { return field_; }

private:
  std::vector<std::vector<double>> values_;
  std::vector<std::unique_ptr<ArrayBricks>> rows_;
  std::unique_ptr<StepBricks> source_;
  TraceField field_;
};

StreamlineOptions options_for(Integrator integrator, bool exact_ends = false)
{
  StreamlineOptions options;
  options.integrator = integrator;
  options.direction = TraceDirection::Both;
  options.maximum_length = 4.0;
  options.maximum_steps = 300;
  options.exact_ends = exact_ends;
  return options;
}

std::vector<std::optional<Mesh::Place>> located(const Mesh& mesh, const std::vector<Vec3>& places)
{
  std::vector<std::optional<Mesh::Place>> found(places.size());
  mesh.locate(places, found);
  return found;
}

const Int3 kNodes{ 14, 12, 13 };
constexpr std::array<Integrator, 3> kIntegrators{ Integrator::RungeKutta2, Integrator::RungeKutta4,
  Integrator::RungeKutta45 };

} // namespace

TEST(CurvilinearMesh, GivesTheBytesOfTheCellsInMemory)
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
    EXPECT_TRUE(bytes_of(bricks.trace(scattered_seeds(), options)) == bytes_of(*expected));
  }
}

TEST(CurvilinearMesh, GivesTheSameBytesWhateverTheBricksAndThreads)
{
  std::int64_t seeks = 0;
  for (const Mapping& mapping : { Mapping(wavy), Mapping(tube), Mapping(ring) })
  {
    const BentLattice lattice(kNodes, mapping);
    for (const Integrator integrator : kIntegrators)
    {
      const StreamlineOptions options = options_for(integrator, integrator == Integrator::RungeKutta4);
      const std::string expected = bytes_of(FlowInBricks(lattice, { 64, 64, 64 }).trace(scattered_seeds(), options));
      for (const Int3& cells : { Int3{ 4, 5, 3 }, Int3{ 1, 1, 1 } })
      {
        FlowInBricks flow(lattice, cells);
        const TracedLines lines = flow.trace(scattered_seeds(), options, 3);
        EXPECT_TRUE(bytes_of(lines) == expected) << cells[0];
        EXPECT_EQ(lines.data_error, nullptr);
        EXPECT_GT(lines.statistics.walks_parked, 100);
        EXPECT_GT(lines.statistics.seeks, 40);
        seeks += lines.statistics.seeks_parked;
      }
    }
  }
  EXPECT_GT(seeks, 300); // beyond the seam of the ring
}

TEST(CurvilinearMesh, GivesTheSameBytesWheneverBricksArrive)
{
  const BentLattice lattice(kNodes, ring);
  for (const bool exact_ends : { false, true })
  {
    const StreamlineOptions options = options_for(Integrator::RungeKutta45, exact_ends);
    const std::string expected = bytes_of(FlowInBricks(lattice, { 64, 64, 64 }).trace(scattered_seeds(), options));
    for (const FaultyBricks::Answer answer : { FaultyBricks::Answer::AtOnce, FaultyBricks::Answer::Later,
             FaultyBricks::Answer::LaterNewestFirst, FaultyBricks::Answer::LaterInRandomOrder })
    {
      FlowInBricks flow(lattice, { 4, 4, 4 });
      flow.wait_for_bricks(answer);
      const TracedLines lines = flow.trace(scattered_seeds(), options, 2);
      EXPECT_TRUE(bytes_of(lines) == expected);
      EXPECT_GT(lines.statistics.walks_parked, 0);
      EXPECT_GT(lines.statistics.seeks_parked, 0);
      EXPECT_GT(lines.statistics.parked, 0);
    }
  }
}

/// Nodes and velocities are two variables of one file, of which an eighth may be in memory.
TEST(CurvilinearMesh, GivesTheSameBytesFromAFileLargerThanTheMemory)
{
  const Int3 nodes{ 41, 37, 45 };
  const BentLattice lattice(nodes, wavy);
  const StreamlineOptions options = options_for(Integrator::RungeKutta4, true);
  const std::vector<Vec3> seeds = scattered_seeds(40);
  const std::string expected = bytes_of(FlowInBricks(lattice, { 64, 64, 64 }).trace(seeds, options));

  const TemporaryFolder folder;
  const std::string path = folder.file("bent.rvf");
  FieldInfo info;
  info.grid.nodes = nodes;
  info.variables = { { "velocity", ScalarType::Float64, 3, Centering::Node },
    { "points", ScalarType::Float64, 3, Centering::Node } };
  info.times = { 0.0 };
  info.ranges.resize(2);
  auto writer = FieldFileWriter::create(path, info, { .brick_cells = { 8, 8, 8 } });
  ASSERT_TRUE(writer.has_value());
  const std::array<std::vector<double>, 2> values{ velocities(lattice), points_of(lattice) };
  const Box all{ { 0, 0, 0 }, nodes };
  for (std::int32_t variable = 0; variable < 2; ++variable)
  {
    const ConstStridedBox box{ all,
      reinterpret_cast<const std::byte*>(values[static_cast<std::size_t>(variable)].data()), dense_strides(all, 24) };
    ASSERT_TRUE(write_box(**writer, variable, 0, box, bricks_within((*writer)->layout(variable), all)));
  }
  ASSERT_TRUE((*writer)->finish());

  const auto bytes = std::int64_t{ 48 } * volume(nodes);
  for (const AccessStrategy strategy : { AccessStrategy::MemoryMap, AccessStrategy::BufferedCache,
           AccessStrategy::DirectCache, AccessStrategy::Asynchronous })
  {
    const auto file = open_field({ path }, { .strategy = strategy, .memory_budget = bytes / 8 });
    ASSERT_TRUE(file.has_value());
    TraceField field;
    field.velocity = { file->get(), 0, 0 };
    field.grid.nodes = nodes;
    field.attributes = { { "velocity", { file->get(), 0, 0 } } };
    const auto grid = CurvilinearGrid::create({ file->get(), 1, 0 });
    ASSERT_TRUE(grid.has_value()) << grid.error().describe();
    field.curvilinear = *grid;
    const Result<TracedLines> lines = trace_streamlines(field, seeds, options, { 3, {} });
    ASSERT_TRUE(lines.has_value()) << lines.error().describe();
    EXPECT_TRUE(bytes_of(*lines) == expected) << name_of(strategy);
    EXPECT_LE((*file)->statistics().peak_bytes, bytes / 8) << name_of(strategy);
    EXPECT_GT(lines->statistics.walks_parked, 300);
  }
}

TEST(CurvilinearMesh, EndsLinesOnTheBorder)
{
  const BentLattice lattice(kNodes, wavy); // of the unit cube
  FlowInBricks flow(lattice, { 3, 3, 3 });
  const TracedLines lines = flow.trace(scattered_seeds(), options_for(Integrator::RungeKutta4, true));
  int ends = 0;
  for (const TracedLine& line : lines.lines)
  {
    if (line.reason != Termination::OutOfDomain)
    {
      continue;
    }
    const float* const end = lines.points.data() + 3 * (line.first_point + line.points - 1);
    double outside = -1.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      outside = std::max({ outside, -double{ end[axis] }, double{ end[axis] } - 1.0 });
    }
    EXPECT_NEAR(outside, 0.0, 3e-7);
    ++ends;
  }
  EXPECT_GT(ends, 20);
}

TEST(CurvilinearMesh, GivesTheSamePathlinesWhateverTheBricks)
{
  const BentLattice lattice(kNodes, wavy);
  std::vector<PathSeed> seeds;
  for (const Vec3& place : scattered_seeds(15))
  {
    seeds.push_back({ place, 0.3 });
  }
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    PathlineOptions options;
    options.integrator = Integrator::RungeKutta4;
    options.step_unit = StepUnit::CellCrossing;
    options.direction = TraceDirection::Forward;
    options.maximum_length = 100.0;
    options.exact_ends = true;
    options.time_interpolation = rule;
    const auto trace = [&](FlowInBricks& flow, int threads)
    {
      Result<TracedLines> lines = trace_pathlines(flow.field(), {}, seeds, options, { threads, {} });
      EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
      return std::move(*lines);
    };
    FlowInBricks whole(lattice, { 64, 64, 64 }, 5);
    const TracedLines expected = trace(whole, 1);
    ASSERT_GT(expected.points.size(), 200U);
    FlowInBricks cut(lattice, { 4, 3, 5 }, 5);
    cut.wait_for_bricks(FaultyBricks::Answer::LaterInRandomOrder);
    const TracedLines lines = trace(cut, 2);
    EXPECT_TRUE(bytes_of(lines) == bytes_of(expected));
    EXPECT_GT(lines.statistics.walks_parked, 0);
  }
}

/// Each step ends at a time step of the field. A particle whose place there lies outside tries shorter steps, which lie
/// in the interval before.
TEST(CurvilinearMesh, LeavesTheDomainInTheIntervalOfItsStep)
{
  constexpr int kSteps = 40;
  constexpr double kSpeed = 0.1;
  const BentLattice lattice(kNodes, ring);
  Points points;
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 200; ++i)
  {
    seeds.push_back({ points.next(-1.0, 1.0), 0.0 });
  }
  PathlineOptions options;
  options.integrator = Integrator::RungeKutta2; // no sample at the end of a step but the next one's first
  options.step_unit = StepUnit::Time;
  options.initial_step = 1.0;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 100.0;
  options.exact_ends = true;
  const auto trace = [&](TraceField& field)
  {
    Result<TracedLines> lines = trace_pathlines(field, {}, seeds, options, { 2, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  };
  FlowInBricks whole(lattice, { 64, 64, 64 }, kSteps, kSpeed);
  FlowInBricks cut(lattice, { 2, 2, 2 }, kSteps, kSpeed);
  const TracedLines lines = trace(whole.field());
  EXPECT_TRUE(bytes_of(trace(cut.field())) == bytes_of(lines));

  // The cells in memory go out along the tangent: other steps, and the errors of these. A path that grazes the border
  // may leave with one of the two only.
  RowsInTime rows(lattice, velocities_in_time(lattice, kSteps, kSpeed));
  const TracedLines expected = trace(rows.field());
  ASSERT_EQ(lines.lines.size(), expected.lines.size());
  int left = 0;
  int unlike = 0;
  for (std::size_t i = 0; i < lines.lines.size(); ++i)
  {
    const auto last = [i](const TracedLines& of)
    {
      return static_cast<std::size_t>(of.lines[i].first_point + of.lines[i].points - 1);
    };
    left += lines.lines[i].reason == Termination::OutOfDomain ? 1 : 0;
    bool like = lines.lines[i].reason == expected.lines[i].reason &&
                std::fabs(lines.time[last(lines)] - expected.time[last(expected)]) < 0.01;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      like =
          like && std::fabs(lines.points[3 * last(lines) + axis] - expected.points[3 * last(expected) + axis]) < 0.002;
    }
    unlike += like ? 0 : 1;
  }
  EXPECT_GT(left, 60);
  EXPECT_LE(unlike, 2) << "of " << left;
}

TEST(CurvilinearMesh, EndsLinesWherePlacesCannotBeRead)
{
  const BentLattice lattice(kNodes, wavy);
  FlowInBricks flow(lattice, { 4, 4, 4 });
  FaultyBricks places(flow.places(), {});
  flow.set_places(places);
  places.fail({ 0, 0, 5 });
  const TracedLines lines = flow.trace(scattered_seeds(200), options_for(Integrator::RungeKutta4));
  ASSERT_NE(lines.data_error, nullptr);
  int missing = 0;
  for (const TracedLine& line : lines.lines)
  {
    missing += line.reason == Termination::DataMissing ? 1 : 0;
  }
  EXPECT_GT(missing, 5);
  EXPECT_LT(missing, static_cast<int>(lines.lines.size()) / 2);
}

TEST(CurvilinearMesh, DoesNotEnterHiddenCells)
{
  const BentLattice lattice(kNodes, [](const Vec3& x) { return Vec3{ x[0], x[1] + 0.05 * x[0], x[2] }; });
  const Int3 counts = lattice.counts();
  std::vector<std::uint8_t> ghosts(static_cast<std::size_t>(volume(counts)), 0);
  for (std::int64_t cell = 0; cell < volume(counts); ++cell)
  {
    ghosts[static_cast<std::size_t>(cell)] = from_row_major(cell, counts)[0] >= 9 ? 32 : 0;
  }
  for (const Int3& cells : { Int3{ 64, 64, 64 }, Int3{ 4, 4, 4 } })
  {
    FlowInBricks flow(lattice, cells);
    flow.field().cell_ghosts = ghosts.data();
    const TracedLines lines = flow.trace(scattered_seeds(), options_for(Integrator::RungeKutta4, true));
    double farthest = 0.0;
    for (std::size_t i = 0; i < lines.points.size(); i += 3)
    {
      farthest = std::max(farthest, double{ lines.points[i] });
    }
    EXPECT_NEAR(farthest, 9.0 / counts[0], 1e-6);
    EXPECT_EQ(lines.statistics.seeds_outside > 1, true);
  }
}

TEST(CurvilinearMesh, RefusesPlacesThatAreCutInAnotherWay)
{
  const BentLattice lattice(kNodes, wavy);
  FlowInBricks flow(lattice, { 4, 4, 4 });
  CutArrays other(kNodes, { 5, 4, 4 }, { points_of(lattice) });
  flow.set_places(other);
  const Result<TracedLines> lines =
      trace_streamlines(flow.field(), scattered_seeds(), options_for(Integrator::RungeKutta4), { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().what, HasSubstr("other bricks"));
}

TEST(CurvilinearGrid, RefusesPlacesThatAreNoNumbers)
{
  const BentLattice lattice(kNodes, wavy);
  std::vector<double> points = points_of(lattice);
  points[300] = std::numeric_limits<double>::quiet_NaN();
  CutArrays source(kNodes, { 4, 4, 4 }, { points });
  const auto grid = CurvilinearGrid::create({ &source, 0, 0 });
  ASSERT_FALSE(grid.has_value());
  EXPECT_THAT(grid.error().what, HasSubstr("not a finite number"));
}

TEST(CurvilinearMesh, NumbersCellsAndNearestPoints)
{
  const BentLattice lattice({ 5, 5, 5 }, [](const Vec3& x) { return x; }); // cells of edge 0.25
  FlowInBricks flow(lattice, { 2, 2, 2 });
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  const Vec3 place{ 0.3, 0.55, 0.9 };
  const Mesh::Place found = *located(*mesh, { place, { 3, 0, 0 } })[0];
  EXPECT_EQ(mesh->label_number(place, found.at, Centering::Cell), row_major({ 1, 2, 3 }, { 4, 4, 4 }));
  EXPECT_EQ(mesh->label_number(place, found.at, Centering::Node), row_major({ 1, 2, 4 }, { 5, 5, 5 }));
  EXPECT_EQ(found.brick, row_major({ 0, 1, 1 }, { 2, 2, 2 }));
}

// Around the hole of the ring, boxes of bricks have places that no cell has.
TEST(CurvilinearMesh, LocatesPlacesTogether)
{
  const BentLattice lattice(kNodes, ring);
  const std::shared_ptr<const CurvilinearCells> cells = lattice.cells();
  Points points;
  std::vector<Vec3> places;
  for (int i = 0; i < 3000; ++i)
  {
    places.push_back(points.next(-1.2, 1.2));
  }
  FlowInBricks flow(lattice, { 4, 3, 5 });
  flow.wait_for_bricks(FaultyBricks::Answer::LaterInRandomOrder);
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  const std::vector<std::optional<Mesh::Place>> found = located(*mesh, places);
  int inside = 0;
  int in_boxes_only = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    CellWeights weights;
    const std::int64_t cell = cells->find(places[i], -1, weights);
    ASSERT_EQ(found[i] ? found[i]->at.as<WorldPosition>().cell : -1, cell) << i;
    inside += cell >= 0 ? 1 : 0;
    in_boxes_only += cell < 0 && mesh->enter(places[i]) ? 1 : 0;
  }
  EXPECT_GT(inside, 300);
  EXPECT_GT(in_boxes_only, 100);
}

TEST(CurvilinearMesh, SaysThatAPlaceIsInABrickThatCannotBeRead)
{
  const BentLattice lattice(kNodes, wavy);
  FlowInBricks flow(lattice, { 4, 4, 4 });
  FaultyBricks places(flow.places(), {});
  flow.set_places(places);
  places.fail({ 0, 0, 0 });
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  const std::vector<std::optional<Mesh::Place>> found = located(*mesh, { { 0.01, 0.01, 0.01 }, { 0.9, 0.9, 0.9 } });
  EXPECT_FALSE(found[0]);
  EXPECT_TRUE(found[1]);
  EXPECT_NE(mesh->take_error(), nullptr);
  EXPECT_EQ(mesh->take_error(), nullptr);
}

// A run begins at once: its particles wait for the bricks that tell where they begin, as for all others.
TEST(CurvilinearMesh, EndsSeedsThatAreInBoxesOfBricksOnly)
{
  const BentLattice lattice(kNodes, ring);
  const std::shared_ptr<const CurvilinearCells> cells = lattice.cells();
  Points points;
  std::vector<Vec3> seeds;
  std::int64_t outside = 0;
  for (int i = 0; i < 400; ++i)
  {
    seeds.push_back(points.next(-1.2, 1.2));
    CellWeights weights;
    outside += cells->find(seeds.back(), -1, weights) < 0 ? 1 : 0;
  }
  ASSERT_GT(outside, 100);
  for (const TraceDirection direction : { TraceDirection::Forward, TraceDirection::Both })
  {
    FlowInBricks flow(lattice, { 4, 4, 4 });
    flow.wait_for_bricks(FaultyBricks::Answer::LaterInRandomOrder);
    StreamlineOptions options = options_for(Integrator::RungeKutta4, true);
    options.direction = direction;
    options.maximum_steps = 1;
    const TracedLines lines = flow.trace(seeds, options, 2);
    EXPECT_EQ(lines.statistics.seeds_outside, outside);
    const std::size_t ways = direction == TraceDirection::Both ? 2 : 1;
    EXPECT_EQ(lines.lines.size(), ways * (seeds.size() - static_cast<std::size_t>(outside)));
    EXPECT_GT(lines.statistics.seeks_parked, 300);
    EXPECT_EQ(lines.data_error, nullptr);
  }
}

// Regions of labels ask for the cells of seeds.
TEST(CurvilinearMesh, GivesTheSameHitsWhateverTheBricks)
{
  const BentLattice lattice(kNodes, wavy);
  std::vector<std::int32_t> labels(static_cast<std::size_t>(volume(lattice.counts())));
  for (std::size_t i = 0; i < labels.size(); ++i)
  {
    labels[i] = from_row_major(static_cast<std::int64_t>(i), lattice.counts())[0] / 4;
  }
  SourceDestinationQuery query;
  for (const std::int32_t label : { 0, 1, 2 })
  {
    query.sources.push_back(
        *label_region(WorldBox{ { 0, 0, 0 }, { 1, 1, 1 } }, volume(lattice.counts()), labels, Centering::Cell, label));
  }
  query.destinations = query.sources;
  query.seeds = { { .places = scattered_seeds(60) } };
  query.release_times = { 0.1, 0.7 };
  query.end = 3.5;
  const auto run = [&](FlowInBricks& flow, int threads)
  {
    Result<SourceDestinationResult> result = find_hits(flow.field(), {}, query, {}, { threads, {} });
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().describe());
    return std::move(*result);
  };
  FlowInBricks whole(lattice, { 64, 64, 64 }, 5);
  const SourceDestinationResult expected = run(whole, 1);
  FlowInBricks cut(lattice, { 4, 3, 5 }, 5);
  cut.wait_for_bricks(FaultyBricks::Answer::LaterInRandomOrder);
  const SourceDestinationResult result = run(cut, 2);
  EXPECT_GT(expected.hits.size(), 30U);
  EXPECT_EQ(result.hits.size(), expected.hits.size());
  EXPECT_EQ(result.released, expected.released);
  EXPECT_EQ(result.hit_counts, expected.hit_counts);
  EXPECT_EQ(result.outside, expected.outside);
}

} // namespace rivulet::test
