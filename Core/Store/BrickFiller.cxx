// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BrickFiller.h"

namespace rivulet
{

void BrickFiller::brick_arrived(const BrickKey&)
{
  asked_for_slot_.store(false);
  notify();
}

Slot* BrickFiller::take_slot(const WantedBrick& brick)
{
  Slot* slot = places_.cache.begin_load(brick.key);
  if (slot == nullptr)
  {
    places_.requests.put_back(brick);
  }
  return slot;
}

bool BrickFiller::ask_for_slot(const WantedBrick& brick)
{
  if (places_.cache.without_memory())
  {
    tell(places_.requests.withdraw_queued()); // they ask again, and learn it from find()
    return false;
  }
  if (!asked_for_slot_.exchange(true))
  {
    places_.cache.request(brick.key, *this);
  }
  return true;
}

void BrickFiller::deliver(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded)
{
  Lookup arrived = places_.cache.end_load(slot, std::move(loaded));
  // Held before anybody is told, so that it is there when they come; from here on others find it in the cache.
  const std::vector<BrickAnswer> answers = places_.requests.finish(brick.number);
  if (arrived.pin && !answers.empty())
  {
    places_.held.keep(brick.number, std::move(arrived.pin), answers.size());
  }
  arrived.pin.release();
  tell(answers);
}

void BrickFiller::answer_all()
{
  places_.held.let_go_all();
  tell(places_.requests.withdraw_queued());
}

} // namespace rivulet
