// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BrickFetcher.h"

namespace rivulet
{

BrickFetcher::BrickFetcher(const Places& places, std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine)
  : places_(places)
  , reads_(std::move(reads))
  , engine_(std::move(engine))
{
  thread_ = std::thread([this] { run(); });
}

BrickFetcher::~BrickFetcher()
{
  stopping_.store(true);
  notify();
  thread_.join();
}

void BrickFetcher::notify()
{
  // In this order: the thread goes to sleep in the opposite one, so that either of the two sees the other.
  news_.store(true);
  if (asleep_.exchange(false))
  {
    engine_->wake();
  }
}

void BrickFetcher::brick_arrived(const BrickKey&)
{
  asked_for_slot_.store(false);
  notify();
}

void BrickFetcher::run()
{
  while (!stopping_.load() || under_way_ > 0)
  {
    start_reads();
    wait();
    for (const ReadAnswer& answered : answers_)
    {
      --under_way_;
      reads_->answer(*this, answered);
    }
    answers_.clear();
    if (starved_)
    {
      places_.held.let_go_old(HeldBricks::Clock::now(), kHold);
    }
  }
  reads_->end(*this);
  places_.held.let_go_all();
  tell(places_.requests.withdraw_queued());
}

void BrickFetcher::wait()
{
  constexpr std::chrono::milliseconds long_enough{ 1000 };
  asleep_.store(true);
  const bool news = news_.exchange(false);
  const bool soon = starved_ && places_.held.any();
  engine_->wait(news ? std::chrono::milliseconds(0) : soon ? kHold / 4 : long_enough, answers_);
  asleep_.store(false);
}

void BrickFetcher::start_reads()
{
  starved_ = false;
  bool more = !stopping_.load();
  while (more && under_way_ < engine_->depth())
  {
    more = reads_->start(*this);
  }
}

Slot* BrickFetcher::begin(const WantedBrick& brick)
{
  Slot* slot = places_.cache.begin_load(brick.key);
  if (slot == nullptr)
  {
    places_.requests.put_back(brick);
  }
  return slot;
}

void BrickFetcher::wait_for_slot(const WantedBrick& brick)
{
  if (places_.cache.without_memory())
  {
    tell(places_.requests.withdraw_queued()); // they ask again, and learn it from find()
    return;
  }
  starved_ = true;
  if (!asked_for_slot_.exchange(true))
  {
    places_.cache.request(brick.key, *this);
  }
}

void BrickFetcher::submit(FileRead& read)
{
  engine_->submit(read);
  ++under_way_;
}

void BrickFetcher::finish(const WantedBrick& brick, Slot& slot, Result<LoadedBrick>&& loaded)
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

} // namespace rivulet
