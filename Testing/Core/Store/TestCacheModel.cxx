// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of calls to a brick cache: after each, what the cache shows of itself is held against a model that
// knows nothing of banks, chains and locks (CacheModel.h).
#include "Core/Store/CacheModel.h"
#include "Store/Memory/MemoryAccount.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kBricks = 20;
constexpr int kCalls = 1500;

/// Seed, pages at first, banks, sizes.
using Start = std::tuple<unsigned, std::int64_t, int, Sizes>;

/// One cache, its model, and everything that is pinned, under way or waited for.
class CacheSequences : public testing::TestWithParam<Start>
{
protected:
  CacheSequences()
  {
    for (std::int64_t index = 0; index < kBricks; index += 7)
    {
      source_.bad.insert(index);
    }
  }
  ~CacheSequences() override
  {
    pins_.clear();
    for (auto& [index, slot] : loads_)
    {
      static_cast<void>(source_.cache.end_load(*slot, made(index, *slot)));
    }
  }

  [[nodiscard]] static Sizes sizes() { return std::get<3>(GetParam()); }
  [[nodiscard]] std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(random_()) % limit; }
  [[nodiscard]] bool good(std::int64_t index) const { return !source_.bad.contains(index); }

  void try_get()
  {
    const std::int64_t index = below(kBricks);
    keep(index, source_.cache.try_get(brick(index)), [&] { return model_.try_get(index, good(index), gone()); });
  }
  void find()
  {
    const std::int64_t index = below(kBricks);
    keep(index, source_.cache.find(brick(index)), [&] { return model_.find(index); });
  }
  void begin_load()
  {
    const std::int64_t index = below(kBricks);
    if (model_.settled(index) || loads_.contains(index))
    {
      return; // the caller's promise
    }
    Slot* slot = source_.cache.begin_load(brick(index));
    ASSERT_EQ(slot != nullptr, model_.begin_load(index, gone()));
    if (slot != nullptr)
    {
      loads_[index] = slot;
    }
  }
  void end_load()
  {
    if (loads_.empty())
    {
      return;
    }
    const auto load = std::next(loads_.begin(), below(static_cast<std::int64_t>(loads_.size())));
    const std::int64_t index = load->first;
    Slot& slot = *load->second;
    loads_.erase(load);
    keep(index, source_.cache.end_load(slot, made(index, slot)), [&] { return model_.end_load(index, good(index)); });
  }
  void let_go()
  {
    if (pins_.empty())
    {
      return;
    }
    const auto pin = pins_.begin() + below(static_cast<std::int64_t>(pins_.size()));
    const std::int64_t index = pin->first;
    pins_.erase(pin);
    model_.unpin(index);
  }
  void change_budget()
  {
    const std::int64_t pages = below(sizes() == Sizes::One ? 9 : 25);
    source_.cache.set_memory_budget(pages * kSlot + below(kSlot));
    model_.set_budget(pages, gone());
    EXPECT_EQ(source_.cache.memory_budget() / kSlot, pages);
  }
  void request()
  {
    const std::int64_t index = below(kBricks);
    waiters_.emplace_back();
    source_.cache.request(brick(index), waiters_.back());
    model_.request(index);
  }

  /// Everything is derived afresh from what the cache shows.
  void check()
  {
    ASSERT_TRUE(model_.adds_up());
    for (std::int64_t index = 0; index < kBricks; ++index)
    {
      ASSERT_EQ(source_.cache.settled(brick(index)), model_.settled(index)) << "brick " << index;
    }
    ASSERT_EQ(MemoryAccount::process().used(), before_ + model_.held() * kSlot);
    ASSERT_LE(model_.held(), std::max(model_.capacity(), model_.in_use()));
    check_pins();
    check_waiters();
    check_statistics();
  }
  /// Nothing is left in use: what is there must be what it should be, from the oldest to the youngest.
  void check_the_rest()
  {
    while (!pins_.empty())
    {
      let_go();
    }
    const std::list<std::int64_t> left = model_.ages();
    for (const std::int64_t index : left)
    {
      EXPECT_EQ(number_in(source_.cache.find(brick(index)), source_.bytes_of(index)), index);
    }
  }

