// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/BoxChecks.h"
#include "AmrMesh/RefineBox.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rivulet::test
{
namespace
{

/// Random levels of boxes, which may overlap and lie anywhere.
AmrDump random_dump(std::mt19937& random, int most_patches, std::int32_t longest)
{
  AmrDump dump;
  const int levels = 1 + static_cast<int>(random() % 3);
  for (std::int32_t level = 0; level < levels; ++level)
  {
    AmrLevel& added = dump.levels.emplace_back();
    added.first_patch = static_cast<std::int32_t>(dump.patches.size());
    added.patches = static_cast<std::int32_t>(random() % static_cast<unsigned>(most_patches + 1));
    for (std::int32_t& ratio : added.ratio)
    {
      ratio = level == 0 ? 1 : 1 + static_cast<std::int32_t>(random() % 4);
    }
    for (std::int32_t number = 0; number < added.patches; ++number)
    {
      AmrPatch& patch = dump.patches.emplace_back();
      patch.level = level;
      patch.number = number;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        patch.cells.begin[axis] = static_cast<std::int32_t>(random() % 60) - 30;
        patch.cells.end[axis] =
            patch.cells.begin[axis] + 1 + static_cast<std::int32_t>(random() % static_cast<unsigned>(longest));
      }
    }
  }
  return dump;
}

bool overlap(const AmrDump& dump)
{
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      const AmrPatch& a = dump.patches[i];
      const AmrPatch& b = dump.patches[j];
      if (a.level == b.level && !intersect(a.cells, b.cells).empty())
      {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::vector<std::int32_t>> children_of(const AmrDump& dump)
{
  std::vector<std::vector<std::int32_t>> children(dump.patches.size());
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    for (std::size_t j = 0; j < dump.patches.size(); ++j)
    {
      const AmrPatch& fine = dump.patches[j];
      if (fine.level == dump.patches[i].level + 1)
      {
        const Int3& ratio = dump.levels[static_cast<std::size_t>(fine.level)].ratio;
        if (!intersect(refine(dump.patches[i].cells, ratio), fine.cells).empty())
        {
          children[i].push_back(static_cast<std::int32_t>(j));
        }
      }
    }
  }
  return children;
}

/// Whether some cell of a finer patch lies over no cell of the next coarser level.
bool beyond_coarser(const AmrDump& dump)
{
  for (const AmrPatch& fine : dump.patches)
  {
    const Int3& ratio = dump.levels[static_cast<std::size_t>(fine.level)].ratio;
    const Box below = coarsen(fine.cells, ratio);
    for (std::int64_t cell = 0; fine.level > 0 && cell < below.count(); ++cell)
    {
      Int3 at = from_row_major(cell, below.size());
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += below.begin[axis];
      }
      const bool covered = std::any_of(dump.patches.begin(), dump.patches.end(),
          [&](const AmrPatch& patch) { return patch.level == fine.level - 1 && patch.cells.contains(at); });
      if (!covered)
      {
        return true;
      }
    }
  }
  return false;
}

TEST(BoxChecks, OverlapsAreThoseThatAllPairsShow)
{
  std::mt19937 random(1);
  int overlapping = 0;
  for (int turn = 0; turn < 500; ++turn)
  {
    const AmrDump dump = random_dump(random, 12, turn % 2 == 0 ? 6 : 20);
    const bool expected = overlap(dump);
    overlapping += expected ? 1 : 0;
    ASSERT_EQ(overlap_within_levels(dump).has_value(), expected) << turn;
  }
  EXPECT_GT(overlapping, 50);
  EXPECT_LT(overlapping, 450);
}

TEST(BoxChecks, AnOverlapNamesItsTwoPatchesAndTheirLevel)
{
  AmrDump dump;
  dump.levels = { { 0, 1, { 1, 1, 1 }, {} }, { 1, 3, { 2, 2, 2 }, {} } };
  dump.patches.resize(4);
  dump.patches[0].cells = { { 0, 0, 0 }, { 8, 8, 8 } };
  dump.patches[1].cells = { { 0, 0, 0 }, { 2, 2, 2 } };
  dump.patches[2].cells = { { 4, 4, 4 }, { 6, 6, 6 } };
  dump.patches[3].cells = { { 5, 5, 5 }, { 9, 9, 9 } };
  EXPECT_EQ(overlap_within_levels(dump), "patches 2 and 3 of level 1 overlap");
}

TEST(BoxChecks, ChildrenAreThoseThatAllPairsShow)
{
  std::mt19937 random(2);
  for (int turn = 0; turn < 300; ++turn)
  {
    const AmrDump dump = random_dump(random, 20, turn % 2 == 0 ? 8 : 40);
    ASSERT_EQ(find_children(dump), children_of(dump)) << turn;
  }
}

/// Coarse boxes tile a part of the domain, and finer ones are put somewhere.
TEST(BoxChecks, PatchesBeyondCoarserOnesAreThoseThatAllCellsShow)
{
  std::mt19937 random(3);
  int beyond = 0;
  for (int turn = 0; turn < 300; ++turn)
  {
    AmrDump dump;
    dump.levels = { { 0, 8, { 1, 1, 1 }, {} }, { 8, 1, { 2, 3, 1 }, {} } };
    dump.patches.resize(9);
    for (std::int32_t i = 0; i < 8; ++i)
    {
      const Int3 at = from_row_major(i, { 2, 2, 2 });
      const std::int32_t missing = turn % 5 == 0 && i == 7 ? 1 : 0;
      AmrPatch& patch = dump.patches[static_cast<std::size_t>(i)];
      patch.cells = { { 4 * at[0] - 4, 4 * at[1] - 4, 4 * at[2] - 4 }, { 4 * at[0], 4 * at[1], 4 * at[2] - missing } };
    }
    AmrPatch& fine = dump.patches[8];
    fine.level = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int32_t side = 8 * dump.levels[1].ratio[axis];
      fine.cells.begin[axis] = static_cast<std::int32_t>(random() % static_cast<unsigned>(side)) - side / 2;
      fine.cells.end[axis] = fine.cells.begin[axis] + 1 + static_cast<std::int32_t>(random() % 4);
    }
    dump.children = find_children(dump);
    const bool expected = beyond_coarser(dump);
    beyond += expected ? 1 : 0;
    ASSERT_EQ(patch_beyond_coarser(dump).has_value(), expected) << turn;
  }
  EXPECT_GT(beyond, 30);
  EXPECT_LT(beyond, 270);
}

