// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Metrics.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

TEST(ShardedCounter, CountsWhatMoreThreadsThanShardsAdd)
{
  ShardedCounter counter;
  std::vector<std::jthread> team;
  for (int i = 0; i < 40; ++i)
  {
    team.emplace_back(
        [&]
        {
          for (int n = 0; n < 500; ++n)
          {
            counter.add(2);
          }
        });
  }
  team.clear();
  EXPECT_EQ(counter.total(), 40 * 500 * 2);
}

} // namespace rivulet::test
