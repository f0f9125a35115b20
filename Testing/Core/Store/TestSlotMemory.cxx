// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SlotMemory.h"

#include "Base/Bytes.h"
#include "Store/Memory/MappedPages.h"
#include "Store/Memory/MemoryAccount.h"
#include "Support/LoweredLimit.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>

namespace rivulet::test
{

namespace
{

std::int64_t nothing_to_give(std::int64_t)
{
  return 0;
}

constexpr std::int64_t kBytes = 8192;

/// Slots of one size, which are counted where SlotMemory counts bytes.
class CountedSlots : public SlotMemory
{
public:
  using SlotMemory::SlotMemory;
  void set_capacity(std::int64_t slots) { SlotMemory::set_capacity(slots * slot_bytes()); }
  [[nodiscard]] std::int64_t capacity() const { return SlotMemory::capacity() / slot_bytes(); }
  [[nodiscard]] std::int64_t held() const { return SlotMemory::held() / slot_bytes(); }
  [[nodiscard]] std::int64_t peak() const { return SlotMemory::peak() / slot_bytes(); }
  [[nodiscard]] Slot* take() { return SlotMemory::take(slot_bytes()); }
  [[nodiscard]] bool can_take() { return SlotMemory::can_take(slot_bytes()); }
};

class Slots : public testing::Test
{
protected:
  explicit Slots(std::int64_t capacity = 4) { memory.set_capacity(capacity); }

  std::vector<Slot*> take(int count)
  {
    std::vector<Slot*> taken;
    for (int i = 0; i < count; ++i)
    {
      taken.push_back(memory.take());
    }
    return taken;
  }
  void give_back(const std::vector<Slot*>& slots)
  {
    for (Slot* slot : slots)
    {
      memory.give_back(*slot);
    }
  }
  [[nodiscard]] std::int64_t counted() const { return (MemoryAccount::process().used() - before) / kBytes; }

  const std::int64_t before = MemoryAccount::process().used();
  CountedSlots memory{ kBytes, MemoryUse::Bricks, nothing_to_give };
};

/// A slab of slots is within the capacity, so that the system may give memory in huge pages.
class ManySlots : public Slots
{
protected:
  ManySlots()
    : Slots(2 * 64 * kMiB / kBytes)
  {
    taken = take(600);
    for (const Slot* slot : taken)
    {
      std::fill_n(slot->data, kBytes, std::byte{ 7 });
    }
  }
  /// Slots whose memory the process holds, of those in the 2 MiB of the last that was taken and behind it.
  [[nodiscard]] std::int64_t resident_at_end() const
  {
    const std::int64_t last = taken.back()->data - taken.front()->data;
    const std::int64_t from = last / (2 * kMiB) * 2 * kMiB;
    return resident_memory(taken.front()->data + from, 64 * kMiB - from) / kBytes;
  }

  std::vector<Slot*> taken;
};

} // namespace

TEST_F(Slots, AreAsManyAsTheCapacitySays)
{
  const std::vector<Slot*> taken = take(4);
  EXPECT_EQ(std::count(taken.begin(), taken.end(), nullptr), 0);
  EXPECT_FALSE(memory.can_take());
  EXPECT_EQ(memory.take(), nullptr);
  EXPECT_EQ(memory.held(), 4);
  EXPECT_EQ(counted(), 4);
}

TEST_F(Slots, HaveMemoryOfTheirOwnFromAPageOn)
{
  std::set<std::byte*> places;
  for (Slot* slot : take(4))
  {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot->data) % kPage, 0U);
    std::fill_n(slot->data, kBytes, std::byte{ 7 });
    places.insert(slot->data);
  }
  ASSERT_EQ(places.size(), 4U);
  for (auto place = places.begin(); std::next(place) != places.end(); ++place)
  {
    EXPECT_GE(*std::next(place) - *place, kBytes);
  }
}

