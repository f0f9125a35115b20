// SPDX-License-Identifier: BSD-3-Clause
// Unstructured cells whose points move from step to step, and cells that are others at each step: flows that such
// meshes reproduce exactly, brute-force answers, and the same bytes whatever the threads and the steps at hand.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/CellMesh.h"
#include "Core/Trace/MovingFlows.h"
#include "Store/Derived/StepBricks.h"
#include "Trace/Contract/Termination.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Mesh/WorldPosition.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using Kind = CellMesh::Kind;

/// A field given by functions at the points of one mesh that moves, or of another mesh at each step.
class FlowInMovingCells
{
public:
  enum class Cells
  {
    Same,   ///< the same at each step, with their points elsewhere
    Others, ///< sought in each step's mesh
    Some,   ///< the same at the first two steps, others at the third, which move to the fourth, and others at the last
  };

  FlowInMovingCells(
      std::vector<CellMesh> meshes, const std::vector<double>& times, const VelocityAt& velocity, Cells cells)
    : meshes_(std::move(meshes))
    , times_(times)
  {
    for (std::size_t step = 0; step < times_.size(); ++step)
    {
      const CellMesh& mesh = meshes_[step];
      const double time = times_[step];
      values_.push_back(mesh.values([&](const Vec3& x) { return velocity(x, time); }));
      places_.push_back(mesh.values([](const Vec3& x) { return x; }));
      if (step > 0 && (cells == Cells::Same || (cells == Cells::Some && step == 3)))
      {
        const auto before = std::dynamic_pointer_cast<const UnstructuredCells>(field_.foreign_steps.back());
        Result<std::shared_ptr<const UnstructuredCells>> moved = before->moved(mesh.arrays().points);
        EXPECT_TRUE(moved.has_value()) << (moved ? "" : moved.error().describe());
        field_.foreign_steps.push_back(*moved);
      }
      else if (cells == Cells::Some && step == 1)
      {
        field_.foreign_steps.push_back(field_.foreign_steps.back());
      }
      else
      {
        field_.foreign_steps.push_back(mesh.cells({ .threads = 2 }));
      }
    }
    velocity_ = in_time(values_, "velocity");
    place_ = in_time(places_, "place");
    field_.velocity = { velocity_.get(), 0, 0 };
    field_.attributes = { { "velocity", field_.velocity }, { "place", { place_.get(), 0, 0 } } };
    field_.foreign = field_.foreign_steps.front();
    field_.grid = row_grid(meshes_.front().points());
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const CellMesh& mesh(std::size_t step) const { return meshes_[step]; }
  /// Of the velocity at a point of a step.
  [[nodiscard]] Vec3 value(std::size_t step, std::int64_t point) const
  {
    const double* const v = values_[step].data() + 3 * point;
    return { v[0], v[1], v[2] };
  }
  [[nodiscard]] TracedLines trace(const std::vector<PathSeed>& seeds, const PathlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_pathlines(field_, times_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    EXPECT_EQ(lines->data_error, nullptr);
    return std::move(*lines);
  }

private:
  static Grid row_grid(std::int64_t count)
  {
    Grid grid;
    grid.nodes[0] = static_cast<std::int32_t>(count);
    return grid;
  }
  std::unique_ptr<StepBricks> in_time(const std::vector<std::vector<double>>& values, const char* name)
  {
    std::vector<StepBricks::Step> held;
    for (const std::vector<double>& of_step : values)
    {
      rows_.push_back(std::make_unique<ArrayBricks>(row_grid(static_cast<std::int64_t>(of_step.size() / 3)),
          std::vector<MemoryArray>{ { { name, ScalarType::Float64, 3, Centering::Node }, of_step.data() } }));
      held.push_back({ static_cast<std::int32_t>(held.size()), { rows_.back().get(), 0, 0 } });
    }
    auto source = std::make_unique<StepBricks>(times_, held.front().values, StepBricks::Rows::MayDiffer);
    EXPECT_TRUE(source->hold(held));
    return source;
  }

  std::vector<CellMesh> meshes_;
  std::vector<double> times_;
  std::vector<std::vector<double>> values_;
  std::vector<std::vector<double>> places_;
  std::vector<std::unique_ptr<ArrayBricks>> rows_;
  std::unique_ptr<StepBricks> velocity_;
  std::unique_ptr<StepBricks> place_;
  TraceField field_;
};

/// One mesh, moved as a function of the place and the time says.
FlowInMovingCells moving_cells(Kind kind, int cubes, const MappingAt& mapping, const VelocityAt& velocity)
{
  std::vector<CellMesh> meshes;
  for (const double time : kStepTimes)
  {
    meshes.emplace_back(kind, cubes, kind == Kind::Voxels ? 0.0 : 0.1);
    meshes.back().move([&](const Vec3& x) { return mapping(x, time); });
  }
  return { std::move(meshes), kStepTimes, velocity, FlowInMovingCells::Cells::Same };
}

/// At each step a mesh of other cells, over the same cube or one that grows.
FlowInMovingCells changing_cells(const VelocityAt& velocity, double grows = 0.0)
{
  const Kind kinds[] = { Kind::Tetrahedra, Kind::Mixed, Kind::Hexahedra, Kind::Pyramids, Kind::Wedges };
  std::vector<CellMesh> meshes;
  for (std::size_t step = 0; step < kStepTimes.size(); ++step)
  {
    meshes.emplace_back(kinds[step], 4 + static_cast<int>(step) % 3, 0.15);
    const double size = 1 + grows * kStepTimes[step];
    meshes.back().move([&](const Vec3& x) { return Vec3{ size * x[0], size * x[1], size * x[2] }; });
    if (step % 2 == 1)
    {
      meshes.back().shuffle();
    }
  }
  return { std::move(meshes), kStepTimes, velocity, FlowInMovingCells::Cells::Others };
}

/// A mesh that stays, is another one, moves, and is another one again.
FlowInMovingCells sometimes_changing_cells(const VelocityAt& velocity)
{
  std::vector<CellMesh> meshes(2, CellMesh(Kind::Tetrahedra, 4, 0.15));
  meshes.emplace_back(Kind::Mixed, 6, 0.1);
  meshes.emplace_back(Kind::Mixed, 6, 0.1);
  meshes.back().move([](const Vec3& x) { return Vec3{ x[0] * 0.98 + 0.01 * x[2], x[1], x[2] }; });
  meshes.emplace_back(Kind::Hexahedra, 3, 0.1);
  return { std::move(meshes), kStepTimes, velocity, FlowInMovingCells::Cells::Some };
}

/// A velocity that each cell reproduces, and so does the rule in time.
VelocityAt linear_flow(TimeInterpolation rule)
{
  const double bend = rule == TimeInterpolation::Cubic ? 0.01 : 0.0;
  return [bend](const Vec3& x, double t)
  {
    return Vec3{ 0.2 * (0.5 - x[1]) + 0.01 * t, 0.2 * (x[0] - 0.5) + bend * t * (2 - t), 0.02 * x[2] - 0.01 * t };
  };
}

/// In double precision, by the attribute that is the place of the points.
Vec3 end_of(const TracedLines& lines, const TracedLine& line)
{
  return value_of(lines, 1, line.first_point + line.points - 1);
}

void expect_linear_flow_exact(FlowInMovingCells& flow, TimeInterpolation rule)
{
  const std::vector<PathSeed> seeds = seeds_within(0.35, 0.6, 30);
  const double step = 0.05;
  const TracedLines lines = flow.trace(seeds, options_in_time(step, rule));
  ASSERT_EQ(lines.lines.size(), seeds.size());
  for (const TracedLine& line : lines.lines)
  {
    ASSERT_EQ(line.reason, Termination::OutOfTime);
    const int steps = static_cast<int>(std::lround(flow.times().back() / step));
    const Vec3 seed = seeds[static_cast<std::size_t>(line.seed)].point;
    EXPECT_LT(distance(end_of(lines, line), classical_steps(linear_flow(rule), seed, 0.0, step, steps)), 1e-12);
  }
}

/// Arrays that are the places themselves: they show that each value was taken in the right cells.
void expect_places_in_their_cells(FlowInMovingCells& flow, TimeInterpolation rule)
{
  const TracedLines lines = flow.trace(seeds_within(0.3, 0.7, 40, 0.0, 3.0), options_in_time(0.07, rule), 2);
  double most = 0.0;
  for (std::int64_t point = 0; point < static_cast<std::int64_t>(lines.time.size()); ++point)
  {
    const Vec3 place = value_of(lines, 1, point);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      most = std::max(most, std::fabs(place[axis] - lines.points[static_cast<std::size_t>(3 * point) + axis]));
    }
  }
  EXPECT_GT(lines.time.size(), 500U);
  EXPECT_LT(most, 2e-7) << "the points are rounded to single precision";
}

std::string bytes_interval_by_interval(
    FlowInMovingCells& flow, const std::vector<PathSeed>& seeds, const PathlineOptions& options, bool one_by_one)
{
  const auto hold = [](TraceField& field, const StepRange& held)
  {
    for (std::size_t step = 0; step < field.foreign_steps.size(); ++step)
    {
      std::shared_ptr<const ForeignCells>& cells = field.foreign_steps[step];
      cells = held.has(static_cast<std::int32_t>(step)) ? cells : nullptr;
    }
  };
  const PathlineFrame frame = frame_of(flow.field(), flow.times(), seeds, options, one_by_one, hold);
  EXPECT_GT(frame.lines.lines.size(), 15U);
  return bytes_of(frame.lines);
}

void expect_same_bytes(FlowInMovingCells& flow, const char* name)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    for (const TraceDirection direction : { TraceDirection::Forward, TraceDirection::Backward })
    {
      PathlineOptions options = error_controlled();
      options.time_interpolation = rule;
      options.direction = direction;
      const std::vector<PathSeed> seeds = seeds_within(-0.1, 1.1, 60, 0.0, 4.0);
      const std::string at_once = bytes_of(flow.trace(seeds, options));
      EXPECT_TRUE(bytes_of(flow.trace(seeds, options, 3)) == at_once);
      expect_same_on_every_target(name, [&] { return bytes_of(flow.trace(seeds, options)); });
      EXPECT_TRUE(bytes_interval_by_interval(flow, seeds, options, true) ==
                  bytes_interval_by_interval(flow, seeds, options, false))
          << static_cast<int>(rule) << " " << static_cast<int>(direction);
    }
  }
}

