// SPDX-License-Identifier: BSD-3-Clause
// The two structures that a bank keeps its slots in, against a map and a list.
#include "Store/Memory/SlotLists.h"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <random>
#include <set>
#include <thread>

namespace rivulet::test
{

namespace
{

BrickKey key(std::int64_t index)
{
  return { static_cast<std::int32_t>(index % 3), static_cast<std::int32_t>(index % 5), index };
}

class Table : public testing::Test
{
protected:
  Slot& insert(std::int64_t index)
  {
    Slot& slot = slots.emplace_back();
    slot.key = key(index);
    table.insert(slot);
    known[index] = &slot;
    return slot;
  }
  void remove(std::int64_t index)
  {
    table.remove(*known.at(index));
    known.erase(index);
  }
  /// Keys up to `last` of which the table says something else than the map.
  [[nodiscard]] std::int64_t wrong_up_to(std::int64_t last) const
  {
    std::int64_t wrong = table.size() == static_cast<std::int64_t>(known.size()) ? 0 : 1;
    for (std::int64_t index = 0; index <= last; ++index)
    {
      const auto should = known.find(index);
      wrong += table.find(key(index)) == (should == known.end() ? nullptr : should->second) ? 0 : 1;
    }
    return wrong;
  }

  SlotTable table;
  std::deque<Slot> slots;
  std::map<std::int64_t, Slot*> known;
};

class Ages : public testing::Test
{
protected:
  void add(std::size_t slot)
  {
    slots[slot].bytes = 4096;
    slots[slot].open();
    ages.add(slots[slot]);
    wait_for_the_clock();
  }
  void unpin(std::size_t slot)
  {
    static_cast<void>(slots[slot].unpin());
    wait_for_the_clock();
  }
  void use(std::size_t slot)
  {
    ASSERT_TRUE(slots[slot].pin());
    unpin(slot);
  }
  /// Number of the slot that is taken; -1 for none.
  std::ptrdiff_t take()
  {
    const Slot* taken = ages.take_oldest();
    const auto found = std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) { return &slot == taken; });
    return taken == nullptr ? -1 : found - slots.begin();
  }
  static void wait_for_the_clock()
  {
    for (const std::int64_t now = Slot::now(); Slot::now() == now;)
    {
    }
  }

  SlotAges ages;
  std::deque<Slot> slots = std::deque<Slot>(12);
};

} // namespace

TEST_F(Table, KnowsNobodyAtFirst)
{
  EXPECT_EQ(wrong_up_to(100), 0);
}

TEST_F(Table, FindsEverySlotThoughItGrows)
{
  for (std::int64_t index = 0; index < 500; ++index)
  {
    insert(index);
    if (index < 70 || index == 499) // several times as many as there are chains at first
    {
      EXPECT_EQ(wrong_up_to(index + 1), 0) << "after " << index;
    }
  }
}