TEST_F(Slots, CostNothingUntilTheyAreTaken)
{
  EXPECT_EQ(memory.held(), 0);
  EXPECT_EQ(counted(), 0);
  EXPECT_TRUE(memory.can_take());
  EXPECT_EQ(counted(), 0);
}

TEST_F(ManySlots, HoldNoOtherMemoryWhenOneWasDropped)
{
  const auto mine = static_cast<std::int64_t>(taken.size()) - 512; // two MiB hold 256
  EXPECT_GE(resident_at_end(), mine);
  EXPECT_LE(resident_at_end(), 512);
  memory.drop(*taken.back());
  EXPECT_EQ(resident_at_end(), mine - 1);
  taken.back() = memory.take();
  std::fill_n(taken.back()->data, kBytes, std::byte{ 7 });
  EXPECT_EQ(resident_at_end(), mine);
}

TEST_F(ManySlots, HoldNoOtherMemoryWhenTheCapacityShrinks)
{
  memory.set_capacity(600);
  EXPECT_EQ(resident_at_end(), static_cast<std::int64_t>(taken.size()) - 512);
}

TEST_F(Slots, AreKeptForTheNextWhileThereIsCapacity)
{
  Slot* slot = memory.take();
  slot->data[5] = std::byte{ 42 };
  slot->state = Slot::State::Ready;
  slot->error = std::make_shared<const Error>();
  memory.give_back(*slot);
  EXPECT_EQ(slot->state, Slot::State::Free);
  EXPECT_EQ(slot->error, nullptr);
  EXPECT_EQ(memory.held(), 1);
  EXPECT_EQ(memory.take(), slot);
  EXPECT_EQ(slot->data[5], std::byte{ 42 });
}

TEST_F(Slots, AreDroppedWhenTheyComeBackOverTheCapacity)
{
  const std::vector<Slot*> taken = take(4);
  std::fill_n(taken[0]->data, kBytes, std::byte{ 42 });
  memory.set_capacity(3);
  EXPECT_TRUE(memory.over_capacity());
  memory.give_back(*taken[0]);
  EXPECT_FALSE(memory.over_capacity());
  EXPECT_EQ(memory.held(), 3);
  EXPECT_EQ(counted(), 3);
  memory.give_back(*taken[1]); // now there is room: it is kept
  EXPECT_EQ(memory.held(), 3);
}

TEST_F(Slots, ThatWereDroppedGiveTheirPagesBack)
{
  Slot* slot = memory.take();
  std::fill_n(slot->data, kBytes, std::byte{ 42 });
  memory.set_capacity(0);
  memory.give_back(*slot);
  EXPECT_EQ(std::count(slot->data, slot->data + kBytes, std::byte{ 0 }), kBytes); // the system's zeros
}

TEST_F(Slots, ThatWereDroppedAreTakenAgainAtTheirAddress)
{
  const std::vector<Slot*> taken = take(2);
  memory.set_capacity(0);
  give_back(taken);
  EXPECT_EQ(memory.held(), 0);
  memory.set_capacity(2);
  std::vector<Slot*> again = take(2);
  std::sort(again.begin(), again.end());
  std::vector<Slot*> sorted = taken;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(again, sorted);
  EXPECT_EQ(counted(), 2);
}

TEST_F(Slots, AreTrimmedOnlyWhileTheyAreTooMany)
{
  give_back(take(4));
  EXPECT_EQ(memory.held(), 4);
  memory.trim();
  EXPECT_EQ(memory.held(), 4);
  memory.set_capacity(1);
  memory.trim();
  EXPECT_EQ(memory.held(), 1);
  EXPECT_EQ(counted(), 1);
}

TEST_F(Slots, InUseAreNotTrimmed)
{
  const std::vector<Slot*> taken = take(3);
  memory.give_back(*memory.take());
  memory.set_capacity(1);
  memory.trim();
  EXPECT_EQ(memory.held(), 3);
}

