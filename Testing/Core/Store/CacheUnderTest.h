// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A brick cache whose bricks hold one number each, made up by a loader that can be held, counted and made to fail.
#pragma once

#include "Core/Store/CountingWaiter.h"
#include "Store/Cache/BrickCache.h"

#include <atomic>
#include <gtest/gtest.h>
#include <latch>
#include <set>

namespace rivulet::test
{

inline constexpr std::int64_t kSlot = 4096;

[[nodiscard]] inline BrickKey brick(std::int64_t index)
{
  return { 0, 0, index };
}

/// Whether all bricks have one size.
enum class Sizes : std::uint8_t
{
  One,  ///< kSlot
  Mixed ///< one to kMostPages pages, by the brick's number
};
inline constexpr std::int64_t kMostPages = 5;

[[nodiscard]] inline std::int64_t pages_of(std::int64_t index)
{
  return 1 + index * index % kMostPages;
}

/// What a loader makes of a slot: the brick's number all over it, or an error.
[[nodiscard]] inline Result<LoadedBrick> fill(
    std::int64_t index, std::byte* slot, bool good = true, std::int64_t bytes = kSlot)
{
  if (!good)
  {
    return fail(ErrorCode::CannotRead, "made up");
  }
  for (std::int64_t i = 0; i < bytes / 8; ++i)
  {
    reinterpret_cast<std::int64_t*>(slot)[i] = index;
  }
  BrickView view;
  view.data = slot;
  return LoadedBrick{ view, 100 };
}

class CacheUnderTest final : public BrickSource, private BrickLoader
{
public:
  CacheUnderTest(std::int64_t slots, int banks, Sizes sizes = Sizes::One)
    : cache(*this, *this,
          { .slot_bytes = sizes == Sizes::One ? kSlot : kMostPages * kSlot,
              .bytes_of = [this](const BrickKey& key) { return bytes_of(key.index); },
              .memory_budget = slots * kSlot,
              .banks = banks })
    , sizes_(sizes)
  {
    grid_.count = { 1 << 20, 1, 1 };
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return cache.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t) override { cache.request(key, waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * kSlot; }
  [[nodiscard]] SourceStatistics statistics() const override { return cache.statistics(); }

  /// Asks for a brick and lets go of it; true if that needed a read.
  bool reads(std::int64_t index)
  {
    const int before = loads;
    EXPECT_EQ(cache.try_get(brick(index)).state, Lookup::State::Ready);
    return loads != before;
  }

  [[nodiscard]] std::int64_t bytes_of(std::int64_t index) const
  {
    return sizes_ == Sizes::One ? kSlot : pages_of(index) * kSlot;
  }

  /// Makes loads wait until the latch is released; `begun` counts down as each begins.
  void hold(std::latch& begun, std::latch& go_on)
  {
    begun_ = &begun;
    go_on_ = &go_on;
  }

  std::atomic<int> loads{ 0 };
  std::set<std::int64_t> bad; ///< bricks that fail; set before the cache is used
  BrickCache cache;

private:
  Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override
  {
    ++loads;
    if (begun_ != nullptr)
    {
      begun_->count_down();
      go_on_->wait();
    }
    return fill(key.index, slot, !bad.contains(key.index), bytes_of(key.index));
  }
  void unpin(void* token) override { cache.unpin(token); }

  FieldInfo info_;
  BrickGrid grid_;
  const Sizes sizes_;
  std::latch* begun_ = nullptr;
  std::latch* go_on_ = nullptr;
};

/// The number in a pinned brick; -1 if it is not the same all over.
[[nodiscard]] inline std::int64_t number_in(const Lookup& found, std::int64_t bytes = kSlot)
{
  const auto* numbers = static_cast<const std::int64_t*>(found.pin.view().data);
  return numbers[0] == numbers[bytes / 8 - 1] ? numbers[0] : -1;
}

} // namespace rivulet::test
