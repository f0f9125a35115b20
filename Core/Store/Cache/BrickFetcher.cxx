// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/BrickFetcher.h"

#include "Base/SyncPoint.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// Part of the engine's reads that is handled before new ones are submitted. Devices answer many reads at once, and
/// would have nothing to do until all are handled; few at a time cost more system calls than the reads take.
constexpr int kShareTogether = 4;
constexpr int kLeastTogether = 8;

} // namespace

BrickFetcher::BrickFetcher(
    const BrickPlaces& places, std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine)
  : BrickFiller(places)
  , reads_(std::move(reads))
  , engine_(std::move(engine))
{
  answers_.reserve(
      static_cast<std::size_t>(std::max(1, engine_->depth()))); // its thread cannot report a lack of memory
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
  const auto together = static_cast<std::size_t>(std::max(kLeastTogether, engine_->depth() / kShareTogether));
  while (!stopping_.load() || under_way_ > 0)
  {
    start_reads();
    wait();
    const std::size_t some = std::min(answers_.size(), together);
    for (std::size_t i = 0; i < some; ++i)
    {
      --under_way_;
      reads_->answer(*this, answers_[i]);
    }
    answers_.erase(answers_.begin(), answers_.begin() + static_cast<std::ptrdiff_t>(some));
  }
  reads_->end(*this);
  answer_all();
}

void BrickFetcher::wait()
{
  constexpr std::chrono::milliseconds long_enough{ 1000 };
  asleep_.store(true);
  RIVULET_SYNC_POINT("BrickFetcher::wait: is to be woken");
  const bool busy = news_.exchange(false) || !answers_.empty();
  engine_->wait(busy ? std::chrono::milliseconds(0) : long_enough, answers_);
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
