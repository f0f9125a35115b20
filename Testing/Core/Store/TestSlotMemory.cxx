// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/SlotMemory.h"
#include "Support/LoweredLimit.h"

#include <gtest/gtest.h>

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

namespace rivulet::test
{

namespace
{

std::int64_t nothing_to_give(std::int64_t)
{
  return 0;
}

} // namespace

TEST(SlotMemory, TakesLittleWhereTheSystemRefusesMuch)
{
  SlotMemory memory(4 * kMiB, MemoryUse::Bricks, nothing_to_give);
  memory.set_capacity(16);
  const LoweredLimit little(RLIMIT_AS, memory_and(24 * kMiB));
  ASSERT_TRUE(memory.can_take());
  int taken = 0;
  while (Slot* slot = memory.take())
  {
    slot->data[0] = std::byte{ 1 };
    slot->data[memory.slot_bytes() - 1] = std::byte{ 1 };
    ++taken;
  }
  EXPECT_GE(taken, 4);
  EXPECT_LE(taken, 6);
  EXPECT_FALSE(memory.can_take());
}

TEST(SlotMemory, KnowsThatTheSystemHasNotOneSlot)
{
  SlotMemory memory(64 * kMiB, MemoryUse::Bricks, nothing_to_give);
  {
    const LoweredLimit little(RLIMIT_AS, memory_and(24 * kMiB));
    EXPECT_FALSE(memory.can_take());
    EXPECT_EQ(memory.take(), nullptr);
    EXPECT_EQ(memory.held(), 0);
  }
  EXPECT_TRUE(memory.can_take());
  EXPECT_NE(memory.take(), nullptr);
}

} // namespace rivulet::test

#endif
