// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace rivulet
{
namespace
{

TEST(Times, AreTheSameUpToTheirLastDigits)
{
  const std::vector<double> times{ 0.0, 0.1, 0.2, 0.3 };
  EXPECT_LE(std::fabs(0.1 + 0.2 - 0.3), time_slack(times));
  EXPECT_LE(time_slack(times), 1e-12);
}

TEST(Times, ThatAreSecondsSince1970AreNotThoseOfTheStepBefore)
{
  const double begin = 1.7e9;
  for (const double interval : { 1.0, 1e-3, 1e-5, 5e-7 })
  {
    const std::vector<double> times{ begin, begin + interval, begin + 2 * interval };
    EXPECT_LE(time_slack(times), 0.25 * (times[1] - times[0]));
    EXPECT_LE(time_slack(times), 0.25 * (times[2] - times[1]));
  }
  EXPECT_LE(std::fabs((begin + 0.001) + 0.002 - (begin + 0.003)), time_slack(std::vector{ begin, begin + 0.001 }));
}

TEST(Times, HaveWholeIntervalsWhereRoundingTakesALittle)
{
  EXPECT_EQ(whole_intervals(0.0, 0.3, 0.1), 3);
  EXPECT_EQ(whole_intervals(0.0, 0.29, 0.1), 2);
  EXPECT_EQ(whole_intervals(0.3, 0.0, 0.1), 3);
  EXPECT_EQ(whole_intervals(1.7e9, 1.7e9 + 0.3, 0.1), 3);
  EXPECT_EQ(whole_intervals(1.7e9, 1.7e9 + 0.3, 0.001), 300);
  EXPECT_EQ(whole_intervals(1.7e9, 1.7e9 + 0.2999, 0.001), 299);
  EXPECT_EQ(whole_intervals(1.7e9, 1.7e9, 0.001), 0);
}

TEST(Times, HaveAsManyDigitsAsTellThemApart)
{
  EXPECT_EQ(format_time(0.0), "0");
  EXPECT_EQ(format_time(0.3), "0.3");
  EXPECT_EQ(format_time(15.0), "15");
  EXPECT_EQ(format_time(1700000000.001), "1700000000.001");
  EXPECT_EQ(format_time(-2.5), "-2.5");
}

} // namespace
} // namespace rivulet
