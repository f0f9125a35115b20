// SPDX-License-Identifier: BSD-3-Clause
// Sources that make releases while the run goes on, recorders, the order of work, and velocities among other
// components.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Core/Trace/Listener.h"
#include "Support/FaultyBricks.h"
#include "Trace/Advect/Advect.h"
#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Advect/WorkQueue.h"
#include "Trace/FlowMap/EndStates.h"
#include "Trace/FlowMap/LatticeSource.h"
#include "Trace/VortexSeeds.h"

#include <gmock/gmock.h>

#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <set>

namespace rivulet::test
{
namespace
{

/// Refines a curve of releases until the ends of neighbours are near each other: both source and recorder.
class RefinedCurve final : public ParticleSource, public Recorder
{
public:
  explicit RefinedCurve(double nearest)
    : nearest_(nearest)
  {
    for (const double s : { 0.0, 0.5, 1.0 })
    {
      add(s);
    }
  }

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override
  {
    const std::lock_guard lock(mutex_);
    for (; most > 0 && !pending_.empty(); --most)
    {
      const double s = pending_.back();
      pending_.pop_back();
      to.push_back({ .id = static_cast<std::int64_t>(numbers_.size()), .point = { 0.0, 0.2 + s, 0.0 } });
      numbers_.push_back(s);
    }
    return ends_.size() == expected_ends() && pending_.empty() ? Supply::None : Supply::Wait;
  }
  [[nodiscard]] std::int64_t expected() const override { return 100; }

  void prepare(const AdvectionContext& context, int) override { mesh_ = &context.mesh(); }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  void ended(int, const Particle& particle) override
  {
    const std::lock_guard lock(mutex_);
    const double s = numbers_[static_cast<std::size_t>(particle.task)];
    ends_[s] = mesh_->world(particle.base);
    reasons_.insert(particle.reason);
    const auto here = released_.find(s);
    refine(here, std::next(here));
    if (here != released_.begin())
    {
      refine(std::prev(here), here);
    }
  }

  [[nodiscard]] const std::map<double, Vec3>& ends() const { return ends_; }
  [[nodiscard]] const std::set<Termination>& reasons() const { return reasons_; }

private:
  void add(double s)
  {
    released_.insert(s);
    pending_.push_back(s);
  }
  [[nodiscard]] std::size_t expected_ends() const { return released_.size(); }

  void refine(std::set<double>::iterator low, std::set<double>::iterator high)
  {
    if (high == released_.end() || !ends_.contains(*low) || !ends_.contains(*high))
    {
      return;
    }
    const Vec3& a = ends_[*low];
    const Vec3& b = ends_[*high];
    if (std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > nearest_)
    {
      add((*low + *high) / 2);
    }
  }

  double nearest_;
  const Mesh* mesh_ = nullptr;
  mutable std::mutex mutex_;
  std::set<double> released_;
  std::vector<double> pending_;
  std::vector<double> numbers_; ///< by id
  std::map<double, Vec3> ends_;
  std::set<Termination> reasons_;
};

/// Releases of another source, and the largest number of them that were under way at a time.
class CountedReleases final : public ParticleSource, public Recorder
{
public:
  explicit CountedReleases(ParticleSource& of)
    : of_(of)
  {
  }
  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override
  {
    const Supply supply = of_.take(most, to);
    under_way_ += static_cast<std::int64_t>(to.size());
    most_ = std::max(most_, under_way_);
    return supply;
  }
  [[nodiscard]] std::int64_t expected() const override { return of_.expected(); }
  void prepare(const AdvectionContext&, int) override {}
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  void ended(int, const Particle&) override { --under_way_; }

