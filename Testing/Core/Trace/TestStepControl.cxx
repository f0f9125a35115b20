// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/StepControl.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rivulet
{
namespace
{

TEST(StepControl, RootsAgreeWithTheLibraryOverTheWholeRange)
{
  for (double x = 1e-300; x < 1e300; x *= 3.7)
  {
    const long double wide = x;
    EXPECT_NEAR(static_cast<double>(inverse_fourth_root(x) / std::pow(wide, -0.25L)), 1.0, 1e-15);
    EXPECT_NEAR(static_cast<double>(inverse_fifth_root(x) / std::pow(wide, -0.2L)), 1.0, 1e-15) << x;
  }
}

TEST(StepControl, AGoodStepIsTakenAndTheNextOneIsLonger)
{
  const StepVerdict verdict = judge_step(0.1, 1e-8, 1e-6, { 0.01, 1.0 });
  EXPECT_TRUE(verdict.accepted);
  EXPECT_NEAR(verdict.next, 0.9 * 0.1 * std::pow(1e-2, -0.2), 1e-12);
}

TEST(StepControl, ABadStepIsTriedAgainShorter)
{
  const StepVerdict verdict = judge_step(0.1, 1e-4, 1e-6, { 0.01, 1.0 });
  EXPECT_FALSE(verdict.accepted);
  EXPECT_FALSE(verdict.final);
  EXPECT_NEAR(verdict.next, 0.9 * 0.1 * std::pow(100.0, -0.25), 1e-12);
}

TEST(StepControl, ABoundIsTriedOnceAndThenTaken)
{
  const StepVerdict too_long = judge_step(0.5, 1e-20, 1e-6, { 0.01, 1.0 });
  EXPECT_FALSE(too_long.accepted);
  EXPECT_TRUE(too_long.final);
  EXPECT_DOUBLE_EQ(too_long.next, 1.0);
  EXPECT_TRUE(judge_step(1.0, 1e-20, 1e-6, { 0.01, 1.0 }).accepted);
}

TEST(StepControl, TheShortestStepIsAlwaysTaken)
{
  EXPECT_TRUE(judge_step(0.01, 1.0, 1e-6, { 0.01, 1.0 }).accepted);
}

TEST(StepControl, NoErrorAsksForTheLongestStep)
{
  const StepVerdict verdict = judge_step(0.1, 0.0, 1e-6, { 0.01, 1.0 });
  EXPECT_TRUE(verdict.accepted);
  EXPECT_DOUBLE_EQ(verdict.next, 1.0);
}

TEST(StepControl, NoToleranceMeansNoControl)
{
  const StepVerdict verdict = judge_step(0.1, 1.0, 0.0, { 0.01, 1.0 });
  EXPECT_TRUE(verdict.accepted);
  EXPECT_DOUBLE_EQ(verdict.next, 0.1);
}

TEST(StepControl, InTimeAGoodStepIsTakenWhateverTheNextOne)
{
  for (const double error : { 0.0, 1e-20, 1e-8, 1e-6 })
  {
    const StepVerdict verdict = judge_step_in_time(0.1, error, 1e-6, { 0.0, 0.1 });
    EXPECT_TRUE(verdict.accepted) << error;
    EXPECT_GE(verdict.next, 0.09) << error;
  }
}

TEST(StepControl, InTimeABadStepIsTakenAtTheShortestLengthAlone)
{
  const StepVerdict bad = judge_step_in_time(0.1, 1e-4, 1e-6, { 0.01, 1.0 });
  EXPECT_FALSE(bad.accepted);
  EXPECT_NEAR(bad.next, 0.9 * 0.1 * std::pow(100.0, -0.25), 1e-12);
  const StepVerdict worse = judge_step_in_time(0.1, 1.0, 1e-6, { 0.01, 1.0 });
  EXPECT_FALSE(worse.accepted);
  EXPECT_EQ(worse.next, 0.01);
  EXPECT_FALSE(judge_step_in_time(0.1, NAN, 1e-6, { 0.01, 1.0 }).accepted);
  EXPECT_TRUE(judge_step_in_time(0.01, 1.0, 1e-6, { 0.01, 1.0 }).accepted);
  EXPECT_TRUE(judge_step_in_time(0.1, 1.0, 0.0, { 0.01, 1.0 }).accepted); // no control
}

} // namespace
} // namespace rivulet
