// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/StagingMemory.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace rivulet::test
{
namespace
{

TEST(StagingMemory, KeepsPiecesWithinItsLimit)
{
  const MemoryAccount& account = MemoryAccount::process();
  const std::int64_t before = account.used(MemoryUse::Staging);
  {
    StagingMemory staging(64 * kKiB);
    std::byte* first = staging.take(30 * kKiB);
    std::byte* second = staging.take(32 * kKiB);
    ASSERT_TRUE(first != nullptr && second != nullptr);
    EXPECT_EQ(staging.take(1), nullptr);
    staging.give_back(first, 30 * kKiB);
    EXPECT_EQ(staging.take(32 * kKiB), first);
    EXPECT_EQ(account.used(MemoryUse::Staging), before + 64 * kKiB);
    staging.give_back(first, 32 * kKiB);
    staging.give_back(second, 32 * kKiB);
  }
  EXPECT_EQ(account.used(MemoryUse::Staging), before);
}

/// Leaves with 0 if staging stays within the process's limit of 64 KiB, but for the first piece.
[[noreturn]] void leave_within_the_limit()
{
  StagingMemory staging(kMiB);
  std::byte* first = staging.take(32 * kKiB);
  std::byte* second = staging.take(32 * kKiB);
  const bool refused = first != nullptr && second != nullptr && staging.take(32 * kKiB) == nullptr;
  staging.give_back(first, 32 * kKiB);
  staging.give_back(second, 32 * kKiB);
  const bool within = MemoryAccount::process().peak() == 64 * kKiB;
  const bool one_in_any_case = staging.take(128 * kKiB) != nullptr && MemoryAccount::process().used() == 128 * kKiB;
  std::_Exit(refused && within && one_in_any_case ? 0 : 1);
}

TEST(StagingMemory, KeepsWithinTheProcessesLimit)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a fresh process reads the environment anew
  ::setenv("RIVULET_MEMORY_LIMIT", "64KiB", 1);
  EXPECT_EXIT(leave_within_the_limit(), testing::ExitedWithCode(0), "");
  ::unsetenv("RIVULET_MEMORY_LIMIT");
}

} // namespace
} // namespace rivulet::test
