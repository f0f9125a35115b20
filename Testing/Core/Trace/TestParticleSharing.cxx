// SPDX-License-Identifier: BSD-3-Clause
// Particles shared out among ranks: the same bytes as those of one rank, whoever advances them, and no rank waits for
// ever.
#include "Core/Trace/MarchInSteps.h"
#include "Support/ThreadRanks.h"
#include "Trace/Advect/ParticleSharing.h"
#include "Trace/FlowMap/Crossings.h"
#include "Trace/FlowMap/FlowMap.h"
#include "Trace/SourceDestination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>

namespace rivulet::test
{
namespace
{

constexpr int kRanks = 3;

std::vector<PathSeed> scattered_seeds(int count)
{
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-0.1, 6.2);
  std::vector<PathSeed> seeds;
  for (int i = 0; i < count; ++i)
  {
    seeds.push_back({ { place(random), place(random), place(random) }, i % 7 == 0 ? 0.9 : 0.0 });
  }
  return seeds;
}

PathlineOptions long_paths()
{
  PathlineOptions options;
  options.integrator = Integrator::RungeKutta45;
  options.maximum_error = 1e-7;
  options.compute_vorticity = true;
  return options;
}

/// A source and a field on it. Each rank has its own.
struct Flow
{
  explicit Flow(const Int3& brick_cells = { 5, 6, 7 })
    : source(swinging_flow(), uniform_grid({ 21, 19, 17 }, kBox), { .brick_cells = brick_cells, .times = kTimes })
  {
    field.velocity = { &source, 0, 0 };
    field.grid = source.info().grid;
    field.attributes = { { "velocity", { &source, 0, 0 } }, { "speed", { &source, 1, 0 } } };
  }
  AnalyticBricks source;
  TraceField field;
};

/// The share of a rank if the first one has nearly all.
std::vector<PathSeed> uneven_share(const std::vector<PathSeed>& seeds, int rank)
{
  const auto cut = static_cast<std::ptrdiff_t>(seeds.size()) - 3;
  return rank == 0   ? std::vector<PathSeed>(seeds.begin(), seeds.begin() + cut)
         : rank == 1 ? std::vector<PathSeed>(seeds.begin() + cut, seeds.end())
                     : std::vector<PathSeed>{};
}

std::string bytes_and_fates(const TracedLines& lines)
{
  std::string bytes = bytes_of(lines);
  for (const SeedFate& fate : lines.seeds)
  {
    append(bytes, fate.reason.data(), 2);
    append(bytes, fate.length.data(), 2);
    append(bytes, fate.steps.data(), 2);
  }
  return bytes;
}

TracedLines pathlines(const TraceField& field, const std::vector<PathSeed>& seeds, const RunOptions& run)
{
  Result<TracedLines> lines = trace_pathlines(field, {}, seeds, long_paths(), run);
  EXPECT_TRUE(lines.has_value());
  return std::move(*lines);
}

class SharedParticles : public testing::TestWithParam<int> // threads of a rank
{
protected:
  [[nodiscard]] RunOptions run_with(ParticleSharing& sharing) const
  {
    RunOptions run{ GetParam(), {} };
    sharing.attach(run);
    return run;
  }
};

} // namespace

TEST_P(SharedParticles, HaveTheLinesOfOneRank)
{
  const std::vector<PathSeed> seeds = scattered_seeds(8000);
  std::array<std::string, kRanks> expected;
  std::array<std::string, kRanks> found;
  std::int64_t steps_alone = 0;
  for (int rank = 0; rank < kRanks; ++rank)
  {
    Flow flow;
    const TracedLines lines = pathlines(flow.field, uneven_share(seeds, rank), { 2, {} });
    expected.at(static_cast<std::size_t>(rank)) = bytes_and_fates(lines);
    steps_alone += lines.statistics.integration_steps;
  }
  std::atomic<std::int64_t> steps{ 0 };
  std::array<std::int64_t, kRanks> lent{};
  ThreadRanks ranks(kRanks);
  ranks.run(
      [&](RankLink& link)
      {
        Flow flow;
        ParticleSharing sharing(link);
        const TracedLines lines = pathlines(flow.field, uneven_share(seeds, link.rank()), run_with(sharing));
        sharing.close();
        found.at(static_cast<std::size_t>(link.rank())) = bytes_and_fates(lines);
        lent.at(static_cast<std::size_t>(link.rank())) = sharing.lent();
        steps += lines.statistics.integration_steps;
      });
  for (std::size_t rank = 0; rank < kRanks; ++rank)
  {
    EXPECT_TRUE(found.at(rank) == expected.at(rank)) << rank;
  }
  EXPECT_EQ(steps, steps_alone);
  EXPECT_GT(lent[0], 0);
  EXPECT_TRUE(ranks.quiet());
}

