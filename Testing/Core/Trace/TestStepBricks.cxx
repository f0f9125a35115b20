// SPDX-License-Identifier: BSD-3-Clause
// Steps that are sources of their own give the lines of a source of all steps.
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Store/Derived/StepBricks.h"
#include "Support/FaultyBricks.h"
#include "Trace/PathlineMarch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

namespace rivulet::test
{
namespace
{

const std::vector<double> kTimes{ 0.0, 0.4, 1.0, 1.3 };

AnalyticBricks turning_flow(std::vector<double> times, const Int3& nodes = { 21, 19, 17 }, Int3 bricks = { 5, 6, 7 })
{
  return AnalyticBricks(std::make_shared<FormulaInTime>(
                            [](const Vec3& x, double t) {
                              return Vec3{ std::sin(x[2] + t), std::sin(x[0]) * (1 + t), std::cos(x[1]) };
                            }),
      uniform_grid(nodes, kBox), { .brick_cells = bricks, .times = std::move(times) });
}

std::vector<PathSeed> some_seeds()
{
  std::vector<PathSeed> seeds;
  for (int i = 0; i < 30; ++i)
  {
    seeds.push_back({ { 0.4 + 0.17 * i, 5.9 - 0.16 * i, 0.1 * i + 1.0 }, 0.0 });
  }
  return seeds;
}

/// No brick ever arrives: only withdrawn requests are answered.
class NeverArrives final : public ForwardingSource
{
public:
  explicit NeverArrives(BrickSource& all)
    : ForwardingSource(all)
  {
  }
  [[nodiscard]] Lookup try_get(const BrickKey&) override { return {}; }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t) override
  {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(key, &waiter);
  }
  void withdraw(BrickWaiter& waiter) override
  {
    std::vector<BrickKey> keys;
    {
      const std::lock_guard lock(mutex_);
      std::erase_if(waiting_,
          [&](const auto& request)
          {
            if (request.second == &waiter)
            {
              keys.push_back(request.first);
            }
            return request.second == &waiter;
          });
    }
    for (const BrickKey& key : keys)
    {
      waiter.brick_arrived(key, {});
    }
  }
  void prepare(const Workload& workload) override { told_.push_back(workload); }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
  [[nodiscard]] const std::vector<Workload>& told() const { return told_; }

private:
  std::mutex mutex_; ///< guards waiting_
  std::vector<std::pair<BrickKey, BrickWaiter*>> waiting_;
  std::vector<Workload> told_;
};

/// Through the interval after a step.
Result<void> go_through(PathlineMarch& march, const TraceField& field, std::int32_t interval)
{
  AdvectionContext context = *AdvectionContext::unsteady(field, kTimes, { 0.0, 1.3 }, PathlineOptions());
  context.set_intervals(interval, interval);
  return march.go_on(context, { 2, {} });
}

class StepBricksAnswers : public testing::TestWithParam<FaultyBricks::Answer>
{
};

} // namespace

TEST_P(StepBricksAnswers, GiveTheLinesOfASourceOfAllSteps)
{
  AnalyticBricks all = turning_flow(kTimes);
  TraceField field;
  field.grid = all.info().grid;
  field.velocity = { &all, 0, 0 };
  const Result<TracedLines> expected = trace_pathlines(field, {}, some_seeds(), PathlineOptions(), { 2, {} });
  ASSERT_TRUE(expected.has_value());

  std::vector<std::unique_ptr<FaultyBricks>> steps;
  for (std::uint64_t i = 0; i < kTimes.size(); ++i)
  {
    steps.push_back(std::make_unique<FaultyBricks>(
        all, FaultyBricks::Options{ .answer = GetParam(), .seed = i, .hits = 2, .hands_over = i % 2 == 0 }));
  }
  StepBricks two(kTimes, { steps[0].get(), 0, 0 });
  field.velocity = { &two, 0, 0 };
  PathlineMarch march(some_seeds(), kTimes, false);
  for (std::int32_t i = 0; i < 3; ++i)
  {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_TRUE(two.hold({ { i, { steps[at].get(), 0, i } }, { i + 1, { steps[at + 1].get(), 0, i + 1 } } }));
    ASSERT_TRUE(go_through(march, field, i));
  }
  const Result<PathlineFrame> frame = march.frame(1.3);
  ASSERT_TRUE(frame.has_value());
  ASSERT_GT(frame->lines.lines.size(), 20U);
  EXPECT_EQ(frame->lines.points.size(), expected->points.size());
  EXPECT_TRUE(std::equal(frame->lines.points.begin(), frame->lines.points.end(), expected->points.begin()));
}

INSTANTIATE_TEST_SUITE_P(All, StepBricksAnswers,
    testing::Values(FaultyBricks::Answer::Ready, FaultyBricks::Answer::AtOnce, FaultyBricks::Answer::Later,
        FaultyBricks::Answer::LaterNewestFirst, FaultyBricks::Answer::LaterInRandomOrder));

