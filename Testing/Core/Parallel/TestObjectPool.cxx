// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/ObjectPool.h"
#include "Parallel/Team.h"

#include <atomic>
#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

struct Tool
{
  std::atomic<int> users{ 0 };
  int uses = 0;
};

} // namespace

TEST(ObjectPool, AreUsedByOneAtATimeAndNoneIsLost)
{
  ObjectPool<Tool> tools;
  std::atomic<int> shared{ 0 };
  run_team(4,
      [&](int)
      {
        for (int i = 0; i < 1000; ++i)
        {
          const ObjectPool<Tool>::Lent tool(tools);
          shared += tool->users.fetch_add(1) > 0 ? 1 : 0;
          ++tool->uses;
          tool->users.fetch_sub(1);
        }
      });
  EXPECT_EQ(shared, 0);
  EXPECT_LE(tools.idle().size(), 4U);
  int uses = 0;
  for (const std::unique_ptr<Tool>& tool : tools.idle())
  {
    uses += tool->uses;
  }
  EXPECT_EQ(uses, 4000);
}

TEST(ObjectPool, AreAsManyAsWereInUseAtOnce)
{
  ObjectPool<Tool> tools;
  {
    const ObjectPool<Tool>::Lent one(tools);
    const ObjectPool<Tool>::Lent two(tools);
    EXPECT_NE(&*one, &*two);
  }
  const ObjectPool<Tool>::Lent again(tools);
  EXPECT_EQ(tools.idle().size(), 1U);
}

} // namespace rivulet