/// Every rank records other points than the first, which has nearly all particles.
TEST_P(SharedParticles, StayWhereOtherRanksRecordOtherPoints)
{
  const std::vector<PathSeed> seeds = scattered_seeds(2000);
  std::array<bool, kRanks> same{};
  std::array<std::int64_t, kRanks> lent{};
  ThreadRanks ranks(kRanks);
  ranks.run(
      [&](RankLink& link)
      {
        Flow flow;
        if (link.rank() > 0)
        {
          flow.field.attributes.clear();
        }
        const std::vector<PathSeed> mine = uneven_share(seeds, link.rank());
        const std::string alone = bytes_and_fates(pathlines(flow.field, mine, { 1, {} }));
        ParticleSharing sharing(link);
        const TracedLines lines = pathlines(flow.field, mine, run_with(sharing));
        sharing.close();
        same.at(static_cast<std::size_t>(link.rank())) = bytes_and_fates(lines) == alone;
        lent.at(static_cast<std::size_t>(link.rank())) = sharing.lent();
      });
  EXPECT_THAT(same, testing::Each(true));
  EXPECT_EQ(lent[0], 0);
  EXPECT_TRUE(ranks.quiet());
}

TEST_P(SharedParticles, GoOnFromStatesInEachInterval)
{
  const std::vector<PathSeed> seeds = scattered_seeds(1500);
  const auto go = [&](const TraceField& field, PathlineMarch& march, const RunOptions& run)
  {
    march.end_at({ box({ 1, 1, 1 }, { 5, 5.5, 5 }) });
    for (std::int32_t interval = 0; interval < 4; ++interval)
    {
      Result<AdvectionContext> context =
          AdvectionContext::unsteady(field, kTimes, { -kForever, kForever }, long_paths());
      context->set_intervals(interval, interval);
      EXPECT_TRUE(march.go_on(*context, run).has_value());
    }
    return bytes_and_fates(march.frame(2.0)->lines);
  };
  for (const bool ends_only : { false, true })
  {
    std::array<std::string, kRanks> found;
    ThreadRanks ranks(kRanks);
    std::atomic<std::int64_t> steps{ 0 };
    ranks.run(
        [&](RankLink& link)
        {
          Flow flow;
          ParticleSharing sharing(link);
          PathlineMarch march(uneven_share(seeds, link.rank()), kTimes, false);
          march.begin_at(0.0);
          ends_only ? march.keep_ends_only() : void();
          found.at(static_cast<std::size_t>(link.rank())) = go(flow.field, march, run_with(sharing));
          steps += march.take_statistics().integration_steps;
        });
    std::int64_t steps_alone = 0;
    for (int rank = 0; rank < kRanks; ++rank)
    {
      Flow flow;
      PathlineMarch march(uneven_share(seeds, rank), kTimes, false);
      march.begin_at(0.0);
      ends_only ? march.keep_ends_only() : void();
      EXPECT_TRUE(go(flow.field, march, { 1, {} }) == found.at(static_cast<std::size_t>(rank))) << rank;
      steps_alone += march.take_statistics().integration_steps;
    }
    EXPECT_EQ(steps, steps_alone);
  }
}

TEST_P(SharedParticles, HaveTheCrossingsOfOneRank)
{
  const std::vector<Surface> surfaces{ plane({ 3, 3, 3 }, { 0, 0, 1 }), box({ 2, 2, 2 }, { 4, 4, 4 }) };
  const std::vector<PathSeed> seeds = scattered_seeds(2000);
  const auto cross = [&](const RunOptions& run, int rank)
  {
    Flow flow;
    const std::vector<PathSeed> own = uneven_share(seeds, rank);
    const AdvectionContext context =
        *AdvectionContext::unsteady(flow.field, kTimes, { -kForever, kForever }, long_paths());
    std::vector<EndState> ends(own.size());
    Crossings recorder(ends, surfaces);
    FixedSeeds source(context, own);
    (void)advect(context, source, recorder, run);
    std::string bytes;
    for (const EndState& end : ends)
    {
      append(bytes, &end.point, 1);
      append(bytes, &end.time, 1);
      append(bytes, &end.reason, 1);
    }
    for (const Crossing& crossing : recorder.all())
    {
      append(bytes, &crossing.id, 1);
      append(bytes, &crossing.surface, 1);
      append(bytes, &crossing.point, 1);
      append(bytes, &crossing.time, 1);
    }
    return bytes;
  };
  std::array<std::string, kRanks> found;
  ThreadRanks(kRanks).run(
      [&](RankLink& link)
      {
        ParticleSharing sharing(link);
        found.at(static_cast<std::size_t>(link.rank())) = cross(run_with(sharing), link.rank());
      });
  for (int rank = 0; rank < kRanks; ++rank)
  {
    EXPECT_TRUE(found.at(static_cast<std::size_t>(rank)) == cross({ 1, {} }, rank)) << rank;
  }
}

