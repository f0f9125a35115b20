// SPDX-License-Identifier: BSD-3-Clause
// What a joined array passes on to the sources of its parts, and takes from them (TestJoinedBricks.cxx: its values).
#include "Core/Store/BrickReader.h"
#include "Core/Store/CountingWaiter.h"
#include "Store/Derived/JoinedBricks.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"

#include <gtest/gtest.h>
#include <limits>
#include <optional>

namespace rivulet::test
{

namespace
{

constexpr Int3 kNodes{ 20, 20, 20 };
const Box kAll{ { 0, 0, 0 }, kNodes };

JoinedLayout layout_of(Centering centering = Centering::Node)
{
  JoinedLayout layout;
  layout.grid.nodes = kNodes;
  layout.variable = { .name = "joined", .type = ScalarType::Float32, .components = 3, .centering = centering };
  layout.held = kAll;
  return layout;
}

/// A source of one brick with values of its own, that notes what it is told and can be ill.
class NotingBricks final : public BrickSource
{
public:
  explicit NotingBricks(float value)
    : values_(static_cast<std::size_t>(kAll.count()), value)
    , inner_(layout_of().grid, { { { "part", ScalarType::Float32, 1, Centering::Node }, values_.data() } })
  {
  }
  [[nodiscard]] const FieldInfo& info() const override { return inner_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return inner_.bricks(0); }
  [[nodiscard]] Lookup try_get(const BrickKey&) override
  {
    ++lookups;
    const bool failed = fails_after && lookups > *fails_after;
    return failed ? Lookup{ Lookup::State::Failed, {},
      std::make_shared<const Error>(Error{ ErrorCode::Truncated, "made up", {}, {} }) }
                  : inner_.try_get({ 0, 0, 0 });
  }
  void prepare(const Workload& workload) override { told.push_back(workload); }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return 1000 - key.index; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }
  [[nodiscard]] Result<void> health() override
  {
    return ill ? Result<void>(fail(ErrorCode::Truncated, "made up")) : Result<void>();
  }

  std::vector<Workload> told;
  bool ill = false;
  int lookups = 0;
  std::optional<int> fails_after; ///< lookups

private:
  void unpin(void*) override {}

  std::vector<float> values_;
  ArrayBricks inner_;
};

std::vector<JoinedPart> parts_of(const std::vector<std::shared_ptr<BrickSource>>& sources)
{
  std::vector<JoinedPart> parts;
  for (const std::shared_ptr<BrickSource>& source : sources)
  {
    parts.push_back({ source, 0, 0, static_cast<std::int32_t>(parts.size()), kAll, {} });
  }
  return parts;
}

/// The components of the first value of the first brick.
std::array<float, 3> first_value(BrickSource& source)
{
  const Lookup found = BrickReader(source).get({ 0, 0, 0 });
  EXPECT_EQ(found.state, Lookup::State::Ready);
  const auto* values = static_cast<const float*>(found.pin.view().data);
  return { values[0], values[1], values[2] };
}

class JoinedParts : public testing::Test
{
protected:
  std::shared_ptr<NotingBricks> u = std::make_shared<NotingBricks>(1.0F);
  std::shared_ptr<NotingBricks> v = std::make_shared<NotingBricks>(2.0F);
  std::shared_ptr<NotingBricks> w = std::make_shared<NotingBricks>(3.0F);
  JoinedBricks joined{ layout_of(), parts_of({ u, v, w }) };
};

} // namespace

TEST_F(JoinedParts, AreIllIfOneIs)
{
  EXPECT_TRUE(joined.health());
  v->ill = true;
  const Result<void> health = joined.health();
  ASSERT_FALSE(health);
  EXPECT_EQ(health.error().code, ErrorCode::Truncated);
}

TEST_F(JoinedParts, AreEachToldOnceOfARun)
{
  JoinedBricks twice(layout_of(), parts_of({ u, v, u }));
  twice.prepare({ .threads = 7, .at_once = 100, .first_bricks = { { 0, 0, 1 }, { 0, 0, 2 } } });
  ASSERT_EQ(u->told.size(), 1U);
  ASSERT_EQ(v->told.size(), 1U);
  EXPECT_EQ(u->told[0].threads, 7);
  EXPECT_EQ(u->told[0].at_once, 100);
  EXPECT_TRUE(u->told[0].first_bricks.empty()); // the joined bricks are not theirs
}