TEST(BoxChecks, ABoxIsMadeOfFirstAndLastCells)
{
  EXPECT_EQ(box_of({ -2, 0, 5 }, { -1, 0, 9 }), (Box{ { -2, 0, 5 }, { 0, 1, 10 } }));
  EXPECT_FALSE(box_of({ 0, 0, 0 }, { 0, -1, 0 }).has_value());
  EXPECT_FALSE(box_of({ 0, 0, 0 }, { 0, std::numeric_limits<double>::quiet_NaN(), 0 }).has_value());
  EXPECT_FALSE(box_of({ -0x1p31, 0, 0 }, { 0, 0, 0 }).has_value());
  EXPECT_FALSE(box_of({ 0, 0, 0 }, { 0, 0, 0x1p31 }).has_value());
  EXPECT_FALSE(box_of({ 0, 0, 0 }, { 1e6, 1e6, 1 }).has_value()); // over 10^12 cells
  EXPECT_TRUE(box_of({ 0, 0, 0 }, { 999'999, 999'999, 0 }).has_value());
}

TEST(BoxChecks, HoldFarFromTheOrigin)
{
  const std::int32_t far = std::numeric_limits<std::int32_t>::max() - 1100;
  const Box box{ { -far, -far, -far }, { 1 - far, 1 - far, 1 - far } };
  const Box coarse = coarsen(box, { 1 << 20, 1 << 20, 1 << 20 });
  EXPECT_EQ(coarse.begin, (Int3{ -2048, -2048, -2048 }));
  EXPECT_EQ(coarse.count(), 1);

  AmrDump dump;
  dump.levels = { { 0, 1, { 1, 1, 1 }, {} }, { 1, 1, { 1024, 1024, 1024 }, {} } };
  dump.patches.resize(2);
  dump.patches[0].cells = { { -far, -1, -1 }, { 3 - far, 1 << 30, 2 } }; // refined, it reaches beyond all indices
  dump.patches[1].cells = { { -1, -1, -1 }, { 2, 2, 2 } };
  EXPECT_TRUE(find_children(dump)[0].empty());
  dump.patches[0].cells.end[0] = 1;
  EXPECT_EQ(find_children(dump)[0], std::vector<std::int32_t>{ 1 });
}

} // namespace
} // namespace rivulet::test
