// SPDX-License-Identifier: BSD-3-Clause
// Curvilinear grids whose nodes move from step to step: flows that such grids reproduce exactly, a brute-force answer,
// and the same bytes whatever the bricks.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/CurvilinearFlow.h"
#include "Core/Trace/MovingFlows.h"
#include "Trace/Contract/Termination.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Mesh/MovingGrid.h"
#include "Trace/Mesh/WorldPosition.h"
#include "Trace/Pathlines.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

/// A ring that breathes: on both sides of its seam there are cells that are no neighbours.
Vec3 breathing(const Vec3& x, double time)
{
  const Vec3 at = ring(x);
  const double size = 1.0 + 0.2 * std::sin(time);
  return { size * at[0], size * at[1], at[2] / size };
}

/// A field given by functions on nodes that move, in bricks.
class MovingFlow
{
public:
  MovingFlow(const Int3& nodes, const Int3& cells, std::vector<double> times, const MappingAt& mapping,
      const VelocityAt& velocity)
    : times_(std::move(times))
  {
    std::vector<std::vector<double>> places;
    std::vector<std::vector<double>> values;
    for (const double time : times_)
    {
      lattices_.emplace_back(nodes, [&](const Vec3& share) { return mapping(share, time); });
      places.push_back(points_of(lattices_.back()));
      values.emplace_back();
      for (std::int64_t i = 0; i < volume(nodes); ++i)
      {
        const Vec3 v = velocity(lattices_.back().point(i), time);
        values.back().insert(values.back().end(), v.begin(), v.end());
      }
    }
    places_ = std::make_unique<CutArrays>(nodes, cells, std::move(places));
    values_ = std::make_unique<CutArrays>(nodes, cells, std::move(values));
    use(*places_, *values_);
  }
  void wait_for_bricks(FaultyBricks::Answer answer)
  {
    const FaultyBricks::Options options{ .answer = answer, .seed = 7, .hits = 3 };
    slow_places_ = std::make_unique<FaultyBricks>(*places_, options);
    slow_values_ = std::make_unique<FaultyBricks>(*values_, options);
    use(*slow_places_, *slow_values_);
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const BentLattice& lattice(std::size_t step) const { return lattices_[step]; }

  [[nodiscard]] TracedLines trace(const std::vector<PathSeed>& seeds, const PathlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_pathlines(field_, times_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    EXPECT_EQ(lines->data_error, nullptr);
    return std::move(*lines);
  }

private:
  void use(BrickSource& places, BrickSource& values)
  {
    field_.velocity = { &values, 0, 0 };
    field_.attributes = { { "velocity", { &values, 0, 0 } }, { "place", { &places, 0, 0 } } };
    field_.grid.nodes = lattices_.front().nodes();
    field_.moving = { {}, { &places, 0, 0 } };
    for (std::size_t step = 0; step < times_.size(); ++step)
    {
      Result<std::shared_ptr<const CurvilinearGrid>> grid =
          CurvilinearGrid::create({ &places, 0, static_cast<std::int32_t>(step) });
      EXPECT_TRUE(grid.has_value()) << (grid ? "" : grid.error().describe());
      field_.moving.steps.push_back(*std::move(grid));
    }
    field_.curvilinear = field_.moving.steps.front();
  }

  std::vector<double> times_;
  std::vector<BentLattice> lattices_;
  std::unique_ptr<CutArrays> places_;
  std::unique_ptr<CutArrays> values_;
  std::unique_ptr<FaultyBricks> slow_places_;
  std::unique_ptr<FaultyBricks> slow_values_;
  TraceField field_;
};

const Int3 kSize{ 11, 9, 10 };

/// Its own search and steps: all cells at the corners' places of the moment, and Runge's and Kutta's classical rule.
class Reference
{
public:
  Reference(const MovingFlow& flow, const VelocityAt& velocity)
    : flow_(flow)
    , velocity_(velocity)
  {
  }

  [[nodiscard]] std::optional<Vec3> sample(const Vec3& place, double time) const
  {
    const std::vector<double>& times = flow_.times();
    const auto after = std::upper_bound(times.begin(), times.end() - 1, time);
    const auto step = static_cast<std::size_t>(after - times.begin()) - 1;
    const double share = (time - times[step]) / (times[step + 1] - times[step]);
    const BentLattice& now = flow_.lattice(step);
    const BentLattice& later = flow_.lattice(step + 1);
    for (std::int64_t cell = 0; cell < volume(now.counts()); ++cell)
    {
      const HexCell::Corners a = now.corners(cell);
      const HexCell::Corners b = later.corners(cell);
      HexCell::Corners corners;
      HexCell::Corners values;
      for (std::size_t i = 0; i < corners.size(); ++i)
      {
        const Vec3 v = velocity_(a[i], times[step]);
        const Vec3 w = velocity_(b[i], times[step + 1]);
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          corners[i][axis] = (1 - share) * a[i][axis] + share * b[i][axis];
          values[i][axis] = (1 - share) * v[axis] + share * w[axis];
        }
      }
      const HexCell::Place found = HexCell(corners).locate(place);
      if (found.converged && HexCell::violation(found.at) < 1e-9)
      {
        return HexCell(values).at(found.at);
      }
    }
    return std::nullopt;
  }

  /// Empty if it leaves the grid.
  [[nodiscard]] std::optional<Vec3> go(Vec3 place, double time, double step, int steps) const
  {
    const auto beyond = [&](const Vec3& slope, double by)
    {
      return Vec3{ place[0] + by * slope[0], place[1] + by * slope[1], place[2] + by * slope[2] };
    };
    for (int i = 0; i < steps; ++i, time += step)
    {
      const auto a = sample(place, time);
      const auto b = a ? sample(beyond(*a, step / 2), time + step / 2) : a;
      const auto c = b ? sample(beyond(*b, step / 2), time + step / 2) : b;
      const auto d = c ? sample(beyond(*c, step), time + step) : c;
      if (!d)
      {
        return std::nullopt;
      }
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        place[axis] += step / 6 * ((*a)[axis] + 2 * (*b)[axis] + 2 * (*c)[axis] + (*d)[axis]);
      }
    }
    return place;
  }

private:
  const MovingFlow& flow_;
  VelocityAt velocity_;
};

