// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls to a request table, after each of which what it hands out is held against a model: a plain
// list of bricks that is searched from its beginning.
#include "Store/Cache/RequestTable.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kNumbers = 24; ///< of records, half of them of step 0

WantedBrick wanted(std::int64_t number)
{
  return { { 0, number < kNumbers / 2 ? 0 : 1, 1000 + number }, number };
}

class CountingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&, Lookup&& found) override
  {
    handed_over += found.state == Lookup::State::Miss ? 0 : 1;
    ++told;
  }
  std::atomic<int> told{ 0 };
  std::atomic<int> handed_over{ 0 };
};

/// A brick that is wanted, as the header of RequestTable describes it.
struct Entry
{
  std::int64_t number = 0;
  std::int64_t particles = 0; ///< of all that asked, those that withdrew included
  bool queued = true;
  std::vector<const BrickWaiter*> waiters{};
};

/// In the order in which bricks were asked for first.
class RequestModel
{
public:
  void add(std::int64_t number, const BrickWaiter& waiter, std::int64_t particles)
  {
    auto entry = find(number);
    if (entry == entries_.end())
    {
      entry = entries_.insert(entries_.end(), Entry{ .number = number });
    }
    entry->particles += particles;
    entry->waiters.push_back(&waiter);
  }
  std::int64_t take_best()
  {
    const auto best = std::max_element(entries_.begin(), entries_.end(),
        [](const Entry& a, const Entry& b)
        { return (a.queued ? a.particles : -1) < (b.queued ? b.particles : -1); }); // of equals the first
    return take(best != entries_.end() && best->queued ? best->number : -1);
  }
  /// The queued brick nearest to `from`, going up or down to `to`.
  std::int64_t take_near(std::int64_t near, std::int64_t from, std::int64_t to)
  {
    const std::int64_t direction = from <= to ? 1 : -1;
    for (std::int64_t number = from; number != to + direction; number += direction)
    {
      const auto entry = find(number);
      if (entry != entries_.end() && entry->queued && wanted(number).key.step == wanted(near).key.step)
      {
        return take(number);
      }
    }
    return -1;
  }
  void put_back(std::int64_t number)
  {
    const auto entry = find(number);
    entry->queued = true;
    if (entry->waiters.empty())
    {
      entries_.erase(entry);
    }
  }
  std::size_t finish(std::int64_t number)
  {
    const auto entry = find(number);
    const std::size_t told = entry->waiters.size();
    entries_.erase(entry);
    return told;
  }
  std::size_t withdraw(const BrickWaiter& waiter)
  {
    std::size_t told = 0;
    for (Entry& entry : entries_)
    {
      told += static_cast<std::size_t>(std::erase(entry.waiters, &waiter));
    }
    std::erase_if(entries_, [](const Entry& entry) { return entry.queued && entry.waiters.empty(); });
    return told;
  }
  std::size_t withdraw_queued()
  {
    std::size_t told = 0;
    for (const Entry& entry : entries_)
    {
      told += entry.queued ? entry.waiters.size() : 0;
    }
    std::erase_if(entries_, [](const Entry& entry) { return entry.queued; });
    return told;
  }
  [[nodiscard]] bool knows(std::int64_t number) { return find(number) != entries_.end(); }
  [[nodiscard]] std::vector<std::int64_t> under_way() const
  {
    std::vector<std::int64_t> numbers;
    for (const Entry& entry : entries_)
    {
      entry.queued ? void() : numbers.push_back(entry.number);
    }
    return numbers;
  }

private:
  std::vector<Entry>::iterator find(std::int64_t number)
  {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.number == number; });
  }
  std::int64_t take(std::int64_t number)
  {
    if (number >= 0)
    {
      find(number)->queued = false;
    }
    return number;
  }

  std::vector<Entry> entries_;
};

std::int64_t number_of(const std::optional<WantedBrick>& brick)
{
  EXPECT_TRUE(!brick || brick->key == wanted(brick->number).key);
  return brick ? brick->number : -1;
}

