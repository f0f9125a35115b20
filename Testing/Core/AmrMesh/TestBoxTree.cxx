// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/BoxTree.h"

#include <gmock/gmock.h>

#include <random>

namespace rivulet::test
{
namespace
{

std::vector<std::int32_t> found_in(const BoxTree& tree, const Box& cells)
{
  std::vector<std::int32_t> found;
  tree.visit(cells,
      [&](std::int32_t number)
      {
        found.push_back(number);
        return true;
      });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::int32_t> meeting(const std::vector<Box>& boxes, const Box& cells)
{
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    if (!intersect(boxes[i], cells).empty())
    {
      found.push_back(static_cast<std::int32_t>(i));
    }
  }
  return found;
}

Box random_box(std::mt19937& random, std::int32_t longest)
{
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = static_cast<std::int32_t>(random() % 100) - 50;
    box.end[axis] = box.begin[axis] + 1 + static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(longest));
  }
  return box;
}

TEST(BoxTree, FindsWhatLookingAtEveryBoxFinds)
{
  std::mt19937 random(5);
  for (const std::size_t count : { 1U, 4U, 5U, 9U, 300U })
  {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
    {
      boxes.push_back(random_box(random, i % 10 == 0 ? 60 : 6)); // they may overlap, too
    }
    const BoxTree tree(boxes);
    for (int i = 0; i < 200; ++i)
    {
      const Box cells = random_box(random, i % 2 == 0 ? 1 : 40);
      ASSERT_EQ(found_in(tree, cells), meeting(boxes, cells)) << count << " boxes";
    }
  }
}

TEST(BoxTree, OfNoBoxesFindsNone)
{
  EXPECT_THAT(found_in(BoxTree(std::vector<Box>()), { { 0, 0, 0 }, { 9, 9, 9 } }), testing::IsEmpty());
  EXPECT_THAT(found_in(BoxTree(), { { 0, 0, 0 }, { 9, 9, 9 } }), testing::IsEmpty());
}

TEST(BoxTree, StopsWhenItIsTold)
{
  const BoxTree tree(std::vector<Box>(20, Box{ { 0, 0, 0 }, { 4, 4, 4 } }));
  int calls = 0;
  tree.visit({ { 1, 1, 1 }, { 2, 2, 2 } }, [&](std::int32_t) { return ++calls < 3; });
  EXPECT_EQ(calls, 3);
}

TEST(BoxTree, BoxesFarApartAreFoundAtTheEndsOfAllIndices)
{
  constexpr std::int32_t far = 2000000000;
  const BoxTree tree({ { { -far, -far, -far }, { -far + 1, -far + 1, -far + 1 } }, { { 0, 0, 0 }, { 1, 1, 1 } },
      { { far, far, far }, { far + 1, far + 1, far + 1 } }, { { far, 0, 0 }, { far + 5, 5, 5 } },
      { { 7, 7, 7 }, { 8, 8, 8 } } });
  EXPECT_THAT(found_in(tree, { { far, far, far }, { far + 9, far + 9, far + 9 } }), testing::ElementsAre(2));
  EXPECT_THAT(
      found_in(tree, { { -far, -far, -far }, { far + 9, far + 9, far + 9 } }), testing::ElementsAre(0, 1, 2, 3, 4));
}

} // namespace
} // namespace rivulet::test
