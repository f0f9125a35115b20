// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Times.h"
#include "Io/Series/StepTimes.h"

#include <gmock/gmock.h>

namespace rivulet::test
{

using testing::ElementsAre;

TEST(StepTimes, ThatDifferInTheLastDigitsAreTheSame)
{
  const std::vector<double> there{ 0.0, 0.2, 0.4, 0.6 };
  const std::vector<double> source{ 0.0, 0.2, 0.4, 3 * 0.2, 0.8 };
  ASSERT_NE(source[3], there[3]);
  EXPECT_EQ(find_step(there, source, 3), 3);
  EXPECT_EQ(find_step(there, source, 4), -1);
  EXPECT_EQ(find_step({}, source, 0), -1);
  EXPECT_EQ(find_step(there, std::vector<double>{ 3 * 0.2 }, 0), 3);
  EXPECT_EQ(find_step(std::vector<double>{ 0.6 }, std::vector<double>{ 3 * 0.2 }, 0), 0) << "without an interval";
}

TEST(StepTimes, AreComparedWithTheirIntervalsAndNotWithTheTimeItself)
{
  const double day = 1.7e9; // seconds since 1970
  const std::vector<double> there{ day, day + 1e-3, day + 2e-3 };
  EXPECT_EQ(find_step(there, std::vector<double>{ day, day + 1e-3, day + 2e-3, day + 3e-3 }, 3), -1);
  EXPECT_EQ(find_step(there, std::vector<double>{ day + 1.5e-3 }, 0), -1);
  EXPECT_EQ(find_step(there, there, 2), 2);
  const std::vector<double> close{ 0.0, 1.0, 1.0 + 1e-9, 2.0 }; // steps may lie as close as that
  EXPECT_EQ(find_step(close, close, 1), 1);
  EXPECT_EQ(find_step(close, close, 2), 2);
  EXPECT_EQ(find_step(std::vector<double>{ 0.0, 1.0 }, close, 2), -1);
}

TEST(StepTimes, OfStepsThatAreNotKnownLieBetweenOthers)
{
  using Times = std::vector<std::optional<double>>;
  EXPECT_THAT(times_between(Times{ 1.0, {}, {}, 4.0 }), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(times_between(Times{ {}, 1.0, 3.0, {}, {} }), ElementsAre(-1, 1, 3, 5, 7));
  EXPECT_THAT(times_between(Times{ {}, 5.0, {} }), ElementsAre(4, 5, 6));
  EXPECT_THAT(times_between(Times{ 2.0 }), ElementsAre(2));
  EXPECT_TRUE(times_increase(Times{ 1.0, {}, 2.0 }));
  EXPECT_FALSE(times_increase(Times{ 1.0, {}, 1.0 }));
}

TEST(StepTimes, InMessagesHaveAsManyDigitsAsTellThemApart)
{
  EXPECT_EQ(format_time(0.6), "0.6");
  EXPECT_EQ(format_time(3 * 0.2), "0.6000000000000001");
  EXPECT_EQ(format_time(1700000000.25), "1700000000.25");
  EXPECT_EQ(format_time(-2), "-2");
}

} // namespace rivulet::test
