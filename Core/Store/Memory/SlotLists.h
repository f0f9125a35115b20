// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The slots of a BrickCache, and the structures of a bank: a table by key, a heap by age, and a queue of slots with
/// prefetched bricks.
///
///     Slot* slot = table.pin(hash_of(key));   // any thread, no lock; nullptr: look again with find()
///     ... use slot->view if slot->key is the key ...
///     slot->unpin();
///
/// A slot is open while lookups may pin it. It is closed while its key or its view changes; then only its owner reads
/// them. Its memory never moves and is never freed before the cache, so that a lookup without a lock may
/// meet a slot that has just changed: it finds it closed, or with another key.
///
/// Pins do not change the heap. They note the time in the slot, and the heap is put right when a slot is taken from it.
///
/// Threads: pin(), and the functions of a slot, from any. A bank's mutex guards all other functions and members. The
/// vectors of both structures grow in insert() alone, so that lookup, ageing and eviction allocate nothing.
#pragma once

#include "Store/Source/BrickSource.h"

#include <atomic>
#include <chrono>
#include <limits>
#include <vector>

namespace rivulet
{

/// Memory for one brick.
struct alignas(64) Slot
{
  enum class State : std::uint8_t
  {
    Free,
    Loading,
    Ready,
    Failed
  };
  /// Is added to `users` while the slot is closed.
  static constexpr std::int32_t kClosed = std::numeric_limits<std::int32_t>::min() / 2;

  std::atomic<std::uint64_t> hash{ 0 }; ///< of the key
  std::atomic<Slot*> next_in_chain{ nullptr };
  std::atomic<std::int32_t> users{ kClosed }; ///< number of pins, waiting threads and the loading thread
  State state = State::Free;
  std::atomic<bool> fresh{ false };       ///< Ready, and not found by any lookup yet
  std::atomic<bool> ahead{ false };       ///< prefetched, and not found by any lookup yet
  BrickKey key;                           ///< of a closed slot, or a pinned one
  std::atomic<std::int64_t> used_at{ 0 }; ///< time of the last unpin
  std::atomic<std::int64_t> turn{ 0 };    ///< of SlotsAhead
  BrickView view;                         ///< Ready
  std::byte* data = nullptr;
  std::int64_t bytes = 0;             ///< of `data`
  std::shared_ptr<const Error> error; ///< Failed

  [[nodiscard]] static std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

  /// Pins the slot if it is open.
  [[nodiscard]] bool pin()
  {
    std::int32_t count = users.load(std::memory_order_relaxed);
    while (count >= 0 && !users.compare_exchange_weak(count, count + 1, std::memory_order_acquire))
    {
    }
    return count >= 0;
  }
  /// True if this was the last user. Other threads may take the slot at once.
  [[nodiscard]] bool unpin()
  {
    used_at.store(now(), std::memory_order_relaxed);
    return users.fetch_sub(1) == 1;
  }
  /// Closes the slot for a brick that its only user will load.
  void begin(const BrickKey& of)
  {
    key = of;
    state = State::Loading;
    users.store(kClosed + 1, std::memory_order_relaxed);
  }
  /// Opens the slot; its users stay.
  void open() { users.fetch_sub(kClosed); }
  /// Closes the slot if it has no users.
  [[nodiscard]] bool close()
  {
    std::int32_t none = 0;
    return users.compare_exchange_strong(none, kClosed);
  }
};

[[nodiscard]] inline std::uint64_t hash_of(const BrickKey& key)
{
  // The finalizer of MurmurHash3 (A. Appleby, public domain): it spreads neighbouring bricks over banks and chains.
  auto bits = static_cast<std::uint64_t>(key.index) ^ (static_cast<std::uint64_t>(key.step) << 40U) ^
              (static_cast<std::uint64_t>(key.variable) << 56U);
  bits = (bits ^ (bits >> 33U)) * 0xff51afd7ed558ccdULL;
  bits = (bits ^ (bits >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return bits ^ (bits >> 33U);
}

/// Slots by key: a hash table with chains; its size is a power of two.
class SlotTable
{
public:
  SlotTable() { grow(16); }

  [[nodiscard]] Slot* find(const BrickKey& key) const
  {
    Slot* slot = chain(hash_of(key)).load(std::memory_order_relaxed);
    while (slot != nullptr && !(slot->key == key))
    {
      slot = slot->next_in_chain.load(std::memory_order_relaxed);
    }
    return slot;
  }
  /// A slot with the hash, pinned; its key may be another one. nullptr does not mean that there is none: the chain may
  /// be changing.
  [[nodiscard]] Slot* pin(std::uint64_t hash) const
  {
    Slot* slot = chain(hash).load(std::memory_order_acquire);
    for (int steps = 0; slot != nullptr && steps < kMostSteps; ++steps)
    {
      if (slot->hash.load(std::memory_order_relaxed) == hash)
      {
        return slot->pin() ? slot : nullptr;
      }
      slot = slot->next_in_chain.load(std::memory_order_acquire);
    }
    return nullptr;
  }
  void insert(Slot& slot);
  void remove(Slot& slot);
  [[nodiscard]] std::int64_t size() const { return size_; }

private:
  using Link = std::atomic<Slot*>;
  struct Chains
  {
    std::size_t count = 0;
    std::unique_ptr<Link[]> first;
  };
  static constexpr int kMostSteps = 16;

  [[nodiscard]] Link& chain(std::uint64_t hash) const
  {
    const Chains& chains = *chains_.load(std::memory_order_acquire);
    return chains.first[hash & (chains.count - 1)];
  }
  static void link(Slot& slot, Link& chain);
  void grow(std::size_t count);

  std::vector<std::unique_ptr<Chains>> all_; ///< lookups may still be in an earlier one; the last is in use
  std::atomic<const Chains*> chains_{ nullptr };
  std::int64_t size_ = 0;
};

/// Open slots, of which the one that was unpinned first is taken first. Times in the heap may be too early.
class SlotAges
{
public:
  /// Makes room for so many slots.
  void reserve(std::int64_t slots);
  void add(Slot& slot);
  /// The oldest slot without users, closed; nullptr if there is none.
  [[nodiscard]] Slot* take_oldest();
  /// Bytes of slots without users; the count stops at `enough`.
  [[nodiscard]] std::int64_t unused_bytes(std::int64_t enough) const;

private:
  struct Entry
  {
    std::int64_t used_at;
    Slot* slot;
  };
  void push(const Entry& entry);
  [[nodiscard]] Entry pop();

  std::vector<Entry> heap_;
  std::vector<Entry> in_use_; ///< empty but in take_oldest()
};

/// Open slots that are ahead, of which the one that was added first is taken first. One that is found leaves by itself.
class SlotsAhead
{
public:
  /// Makes room for so many slots.
  void reserve(std::int64_t slots);
  void add(Slot& slot);
  /// The oldest slot without users, closed; nullptr if there is none.
  [[nodiscard]] Slot* take_oldest();
  /// As that of SlotAges.
  [[nodiscard]] std::int64_t unused_bytes(std::int64_t enough) const;

private:
  struct Entry
  {
    std::int64_t turn;
    Slot* slot;
  };
  [[nodiscard]] static bool holds(const Entry& entry)
  {
    return entry.slot->turn.load() == entry.turn && entry.slot->ahead.load();
  }
  void forget_found();

  /// Of all banks: an entry of a slot that was found, evicted, and loaded ahead by another bank is of another turn.
  static std::atomic<std::int64_t> turns_;
  std::vector<Entry> entries_; ///< entries of found slots stay until there is no room
};

} // namespace rivulet
