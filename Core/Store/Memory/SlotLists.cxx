// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SlotLists.h"

#include <algorithm>

namespace rivulet
{

void SlotTable::link(Slot& slot, Link& chain)
{
  slot.next_in_chain.store(chain.load(std::memory_order_relaxed), std::memory_order_release);
  chain.store(&slot, std::memory_order_release);
}

void SlotTable::insert(Slot& slot)
{
  if (static_cast<std::size_t>(size_) >= all_.back()->count)
  {
    grow(2 * all_.back()->count);
  }
  const std::uint64_t hash = hash_of(slot.key);
  slot.hash.store(hash, std::memory_order_relaxed);
  link(slot, chain(hash));
  ++size_;
}

/// The slot keeps its link, for lookups that are at it.
void SlotTable::remove(Slot& slot)
{
  Link* link = &chain(hash_of(slot.key));
  while (link->load(std::memory_order_relaxed) != &slot)
  {
    link = &link->load(std::memory_order_relaxed)->next_in_chain;
  }
  link->store(slot.next_in_chain.load(std::memory_order_relaxed), std::memory_order_release);
  --size_;
}

void SlotTable::grow(std::size_t count)
{
  all_.push_back(std::make_unique<Chains>(Chains{ count, std::make_unique<Link[]>(count) }));
  Chains& chains = *all_.back();
  for (std::size_t i = 0; all_.size() > 1 && i < all_[all_.size() - 2]->count; ++i)
  {
    Slot* slot = all_[all_.size() - 2]->first[i].load(std::memory_order_relaxed);
    while (slot != nullptr)
    {
      Slot* next = slot->next_in_chain.load(std::memory_order_relaxed);
      link(*slot, chains.first[slot->hash.load(std::memory_order_relaxed) & (count - 1)]);
      slot = next;
    }
  }
  chains_.store(&chains, std::memory_order_release);
}

void SlotAges::reserve(std::int64_t slots)
{
  const auto wanted = static_cast<std::size_t>(slots);
  if (heap_.capacity() < wanted || in_use_.capacity() < wanted)
  {
    heap_.reserve(2 * wanted);
    in_use_.reserve(2 * wanted);
  }
}

void SlotAges::push(const Entry& entry)
{
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) { return a.used_at > b.used_at; });
}

SlotAges::Entry SlotAges::pop()
{
  std::pop_heap(heap_.begin(), heap_.end(), [](const Entry& a, const Entry& b) { return a.used_at > b.used_at; });
  const Entry entry = heap_.back();
  heap_.pop_back();
  return entry;
}

void SlotAges::add(Slot& slot)
{
  slot.used_at.store(Slot::now(), std::memory_order_relaxed);
  push({ slot.used_at.load(std::memory_order_relaxed), &slot });
}

Slot* SlotAges::take_oldest()
{
  Slot* oldest = nullptr;
  while (oldest == nullptr && !heap_.empty())
  {
    Entry entry = pop();
    const std::int64_t used_at = entry.slot->used_at.load(std::memory_order_relaxed);
    if (used_at != std::exchange(entry.used_at, used_at))
    {
      push(entry);
    }
    else if (entry.slot->close())
    {
      oldest = entry.slot;
    }
    else
    {
      in_use_.push_back(entry);
    }
  }
  for (const Entry& entry : in_use_)
  {
    push(entry);
  }
  in_use_.clear();
  return oldest;
}

std::int64_t SlotAges::unused_bytes(std::int64_t enough) const
{
  std::int64_t bytes = 0;
  for (auto entry = heap_.begin(); entry != heap_.end() && bytes < enough; ++entry)
  {
    bytes += entry->slot->users.load() == 0 ? entry->slot->bytes : 0;
  }
  return bytes;
}

std::atomic<std::int64_t> SlotsAhead::turns_{ 0 };

void SlotsAhead::reserve(std::int64_t slots)
{
  const auto wanted = static_cast<std::size_t>(slots);
  if (entries_.capacity() < wanted)
  {
    entries_.reserve(2 * wanted);
  }
}

void SlotsAhead::forget_found()
{
  std::erase_if(entries_, [](const Entry& entry) { return !holds(entry); });
}

void SlotsAhead::add(Slot& slot)
{
  if (entries_.size() == entries_.capacity())
  {
    forget_found(); // then there is room, as reserve() was told of all slots
  }
  const std::int64_t turn = ++turns_;
  slot.turn.store(turn);
  entries_.push_back({ turn, &slot });
}

Slot* SlotsAhead::take_oldest()
{
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
  {
    if (!holds(*entry) || !entry->slot->close())
    {
      continue;
    }
    if (!holds(*entry)) // a moment ago it was found and let go of, and may be of another bank now
    {
      entry->slot->open();
      continue;
    }
    Slot* const slot = entry->slot;
    entries_.erase(entry);
    return slot;
  }
  return nullptr;
}

std::int64_t SlotsAhead::unused_bytes(std::int64_t enough) const
{
  std::int64_t bytes = 0;
  for (auto entry = entries_.begin(); entry != entries_.end() && bytes < enough; ++entry)
  {
    bytes += holds(*entry) && entry->slot->users.load() == 0 ? entry->slot->bytes : 0;
  }
  return bytes;
}

} // namespace rivulet
