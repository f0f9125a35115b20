// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/SourceStatistics.h"

#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

/// All of them: a counter that is added to the struct, and forgotten in its sums, does not compile here.
void expect_counts(const SourceStatistics& statistics, std::int64_t scale, std::int64_t peak)
{
  const auto& [bytes_read, from_local_cache, bricks_read, hits, misses, peak_bytes, prefetched, used, stall_seconds] =
      statistics;
  EXPECT_EQ(bytes_read, 10 * scale);
  EXPECT_EQ(from_local_cache, 15 * scale);
  EXPECT_EQ(bricks_read, 20 * scale);
  EXPECT_EQ(hits, 30 * scale);
  EXPECT_EQ(misses, 40 * scale);
  EXPECT_EQ(peak_bytes, peak);
  EXPECT_EQ(prefetched, 60 * scale);
  EXPECT_EQ(used, 70 * scale);
  EXPECT_EQ(stall_seconds, 0.5 * static_cast<double>(scale));
}

TEST(SourceStatistics, AddsUpAndTellsWhatCameSince)
{
  const SourceStatistics once{ 10, 15, 20, 30, 40, 50, 60, 70, 0.5 };
  SourceStatistics sum = once;
  sum += once;
  sum += sum;
  expect_counts(sum, 4, 200);
  expect_counts(sum.since(once), 3, 200);
}

} // namespace
} // namespace rivulet