  [[nodiscard]] std::int64_t most() const { return most_; }

private:
  ParticleSource& of_;
  std::int64_t under_way_ = 0; ///< of one worker
  std::int64_t most_ = 0;
};

/// The number of threads that follow the particles, and of particles that ended.
class CountedThreads final : public Recorder
{
public:
  void prepare(const AdvectionContext&, int threads) override { threads_ = threads; }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  void ended(int, const Particle&) override { ++ended_; }

  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int ends() const { return ended_; }

private:
  int threads_ = 0;
  std::atomic<int> ended_{ 0 };
};

/// A source that has room for some bricks only, and where only so many threads are of use.
class LittleRoom final : public ForwardingSource
{
public:
  LittleRoom(BrickSource& source, std::int64_t room, int useful = std::numeric_limits<int>::max())
    : ForwardingSource(source)
    , room_(room)
    , useful_(useful)
  {
  }
  [[nodiscard]] std::int64_t bricks_at_once() const override { return room_; }
  [[nodiscard]] int useful_threads(int wanted) const override { return std::min(wanted, useful_); }

private:
  std::int64_t room_;
  int useful_;
};

PathlineOptions short_steps()
{
  return timed_steps(Integrator::RungeKutta4, 0.02);
}

AdvectionContext context_of(FlowInTime& flow, const TraceOptions& options)
{
  return *AdvectionContext::unsteady(flow.field(), flow.source().info().times, { -1e300, 1e300 }, options);
}

TEST(Advect, ASourceMayMakeReleasesOfWhatBecameOfEarlierOnes)
{
  const auto shear = [](const Vec3& x, double t)
  {
    return Vec3{ x[1] * (1.0 + t), 0.0, 0.0 };
  };
  std::map<double, Vec3> expected;
  for (const int threads : { 1, 2, 4 })
  {
    FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 1 }, shear, { 2, 2, 2 });
    const AdvectionContext context = context_of(flow, short_steps());
    RefinedCurve curve(0.1);
    const AdvectionSummary summary = advect(context, curve, curve, { threads, {} });
    EXPECT_FALSE(summary.stopped);
    EXPECT_THAT(curve.reasons(), testing::ElementsAre(Termination::OutOfTime));
    ASSERT_GT(curve.ends().size(), 16U);
    const Vec3* before = nullptr;
    for (const auto& [s, end] : curve.ends())
    {
      EXPECT_NEAR(end[0], 1.5 * (0.2 + s), 1e-9);
      EXPECT_TRUE(before == nullptr || end[0] - (*before)[0] <= 0.2);
      before = &end;
    }
    expected = expected.empty() ? curve.ends() : expected;
    EXPECT_EQ(curve.ends(), expected) << threads;
  }
}

TEST(Advect, ASourceThatStopsMidwayEndsTheRun)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(1.0, 0.0));
  PathlineOptions options = timed_steps(Integrator::RungeKutta4, 1e-7);
  options.maximum_steps = 1000000000;
  const AdvectionContext context = context_of(flow, options);
  RefinedCurve curve(1e-3);
  const AdvectionSummary summary = advect(context, curve, curve,
      { .threads = 2,
          .progress = [](double)
          {
            return false;
          } });
  EXPECT_TRUE(summary.stopped);
  EXPECT_THAT(curve.reasons(), testing::ElementsAre(Termination::Cancelled));
  EXPECT_FALSE(curve.ends().empty());
}

TEST(Advect, ReleasesOutsideEndAtOnce)
{
  FlowInTime flow(cube_grid(5, 1.0), { 0, 1 }, turning(1.0, 0.0));
  const AdvectionContext context = context_of(flow, short_steps());
  Grid lattice;
  lattice.nodes = { 2, 1, 1 };
  lattice.origin = { 0.5, 0, 0 };
  for (const double time : { 0.5, 2.0 })
  {
    std::vector<EndState> ends(2);
    LatticeSource source(*GridGeometry::create(lattice), time, 1.0);
    EndStates recorder(ends);
    const AdvectionSummary summary = advect(context, source, recorder, { 1, {} });
    EXPECT_EQ(summary.outside, time == 0.5 ? 1 : 2);
    EXPECT_EQ(ends[0].reason, time == 0.5 ? Termination::OutOfTime : Termination::SeedOutside);
    EXPECT_EQ(ends[1].reason, Termination::SeedOutside);
    EXPECT_EQ(ends[1].point[0], 1.5);
  }
}