TEST_F(Slots, RememberTheMostThatThereWere)
{
  const std::vector<Slot*> taken = take(3);
  memory.set_capacity(0);
  give_back(taken);
  memory.set_capacity(4);
  static_cast<void>(take(1));
  EXPECT_EQ(memory.held(), 1);
  EXPECT_EQ(memory.peak(), 3);
}

TEST_F(Slots, ThatAreLargerThanASlabHaveOneEach)
{
  CountedSlots large(65 * kMiB, MemoryUse::Bricks, nothing_to_give);
  large.set_capacity(2);
  Slot* first = large.take();
  Slot* second = large.take();
  ASSERT_NE(second, nullptr);
  EXPECT_GE(std::abs(first->data - second->data), 65 * kMiB);
  second->data[65 * kMiB - 1] = std::byte{ 1 };
  EXPECT_EQ(large.held(), 2);
}

TEST_F(Slots, GoOnInAnotherSlabWhenOneIsFull)
{
  CountedSlots large(24 * kMiB, MemoryUse::Bricks, nothing_to_give); // two to a slab
  large.set_capacity(5);
  std::set<std::byte*> places;
  for (int i = 0; i < 5; ++i)
  {
    Slot* slot = large.take();
    slot->data[0] = std::byte{ 1 };
    slot->data[24 * kMiB - 1] = std::byte{ 1 };
    places.insert(slot->data);
  }
  EXPECT_EQ(places.size(), 5U);
}

TEST_F(Slots, AreGivenBackToTheProcessAtTheEnd)
{
  {
    CountedSlots other(kBytes, MemoryUse::Bricks, nothing_to_give);
    other.set_capacity(3);
    Slot* kept = other.take();
    static_cast<void>(other.take());
    other.give_back(*kept);
    EXPECT_EQ(counted(), 2);
  }
  EXPECT_EQ(counted(), 0);
}

