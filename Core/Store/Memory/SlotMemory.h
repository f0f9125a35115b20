// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The memory of a BrickCache: page-aligned slots, counted against a capacity and the process's account. Records of
/// similar size have slots of one size, which is at most a page and a sixteenth larger than the record. Address space
/// is mapped up to 64 MiB at a time (anonymous, MAP_NORESERVE) and never moves. A slot that is dropped returns its
/// pages to the system and keeps its address and size for later.
///
/// Until the first slot is dropped, memory comes in huge pages where all that is mapped is within the capacity: bricks
/// are read at random places, and each place would take an entry of its own in the processor's table of pages. Up to 2
/// MiB of each size may be in memory then before they are counted.
///
/// Any thread: one mutex, which a hit never takes, and which is not held while the account reclaims. Bytes.
#pragma once

#include "Store/Memory/MemoryAccount.h"
#include "Store/Memory/SlotLists.h"

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

namespace rivulet
{

class SlotMemory
{
public:
  /// `slot_bytes`: size of the largest slots, whole pages. `reclaim` frees slots through drop_spare() and drop(), and
  /// returns the bytes freed.
  SlotMemory(std::int64_t slot_bytes, MemoryUse use, std::function<std::int64_t(std::int64_t bytes)> reclaim)
    : slot_bytes_(slot_bytes)
    , capacity_(slot_bytes)
    , lease_({ .use = use, .reclaim = std::move(reclaim) })
  {
  }
  SlotMemory(const SlotMemory&) = delete;
  SlotMemory& operator=(const SlotMemory&) = delete;
  ~SlotMemory();

  [[nodiscard]] std::int64_t slot_bytes() const { return slot_bytes_; }
  /// Size of the slot for a record, which is not larger than slot_bytes().
  [[nodiscard]] std::int64_t size_for(std::int64_t bytes) const;
  [[nodiscard]] std::int64_t capacity() const { return capacity_.load(); }
  /// Applies to slots taken from now on; the caller drops the slots above it. Ordered with the release of pins: either
  /// the caller or the thread that releases a slot detects the excess.
  void set_capacity(std::int64_t bytes);
  /// Memory that a busy cache does not give to others.
  void set_minimum(std::int64_t bytes) { lease_.set_minimum(bytes); }
  /// Notes that slots are in use.
  void touch() { lease_.touch(); }

  /// Bytes of slots that hold memory or are being taken now; capacity() is their limit.
  [[nodiscard]] std::int64_t held() const { return held_.load(); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool over_capacity() const { return held() > capacity(); }
  /// Bytes of slots that may be taken as far as the capacity goes, in place of spare ones, too.
  [[nodiscard]] std::int64_t available();

  /// A slot for a record, without a brick; nullptr if the capacity, the account or the system's memory is exhausted.
  [[nodiscard]] Slot* take(std::int64_t bytes);
  /// Whether take() would return a slot.
  [[nodiscard]] bool can_take(std::int64_t bytes);
  /// Keeps a slot for the next take() of its size, or drops it if the capacity is exceeded.
  void give_back(Slot& slot);
  /// Drops spare slots while the capacity is exceeded.
  void trim();
  /// Drops spare slots until so many bytes are free or there are none; returns the bytes freed.
  std::int64_t drop_spare(std::int64_t bytes);
  /// Drops a slot that holds no brick.
  void drop(Slot& slot);

private:
  struct Slab
  {
    std::byte* begin;
    std::int64_t bytes;
  };
  /// All slots of one size.
  struct Pool
  {
    std::vector<Slot*> spare; ///< with memory and without a brick
    std::vector<Slot*> bare;  ///< without memory
    std::vector<Slab> slabs;
    std::int64_t slab_used = 0; ///< used bytes of the last slab
    std::size_t slots = 0;      ///< ever made
  };

  [[nodiscard]] Slot* spare_slot(std::int64_t size);
  /// Counts a slot as held, if there is room for it.
  [[nodiscard]] bool reserve(std::int64_t size);
  [[nodiscard]] Slot* new_slot(std::int64_t size);
  /// The functions below are called with the mutex locked.
  [[nodiscard]] bool has_room(Pool& pool, std::int64_t size);
  [[nodiscard]] Slot* bare_slot(Pool& pool, std::int64_t size);
  [[nodiscard]] bool add_slab(Pool& pool, std::int64_t size);
  [[nodiscard]] Slot* next_spare();
  void free_pages(Slot& slot);
  void end_huge_pages();

  const std::int64_t slot_bytes_;
  std::atomic<std::int64_t> capacity_;
  std::atomic<std::int64_t> held_{ 0 };
  std::atomic<std::int64_t> peak_{ 0 }; ///< written under mutex_

  std::mutex mutex_;                   ///< guards the members below
  std::deque<Slot> slots_;             ///< all slots ever made; they never move
  std::map<std::int64_t, Pool> pools_; ///< by size
  std::int64_t spare_bytes_ = 0;       ///< of slots with memory and without a brick
  std::int64_t mapped_ = 0;            ///< bytes of all slabs
  bool huge_ = true;                   ///< no slot was dropped yet
  MemoryLease lease_;
};

} // namespace rivulet
