// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintGraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

BrickKey brick(std::int64_t index)
{
  return { 0, 0, index };
}

/// Teaches the way through bricks.
void go(HintGraph& hints, std::initializer_list<std::int64_t> way)
{
  BrickKey before = HintGraph::kNoBrick;
  for (auto at = way.begin(); std::next(at) != way.end(); ++at)
  {
    hints.add_hint(before, brick(*at), brick(*std::next(at)));
    before = brick(*at);
  }
}

std::vector<std::int64_t> after(const HintGraph& hints, std::int64_t before, std::int64_t at, std::size_t most)
{
  std::vector<std::int64_t> indices;
  for (const BrickKey& key : hints.look(before < 0 ? HintGraph::kNoBrick : brick(before), brick(at), most))
  {
    indices.push_back(key.index);
  }
  return indices;
}

} // namespace

TEST(HintGraph, NamesTheBricksAfterOneToTheDepthAskedFor)
{
  HintGraph hints;
  go(hints, { 1, 2, 3, 4, 5 });
  EXPECT_THAT(after(hints, -1, 1, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(after(hints, 2, 3, 9), ElementsAre(4, 5));
  EXPECT_THAT(after(hints, 2, 3, 0), IsEmpty());
  EXPECT_THAT(after(hints, 7, 3, 9), IsEmpty()) << "nobody came from there";
}

TEST(HintGraph, TellsWhereAParticleCameFrom)
{
  HintGraph hints;
  go(hints, { 1, 5, 9 });
  go(hints, { 2, 5, 7 });
  EXPECT_THAT(after(hints, 1, 5, 9), ElementsAre(9));
  EXPECT_THAT(after(hints, 2, 5, 9), ElementsAre(7));
}

TEST(HintGraph, GoesFirstWhereMostWentAndInBreadth)
{
  HintGraph hints;
  go(hints, { 0, 1, 2, 20 });
  go(hints, { 0, 1, 3, 30 });
  go(hints, { 0, 1, 3, 30 });
  EXPECT_THAT(after(hints, 0, 1, 9), ElementsAre(3, 2, 30, 20));
}

TEST(HintGraph, EndsInALoop)
{
  HintGraph hints;
  go(hints, { 1, 2, 3, 1, 2, 3 });
  EXPECT_THAT(after(hints, 3, 1, 100), ElementsAre(2, 3));
}

TEST(HintGraph, ForgetsOldEvidenceFirst)
{
  HintGraph hints;
  go(hints, { 1, 2, 3 });
  int turns = 0;
  for (; hints.size() == 2; ++turns)
  {
    hints.fade();
    ASSERT_LT(turns, 100);
  }
  EXPECT_GT(turns, 3) << "one run does not wipe out the others";
  go(hints, { 1, 2, 3 });
  for (int i = 0; i < turns; ++i)
  {
    go(hints, { 1, 2, 4 });
    hints.fade();
  }
  EXPECT_THAT(after(hints, 1, 2, 9), ElementsAre(4)) << "what is seen again stays";
}

TEST(HintGraph, StaysBelowItsBound)
{
  HintGraph hints;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(3 * HintGraph::kMost); ++i)
  {
    hints.add_hint(brick(i), brick(i + 1), brick(i + 2));
    ASSERT_LE(hints.size(), HintGraph::kMost);
  }
  EXPECT_GE(hints.size(), HintGraph::kMost / 2) << "half of them are enough to forget";
  EXPECT_EQ(hints.all().size(), hints.size());
}

TEST(HintGraph, KeepsTheHintsOfMostWeight)
{
  HintGraph hints;
  go(hints, { 1, 2, 3 });
  go(hints, { 1, 2, 3 });
  for (std::int64_t i = 100; hints.size() < HintGraph::kMost; ++i)
  {
    hints.add_hint(brick(i), brick(i + 1), brick(i + 2));
  }
  hints.add_hint(brick(4), brick(5), brick(6));
  EXPECT_LT(hints.size(), HintGraph::kMost);
  EXPECT_THAT(after(hints, 1, 2, 1), ElementsAre(3));
}

TEST(HintGraph, TakesInAnother)
{
  HintGraph hints;
  HintGraph other;
  go(hints, { 0, 1, 2 });
  go(other, { 0, 1, 3 });
  go(other, { 0, 1, 3 });
  hints.merge(other);
  EXPECT_THAT(after(hints, 0, 1, 9), ElementsAre(3, 2));
  EXPECT_EQ(hints.size(), 3U);
}

} // namespace rivulet::test