/// More buckets than a worker asks for at a time, of bricks that come in any order and are soon gone again.
TEST(Advect, ManyBucketsWaitTheirTurn)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.3, 0.7, 1 }, turning(1.0, 0.5), { 1, 1, 1 });
  Grid lattice;
  lattice.nodes = { 12, 12, 12 };
  lattice.origin = { -1.3, -1.3, -1.3 };
  lattice.spacing = { 0.23, 0.23, 0.23 };
  const auto ends_of = [&](BrickSource& source, int threads)
  {
    TraceField field = flow.field();
    field.velocity.source = &source;
    const AdvectionContext context =
        *AdvectionContext::unsteady(field, source.info().times, { -1e300, 1e300 }, short_steps());
    std::vector<EndState> ends(static_cast<std::size_t>(volume(lattice.nodes)));
    LatticeSource releases(*GridGeometry::create(lattice), 0.1, 1.0);
    EndStates recorder(ends);
    const AdvectionSummary summary = advect(context, releases, recorder, { threads, {} });
    EXPECT_EQ(summary.outside, 0);
    std::vector<std::array<double, 4>> values;
    for (const EndState& end : ends)
    {
      values.push_back({ end.point[0], end.point[1], end.point[2], end.time });
    }
    return values;
  };
  const auto expected = ends_of(flow.source(), 1);
  for (const bool hands_over : { false, true })
  {
    for (const int threads : { 1, 3 })
    {
      FaultyBricks late(flow.source(), { .answer = FaultyBricks::Answer::LaterInRandomOrder,
                                           .seed = 5,
                                           .hits = 2,
                                           .gather = 20,
                                           .hands_over = hands_over });
      EXPECT_TRUE(ends_of(late, threads) == expected) << threads;
      EXPECT_GT(late.misses(), 1000);
    }
  }
}

/// A field whose bricks come at once has few particles under way. Many are together where its bricks do not all fit
/// into memory, so that each is read once, and where all that are under way wait.
TEST(Advect, HasFewParticlesUnderWayWhereAllBricksFitIntoMemory)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1 }, turning(1.0, 0.5), { 4, 4, 4 });
  Grid lattice;
  lattice.nodes = { 24, 24, 24 };
  lattice.origin = { -1.3, -1.3, -1.3 };
  lattice.spacing = { 0.11, 0.11, 0.11 };
  const auto most_with = [&](BrickSource& source)
  {
    TraceField field = flow.field();
    field.velocity.source = &source;
    const AdvectionContext context =
        *AdvectionContext::unsteady(field, source.info().times, { -1e300, 1e300 }, short_steps());
    LatticeSource nodes(*GridGeometry::create(lattice), 0.0, 1.0);
    CountedReleases counted(nodes);
    EXPECT_FALSE(advect(context, counted, counted, { 1, {} }).stopped);
    return counted.most();
  };
  const std::int64_t bricks = 3 * flow.source().bricks(0).size();
  LittleRoom enough(flow.source(), bricks);
  EXPECT_LE(most_with(enough), 1024);
  LittleRoom too_little(flow.source(), bricks - 1);
  EXPECT_GT(most_with(too_little), 2000);
  FaultyBricks late(flow.source(), { .answer = FaultyBricks::Answer::Later, .gather = 1000 });
  EXPECT_GT(most_with(late), 2000);
}

TEST(Advect, HasNoMoreThreadsThanAreOfUseToTheSource)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(1.0, 0.0));
  Grid lattice;
  lattice.nodes = { 4, 4, 1 };
  lattice.origin = { -0.5, -0.5, 0.0 };
  lattice.spacing = { 0.25, 0.25, 1.0 };
  const auto threads_with = [&](int useful)
  {
    LittleRoom source(flow.source(), 100, useful);
    TraceField field = flow.field();
    field.velocity.source = &source;
    const AdvectionContext context =
        *AdvectionContext::unsteady(field, source.info().times, { -1e300, 1e300 }, short_steps());
    LatticeSource nodes(*GridGeometry::create(lattice), 0.0, 1.0);
    CountedThreads counted;
    EXPECT_FALSE(advect(context, nodes, counted, { 8, {} }).stopped);
    EXPECT_EQ(counted.ends(), 16);
    return counted.threads();
  };
  EXPECT_EQ(threads_with(100), 8);
  EXPECT_EQ(threads_with(3), 3);
  EXPECT_EQ(threads_with(0), 1);
}