/// Barycentric coordinates in a tetrahedron, by the volumes that a place makes with its faces.
std::array<double, 4> shares_in(const std::array<Vec3, 4>& corners, const Vec3& place)
{
  const auto volume = [](const std::array<Vec3, 4>& c)
  {
    Vec3 sides[3];
    for (std::size_t i = 0; i < 3; ++i)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        sides[i][axis] = c[i + 1][axis] - c[0][axis];
      }
    }
    const auto& [a, b, d] = sides;
    return a[0] * (b[1] * d[2] - b[2] * d[1]) - a[1] * (b[0] * d[2] - b[2] * d[0]) + a[2] * (b[0] * d[1] - b[1] * d[0]);
  };
  std::array<double, 4> shares{};
  for (std::size_t i = 0; i < 4; ++i)
  {
    std::array<Vec3, 4> other = corners;
    other[i] = place;
    shares[i] = volume(other) / volume(corners);
  }
  return shares;
}

/// The velocity at a place, by a search of all tetrahedra of two steps: of one mesh whose points have moved that far
/// (`same`), or of both meshes, each where it is. Empty outside.
class ReferenceInTetrahedra
{
public:
  ReferenceInTetrahedra(const FlowInMovingCells& flow, bool same)
    : flow_(flow)
    , same_(same)
  {
  }

