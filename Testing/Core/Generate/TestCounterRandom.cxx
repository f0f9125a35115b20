// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/CounterRandom.h"

#include <gtest/gtest.h>

#include <cmath>

namespace
{

using namespace rivulet;

// The known answers that the authors of Philox publish with their code (Random123, kat_vectors).
TEST(Philox, GivesThePublishedAnswers)
{
  EXPECT_EQ(philox4x32({ 0, 0, 0, 0 }, { 0, 0 }), (Words4{ 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 }));
  EXPECT_EQ(
      philox4x32({ ~0U, ~0U, ~0U, ~0U }, { ~0U, ~0U }), (Words4{ 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd }));
  EXPECT_EQ(philox4x32({ 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 }),
      (Words4{ 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 }));
}

TEST(CounterRandom, IsEvenlySpreadOverTheUnitInterval)
{
  const CounterRandom random(42);
  constexpr int kDraws = 20000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i)
  {
    const auto [u, v] = random.uniform_pair(static_cast<std::uint64_t>(i));
    ASSERT_TRUE(u >= 0 && u < 1 && v >= 0 && v < 1);
    sum += u + v;
    squares += u * u + v * v;
  }
  const double count = 2.0 * kDraws;
  EXPECT_NEAR(sum / count, 0.5, 4 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
}

TEST(CounterRandom, SeedsAndDrawsDiffer)
{
  EXPECT_NE(CounterRandom(1).uniform_pair(0), CounterRandom(2).uniform_pair(0));
  EXPECT_NE(CounterRandom(1).uniform_pair(0), CounterRandom(1).uniform_pair(1));
  EXPECT_NE(CounterRandom(1).uniform_pair(0), CounterRandom(1ULL << 32 | 1).uniform_pair(0));
}

} // namespace