/// The last point of a line, by the attribute that is the place of the nodes.
Vec3 end_in_doubles(const TracedLines& lines, const TracedLine& line)
{
  return value_of(lines, 1, line.first_point + line.points - 1);
}

} // namespace

/// Cells between moving nodes reproduce fields that are linear in space: the way is that of the formula.
TEST(MovingGrid, ReproducesALinearFieldThatChangesWithTime)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    const double bend = rule == TimeInterpolation::Cubic ? 0.01 : 0.0;
    const VelocityAt velocity = [bend](const Vec3& x, double t)
    {
      return Vec3{ 0.2 * (0.5 - x[1]) + 0.01 * t, 0.2 * (x[0] - 0.5) + bend * t * (2 - t), 0.02 * x[2] - 0.01 * t };
    };
    MovingFlow flow(kSize, { 4, 3, 5 }, kStepTimes, twisted, velocity);
    const std::vector<PathSeed> seeds = seeds_within(0.35, 0.6, 30);
    const double step = 0.05;
    const TracedLines lines = flow.trace(seeds, options_in_time(step, rule));
    ASSERT_EQ(lines.lines.size(), seeds.size());
    for (const TracedLine& line : lines.lines)
    {
      ASSERT_EQ(line.reason, Termination::OutOfTime);
      const PathSeed& seed = seeds[static_cast<std::size_t>(line.seed)];
      const int steps = static_cast<int>(std::lround(kStepTimes.back() / step));
      const Vec3 expected = classical_steps(velocity, seed.point, 0.0, step, steps);
      EXPECT_LT(distance(end_in_doubles(lines, line), expected), 1e-12);
    }
  }
}

