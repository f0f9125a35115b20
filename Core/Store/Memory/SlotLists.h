// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The slots of a BrickCache, and the two structures of a bank: a table by key and a list by age. Both are linked
/// through the slots, so that lookup, ageing and eviction allocate nothing.
///
/// Not thread-safe: a bank's mutex guards its lists and the slots in them.
#pragma once

#include "Store/Source/BrickSource.h"

#include <vector>

namespace rivulet
{

/// Memory for one brick.
struct Slot
{
  enum class State : std::uint8_t
  {
    Free,
    Loading,
    Ready,
    Failed
  };

  std::byte* data = nullptr;
  BrickKey key;
  State state = State::Free;
  bool fresh = false;                 ///< Ready, and not found by any lookup yet
  bool ahead = false;                 ///< prefetched, and not found by any lookup yet
  std::int32_t users = 0;             ///< number of pins, waiting threads and the loading thread
  BrickView view;                     ///< Ready
  std::shared_ptr<const Error> error; ///< Failed

  Slot* next_in_chain = nullptr;
  Slot* older = nullptr;
  Slot* younger = nullptr;
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
  [[nodiscard]] Slot* find(const BrickKey& key) const
  {
    Slot* slot = chains_[place(key)];
    while (slot != nullptr && !(slot->key == key))
    {
      slot = slot->next_in_chain;
    }
    return slot;
  }
  void insert(Slot& slot);
  void remove(Slot& slot);
  [[nodiscard]] std::int64_t size() const { return size_; }

private:
  [[nodiscard]] std::size_t place(const BrickKey& key) const { return hash_of(key) & (chains_.size() - 1); }
  void link(Slot& slot);
  void grow();

  std::vector<Slot*> chains_ = std::vector<Slot*>(16, nullptr);
  std::int64_t size_ = 0;
};

/// Slots that may be evicted, from the oldest to the latest.
class SlotAges
{
public:
  [[nodiscard]] Slot* oldest() const { return oldest_; }
  void append(Slot& slot);
  void remove(Slot& slot);
  [[nodiscard]] std::int64_t size() const { return size_; }

private:
  Slot* oldest_ = nullptr;
  Slot* youngest_ = nullptr;
  std::int64_t size_ = 0;
};

} // namespace rivulet