TEST_P(SharedParticles, ComeFromALatticeToo)
{
  Grid lattice = cube_grid(17, 2.0);
  lattice.origin = { 1, 1, 1 };
  const auto map_of = [&](const RunOptions& run, Grid part)
  {
    Flow flow;
    const FlowMap map = *flow_map(flow.field, kTimes, part, { 0.1, 1.9 }, long_paths(), run);
    std::string bytes;
    for (const EndState& end : map.ends)
    {
      append(bytes, &end.point, 1);
      append(bytes, &end.reason, 1);
    }
    return bytes;
  };
  std::string found;
  ThreadRanks(kRanks).run(
      [&](RankLink& link)
      {
        ParticleSharing sharing(link);
        if (link.rank() == 0)
        {
          found = map_of(run_with(sharing), lattice);
          (void)map_of(run_with(sharing), lattice); // nobody shares the second call
        }
        if (link.rank() == 1)
        {
          Grid one = lattice;
          one.nodes = { 1, 1, 1 };
          (void)map_of(run_with(sharing), one);
        }
        sharing.close(); // the third rank has nothing to advance
      });
  EXPECT_TRUE(found == map_of({ 1, {} }, lattice));
}

TEST_P(SharedParticles, WaitForRanksThatComeLate)
{
  const std::vector<PathSeed> seeds = scattered_seeds(300);
  std::string found;
  std::atomic<int> idle{ 0 };
  ThreadRanks(2).run(
      [&](RankLink& link)
      {
        if (link.rank() == 1)
        {
          std::this_thread::sleep_for(std::chrono::milliseconds(400));
        }
        ParticleSharing sharing(link);
        for (int round = 0; round < 3; ++round)
        {
          Flow flow;
          const TracedLines lines =
              pathlines(flow.field, link.rank() == 0 ? seeds : std::vector<PathSeed>{}, run_with(sharing));
          if (link.rank() == 0)
          {
            found = bytes_and_fates(lines);
          }
          sharing.meet([&] { ++idle; });
        }
      });
  Flow flow;
  EXPECT_TRUE(found == bytes_and_fates(pathlines(flow.field, seeds, { 1, {} })));
}

TEST_P(SharedParticles, EndTogetherWhenOneRankIsStopped)
{
  const std::vector<PathSeed> seeds = scattered_seeds(40000);
  for (const int stopped : { 0, 1 }) // the lender, and the borrower
  {
    std::atomic<bool> stop{ false };
    TracedLines found;
    ThreadRanks(2).run(
        [&](RankLink& link)
        {
          Flow flow;
          ParticleSharing sharing(link);
          RunOptions run = run_with(sharing);
          const std::function<bool()> answer = run.poll;
          run.poll = [&]
          {
            stop = stop || sharing.lent() > 0;
            return answer() && !(stop && link.rank() == stopped);
          };
          TracedLines lines = pathlines(flow.field, uneven_share(seeds, link.rank()), run);
          if (link.rank() == 0)
          {
            found = std::move(lines);
          }
        });
    const auto with = [&](Termination reason)
    {
      return std::count_if(
          found.seeds.begin(), found.seeds.end(), [&](const SeedFate& fate) { return fate.reason[0] == reason; });
    };
    EXPECT_EQ(found.data_error, nullptr);
    EXPECT_EQ(with(Termination::None), 0);
    EXPECT_GT(with(Termination::Cancelled), 0);
  }
}

// Without memory for messages there are the right lines, or an error; and no rank waits for ever.
TEST_P(SharedParticles, BearALackOfMemoryForMessages)
{
  const std::vector<PathSeed> seeds = scattered_seeds(600);
  Flow alone;
  const std::string expected = bytes_and_fates(pathlines(alone.field, uneven_share(seeds, 0), { 1, {} }));
  for (const double faults : { 0.02, 0.2, 0.6 })
  {
    ThreadRanks(kRanks, faults)
        .run(
            [&](RankLink& link)
            {
              Flow flow;
              ParticleSharing sharing(link);
              const TracedLines lines = pathlines(flow.field, uneven_share(seeds, link.rank()), run_with(sharing));
              EXPECT_TRUE(link.rank() != 0 || lines.data_error || bytes_and_fates(lines) == expected) << faults;
            });
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, SharedParticles, testing::Values(1, 2));

} // namespace rivulet::test