TEST(MovingGrid, InterpolatesArraysWhereTheCellIsThen)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    MovingFlow flow(kSize, { 4, 3, 5 }, kStepTimes, twisted, uneven);
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
}

/// A search through all cells, each with its corners as they are at the time of the sample.
TEST(MovingGrid, AgreesWithBruteForce)
{
  for (const MappingAt& mapping : { MappingAt(twisted), MappingAt(breathing) })
  {
    MovingFlow flow({ 7, 9, 6 }, { 3, 4, 2 }, kStepTimes, mapping, uneven);
    const Reference reference(flow, uneven);
    std::vector<PathSeed> seeds = seeds_within(0.05, 0.95, 60);
    const double step = 0.125;
    const TracedLines lines = flow.trace(seeds, options_in_time(step), 2);
    int whole = 0;
    int left = 0;
    for (const TracedLine& line : lines.lines)
    {
      const PathSeed& seed = seeds[static_cast<std::size_t>(line.seed)];
      const int steps = static_cast<int>(std::lround(kStepTimes.back() / step));
      const std::optional<Vec3> expected = reference.go(seed.point, 0.0, step, steps);
      EXPECT_EQ(expected.has_value(), line.reason == Termination::OutOfTime);
      left += expected ? 0 : 1;
      if (expected)
      {
        ++whole;
        EXPECT_LT(distance(end_in_doubles(lines, line), *expected), 1e-11);
      }
    }
    for (std::size_t i = 0; i < seeds.size(); ++i)
    {
      EXPECT_EQ(
          reference.sample(seeds[i].point, 0.0).has_value(), lines.seeds[i].reason[0] != Termination::SeedOutside);
    }
    EXPECT_GT(whole, 5);
    EXPECT_GT(left, 5);
  }
}

/// The error falls with the square of the cells' size and of the time between steps.
TEST(MovingGrid, ConvergesToTheFlow)
{
  const VelocityAt abc = [](const Vec3& x, double t)
  {
    const double a = 0.1 * (1.7 + std::sin(t));
    return Vec3{ a * std::sin(9 * x[2]) + 0.08 * std::cos(8 * x[1]), 0.12 * std::sin(8 * x[0]) + a * std::cos(9 * x[2]),
      0.08 * std::sin(8 * x[1]) + 0.12 * std::cos(8 * x[0]) };
  };
  const std::vector<PathSeed> seeds = seeds_within(0.4, 0.6, 20);
  std::vector<double> errors;
  for (const int finer : { 1, 2, 4 })
  {
    std::vector<double> times;
    for (int i = 0; i <= 6 * finer; ++i)
    {
      times.push_back(1.2 * i / (6 * finer));
    }
    MovingFlow flow({ 12 * finer + 1, 12 * finer + 1, 12 * finer + 1 }, { 8, 8, 8 }, times, twisted, abc);
    const TracedLines lines = flow.trace(seeds, options_in_time(0.02), 2);
    double sum = 0.0;
    ASSERT_EQ(lines.lines.size(), seeds.size());
    for (const TracedLine& line : lines.lines)
    {
      ASSERT_EQ(line.reason, Termination::OutOfTime);
      const Vec3 expected = classical_steps(abc, seeds[static_cast<std::size_t>(line.seed)].point, 0.0, 0.005, 240);
      sum += distance(end_in_doubles(lines, line), expected);
    }
    errors.push_back(sum / static_cast<double>(seeds.size()));
  }
  EXPECT_GT(errors[0] / errors[1], 3.0);
  EXPECT_GT(errors[1] / errors[2], 3.5);
}