// A stopped run withdraws its requests from the sources of both steps, and ends although no brick ever arrives.
TEST(StepBricks, RequestsAreWithdrawnFromTheSourcesOfTheSteps)
{
  AnalyticBricks all = turning_flow(kTimes);
  NeverArrives never(all);
  StepBricks two(kTimes, { &never, 0, 0 });
  ASSERT_TRUE(two.hold({ { 0, { &never, 0, 0 } }, { 1, { &never, 0, 1 } } }));
  TraceField field;
  field.grid = all.info().grid;
  field.velocity = { &two, 0, 0 };
  PathlineMarch march(some_seeds(), kTimes, false);
  AdvectionContext context = *AdvectionContext::unsteady(field, kTimes, { 0.0, 1.3 }, PathlineOptions());
  context.set_intervals(0, 0);
  ASSERT_TRUE(march.go_on(context, { 2, [](double)
                                       {
                                         return false;
                                       } }));
  EXPECT_TRUE(march.cancelled());
  EXPECT_EQ(never.waiting(), 0U);
}

TEST(StepBricks, ASourceOfSeveralStepsIsToldOnceOfARun)
{
  AnalyticBricks all = turning_flow(kTimes);
  NeverArrives source(all);
  StepBricks two(kTimes, { &source, 0, 0 });
  ASSERT_TRUE(two.hold({ { 1, { &source, 0, 3 } }, { 2, { &source, 0, 0 } } }));
  two.prepare({ .threads = 3, .at_once = 50, .first_bricks = { { 0, 2, 7 }, { 0, 1, 5 }, { 0, 0, 1 } } });
  ASSERT_EQ(source.told().size(), 1U);
  EXPECT_EQ(source.told()[0].threads, 3);
  EXPECT_EQ(source.told()[0].at_once, 50);
  EXPECT_EQ(source.told()[0].first_bricks, (std::vector<BrickKey>{ { 0, 3, 5 }, { 0, 0, 7 } })); // the source's steps
}

TEST(StepBricks, AStepThatIsNotHeldCannotBeHad)
{
  AnalyticBricks all = turning_flow(kTimes);
  StepBricks two(kTimes, { &all, 0, 0 });
  ASSERT_TRUE(two.hold({ { 1, { &all, 0, 1 } } }));
  EXPECT_EQ(two.try_get({ 0, 1, 0 }).state, Lookup::State::Ready);
  const Lookup other = two.try_get({ 0, 2, 0 });
  EXPECT_EQ(other.state, Lookup::State::Failed);
  EXPECT_EQ(other.error->code, ErrorCode::NotFound);
}

// Particles come as far as the step before the lost one, and the march has the reason.
TEST(StepBricks, AStepThatIsLostEndsParticlesWithItsReason)
{
  AnalyticBricks all = turning_flow(kTimes);
  StepBricks two(kTimes, { &all, 0, 0 });
  TraceField field;
  field.grid = all.info().grid;
  field.velocity = { &two, 0, 0 };
  PathlineMarch march(some_seeds(), kTimes, false);
  const auto reason = std::make_shared<const Error>(Error{ ErrorCode::CannotRead, "the disk is gone", {}, {} });
  for (std::int32_t i = 0; i < 3; ++i)
  {
    std::vector<StepBricks::Step> there{ { i, { &all, 0, i } } };
    if (i != 1)
    {
      there.push_back({ i + 1, { &all, 0, i + 1 } });
    }
    ASSERT_TRUE(two.hold(there, { { 2, reason } }));
    ASSERT_TRUE(go_through(march, field, i));
  }
  const Result<PathlineFrame> frame = march.frame(1.3);
  ASSERT_TRUE(frame.has_value());
  ASSERT_GT(frame->lines.lines.size(), 20U);
  int lost = 0;
  for (const TracedLine& line : frame->lines.lines)
  {
    lost += line.reason == Termination::DataMissing ? 1 : 0;
  }
  EXPECT_GT(lost, 10);
  ASSERT_NE(frame->lines.data_error, nullptr);
  EXPECT_EQ(frame->lines.data_error->what, "the disk is gone");
}

TEST(StepBricks, StepsThatAreNotAlikeAreRefused)
{
  AnalyticBricks first = turning_flow({ 0.0 });
  AnalyticBricks other_grid = turning_flow({ 0.4 }, { 21, 19, 18 });
  AnalyticBricks other_bricks = turning_flow({ 0.4 }, { 21, 19, 17 }, { 5, 5, 5 });
  StepBricks two(kTimes, { &first, 0, 0 });
  for (AnalyticBricks* other : { &other_grid, &other_bricks })
  {
    const Result<void> held = two.hold({ { 0, { &first, 0, 0 } }, { 1, { other, 0, 0 } } });
    ASSERT_FALSE(held.has_value());
    EXPECT_EQ(held.error().code, ErrorCode::Unsupported);
    EXPECT_NE(held.error().what.find("at time 0.4"), std::string::npos) << held.error().what;
  }
  const Result<void> scalar = two.hold({ { 1, { &first, 1, 0 } } });
  ASSERT_FALSE(scalar.has_value());
  EXPECT_NE(scalar.error().what.find("components"), std::string::npos) << scalar.error().what;
}

} // namespace rivulet::test
