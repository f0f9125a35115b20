// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/BrickFetcher.h"

#include "Base/SyncPoint.h"

namespace rivulet
{

BrickFetcher::BrickFetcher(
    const BrickPlaces& places, std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine)
  : BrickFiller(places)
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
  // In this order. The thread goes to sleep in the opposite order, so that one of the two sees the other.
  news_.store(true);
  if (asleep_.exchange(false))
  {
    engine_->wake();
  }
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
  }
  reads_->end(*this);
  answer_all();
}

void BrickFetcher::wait()
{
  constexpr std::chrono::milliseconds long_enough{ 1000 };
  asleep_.store(true);
  RIVULET_SYNC_POINT("BrickFetcher::wait: is to be woken");
  const bool news = news_.exchange(false);
  engine_->wait(news ? std::chrono::milliseconds(0) : long_enough, answers_);
  asleep_.store(false);
}

void BrickFetcher::start_reads()
{
  bool more = !stopping_.load();
  while (more && under_way_ < engine_->depth())
  {
    more = reads_->start(*this);
  }
}

void BrickFetcher::submit(FileRead& read)
{
  engine_->submit(read);
  ++under_way_;
}

} // namespace rivulet