  [[nodiscard]] std::optional<Vec3> operator()(const Vec3& place, double time) const
  {
    const std::vector<double>& times = flow_.times();
    const auto after = std::upper_bound(times.begin(), times.end() - 1, time);
    const auto step = static_cast<std::size_t>(after - times.begin()) - 1;
    const double share = (time - times[step]) / (times[step + 1] - times[step]);
    std::optional<Vec3> now = in(step, same_ ? share : 0.0, step, place);
    std::optional<Vec3> later = in(same_ ? step : step + 1, same_ ? share : 0.0, step + 1, place);
    now = share == 1.0 ? later : now; // at the time of a step that step alone counts
    later = share == 0.0 ? now : later;
    if (!now || !later)
    {
      return std::nullopt;
    }
    Vec3 mixed;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      mixed[axis] = (1 - share) * (*now)[axis] + share * (*later)[axis];
    }
    return mixed;
  }

private:
  /// The value of step `of` in the cells of a step whose points have gone a share of the way to the next.
  [[nodiscard]] std::optional<Vec3> in(std::size_t step, double share, std::size_t of, const Vec3& place) const
  {
    const CellMesh& mesh = flow_.mesh(step);
    for (std::int64_t cell = 0; cell < mesh.count(); ++cell)
    {
      const std::vector<std::int64_t> nodes = mesh.nodes_of(cell);
      std::array<Vec3, 4> corners;
      for (std::size_t i = 0; i < 4; ++i)
      {
        const Vec3 a = mesh.point(nodes[i]);
        const Vec3 b = share > 0.0 ? flow_.mesh(step + 1).point(nodes[i]) : a;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          corners[i][axis] = (1 - share) * a[axis] + share * b[axis];
        }
      }
      const std::array<double, 4> shares = shares_in(corners, place);
      if (*std::min_element(shares.begin(), shares.end()) > -1e-9)
      {
        Vec3 value{ 0, 0, 0 };
        for (std::size_t i = 0; i < 4; ++i)
        {
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            value[axis] += shares[i] * flow_.value(of, nodes[i])[axis];
          }
        }
        return value;
      }
    }
    return std::nullopt;
  }

  const FlowInMovingCells& flow_;
  bool same_;
};

