// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Memory/Residency.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

/// Drops whole units of what it is told of.
class Owner final : public ResidentOwner
{
public:
  [[nodiscard]] std::int64_t drop(std::int64_t bytes) override
  {
    ++drops;
    const std::int64_t dropped = std::min(held, round_up(bytes, unit));
    held -= dropped;
    return dropped;
  }
  std::int64_t unit = 10 * kMiB; // far more than a test program maps by chance
  std::int64_t held = 0;
  int drops = 0;
};

void arrive(Residency& residency, Owner& owner)
{
  residency.arrive(owner.unit);
  owner.held += owner.unit;
}

} // namespace

TEST(Residency, LetsInWhatFits)
{
  Owner owner;
  Residency residency(owner, 100 * kMiB);
  for (int i = 0; i < 9; ++i)
  {
    arrive(residency, owner);
  }
  EXPECT_EQ(owner.drops, 0);
  EXPECT_EQ(residency.resident(), 90 * kMiB);
}

TEST(Residency, DropsToThreeQuartersWhenFull)
{
  Owner owner;
  Residency residency(owner, 100 * kMiB);
  for (int i = 0; i < 11; ++i)
  {
    arrive(residency, owner);
  }
  EXPECT_LE(residency.resident(), 75 * kMiB);
  EXPECT_GE(residency.resident(), 50 * kMiB);
  EXPECT_LE(residency.peak(), 100 * kMiB);
  EXPECT_EQ(residency.resident(), owner.held);
}

TEST(Residency, LetsOneBrickInWhateverTheBudget)
{
  Owner owner;
  Residency residency(owner, kPage);
  arrive(residency, owner);
  EXPECT_EQ(residency.resident(), owner.unit);
}

TEST(Residency, DropsAtOnceWhenTheBudgetShrinks)
{
  Owner owner;
  Residency residency(owner, 100 * kMiB);
  for (int i = 0; i < 8; ++i)
  {
    arrive(residency, owner);
  }
  residency.set_budget(40 * kMiB);
  EXPECT_LE(residency.resident(), 30 * kMiB);
}

TEST(Residency, IsInTheProcessesAccount)
{
  const std::int64_t before = MemoryAccount::process().used();
  Owner owner;
  {
    Residency residency(owner, 100 * kMiB);
    arrive(residency, owner);
    arrive(residency, owner);
    residency.depart(owner.unit);
    EXPECT_EQ(MemoryAccount::process().used(), before + owner.unit);
  }
  EXPECT_EQ(MemoryAccount::process().used(), before);
}

} // namespace rivulet::test
