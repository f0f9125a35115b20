// SPDX-License-Identifier: BSD-3-Clause
// Which bricks are prefetched for particles, that it changes no byte, and that hints of an earlier run are used.
#include "Convert/Converter.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Generate/GeneratedField.h"
#include "Store/Field/OpenField.h"
#include "Store/Source/ForwardingSource.h"
#include "Support/TemporaryFolder.h"
#include "Trace/Advect/Prefetcher.h"
#include "Trace/Mesh/CellPosition.h"
#include "Trace/Streamlines.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Int3 kCells{ 4, 4, 4 };

/// Has a place for hints.
class Hinted final : public ForwardingSource
{
public:
  Hinted(BrickSource& inner, HintStore& book)
    : ForwardingSource(inner)
    , book_(book)
  {
  }
  [[nodiscard]] HintStore* hints() override { return &book_; }

private:
  HintStore& book_;
};

class Ahead : public testing::Test
{
protected:
  Ahead()
    : flow_(cube_grid(17, 2.0), { 0.0, 1.0, 2.0, 3.0 }, along_x([](double) { return 1.0; }), kCells)
    , steady_(*AdvectionContext::steady(flow_.field(), {}))
    , unsteady_(*AdvectionContext::unsteady(flow_.field(), { 0.0, 1.0, 2.0, 3.0 }, { 0.0, 3.0 }, {}))
  {
  }

  /// A particle that went along x by `cells` from the middle of a cell.
  static Particle moving(double cells)
  {
    Particle particle;
    particle.started = true;
    particle.base = CellPosition{ { 0.5, 0.5, 0.5 }, { 3, 1, 1 } };
    particle.trial = CellPosition{ { 0.5 + cells, 0.5, 0.5 }, { 3, 1, 1 } };
    return particle;
  }
  /// Bricks of one row, four to an axis.
  static std::vector<std::int64_t> indices(const std::vector<BrickKey>& keys)
  {
    std::vector<std::int64_t> all;
    std::transform(keys.begin(), keys.end(), std::back_inserter(all), [](const BrickKey& key) { return key.index; });
    return all;
  }
  [[nodiscard]] static std::vector<BrickKey> on_path(
      const AdvectionContext& context, const Particle& particle, std::size_t most)
  {
    std::vector<BrickKey> keys;
    PathPredictor(context).look(particle, most, keys);
    return keys;
  }
  /// All that lies ahead of a particle in an item, of which a worker waits for `waiting` bricks.
  [[nodiscard]] static std::vector<BrickKey> ahead(
      const AdvectionContext& context, Particle& particle, std::int64_t item, std::int64_t waiting, double read)
  {
    Prefetcher prefetcher(context);
    prefetcher.brick_came(read);
    Particle* const one = &particle;
    return prefetcher.look({ &one, 1 }, item, context.steps_of(context.interval_of_item(item)).first, waiting);
  }

  FlowInTime flow_;
  AdvectionContext steady_;
  AdvectionContext unsteady_;
};

/// Lines through a field on disk.
class PrefetchedFile : public testing::Test
{
protected:
  struct Traced
  {
    std::string bytes;
    SourceStatistics read;
    std::string reason;
  };

  PrefetchedFile()
  {
    auto flow = *GeneratedField::create(*make_analytic_field("abc", {}), { .nodes = { 60, 60, 60 } });
    EXPECT_TRUE(convert(*flow, path_, {}));
  }
  [[nodiscard]] Traced trace(AccessStrategy strategy, const std::string& hints) const
  {
    const auto source = *open_field({ path_ }, { .strategy = strategy, .memory_budget = 64 << 20, .hints = hints });
    TraceField field;
    field.velocity = { source.get(), 0, 0 };
    field.grid = source->info().grid;
    const StreamlineOptions options{ { .maximum_length = 50.0 } };
    const std::vector<Vec3> seeds{ { 1.0, 2.0, 3.0 }, { 4.0, 2.0, 1.0 } };
    const Result<TracedLines> lines = trace_streamlines(field, seeds, options, { 1, {} });
    EXPECT_TRUE(lines);
    return { bytes_of(*lines), source->statistics(), source->strategy_reason() };
  }
  [[nodiscard]] std::vector<std::string> files_of_hints() const
  {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(hints_))
    {
      if (entry.path().extension() != ".lock")
      {
        files.push_back(entry.path().string());
      }
    }
    return files;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("flow.rvf");
  std::string hints_ = folder_.file("hints");
};

} // namespace