/// A field that is linear in space has errors of the time between steps alone. With linear places and cubic velocities
/// they would fall with its square.
TEST(MovingGrid, IsOfFourthOrderInTimeWithCubicInterpolation)
{
  const VelocityAt swinging = [](const Vec3& x, double t)
  {
    return Vec3{ 0.3 * (0.5 - x[1]) * std::sin(2 * t), 0.3 * (x[0] - 0.5) * std::sin(2 * t), 0.05 * std::cos(3 * t) };
  };
  const MappingAt swaying = [](const Vec3& share, double t)
  {
    return twisted(share, std::sin(2 * t));
  };
  const std::vector<PathSeed> seeds = seeds_within(0.35, 0.6, 10, 0.5, 0.5);
  std::vector<double> errors;
  for (const int steps : { 12, 24, 48 })
  {
    std::vector<double> times;
    for (int i = 0; i <= steps; ++i)
    {
      times.push_back(3.0 * i / steps);
    }
    MovingFlow flow({ 6, 6, 6 }, { 8, 8, 8 }, times, swaying, swinging);
    PathlineOptions options = options_in_time(0.01, TimeInterpolation::Cubic);
    options.last_time = 2.5; // not through the first and the last interval, where the order is three
    const TracedLines lines = flow.trace(seeds, options, 2);
    ASSERT_EQ(lines.lines.size(), seeds.size());
    double sum = 0.0;
    for (const TracedLine& line : lines.lines)
    {
      ASSERT_EQ(line.reason, Termination::OutOfTime);
      const Vec3 expected =
          classical_steps(swinging, seeds[static_cast<std::size_t>(line.seed)].point, 0.5, 0.002, 1000);
      sum += distance(end_in_doubles(lines, line), expected);
    }
    errors.push_back(sum);
  }
  EXPECT_GT(errors[0] / errors[1], 12.0);
  EXPECT_GT(errors[1] / errors[2], 12.0);
}

TEST(MovingGrid, GivesTheSameBytesWhateverTheBricksAndThreads)
{
  std::int64_t seeks = 0;
  std::int64_t walks = 0;
  for (const MappingAt& mapping : { MappingAt(twisted), MappingAt(breathing) })
  {
    for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
    {
      for (PathlineOptions options : { options_in_time(0.1, rule), error_controlled() })
      {
        options.time_interpolation = rule;
        options.direction = TraceDirection::Both;
        const std::vector<PathSeed> seeds = seeds_within(0.0, 1.0, 40, 0.5, 3.5);
        MovingFlow whole(kSize, { 64, 64, 64 }, kStepTimes, mapping, uneven);
        const std::string expected = bytes_of(whole.trace(seeds, options));
        for (const Int3& cells : { Int3{ 4, 5, 3 }, Int3{ 1, 1, 1 } })
        {
          MovingFlow flow(kSize, cells, kStepTimes, mapping, uneven);
          const TracedLines lines = flow.trace(seeds, options, 3);
          EXPECT_TRUE(bytes_of(lines) == expected) << cells[0];
          walks += lines.statistics.walks_parked;
          seeks += lines.statistics.seeks_parked;
        }
        for (const FaultyBricks::Answer answer :
            { FaultyBricks::Answer::Later, FaultyBricks::Answer::LaterInRandomOrder })
        {
          MovingFlow flow(kSize, { 4, 4, 4 }, kStepTimes, mapping, uneven);
          flow.wait_for_bricks(answer);
          EXPECT_TRUE(bytes_of(flow.trace(seeds, options, 2)) == expected);
        }
      }
    }
  }
  EXPECT_GT(walks, 1000);
  EXPECT_GT(seeks, 500);
}

TEST(MovingGrid, GivesTheSameBytesOnEveryTarget)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    expect_same_on_every_target("moving grid",
        [&]
        {
          MovingFlow flow(kSize, { 4, 5, 3 }, kStepTimes, twisted, uneven);
          PathlineOptions options = error_controlled();
          options.time_interpolation = rule;
          return bytes_of(flow.trace(seeds_within(0.1, 0.9, 60, 0.0, 2.0), options));
        });
  }
}