void expect_brute_force(FlowInMovingCells& flow, bool same)
{
  const ReferenceInTetrahedra velocity(flow, same);
  const std::vector<PathSeed> seeds = seeds_within(0.05, 0.95, 60);
  const double step = 0.125;
  const TracedLines lines = flow.trace(seeds, options_in_time(step), 2);
  int whole = 0;
  int left = 0;
  for (const TracedLine& line : lines.lines)
  {
    bool inside = true;
    const auto known = [&](const Vec3& place, double time)
    {
      const std::optional<Vec3> found = velocity(place, time);
      inside = inside && found.has_value();
      return found.value_or(Vec3{ 0, 0, 0 });
    };
    const int steps = static_cast<int>(std::lround(flow.times().back() / step));
    const Vec3 expected = classical_steps(known, seeds[static_cast<std::size_t>(line.seed)].point, 0.0, step, steps);
    EXPECT_EQ(inside, line.reason == Termination::OutOfTime);
    left += inside ? 0 : 1;
    if (inside)
    {
      ++whole;
      EXPECT_LT(distance(end_of(lines, line), expected), 1e-11);
    }
  }
  for (std::size_t i = 0; i < seeds.size(); ++i)
  {
    EXPECT_EQ(velocity(seeds[i].point, 0.0).has_value(), lines.seeds[i].reason[0] != Termination::SeedOutside);
  }
  EXPECT_GT(whole, 5);
  EXPECT_GT(left, 5);
}

} // namespace

TEST(MovingCells, ReproduceALinearFieldThatChangesWithTime)
{
  for (const Kind kind : CellMesh::kAll)
  {
    for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
    {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + (rule == TimeInterpolation::Cubic ? " cubic" : ""));
      // Voxels keep their right angles.
      const MappingAt mapping = kind == Kind::Voxels ? MappingAt(
                                                           [](const Vec3& x, double t) {
                                                             return Vec3{ x[0] * (1 + 0.1 * t), x[1] - 0.02 * t, x[2] };
                                                           })
                                                     : MappingAt(twisted);
      FlowInMovingCells flow = moving_cells(kind, 6, mapping, linear_flow(rule));
      expect_linear_flow_exact(flow, rule);
      expect_places_in_their_cells(flow, rule);
    }
  }
}