TEST_F(Ahead, NamesTheBricksOnTheStraightPath)
{
  EXPECT_THAT(indices(on_path(steady_, moving(0.3), 3)), ElementsAre(1, 2, 3));
  EXPECT_THAT(indices(on_path(steady_, moving(0.3), 2)), ElementsAre(1, 2));
  Particle back = moving(-0.3);
  for (Position* at : { &back.base, &back.trial })
  {
    auto cell = at->as<CellPosition>();
    cell.cell[0] = 13;
    *at = cell;
  }
  EXPECT_THAT(indices(on_path(steady_, back, 3)), ElementsAre(2, 1, 0));
}

TEST_F(Ahead, NamesBricksBesideThePathToo)
{
  const std::vector<std::int64_t> keys = indices(on_path(steady_, moving(0.3), 30));
  EXPECT_EQ(keys.front(), 1);
  EXPECT_THAT(keys, testing::Contains(18)) << "it has turned towards z";
  const std::set<std::int64_t> once(keys.begin(), keys.end());
  EXPECT_EQ(once.size(), keys.size());
  EXPECT_LT(*once.rbegin(), 64);
  EXPECT_GE(*once.begin(), 0);
}

TEST_F(Ahead, NamesNothingForAParticleThatHasNotMoved)
{
  EXPECT_THAT(on_path(steady_, moving(0.0), 9), IsEmpty());
  Particle fresh = moving(0.3);
  fresh.started = false;
  EXPECT_THAT(on_path(steady_, fresh, 9), IsEmpty());
}

TEST_F(Ahead, GoesThroughTimeToo)
{
  Particle slow = moving(0.01); // leaves its brick after 50 such steps, and the interval after 9
  slow.time = 0.0;
  slow.trial_time = 0.1;
  slow.last_time = 2.5;
  EXPECT_THAT(on_path(unsteady_, slow, 3), ElementsAre(BrickKey{ 0, 1, 0 }, BrickKey{ 0, 2, 0 }, BrickKey{ 0, 3, 0 }));
  slow.last_time = 0.9;
  EXPECT_THAT(on_path(unsteady_, slow, 3), IsEmpty()) << "it ends in this interval";
  Particle back = slow;
  back.time = 2.0;
  back.trial_time = 1.9;
  back.sign = -1.0;
  back.interval = 1;
  back.last_time = 0.5;
  EXPECT_THAT(on_path(unsteady_, back, 3), ElementsAre(BrickKey{ 0, 0, 0 }, BrickKey{ 0, 1, 0 }));
}

TEST_F(Ahead, BeginsWithTheOtherTimeStepsOfTheBrickThatIsWaitedFor)
{
  Particle particle = moving(0.3);
  particle.trial_time = 0.001;
  particle.last_time = 3.0;
  const std::vector<BrickKey> keys = ahead(unsteady_, particle, unsteady_.item_of(0, 0), 1, 5e-3);
  EXPECT_EQ(keys.front(), (BrickKey{ 0, 1, 0 }));
  EXPECT_THAT(keys, testing::Contains(BrickKey{ 0, 0, 1 }));
}

TEST_F(Ahead, LooksAsFarAsAReadTakes)
{
  Particle particle = moving(0.3);
  const std::size_t slow = ahead(steady_, particle, 0, 1, 5e-3).size();
  const std::size_t fast = ahead(steady_, particle, 0, 1, 100e-6).size();
  EXPECT_GE(slow, 8U) << "as many as the rays come to";
  EXPECT_LE(fast, 3U);
  EXPECT_GE(fast, 1U);
  EXPECT_LE(slow, static_cast<std::size_t>(Prefetcher::kMost));
}