TEST_F(Slots, AddUpOverRandomCalls)
{
  std::mt19937 random(5);
  std::vector<Slot*> out;
  std::int64_t most = 0;
  std::int64_t wrong = 0;
  for (int call = 0; call < 5000; ++call)
  {
    const unsigned kind = random() % 16;
    if (kind < 8)
    {
      const bool can = memory.can_take();
      Slot* slot = memory.take();
      wrong += can == (slot != nullptr) ? 0 : 1;
      wrong += slot != nullptr && std::find(out.begin(), out.end(), slot) != out.end() ? 1 : 0;
      slot != nullptr ? out.push_back(slot) : void();
    }
    else if (kind < 15 && !out.empty())
    {
      const std::size_t which = random() % out.size();
      memory.give_back(*std::exchange(out[which], out.back()));
      out.pop_back();
    }
    else if (kind == 15)
    {
      memory.set_capacity(static_cast<std::int64_t>(random() % 12));
      memory.trim();
    }
    most = std::max(most, memory.held());
    const auto in_use = static_cast<std::int64_t>(out.size());
    wrong += memory.held() >= in_use && memory.held() <= std::max(memory.capacity(), in_use) ? 0 : 1;
    wrong += counted() == memory.held() && memory.peak() == most ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(Slots, AreGivenToOneThreadEach)
{
  memory.set_capacity(3);
  std::atomic<int> wrong{ 0 };
  std::vector<std::jthread> team;
  for (int i = 0; i < 4; ++i)
  {
    team.emplace_back(
        [&, i]
        {
          for (int turn = 0; turn < 2000; ++turn)
          {
            if (Slot* slot = memory.take())
            {
              slot->users = i;
              wrong += slot->users == i && memory.held() <= 3 ? 0 : 1;
              memory.give_back(*slot);
            }
          }
        });
  }
  team.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(counted(), memory.held());
}

TEST(SlotSizes, AreLittleLargerThanRecordsAndFew)
{
  const SlotMemory memory(1000 * kPage, MemoryUse::Bricks, nothing_to_give);
  std::set<std::int64_t> sizes;
  for (std::int64_t bytes = 1; bytes <= 1000 * kPage; bytes += 509)
  {
    const std::int64_t size = memory.size_for(bytes);
    ASSERT_EQ(size % kPage, 0);
    ASSERT_GE(size, bytes);
    ASSERT_LT(size, bytes + kPage + bytes / 16);
    sizes.insert(size);
  }
  EXPECT_LE(sizes.size(), 16U * 7);
  EXPECT_EQ(memory.size_for(1000 * kPage), 1000 * kPage);
  EXPECT_EQ(memory.size_for(993 * kPage), 1000 * kPage); // no slot is larger than the largest
}

/// Slots of one, two and five pages, with room for ten pages.
class MixedSlots : public testing::Test
{
protected:
  MixedSlots() { memory.set_capacity(10 * kPage); }
  [[nodiscard]] std::int64_t counted() const { return (MemoryAccount::process().used() - before) / kPage; }

  const std::int64_t before = MemoryAccount::process().used();
  SlotMemory memory{ 5 * kPage, MemoryUse::Bricks, nothing_to_give };
};

TEST_F(MixedSlots, CountTheirPages)
{
  const Slot* large = memory.take(5 * kPage);
  const Slot* small = memory.take(kPage - 5);
  ASSERT_NE(memory.take(2 * kPage), nullptr);
  EXPECT_EQ(large->bytes, 5 * kPage);
  EXPECT_EQ(small->bytes, kPage);
  EXPECT_EQ(memory.held(), 8 * kPage);
  EXPECT_EQ(counted(), 8);
  EXPECT_EQ(memory.available(), 2 * kPage);
  EXPECT_FALSE(memory.can_take(5 * kPage));
  EXPECT_EQ(memory.take(5 * kPage), nullptr);
  EXPECT_TRUE(memory.can_take(2 * kPage));
  EXPECT_NE(memory.take(2 * kPage), nullptr);
  EXPECT_FALSE(memory.can_take(1));
  EXPECT_EQ(counted(), 10);
}

TEST_F(MixedSlots, MakeRoomForOthersWhenTheyAreSpare)
{
  std::vector<Slot*> small;
  for (int i = 0; i < 10; ++i)
  {
    small.push_back(memory.take(kPage));
    std::fill_n(small.back()->data, kPage, std::byte{ 7 });
  }
  for (int i = 0; i < 5; ++i)
  {
    EXPECT_FALSE(memory.can_take(5 * kPage));
    memory.give_back(*small.back());
    small.pop_back();
  }
  EXPECT_EQ(memory.available(), 5 * kPage);
  EXPECT_TRUE(memory.can_take(5 * kPage));
  Slot* large = memory.take(5 * kPage);
  ASSERT_NE(large, nullptr);
  std::fill_n(large->data, 5 * kPage, std::byte{ 8 });
  EXPECT_EQ(counted(), 10);
  for (const Slot* slot : small)
  {
    EXPECT_EQ(std::count(slot->data, slot->data + kPage, std::byte{ 7 }), kPage);
  }
  memory.give_back(*large);
  EXPECT_EQ(memory.drop_spare(2 * kPage), 5 * kPage);
  EXPECT_EQ(counted(), 5);
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

TEST(SlotMemory, TakesLittleWhereTheSystemRefusesMuch)
{
  CountedSlots memory(4 * kMiB, MemoryUse::Bricks, nothing_to_give);
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
  CountedSlots memory(64 * kMiB, MemoryUse::Bricks, nothing_to_give);
  {
    const LoweredLimit little(RLIMIT_AS, memory_and(24 * kMiB));
    EXPECT_FALSE(memory.can_take());
    EXPECT_EQ(memory.take(), nullptr);
    EXPECT_EQ(memory.held(), 0);
  }
  EXPECT_TRUE(memory.can_take());
  EXPECT_NE(memory.take(), nullptr);
}

#endif

} // namespace rivulet::test
