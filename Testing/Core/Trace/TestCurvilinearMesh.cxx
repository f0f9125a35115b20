// SPDX-License-Identifier: BSD-3-Clause
// Curvilinear grids whose nodes and values lie in bricks: the same bytes whatever the bricks, whenever they arrive, and
// exact ends.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/CurvilinearFlow.h"
#include "Io/FieldFile/FieldFileWriter.h"
#include "Io/FieldFile/WriteBox.h"
#include "Store/Field/OpenField.h"
#include "Support/TemporaryFolder.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/Termination.h"
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

std::vector<std::optional<Mesh::Place>> located(const Mesh& mesh, const std::vector<Vec3>& places)
{
  std::vector<std::optional<Mesh::Place>> found(places.size());
  mesh.locate(places, {}, found);
  return found;
}

} // namespace

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

/// The place is within the tolerance of the cell below the flat ones, and a walk from there enters these.
TEST(CurvilinearMesh, BeginsNextToCellsWithoutAVolume)
{
  const auto with_flat_layer = [](const Vec3& x)
  {
    return Vec3{ x[0], x[1], x[2] <= 0.5 ? x[2] : x[2] - 0.25 }; // the third and the fourth layer of nodes are one
  };
  const BentLattice lattice({ 5, 5, 5 }, with_flat_layer);
  StreamlineOptions options = options_for(Integrator::RungeKutta4);
  options.maximum_length = 0.2;
  for (const Int3& cells : { Int3{ 64, 64, 64 }, Int3{ 2, 2, 1 } })
  {
    for (const double above : { 0.0, 0.5e-7, 1e-7, 2e-7, 1e-3 })
    {
      const TracedLines lines = FlowInBricks(lattice, cells).trace({ { 0.3, 0.4, 0.5 + above } }, options);
      ASSERT_EQ(lines.lines.size(), 2U) << above << ", " << cells[0];
      for (const TracedLine& line : lines.lines)
      {
        EXPECT_EQ(line.reason, Termination::OutOfLength) << above << ", " << cells[0];
      }
    }
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
  EXPECT_GT(lines.statistics.seeks, 1000); // beyond the seam, too, at the ends of steps
  for (const TracedLine& line : lines.lines)
  {
    for (std::int64_t i = 1; i < line.points; ++i) // no point twice
    {
      const auto point = static_cast<std::size_t>(line.first_point + i);
      ASSERT_GT(lines.time[point], lines.time[point - 1]) << "point " << i << " of " << line.points;
    }
  }

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
  EXPECT_EQ(mesh->label_number(place, found.at, {}, Centering::Cell), row_major({ 1, 2, 3 }, { 4, 4, 4 }));
  EXPECT_EQ(mesh->label_number(place, found.at, {}, Centering::Node), row_major({ 1, 2, 4 }, { 5, 5, 5 }));
  EXPECT_EQ(found.brick, row_major({ 0, 1, 1 }, { 2, 2, 2 }));
}

TEST(CurvilinearMesh, KnowsTheWayInBricksForReadAhead)
{
  // Sheared cells: a step along x of the world leads along the first two axes of the lattice.
  const BentLattice lattice({ 9, 9, 9 }, [](const Vec3& x) { return Vec3{ x[0] + 0.5 * x[1], x[1], 2 * x[2] }; });
  FlowInBricks flow(lattice, { 2, 2, 4 });
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  const auto index_of = [](const Vec3& world) // the cells' edges are an eighth
  {
    return Vec3{ 8 * (world[0] - 0.5 * world[1]), 8 * world[1], 4 * world[2] };
  };
  const Vec3 from{ 0.62, 0.33, 0.9 };
  const Vec3 to{ 0.69, 0.41, 1.02 };
  const Position last = located(*mesh, { from, { 0, 0, 0 } })[0]->at;
  const Position sample = WorldPosition{ .point = to, .cell = last.as<WorldPosition>().cell };
  const auto way = mesh->way_in_bricks(last, sample, 0);
  ASSERT_TRUE(way.has_value());
  const Vec3 cells{ 2, 2, 4 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(way->place[axis], index_of(to)[axis] / cells[axis], 1e-12) << axis;
    EXPECT_NEAR(way->along[axis], (index_of(to)[axis] - index_of(from)[axis]) / cells[axis], 1e-12) << axis;
  }
  const Position beyond = WorldPosition{ .point = { 3, 0.4, 1 }, .cell = last.as<WorldPosition>().cell };
  EXPECT_FALSE(mesh->way_in_bricks(last, beyond, 0).has_value()) << "there are no bricks";
  EXPECT_FALSE(mesh->way_in_bricks(WorldPosition{ .point = from }, sample, 0).has_value()) << "it has not begun";
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
    in_boxes_only += cell < 0 && mesh->enter(places[i], {}) ? 1 : 0;
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