TEST_F(Ahead, LeavesTheStorageToThoseThatWait)
{
  Particle particle = moving(0.3);
  EXPECT_THAT(ahead(steady_, particle, 0, Prefetcher::kMost + 1, 5e-3), IsEmpty());
  EXPECT_LE(ahead(steady_, particle, 0, Prefetcher::kMost / 2, 5e-3).size(), 2U);
}

TEST_F(Ahead, FollowsEarlierParticlesFirst)
{
  const TemporaryFolder folder;
  HintStore book(folder.file("hints"), 1);
  Hinted source(flow_.source(), book);
  TraceField field = flow_.field();
  field.velocity.source = &source;
  const AdvectionContext context = *AdvectionContext::steady(field, {});
  {
    Prefetcher teacher(context);
    Particle particle = moving(0.3);
    for (const std::int64_t item : { 0, 16, 32, 33 })
    {
      teacher.enter(particle, item, 1);
    }
    Particle one_of_many = moving(0.3);
    for (const std::int64_t item : { 0, 16, 50 })
    {
      teacher.enter(one_of_many, item, Prefetcher::kFewParticles + 1);
    }
    teacher.keep_hints();
  }
  HintGraph foreign;
  foreign.add_hint({ 0, 0, 16 }, { 0, 0, 32 }, { 0, 7, 33 });
  foreign.add_hint({ 0, 0, 16 }, { 0, 0, 32 }, { 0, 0, 1'000'000 });
  foreign.add_hint({ 0, 0, 16 }, { 0, 0, 32 }, { 3, 0, 33 });
  book.learn(foreign);
  Prefetcher prefetcher(context);
  prefetcher.brick_came(5e-3);
  Particle particle = moving(0.3);
  prefetcher.enter(particle, 0, 1);
  prefetcher.enter(particle, 16, 1);
  Particle* const one = &particle;
  const std::vector<std::int64_t> keys = indices(prefetcher.look({ &one, 1 }, 16, 0, 1));
  ASSERT_GT(keys.size(), 3U);
  EXPECT_THAT(std::vector(keys.begin(), keys.begin() + 3), ElementsAre(32, 33, 1)) << "hints, then the path";
}

TEST_F(PrefetchedFile, GivesTheSameLinesWithAndWithoutHints)
{
  const Traced mapped = trace(AccessStrategy::MemoryMap, hints_);
  EXPECT_EQ(mapped.read.bricks_prefetched, 0);
  EXPECT_FALSE(std::filesystem::exists(hints_)) << "a mapping has no use for them";
  const Traced first = trace(AccessStrategy::Asynchronous, hints_);
  EXPECT_TRUE(first.bytes == mapped.bytes);
  EXPECT_GT(first.read.bricks_prefetched, 0);
  EXPECT_GT(first.read.prefetched_used, 0);
  EXPECT_LE(first.read.prefetched_used, first.read.bricks_prefetched);
  ASSERT_EQ(files_of_hints().size(), 1U);
  const Traced second = trace(AccessStrategy::Asynchronous, hints_);
  EXPECT_TRUE(second.bytes == mapped.bytes);
  EXPECT_GT(second.read.prefetched_used, 0);
}

TEST_F(PrefetchedFile, IsTracedAlikeWhenItsHintsAreDamaged)
{
  const Traced first = trace(AccessStrategy::Asynchronous, hints_);
  ASSERT_EQ(files_of_hints().size(), 1U);
  const std::string file = files_of_hints().front();
  std::ofstream(file) << "something else";
  const Traced second = trace(AccessStrategy::Asynchronous, hints_);
  EXPECT_TRUE(second.bytes == first.bytes);
  EXPECT_THAT(second.reason, testing::HasSubstr(file));
  EXPECT_THAT(trace(AccessStrategy::Asynchronous, hints_).reason, testing::Not(testing::HasSubstr(file)))
      << "it was written anew";
}

TEST_F(PrefetchedFile, KeepsNoHintsWithoutAFolder)
{
  const Traced traced = trace(AccessStrategy::Asynchronous, {});
  EXPECT_GT(traced.read.bricks_prefetched, 0);
  EXPECT_FALSE(std::filesystem::exists(hints_));
}

} // namespace rivulet::test