TEST(MovingCells, AgreeWithBruteForce)
{
  FlowInMovingCells flow = moving_cells(Kind::Tetrahedra, 4, twisted, uneven);
  expect_brute_force(flow, true);
}

TEST(MovingCells, GiveTheSameBytesForAnyThreadsTargetsAndStepsAtHand)
{
  for (const Kind kind : { Kind::Tetrahedra, Kind::Mixed })
  {
    FlowInMovingCells flow = moving_cells(kind, 5, twisted, uneven);
    expect_same_bytes(flow, "moving cells");
  }
}

/// Points that stay, told of as points that move.
TEST(MovingCells, GiveTheBytesOfAFixedMeshWherePointsStay)
{
  const auto stays = [](const Vec3& x, double)
  {
    return Vec3{ x[0] + 0.1 * x[1], x[1], x[2] - 0.05 * x[0] };
  };
  for (const Kind kind : CellMesh::kAll)
  {
    for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
    {
      FlowInMovingCells flow = moving_cells(kind, 4, stays, uneven);
      PathlineOptions options = error_controlled();
      options.time_interpolation = rule;
      const std::vector<PathSeed> seeds = seeds_within(0.0, 1.0, 60, 0.0, 3.0);
      const std::string moving = bytes_of(flow.trace(seeds, options));
      flow.field().foreign_steps.clear();
      EXPECT_TRUE(bytes_of(flow.trace(seeds, options)) == moving) << static_cast<int>(kind);
    }
  }
}

TEST(MovingCells, AreLocatedAtAMoment)
{
  FlowInMovingCells flow = moving_cells(Kind::Tetrahedra, 4, twisted, uneven);
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field(), flow.times());
  const ReferenceInTetrahedra reference(flow, true);
  const Moment moment{ 2, 0.4 };
  const double time = flow.times()[2] + 0.4 * (flow.times()[3] - flow.times()[2]);
  int inside = 0;
  for (const PathSeed& seed : seeds_within(-0.1, 1.1, 200))
  {
    std::optional<Mesh::Place> found;
    mesh->locate({ &seed.point, 1 }, moment, { &found, 1 });
    EXPECT_EQ(found.has_value(), reference(seed.point, time).has_value());
    if (found)
    {
      ++inside;
      const std::int64_t cell = found->at.as<WorldPosition>().cell;
      EXPECT_EQ(mesh->label_number(seed.point, found->at, moment, Centering::Cell), cell);
      const std::vector<std::int64_t> nodes = flow.mesh(2).nodes_of(cell);
      EXPECT_THAT(nodes, testing::Contains(mesh->label_number(seed.point, found->at, moment, Centering::Node)));
    }
  }
  EXPECT_GT(inside, 50);
}

TEST(MovingCells, AreTheSameCellsOnlyOfTheSameNodesAndHand)
{
  const CellMesh mesh(Kind::Wedges, 2);
  const CellMesh larger(Kind::Wedges, 3);
  const auto cells = mesh.cells();
  EXPECT_THAT(cells->moved(larger.arrays().points).error().describe(),
      testing::HasSubstr("there are 64 points, and 27 at the step before"));
  CellMesh mirrored(Kind::Wedges, 2);
  mirrored.move([](const Vec3& x) { return Vec3{ -x[0], x[1], x[2] }; });
  EXPECT_FALSE((*cells->moved(mirrored.arrays().points))->same_cells(*cells)) << "they would fold on the way";
  EXPECT_TRUE(CellMesh(Kind::Wedges, 2).cells()->same_cells(*cells)) << "though they were made anew";
  EXPECT_FALSE(CellMesh(Kind::Hexahedra, 2).cells()->same_cells(*cells));
}