TEST(Advect, TellsWhereAndWhenParticlesBeginAndGoOn)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1, 2, 3 }, turning(1.0, 0.0), { 2, 2, 2 });
  Listener listener(flow.source());
  TraceField field = flow.field();
  field.velocity.source = &listener;
  AdvectionContext context = *AdvectionContext::unsteady(
      field, listener.info().times, { -1e300, 1e300 }, timed_steps(Integrator::RungeKutta4, 0.1));
  Grid lattice;
  lattice.nodes = { 3, 1, 1 };
  lattice.origin = { -1.5, 0.3, 0.3 };
  lattice.spacing = { 1.5, 1.0, 1.0 };
  const auto key_at = [&](const Vec3& point, std::int32_t step)
  {
    return BrickKey{ 0, step, context.mesh().enter(point, {})->brick };
  };
  std::vector<EndState> ends(3);
  EndStates recorder(ends);
  LatticeSource nodes(*GridGeometry::create(lattice), 1.5, 1.0);
  ParticleMarch march(3);
  context.set_intervals(1, 1);
  ASSERT_FALSE(march.begin(context, nodes, recorder, { 1, {} }).stopped);
  EXPECT_EQ(listener.told().first_bricks, (std::vector<BrickKey>{ key_at({ -1.5, 0.3, 0.3 }, 1),
                                              key_at({ 0, 0.3, 0.3 }, 1), key_at({ 1.5, 0.3, 0.3 }, 1) }));
  std::set<std::int64_t> expected;
  for (const EndState& end : ends)
  {
    expected.insert(key_at(end.point, 2).index);
  }
  context.set_intervals(1, 2);
  ASSERT_FALSE(march.go_on(context, recorder, { 1, {} }).stopped);
  std::set<std::int64_t> told;
  for (const BrickKey& key : listener.told().first_bricks)
  {
    EXPECT_EQ(key.step, 2);
    told.insert(key.index);
  }
  EXPECT_EQ(told, expected);

  const std::vector<std::int64_t> chosen{ 2, 0 };
  ChosenNodes some(*GridGeometry::create(lattice), chosen, 1.5, -1.0);
  context.set_intervals(0, 1);
  ASSERT_FALSE(advect(context, some, recorder, { 1, {} }).stopped);
  EXPECT_EQ(listener.told().first_bricks,
      (std::vector<BrickKey>{ key_at({ 1.5, 0.3, 0.3 }, 1), key_at({ -1.5, 0.3, 0.3 }, 1) }));
}

TEST(SpreadOver, NamesReleasesAtEqualDistances)
{
  const auto numbers_of = [](std::int64_t count, std::size_t most)
  {
    std::vector<std::int64_t> numbers;
    for (const Release& release : spread_over(count, most, [](std::int64_t i) { return Release{ .id = i }; }))
    {
      numbers.push_back(release.id);
    }
    return numbers;
  };
  EXPECT_THAT(numbers_of(0, 4), testing::IsEmpty());
  EXPECT_THAT(numbers_of(3, 4), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(numbers_of(11, 4), testing::ElementsAre(0, 2, 5, 8));
  const std::int64_t huge = std::int64_t{ 1 } << 60;
  EXPECT_THAT(numbers_of(huge, 4), testing::ElementsAre(0, huge / 4, huge / 2, huge / 4 * 3));
}

TEST(LatticeSource, ReleasesEachNodeOnce)
{
  Grid lattice;
  lattice.nodes = { 19, 9, 1 };
  lattice.spacing = { 0.5, 2.0, 1.0 };
  LatticeSource source(*GridGeometry::create(lattice), 3.0, -1.0);
  std::vector<Release> releases;
  while (source.take(7, releases) == ParticleSource::Supply::More)
  {
  }
  EXPECT_EQ(source.take(7, releases), ParticleSource::Supply::None);
  ASSERT_EQ(static_cast<std::int64_t>(releases.size()), source.expected());
  std::set<std::int64_t> ids;
  for (const Release& release : releases)
  {
    ids.insert(release.id);
    const Int3 node = from_row_major(release.id, lattice.nodes);
    EXPECT_EQ(release.point, (Vec3{ 0.5 * node[0], 2.0 * node[1], 0.0 }));
    EXPECT_EQ(release.time, 3.0);
    EXPECT_EQ(release.sign, -1.0);
  }
  EXPECT_EQ(ids.size(), releases.size());
}

TEST(WorkQueue, GoesThroughTimeAndThenThroughTheStorage)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1, 2, 3 }, turning(1.0, 0.0), { 4, 4, 4 });
  const auto items_of = [&](TraceDirection direction)
  {
    TraceOptions options = short_steps();
    options.direction = direction;
    const AdvectionContext context = context_of(flow, options);
    WorkQueue queue(context);
    for (const auto& [brick, interval] : std::vector<std::pair<int, int>>{ { 5, 1 }, { 3, 2 }, { 7, 0 }, { 2, 1 } })
    {
      queue.push(context.item_of(brick, interval));
    }
    std::vector<std::pair<std::int64_t, std::int32_t>> items;
    while (!queue.empty())
    {
      const std::int64_t item = queue.pop();
      items.emplace_back(context.brick_of_item(item), context.interval_of_item(item));
    }
    return items;
  };
  using Pairs = std::vector<std::pair<std::int64_t, std::int32_t>>;
  EXPECT_EQ(items_of(TraceDirection::Forward), (Pairs{ { 7, 0 }, { 2, 1 }, { 5, 1 }, { 3, 2 } }));
  EXPECT_EQ(items_of(TraceDirection::Both), (Pairs{ { 7, 0 }, { 2, 1 }, { 5, 1 }, { 3, 2 } }));
  EXPECT_EQ(items_of(TraceDirection::Backward), (Pairs{ { 3, 2 }, { 2, 1 }, { 5, 1 }, { 7, 0 } }));
}