TEST_F(Table, TellsVariableStepAndIndexApart)
{
  std::vector<BrickKey> keys;
  for (std::int32_t variable = 0; variable < 3; ++variable)
  {
    for (std::int32_t step = 0; step < 3; ++step)
    {
      for (std::int64_t index = 0; index < 3; ++index)
      {
        Slot& slot = slots.emplace_back();
        slot.key = { variable, step, index };
        table.insert(slot);
        keys.push_back(slot.key);
      }
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    EXPECT_EQ(table.find(keys[i]), &slots[i]);
  }
}

TEST_F(Table, ForgetsTheSlotThatIsRemovedAndNoOther)
{
  for (std::int64_t index = 0; index < 64; ++index)
  {
    insert(index);
  }
  for (const std::int64_t index : { 63, 0, 31, 32, 1 })
  {
    remove(index);
    EXPECT_EQ(wrong_up_to(70), 0) << "after " << index;
  }
}

TEST_F(Table, AgreesWithAMapOverRandomChanges)
{
  std::mt19937 random(3);
  std::int64_t wrong = 0;
  for (int change = 0; change < 4000; ++change)
  {
    const auto index = static_cast<std::int64_t>(random() % 90);
    known.contains(index) ? remove(index) : static_cast<void>(insert(index));
    wrong += change % 8 == 0 ? wrong_up_to(90) : 0;
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(Table, SpreadsNeighboursOverChains)
{
  // Chains and banks take different bits: neither may have more than a few times its share of 4096 neighbours.
  std::map<std::uint64_t, int> low;
  std::map<std::uint64_t, int> high;
  for (std::int64_t index = 0; index < 4096; ++index)
  {
    const std::uint64_t hash = hash_of({ 0, 0, index });
    ++low[hash & 63U];
    ++high[(hash >> 32U) % 7];
  }
  for (const auto& [chain, count] : low)
  {
    EXPECT_LT(count, 2 * 4096 / 64) << chain;
  }
  for (const auto& [bank, count] : high)
  {
    EXPECT_LT(count, 2 * 4096 / 7) << bank;
  }
  EXPECT_EQ(low.size(), 64U);
  EXPECT_EQ(high.size(), 7U);
}

TEST_F(Table, HashesVariablesAndStepsToDifferentPlaces)
{
  std::map<std::uint64_t, int> places;
  for (std::int32_t variable = 0; variable < 8; ++variable)
  {
    for (std::int32_t step = 0; step < 100; ++step)
    {
      ++places[hash_of({ variable, step, 5 })];
    }
  }
  EXPECT_EQ(places.size(), 800U);
}

TEST_F(Table, PinsAnOpenSlotWithTheHash)
{
  Slot& slot = insert(7);
  EXPECT_EQ(table.pin(hash_of(key(7))), nullptr); // it is closed
  slot.open();
  EXPECT_EQ(table.pin(hash_of(key(7))), &slot);
  EXPECT_EQ(slot.users, 1);
  EXPECT_FALSE(slot.close());
  EXPECT_EQ(table.pin(hash_of(key(8))), nullptr);
  EXPECT_TRUE(slot.unpin());
  EXPECT_TRUE(slot.close());
  EXPECT_EQ(table.pin(hash_of(key(7))), nullptr);
}

/// Slots come, go to other keys and come again, and the table grows, while others look.
TEST_F(Table, PinsNoSlotWithAnotherHashWhileItChanges)
{
  std::atomic<bool> stop{ false };
  std::atomic<std::int64_t> wrong{ 0 };
  std::atomic<std::int64_t> pins{ 0 };
  std::vector<std::jthread> lookers;
  for (unsigned seed = 0; seed < 2; ++seed)
  {
    lookers.emplace_back(
        [&, seed]
        {
          std::mt19937 random(seed);
          while (!stop)
          {
            const std::uint64_t hash = hash_of(key(static_cast<std::int64_t>(random() % 200)));
            if (Slot* slot = table.pin(hash))
            {
              // The key may be another one only if the slot was changed between the comparison and the pin.
              wrong += hash_of(slot->key) == slot->hash ? 0 : 1;
              ++pins;
              static_cast<void>(slot->unpin());
            }
          }
        });
  }
  std::mt19937 random(5);
  slots.resize(150);
  std::vector<Slot*> spare;
  std::transform(slots.begin(), slots.end(), std::back_inserter(spare), [](Slot& slot) { return &slot; });
  for (int change = 0; change < 20000 || pins == 0; ++change)
  {
    const auto index = static_cast<std::int64_t>(random() % 200);
    const auto held = known.find(index);
    if (held == known.end() && !spare.empty())
    {
      Slot& slot = *spare.back();
      spare.pop_back();
      slot.begin(key(index));
      table.insert(slot);
      slot.open();
      static_cast<void>(slot.unpin());
      known[index] = &slot;
    }
    else if (held != known.end() && held->second->close())
    {
      spare.push_back(held->second);
      remove(index);
    }
  }
  stop = true;
  lookers.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(wrong_up_to(200), 0);
}

TEST_F(Ages, HaveNobodyAtFirst)
{
  EXPECT_EQ(take(), -1);
  EXPECT_EQ(ages.unused_bytes(1), 0);
}

TEST_F(Ages, AreTakenInTheOrderOfAdding)
{
  for (const std::size_t slot : { 4U, 1U, 3U })
  {
    add(slot);
  }
  EXPECT_GT(ages.unused_bytes(1), 0);
  for (const std::ptrdiff_t slot : { 4, 1, 3, -1 })
  {
    EXPECT_EQ(take(), slot);
  }
}

TEST_F(Ages, TakeASlotLaterThatWasUsedAgain)
{
  add(0);
  add(1);
  add(2);
  use(1);
  use(0);
  for (const std::ptrdiff_t slot : { 2, 1, 0, -1 })
  {
    EXPECT_EQ(take(), slot);
  }
}

TEST_F(Ages, PassOverASlotThatIsInUse)
{
  add(0);
  add(1);
  ASSERT_TRUE(slots[0].pin());
  EXPECT_EQ(take(), 1);
  EXPECT_EQ(take(), -1);
  EXPECT_EQ(ages.unused_bytes(1), 0);
  unpin(0);
  EXPECT_GT(ages.unused_bytes(1), 0);
  EXPECT_EQ(take(), 0);
}

TEST_F(Ages, CloseTheSlotThatIsTaken)
{
  add(0);
  EXPECT_EQ(take(), 0);
  EXPECT_FALSE(slots[0].pin());
}

TEST_F(Ages, AgreeWithAListOverRandomChanges)
{
  std::mt19937 random(11);
  std::list<std::size_t> order; // of those that nobody uses, the oldest first
  std::set<std::size_t> pinned;
  for (int change = 0; change < 3000; ++change)
  {
    const std::size_t slot = random() % slots.size();
    const bool idle = std::find(order.begin(), order.end(), slot) != order.end();
    if (pinned.contains(slot))
    {
      unpin(slot);
      pinned.erase(slot);
      order.push_back(slot);
    }
    else if (!idle)
    {
      add(slot);
      order.push_back(slot);
    }
    else if (random() % 3 == 0)
    {
      ASSERT_EQ(take(), static_cast<std::ptrdiff_t>(order.front())) << "after " << change;
      order.pop_front();
    }
    else
    {
      ASSERT_TRUE(slots[slot].pin());
      pinned.insert(slot);
      order.remove(slot);
    }
  }
}

namespace
{

/// Loads a slot ahead, for one of the banks.
void load_ahead(SlotsAhead& bank, Slot& slot, std::int64_t index)
{
  slot.begin(key(index));
  slot.bytes = 4096;
  slot.ahead = true;
  bank.add(slot);
  slot.open();
  (void)slot.unpin();
}

/// The first lookup of a slot.
void find(Slot& slot)
{
  ASSERT_TRUE(slot.pin());
  slot.ahead = false;
  (void)slot.unpin();
}

} // namespace

TEST(SlotsAhead, AreTakenInTheOrderOfTheirLoads)
{
  SlotsAhead bank;
  bank.reserve(3);
  std::deque<Slot> slots(3);
  for (std::int64_t i = 0; i < 3; ++i)
  {
    load_ahead(bank, slots[static_cast<std::size_t>(i)], i);
  }
  find(slots[0]);
  ASSERT_TRUE(slots[1].pin());
  EXPECT_EQ(bank.take_oldest(), &slots[2]) << "the first was found, the second is in use";
  EXPECT_EQ(bank.take_oldest(), nullptr);
  EXPECT_EQ(bank.unused_bytes(1), 0);
  (void)slots[1].unpin();
  EXPECT_GT(bank.unused_bytes(1), 0);
  EXPECT_EQ(bank.take_oldest(), &slots[1]);
}

TEST(SlotsAhead, AreNotTakenByABankThatTheyHaveLeft)
{
  SlotsAhead first;
  SlotsAhead second;
  first.reserve(1);
  second.reserve(1);
  std::deque<Slot> slots(2);
  load_ahead(first, slots[0], 0);
  find(slots[0]);
  ASSERT_TRUE(slots[0].close()); // evicted by its age
  load_ahead(second, slots[0], 1);
  EXPECT_EQ(first.unused_bytes(1), 0);
  EXPECT_EQ(first.take_oldest(), nullptr);
  load_ahead(first, slots[1], 2); // there is room, since the old entry has no meaning
  EXPECT_EQ(first.take_oldest(), &slots[1]);
  EXPECT_EQ(second.take_oldest(), &slots[0]);
}

} // namespace rivulet::test