TEST_F(JoinedParts, AreReadOnceForABrickThatIsKept)
{
  EXPECT_EQ(first_value(joined), (std::array<float, 3>{ 1.0F, 2.0F, 3.0F }));
  const int before = u->lookups;
  EXPECT_EQ(first_value(joined), (std::array<float, 3>{ 1.0F, 2.0F, 3.0F }));
  EXPECT_EQ(u->lookups, before);
}

TEST_F(JoinedParts, ThatFailFailTheBrickWithTheirError)
{
  w->fails_after = 0;
  const Lookup found = joined.try_get({ 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Truncated);
}

/// A mapped part shows NaN where its file was cut short, and knows of it only when it is asked again.
TEST_F(JoinedParts, AreAskedAgainAfterANan)
{
  const auto nan = std::make_shared<NotingBricks>(std::numeric_limits<float>::quiet_NaN());
  JoinedBricks sound(layout_of(), parts_of({ u, nan, w }));
  EXPECT_EQ(sound.try_get({ 0, 0, 0 }).state, Lookup::State::Ready); // the values are what they are
  EXPECT_EQ(nan->lookups, 2);
  EXPECT_EQ(u->lookups, 1);
  const auto cut_short = std::make_shared<NotingBricks>(std::numeric_limits<float>::quiet_NaN());
  cut_short->fails_after = 1;
  JoinedBricks ill(layout_of(), parts_of({ u, cut_short, w }));
  const Lookup found = ill.try_get({ 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Truncated);
}

TEST_F(JoinedParts, OfOneBrickEachDoNotSayHowTheJoinedOnesLie)
{
  ASSERT_GT(joined.bricks(0).size(), 1);
  for (std::int64_t index = 0; index < joined.bricks(0).size(); ++index)
  {
    EXPECT_EQ(joined.storage_order({ 0, 0, index }), index);
  }
}

TEST(JoinedBricksOfAPart, LieAndBeginWhereThoseOfThePartDo)
{
  const auto field = analytic_field("rotation");
  AnalyticBricks inner(field, uniform_grid(kNodes, field->domain()), { .brick_cells = { 8, 8, 8 } });
  /// A part whose bricks lie the other way round.
  class Backwards final : public ForwardingSource
  {
  public:
    explicit Backwards(BrickSource& of)
      : ForwardingSource(of)
    {
    }
    void prepare(const Workload& workload) override { told = workload; }
    [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return 100 - key.index; }
    Workload told;
  };
  const auto part = std::make_shared<Backwards>(inner);
  JoinedBricks joined(layout_of(), { { part, 0, 0, 0, kAll, {} } });
  ASSERT_EQ(joined.bricks(0).count, inner.bricks(0).count);
  EXPECT_EQ(joined.storage_order({ 0, 0, 5 }), 95);
  joined.prepare({ .first_bricks = { { 0, 4, 3 }, { 0, 4, 1 } } });
  EXPECT_EQ(part->told.first_bricks, (std::vector<BrickKey>{ { 0, 0, 3 }, { 0, 0, 1 } })); // the part's own keys
}

TEST(JoinedBricksThatWait, AnswerWhoWithdrawsWhileAPartIsOnItsWay)
{
  const auto field = analytic_field("rotation");
  AnalyticBricks inner(field, uniform_grid(kNodes, field->domain()), { .brick_cells = { 8, 8, 8 } });
  const auto slow = std::make_shared<FaultyBricks>(
      inner, FaultyBricks::Options{ .answer = FaultyBricks::Answer::OnCommand, .hits = 1 });
  JoinedLayout layout = layout_of();
  layout.may_wait = true;
  JoinedBricks joined(layout, { { slow, 0, 0, 0, kAll, {} } });
  CountingWaiter waiter;
  joined.request({ 0, 0, 5 }, waiter);
  while (slow->waiting().empty())
  {
    std::this_thread::yield();
  }
  EXPECT_EQ(joined.try_get({ 0, 0, 5 }).state, Lookup::State::Miss); // the caller is free meanwhile
  joined.withdraw(waiter);
  EXPECT_EQ(waiter.calls, 1);
  slow->deliver(0);
  EXPECT_EQ(BrickReader(joined).get({ 0, 0, 5 }).state, Lookup::State::Ready);
  EXPECT_EQ(waiter.calls, 1);
}

} // namespace rivulet::test
