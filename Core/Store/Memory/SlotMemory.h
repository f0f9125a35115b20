// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The memory of a BrickCache: page-aligned slots of one size, counted against a capacity and the process's account.
/// Address space is mapped 64 MiB at a time (anonymous, MAP_NORESERVE) and never moves. A slot that is dropped returns
/// its pages to the system and keeps its address for later.
///
/// Until the first slot is dropped, memory comes in huge pages where the whole 64 MiB are within the capacity: bricks
/// are read at random places, and each place would take an entry of its own in the processor's table of pages. Up to 2
/// MiB may be in memory then before they are counted.
///
/// Any thread: one mutex, which a hit never takes, and which is not held while the account reclaims. Bytes.
#pragma once

#include "Store/Memory/MemoryAccount.h"
#include "Store/Memory/SlotLists.h"

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>

namespace rivulet
{

class SlotMemory
{
public:
  /// `reclaim` frees slots through drop_spare() and drop(), and returns the bytes freed.
  SlotMemory(std::int64_t slot_bytes, MemoryUse use, std::function<std::int64_t(std::int64_t bytes)> reclaim)
    : slot_bytes_(slot_bytes)
    , lease_({ .use = use, .reclaim = std::move(reclaim) })
  {
  }
  SlotMemory(const SlotMemory&) = delete;
  SlotMemory& operator=(const SlotMemory&) = delete;
  ~SlotMemory();

  [[nodiscard]] std::int64_t slot_bytes() const { return slot_bytes_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_.load(); }
  /// Applies to slots taken from now on; the caller drops the slots above it. In one order with pins that are let go,
  /// so that either the caller or who lets go of a slot sees that it is too much.
  void set_capacity(std::int64_t slots);
  /// Number of slots that a busy cache does not give to others.
  void set_minimum(std::int64_t slots) { lease_.set_minimum(slots * slot_bytes_); }
  /// From now on no slot is given to others.
  void end_reclaim() { lease_.end_reclaim(); }
  /// Notes that slots are in use.
  void touch() { lease_.touch(); }

  /// Called before a slot's pages go back to the system, under this object's mutex. Set before the first slot is taken.
  void on_drop(std::function<void(const void*)> told) { on_drop_ = std::move(told); }

  /// Slots that hold memory or are being taken now; capacity() is their limit.
  [[nodiscard]] std::int64_t held() const { return held_.load(); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool over_capacity() const { return held() > capacity(); }

  /// A slot without a brick; nullptr if the capacity, the account or the system's memory is exhausted.
  [[nodiscard]] Slot* take();
  /// Whether take() would return a slot.
  [[nodiscard]] bool can_take();
  /// Keeps a slot for the next take(), or drops it if the capacity is exceeded.
  void give_back(Slot& slot);
  /// Drops spare slots while the capacity is exceeded.
  void trim();
  /// Drops up to `slots` spare slots; returns their number.
  std::int64_t drop_spare(std::int64_t slots);
  /// Drops a slot that holds no brick.
  void drop(Slot& slot);

private:
  struct Slab
  {
    std::byte* begin;
    std::int64_t bytes;
  };

  [[nodiscard]] Slot* spare_slot();
  /// Counts one more slot as held, if there is room for it.
  [[nodiscard]] bool reserve();
  /// The functions below are called with the mutex locked.
  [[nodiscard]] bool has_room();
  [[nodiscard]] Slot* bare_slot();
  [[nodiscard]] bool add_slab();
  void free_pages(Slot& slot);
  void end_huge_pages();

  const std::int64_t slot_bytes_;
  std::atomic<std::int64_t> capacity_{ 1 };
  std::atomic<std::int64_t> held_{ 0 };
  std::atomic<std::int64_t> peak_{ 0 }; ///< written under mutex_

  std::function<void(const void*)> on_drop_;

  std::mutex mutex_;         ///< guards the members below
  std::deque<Slot> slots_;   ///< all slots ever made; they never move
  std::vector<Slot*> spare_; ///< slots with memory and without a brick
  std::vector<Slot*> bare_;  ///< slots without memory
  std::vector<Slab> slabs_;
  std::int64_t slab_used_ = 0; ///< used bytes of the last slab
  bool huge_ = true;           ///< no slot was dropped yet
  MemoryLease lease_;
};

} // namespace rivulet