/// Nodes that stay, told of as nodes that move.
TEST(MovingGrid, GivesTheBytesOfAFixedGridWhereNodesStay)
{
  const auto stays = [](const Vec3& share, double)
  {
    return wavy(share);
  };
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    MovingFlow flow(kSize, { 4, 5, 3 }, kStepTimes, stays, uneven);
    PathlineOptions options = error_controlled();
    options.time_interpolation = rule;
    const std::vector<PathSeed> seeds = seeds_within(0.0, 1.0, 60, 0.0, 3.0);
    const std::string moving = bytes_of(flow.trace(seeds, options));
    flow.field().moving = {};
    EXPECT_TRUE(bytes_of(flow.trace(seeds, options)) == moving);
  }
}

TEST(MovingGrid, GivesTheSameBytesIntervalByInterval)
{
  for (const TimeInterpolation rule : { TimeInterpolation::Linear, TimeInterpolation::Cubic })
  {
    for (const bool backward : { false, true })
    {
      PathlineOptions options = error_controlled();
      options.time_interpolation = rule;
      options.direction = backward ? TraceDirection::Backward : TraceDirection::Forward;
      const std::vector<PathSeed> seeds = seeds_within(-0.1, 1.1, 60, 0.0, 4.0);
      MovingFlow flow(kSize, { 4, 5, 3 }, kStepTimes, breathing, uneven);
      const auto hold = [](TraceField& field, const StepRange& held)
      {
        for (std::size_t step = 0; step < field.moving.steps.size(); ++step)
        {
          std::shared_ptr<const CurvilinearGrid>& grid = field.moving.steps[step];
          grid = held.has(static_cast<std::int32_t>(step)) ? grid : nullptr;
        }
      };
      const PathlineFrame at_once = frame_of(flow.field(), kStepTimes, seeds, options, false, hold);
      EXPECT_GT(at_once.lines.lines.size(), 20U);
      const PathlineFrame in_turn = frame_of(flow.field(), kStepTimes, seeds, options, true, hold);
      EXPECT_TRUE(bytes_of(in_turn.lines) == bytes_of(at_once.lines)) << backward;
    }
  }
}

TEST(MovingGrid, LocatesPlacesAtAMoment)
{
  MovingFlow flow(kSize, { 4, 5, 3 }, kStepTimes, twisted, uneven);
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field(), kStepTimes);
  Points points;
  std::vector<Vec3> places;
  for (int i = 0; i < 200; ++i)
  {
    places.push_back(points.next(-0.1, 1.1));
  }
  const Moment moment{ 2, 0.4 };
  std::vector<std::optional<Mesh::Place>> found(places.size());
  mesh->locate(places, moment, found);
  const Reference reference(flow, uneven);
  const double time = kStepTimes[2] + 0.4 * (kStepTimes[3] - kStepTimes[2]);
  int inside = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    EXPECT_EQ(found[i].has_value(), reference.sample(places[i], time).has_value()) << i;
    if (found[i])
    {
      ++inside;
      const std::int64_t cell = found[i]->at.as<WorldPosition>().cell;
      EXPECT_EQ(mesh->label_number(places[i], found[i]->at, moment, Centering::Cell), cell);
      EXPECT_TRUE(mesh->enter(places[i], moment).has_value());
    }
  }
  EXPECT_GT(inside, 50);
}

TEST(MovingGrid, RefusesStepsThatAreNotThere)
{
  MovingFlow flow(kSize, { 4, 5, 3 }, kStepTimes, twisted, uneven);
  flow.field().moving.steps.pop_back();
  const Result<TracedLines> lines = trace_pathlines(flow.field(), kStepTimes, seeds_within(0, 1, 2), {}, { 1, {} });
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().describe(), testing::HasSubstr("one step for each of the times"));
}

} // namespace rivulet::test