private:
  template <class Expected>
  void keep(std::int64_t index, Lookup&& found, Expected&& expected)
  {
    ASSERT_EQ(found.state, expected()) << "brick " << index;
    ASSERT_EQ(found.state == Lookup::State::Ready, static_cast<bool>(found.pin));
    ASSERT_EQ(found.state == Lookup::State::Failed, found.error != nullptr);
    if (found.state == Lookup::State::Ready)
    {
      pins_.emplace_back(index, std::move(found));
    }
  }
  [[nodiscard]] Result<LoadedBrick> made(std::int64_t index, const Slot& slot) const
  {
    return fill(index, slot.data, good(index), source_.bytes_of(index));
  }
  /// Bricks of the model that the cache does not have any more.
  [[nodiscard]] CacheModel::Bricks gone()
  {
    CacheModel::Bricks bricks;
    for (const std::int64_t index : model_.ages())
    {
      if (!source_.cache.settled(brick(index)))
      {
        bricks.insert(index);
      }
    }
    return bricks;
  }
  void check_pins()
  {
    std::map<const void*, std::int64_t> places;
    std::map<std::int64_t, int> users;
    for (const auto& [index, found] : pins_)
    {
      ASSERT_EQ(number_in(found, source_.bytes_of(index)), index);
      ++users[index];
      ASSERT_EQ(places.try_emplace(found.pin.view().data, index).first->second, index) << "two bricks in one slot";
    }
    for (const auto& [index, slot] : loads_)
    {
      ASSERT_TRUE(places.try_emplace(slot->data, index).second) << "two bricks in one slot";
    }
    ASSERT_EQ(users, model_.users());
  }
  void check_waiters()
  {
    for (std::size_t i = 0; i < waiters_.size(); ++i)
    {
      ASSERT_EQ(waiters_[i].calls, static_cast<std::int64_t>(i) < model_.told() ? 1 : 0) << "waiter " << i;
    }
  }
  void check_statistics()
  {
    const SourceStatistics is = source_.cache.statistics();
    const SourceStatistics should = model_.statistics();
    ASSERT_EQ(is.cache_hits, should.cache_hits);
    ASSERT_EQ(is.cache_misses, should.cache_misses);
    ASSERT_EQ(is.bricks_read, should.bricks_read);
    ASSERT_EQ(is.bytes_read, should.bytes_read);
    ASSERT_EQ(is.peak_bytes, should.peak_bytes);
  }

  const std::int64_t before_ = MemoryAccount::process().used();
  std::mt19937 random_{ std::get<0>(GetParam()) };
  CacheUnderTest source_{ std::get<1>(GetParam()), std::get<2>(GetParam()), sizes() };
  CacheModel model_{ std::get<1>(GetParam()), std::get<2>(GetParam()) == 1, sizes() };
  std::vector<std::pair<std::int64_t, Lookup>> pins_;
  std::map<std::int64_t, Slot*> loads_;
  std::deque<CountingWaiter> waiters_;
};

} // namespace

TEST_P(CacheSequences, OfACacheThatLoadsAgreeWithTheModel)
{
  for (int call = 0; call < kCalls && !HasFatalFailure(); ++call)
  {
    const std::int64_t kind = below(100);
    kind < 45 ? try_get() : kind < 90 ? let_go() : kind < 96 ? request() : change_budget();
    check();
  }
  check_the_rest();
}

TEST_P(CacheSequences, OfACacheThatIsFilledAgreeWithTheModel)
{
  for (int call = 0; call < kCalls && !HasFatalFailure(); ++call)
  {
    const std::int64_t kind = below(100);
    kind < 25 ? find() : kind < 45 ? begin_load() : kind < 60 ? end_load() : kind < 90 ? let_go() : change_budget();
    kind % 10 == 0 ? request() : void();
    check();
  }
  check_the_rest();
}

std::string name_of(const testing::TestParamInfo<Start>& start)
{
  return "Seed" + std::to_string(std::get<0>(start.param)) + "Slots" + std::to_string(std::get<1>(start.param)) +
         "Banks" + std::to_string(std::get<2>(start.param));
}

INSTANTIATE_TEST_SUITE_P(Starts, CacheSequences,
    testing::Combine(
        testing::Range(1U, 6U), testing::Values(1, 2, 5), testing::Values(1, 3), testing::Values(Sizes::One)),
    name_of);

INSTANTIATE_TEST_SUITE_P(MixedSizes, CacheSequences,
    testing::Combine(
        testing::Range(1U, 11U), testing::Values(1, 7, 20), testing::Values(1), testing::Values(Sizes::Mixed)),
    name_of);

} // namespace rivulet::test
