// SPDX-License-Identifier: BSD-3-Clause
#include "Base/TerminalLine.h"

#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

TEST(TerminalLine, DrawsABarOfTheShareDone)
{
  EXPECT_EQ(bar_text("tracing", 0.0, 4), "tracing [----]   0 %");
  EXPECT_EQ(bar_text("tracing", 0.5, 4), "tracing [##--]  50 %");
  EXPECT_EQ(bar_text("tracing", 1.0, 4), "tracing [####] 100 %");
  EXPECT_EQ(bar_text("tracing", 0.999, 0), "tracing  99 %");
}

TEST(TerminalLine, SaysTheTimeLeftAsAClockDoes)
{
  EXPECT_EQ(time_left_text(0.2), "0:01 left");
  EXPECT_EQ(time_left_text(90.0), "1:30 left");
  EXPECT_EQ(time_left_text(3600.0), "1:00:00 left");
}

TEST(TerminalLine, WritesLinesWhereThereIsNoTerminal)
{
  ::testing::internal::CaptureStderr();
  {
    TerminalLine line;
    EXPECT_FALSE(line.on_terminal());
    line.draw("one");
    line.draw("two");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "one\ntwo\n");
}

} // namespace
} // namespace rivulet
