// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SlotLists.h"

namespace rivulet
{

void SlotTable::link(Slot& slot)
{
  Slot*& head = chains_[place(slot.key)];
  slot.next_in_chain = head;
  head = &slot;
}

void SlotTable::insert(Slot& slot)
{
  if (static_cast<std::size_t>(size_) >= chains_.size())
  {
    grow();
  }
  link(slot);
  ++size_;
}

void SlotTable::remove(Slot& slot)
{
  Slot** link = &chains_[place(slot.key)];
  while (*link != &slot)
  {
    link = &(*link)->next_in_chain;
  }
  *link = slot.next_in_chain;
  --size_;
}

void SlotTable::grow()
{
  std::vector<Slot*> old(chains_.size() * 2, nullptr);
  old.swap(chains_);
  for (Slot* slot : old)
  {
    while (slot != nullptr)
    {
      Slot* next = slot->next_in_chain;
      link(*slot);
      slot = next;
    }
  }
}

void SlotAges::append(Slot& slot)
{
  slot.older = youngest_;
  slot.younger = nullptr;
  (youngest_ == nullptr ? oldest_ : youngest_->younger) = &slot;
  youngest_ = &slot;
  ++size_;
}

void SlotAges::remove(Slot& slot)
{
  (slot.older == nullptr ? oldest_ : slot.older->younger) = slot.younger;
  (slot.younger == nullptr ? youngest_ : slot.younger->older) = slot.older;
  --size_;
}

} // namespace rivulet