class RequestSequences : public testing::TestWithParam<unsigned>
{
protected:
  [[nodiscard]] std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(random_()) % limit; }

  void ask()
  {
    const std::int64_t number = below(kNumbers);
    CountingWaiter& waiter = waiters_[static_cast<std::size_t>(below(4))];
    const std::int64_t particles = below(4);
    const bool settled = below(4) == 0;
    const bool kept = model_.knows(number) || !settled;
    ASSERT_EQ(table_.add(wanted(number), waiter, particles, [&] { return settled; }), kept);
    if (kept)
    {
      ++asked_[&waiter];
      model_.add(number, waiter, particles);
    }
  }
  void take_best() { ASSERT_EQ(number_of(table_.take_best()), model_.take_best()); }
  void take_near()
  {
    const std::int64_t near = below(kNumbers);
    const std::int64_t first = below(kNumbers);
    const std::int64_t last = first + below(6);
    if (below(2) == 0)
    {
      ASSERT_EQ(number_of(table_.take_after(wanted(near), first, last)), model_.take_near(near, first, last));
    }
    else
    {
      ASSERT_EQ(number_of(table_.take_before(wanted(near), first, last)), model_.take_near(near, last, first));
    }
  }
  void end_one()
  {
    const std::vector<std::int64_t> numbers = model_.under_way();
    if (numbers.empty())
    {
      return;
    }
    const std::int64_t number = numbers[static_cast<std::size_t>(below(static_cast<std::int64_t>(numbers.size())))];
    if (below(3) == 0)
    {
      table_.put_back(wanted(number));
      model_.put_back(number);
    }
    else
    {
      answer(table_.finish(number), model_.finish(number));
    }
  }
  void withdraw()
  {
    CountingWaiter& waiter = waiters_[static_cast<std::size_t>(below(4))];
    const std::vector<BrickAnswer> answers = table_.withdraw(waiter);
    for (const BrickAnswer& each : answers)
    {
      ASSERT_EQ(each.waiter, &waiter);
    }
    answer(answers, model_.withdraw(waiter));
    ASSERT_EQ(waiter.told, asked_[&waiter]); // nothing of it is left
  }
  void withdraw_queued() { answer(table_.withdraw_queued(), model_.withdraw_queued()); }

  /// Ends all that is under way: each waiter must have been told once for each time it asked.
  void finish_all()
  {
    withdraw_queued();
    for (const std::int64_t number : model_.under_way())
    {
      answer(table_.finish(number), model_.finish(number));
    }
    for (const CountingWaiter& waiter : waiters_)
    {
      EXPECT_EQ(waiter.told, asked_[&waiter]);
      EXPECT_EQ(waiter.handed_over, 0);
    }
    EXPECT_EQ(number_of(table_.take_best()), -1);
  }

private:
  void answer(const std::vector<BrickAnswer>& answers, std::size_t expected)
  {
    ASSERT_EQ(answers.size(), expected);
    tell(answers);
  }

  std::mt19937 random_{ GetParam() };
  RequestTable table_;
  RequestModel model_;
  std::array<CountingWaiter, 4> waiters_;
  std::map<const BrickWaiter*, int> asked_;
};

} // namespace

TEST_P(RequestSequences, AgreeWithTheModel)
{
  for (int call = 0; call < 4000 && !HasFatalFailure(); ++call)
  {
    const std::int64_t kind = below(100);
    kind < 45   ? ask()
    : kind < 65 ? take_best()
    : kind < 75 ? take_near()
    : kind < 95 ? end_one()
    : kind < 99 ? withdraw()
                : withdraw_queued();
  }
  finish_all();
}

INSTANTIATE_TEST_SUITE_P(Seeds, RequestSequences, testing::Range(1U, 9U));

TEST(RequestThreads, LoseNoRequestAndTellEachOnce)
{
  constexpr int kEach = 4000;
  RequestTable table;
  std::array<CountingWaiter, 3> waiters;
  std::atomic<int> asking{ 3 };
  std::vector<std::jthread> team;
  for (CountingWaiter& waiter : waiters)
  {
    team.emplace_back(
        [&]
        {
          for (std::int64_t i = 0; i < kEach; ++i)
          {
            EXPECT_TRUE(table.add(wanted(i % kNumbers), waiter, 1, [] { return false; }));
            i % 1000 == 999 ? tell(table.withdraw(waiter)) : void();
          }
          --asking;
        });
  }
  for (int reader = 0; reader < 2; ++reader)
  {
    team.emplace_back(
        [&, reader]
        {
          for (std::int64_t turn = 0;; ++turn)
          {
            const bool last = asking == 0;
            const std::optional<WantedBrick> taken = table.take_best();
            if (taken)
            {
              (turn + reader) % 5 == 0 ? table.put_back(*taken) : tell(table.finish(taken->number));
            }
            else if (last)
            {
              return;
            }
          }
        });
  }
  team.clear();
  tell(table.withdraw_queued());
  for (const CountingWaiter& waiter : waiters)
  {
    EXPECT_EQ(waiter.told, kEach);
  }
}

} // namespace rivulet::test
