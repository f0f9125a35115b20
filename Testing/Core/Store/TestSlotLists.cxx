// SPDX-License-Identifier: BSD-3-Clause
// The two structures that a bank keeps its slots in, against a map and a list.
#include "Store/Memory/SlotLists.h"

#include <deque>
#include <gtest/gtest.h>
#include <list>
#include <map>
#include <random>

namespace rivulet::test
{

namespace
{

BrickKey key(std::int64_t index)
{
  return { static_cast<std::int32_t>(index % 3), static_cast<std::int32_t>(index % 5), index };
}

/// The slots from the oldest to the youngest, and whether the links back say the same.
std::vector<const Slot*> in_order(const SlotAges& ages)
{
  std::vector<const Slot*> slots;
  const Slot* before = nullptr;
  for (const Slot* slot = ages.oldest(); slot != nullptr; slot = slot->younger)
  {
    EXPECT_EQ(slot->older, before);
    slots.push_back(slot);
    before = slot;
  }
  return slots;
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
  void append(std::size_t slot)
  {
    ages.append(slots[slot]);
    order.push_back(&slots[slot]);
  }
  void remove(std::size_t slot)
  {
    ages.remove(slots[slot]);
    order.remove(&slots[slot]);
  }
  void check() const { EXPECT_EQ(in_order(ages), std::vector<const Slot*>(order.begin(), order.end())); }

  SlotAges ages;
  std::deque<Slot> slots = std::deque<Slot>(12);
  std::list<const Slot*> order;
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

TEST_F(Ages, HaveNoOldestAtFirst)
{
  EXPECT_EQ(ages.oldest(), nullptr);
}

TEST_F(Ages, AreInTheOrderOfAppending)
{
  for (const std::size_t slot : { 4U, 1U, 3U })
  {
    append(slot);
  }
  check();
  EXPECT_EQ(ages.oldest(), &slots[4]);
}

TEST_F(Ages, LoseTheOldestTheYoungestOrOneBetween)
{
  for (std::size_t slot = 0; slot < 5; ++slot)
  {
    append(slot);
  }
  for (const std::size_t slot : { 2U, 0U, 4U, 1U, 3U })
  {
    remove(slot);
    check();
  }
  EXPECT_EQ(ages.oldest(), nullptr);
}

TEST_F(Ages, TakeASlotAgainAsTheYoungest)
{
  append(0);
  append(1);
  remove(0);
  append(0);
  check();
  EXPECT_EQ(ages.oldest(), &slots[1]);
}

TEST_F(Ages, StartAnewAfterTheLastIsGone)
{
  append(7);
  remove(7);
  append(8);
  check();
}

TEST_F(Ages, AgreeWithAListOverRandomChanges)
{
  std::mt19937 random(11);
  std::vector<bool> in(slots.size(), false);
  for (int change = 0; change < 3000; ++change)
  {
    const std::size_t slot = random() % slots.size();
    in[slot] ? remove(slot) : append(slot);
    in[slot] = !in[slot];
    check();
  }
}

} // namespace rivulet::test