/// A square of two triangles, whose corner at the origin goes elsewhere.
CellMesh square(const Vec3& corner)
{
  CellMesh mesh;
  mesh.add_point(corner);
  mesh.add_point({ 1, 0, 0 });
  mesh.add_point({ 0, 1, 0 });
  mesh.add_point({ 1, 1, 0 });
  mesh.add_cell(5, { 0, 1, 2 });
  mesh.add_cell(5, { 1, 3, 2 });
  return mesh;
}

TEST(MovingCells, AreOthersWherePlanarOnesTurnOver)
{
  const CellMesh first = square({ 0, 0, 0 });
  const auto cells = first.cells({ .dimension = 2 });
  const auto stays = [&](const Vec3& corner)
  {
    const CellMesh moved = square(corner);
    return moved.cells({ .dimension = 2 })->same_cells(*cells);
  };
  EXPECT_TRUE(stays({ 0.3, 0.3, 0 }));
  EXPECT_TRUE(stays({ 0.3, 0.3, 0.5 })) << "out of the plane";
  EXPECT_FALSE(stays({ 0.7, 0.7, 0 })) << "over the diagonal: it would fold on the way";
}

TEST(ChangingCells, ReproduceALinearFieldThatChangesWithTime)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    FlowInMovingCells flow = changing_cells(linear_flow(rule));
    expect_linear_flow_exact(flow, rule);
    expect_places_in_their_cells(flow, rule);
    FlowInMovingCells at_times = sometimes_changing_cells(linear_flow(rule));
    expect_linear_flow_exact(at_times, rule);
    expect_places_in_their_cells(at_times, rule);
  }
}

TEST(ChangingCells, AgreeWithBruteForce)
{
  std::vector<CellMesh> meshes;
  for (std::size_t step = 0; step < kStepTimes.size(); ++step)
  {
    meshes.emplace_back(Kind::Tetrahedra, 3 + static_cast<int>(step) % 3, 0.1);
    meshes.back().move([&](const Vec3& x) { return twisted(x, kStepTimes[step]); });
  }
  FlowInMovingCells flow(std::move(meshes), kStepTimes, uneven, FlowInMovingCells::Cells::Others);
  expect_brute_force(flow, false);
}

TEST(ChangingCells, GiveTheSameBytesForAnyThreadsTargetsAndStepsAtHand)
{
  for (const double grows : { 0.0, -0.05 })
  {
    FlowInMovingCells flow = changing_cells(uneven, grows);
    expect_same_bytes(flow, "changing cells");
  }
  FlowInMovingCells at_times = sometimes_changing_cells(uneven);
  expect_same_bytes(at_times, "cells that change at times");
}

/// The same cells at each step, sought in each mesh: the bytes differ from those of one mesh by rounding alone.
TEST(ChangingCells, GiveTheLinesOfAFixedMeshWhereNothingChanges)
{
  std::vector<CellMesh> meshes(kStepTimes.size(), CellMesh(Kind::Mixed, 5, 0.15));
  FlowInMovingCells flow(std::move(meshes), kStepTimes, uneven, FlowInMovingCells::Cells::Others);
  const std::vector<PathSeed> seeds = seeds_within(0.0, 1.0, 60, 0.0, 3.0);
  const TracedLines changing = flow.trace(seeds, options_in_time(0.1));
  flow.field().foreign_steps.clear();
  const TracedLines fixed = flow.trace(seeds, options_in_time(0.1));
  ASSERT_EQ(changing.lines.size(), fixed.lines.size());
  ASSERT_EQ(changing.points.size(), fixed.points.size());
  ASSERT_GT(fixed.points.size(), 1000U);
  for (std::size_t i = 0; i < fixed.points.size(); ++i)
  {
    ASSERT_NEAR(changing.points[i], fixed.points[i], 1e-6);
  }
}

TEST(ChangingCells, RefuseStepsThatAreNotThere)
{
  FlowInMovingCells flow = changing_cells(uneven);
  flow.field().foreign_steps.pop_back();
  const Result<TracedLines> lines = trace_pathlines(flow.field(), kStepTimes, seeds_within(0, 1, 2), {}, { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().describe(), testing::HasSubstr("one step for each of the times"));
}

} // namespace rivulet::test
