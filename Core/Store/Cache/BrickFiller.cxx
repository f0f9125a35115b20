// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/BrickFiller.h"

#include "Base/SyncPoint.h"

namespace rivulet
{

void BrickFiller::brick_arrived(const BrickKey&, Lookup&&)
{
  asked_for_slot_.store(false);
  notify();
}

Slot* BrickFiller::take_slot(const WantedBrick& brick)
{
  Slot* slot = places_.cache.begin_load(brick.key, brick.ahead);
  if (slot == nullptr)
  {
    places_.requests.put_back(brick);
  }
  return slot;
}

void BrickFiller::ask_for_slot(const WantedBrick& brick)
{
  if (places_.cache.without_memory(brick.key))
  {
    tell(places_.requests.withdraw_queued()); // they ask again, and get the error from find()
    return;
  }
  if (!asked_for_slot_.exchange(true))
  {
    places_.cache.request(brick.key, *this);
  }
}

void BrickFiller::deliver(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded)
{
  // Pinned here until each waiter has a pin. From here on other threads find the brick in the cache.
  const Lookup arrived = places_.cache.end_load(slot, std::move(loaded));
  RIVULET_SYNC_POINT("BrickFiller::deliver: is in the cache");
  for (const BrickAnswer& answer : places_.requests.finish(brick.number))
  {
    answer.waiter->brick_arrived(brick.key, places_.cache.find(brick.key));
  }
}

} // namespace rivulet