TEST(WorkQueue, TakesWhatWasReadyFirstInSteadyFlow)
{
  FlowInMemory flow(cube_grid(5, 1.0), rotation(1.0));
  const AdvectionContext context = *AdvectionContext::steady(flow.field(), StreamlineOptions{});
  WorkQueue queue(context);
  queue.push(5);
  queue.push(3);
  EXPECT_EQ(queue.pop(), 5);
  queue.push(9);
  EXPECT_EQ(queue.pop(), 3);
  EXPECT_EQ(queue.pop(), 9);
  EXPECT_TRUE(queue.empty());
}

/// An array whose components 2, 3 and 4 of 6 are the velocity, and the others are not finite.
TEST(Components, AVelocityMayBeThreeOfMore)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    for (const Grid& grid : { cube_grid(8, 1.0), flat_grid(), stretched_grid() })
    {
      const double lift = grid.nodes[2] > 1 ? 0.3 : 0.0;
      FlowInMemory plain(
          grid,
          [lift](const Vec3& x) {
            return Vec3{ -x[1] + 0.1, x[0], lift * x[2] };
          },
          centering);
      std::vector<double> wide;
      for (std::size_t i = 0; i < plain.values().size(); i += 3)
      {
        const double* v = &plain.values()[i];
        wide.insert(wide.end(), { std::nan(""), std::nan(""), v[0], v[1], v[2], std::nan("") });
      }
      ArrayBricks source(grid, { { { "all", ScalarType::Float64, 6, centering }, wide.data() } });
      TraceField field = plain.field();
      field.velocity = { &source, 0, 0, 2 };
      std::vector<Vec3> seeds;
      for (int i = 0; i < 12; ++i)
      {
        seeds.push_back(lattice_position(grid, Centering::Cell, { i % 7, (2 * i) % 6, grid.nodes[2] > 1 ? i % 5 : 0 }));
      }
      StreamlineOptions options;
      options.maximum_length = 4.0;
      const Result<TracedLines> lines = trace_streamlines(field, seeds, options, { 1, {} });
      ASSERT_TRUE(lines.has_value()) << lines.error().describe();
      const TracedLines expected = plain.trace(seeds, options);
      ASSERT_FALSE(expected.lines.empty());
      EXPECT_TRUE(bytes_of(*lines) == bytes_of(expected));

      const Result<VortexSeeds> spins = find_vortex_seeds(field, { .minimum = 0.1 }, { 1, {} });
      const Result<VortexSeeds> as_expected = find_vortex_seeds(plain.field(), { .minimum = 0.1 }, { 1, {} });
      ASSERT_TRUE(spins.has_value() && as_expected.has_value());
      ASSERT_EQ(spins->seeds.size(), as_expected->seeds.size());
      for (std::size_t i = 0; i < spins->seeds.size(); ++i)
      {
        EXPECT_EQ(spins->seeds[i].vorticity, as_expected->seeds[i].vorticity);
      }
    }
  }
}

TEST(Components, AVelocityBeyondTheLastOneIsRefused)
{
  FlowInMemory flow(cube_grid(4, 1.0), rotation(1.0));
  TraceField field = flow.field();
  field.velocity.first_component = 1;
  const Result<TracedLines> lines = trace_streamlines(field, {}, {}, {});
  ASSERT_FALSE(lines.has_value());
  EXPECT_THAT(lines.error().describe(), testing::HasSubstr("components 1 to 3 of the array"));
}

} // namespace
} // namespace rivulet::test
