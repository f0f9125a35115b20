// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BrickFetcher.h"

namespace rivulet
{

BrickFetcher::BrickFetcher(Field field, std::unique_ptr<ReadEngine> engine)
  : field_(std::move(field))
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
      answer(answered);
    }
    answers_.clear();
    if (starved_)
    {
      field_.held.let_go_old(HeldBricks::Clock::now(), kHold);
    }
  }
  for (const std::unique_ptr<RecordRead>& read : retries_)
  {
    finish(*read);
  }
  field_.held.let_go_all();
  tell(field_.requests.withdraw_queued());
}

void BrickFetcher::wait()
{
  constexpr std::chrono::milliseconds long_enough{ 1000 };
  asleep_.store(true);
  const bool news = news_.exchange(false);
  const bool soon = starved_ && field_.held.any();
  engine_->wait(news ? std::chrono::milliseconds(0) : soon ? kHold / 4 : long_enough, answers_);
  asleep_.store(false);
}

void BrickFetcher::start_reads()
{
  starved_ = false;
  bool more = !stopping_.load();
  while (more && under_way_ < engine_->depth())
  {
    more = start_read();
  }
}

bool BrickFetcher::start_read()
{
  if (!retries_.empty())
  {
    std::unique_ptr<RecordRead> read = std::move(retries_.back());
    retries_.pop_back();
    submit(std::move(read));
    return true;
  }
  const std::optional<WantedBrick> best = field_.requests.take_best();
  if (!best)
  {
    return false;
  }
  const StoredRecord place = field_.records.place(best->key);
  auto read = std::make_unique<RecordRead>(place.file, field_.records.layout(best->key.variable).stride, field_.direct);
  if (!add(*read, *best, true))
  {
    wait_for_slot(*best);
    return false;
  }
  take_in_neighbours(*read, *best);
  submit(std::move(read));
  return true;
}

bool BrickFetcher::add(RecordRead& read, const WantedBrick& brick, bool behind)
{
  Slot* slot = field_.cache.begin_load(brick.key);
  if (slot == nullptr)
  {
    field_.requests.put_back(brick);
    return false;
  }
  std::byte* to = slot->data + field_.records.layout(brick.key.variable).record_in_slot();
  const RecordRead::Brick place{ brick, field_.records.place(brick.key).offset, slot, to };
  behind ? read.add_behind(place) : read.add_before(place);
  return true;
}

void BrickFetcher::take_in_neighbours(RecordRead& read, const WantedBrick& first)
{
  const std::int64_t stride = field_.records.layout(first.key.variable).stride;
  const std::int64_t reach = kMostGap / stride + 1;
  std::int64_t room = kMostBytes - stride;
  for (const bool behind : { true, false })
  {
    std::int64_t end = first.number;
    while (room >= stride)
    {
      const std::int64_t far = std::min(reach, room / stride);
      const std::optional<WantedBrick> next = behind ? field_.requests.take_after(first, end + 1, end + far)
                                                     : field_.requests.take_before(first, end - far, end - 1);
      if (!next || !add(read, *next, behind))
      {
        break;
      }
      room -= std::abs(next->number - end) * stride;
      end = next->number;
    }
  }
}

void BrickFetcher::wait_for_slot(const WantedBrick& brick)
{
  if (field_.cache.without_memory())
  {
    tell(field_.requests.withdraw_queued()); // they ask again, and learn it from find()
    return;
  }
  starved_ = true;
  if (!asked_for_slot_.exchange(true))
  {
    field_.cache.request(brick.key, *this);
  }
}

void BrickFetcher::submit(std::unique_ptr<RecordRead> read)
{
  // Owned by the engine, so to speak, until it answers.
  engine_->submit(read.release()->prepare());
  ++under_way_;
}

void BrickFetcher::answer(const ReadAnswer& answered)
{
  std::unique_ptr<RecordRead> read(static_cast<RecordRead*>(answered.read));
  --under_way_;
  switch (read->judge(answered.result))
  {
  case RecordRead::Next::Again:
    submit(std::move(read));
    break;
  case RecordRead::Next::Split:
    split(*read);
    break;
  case RecordRead::Next::Done:
    finish(*read);
    break;
  }
}

void BrickFetcher::split(const RecordRead& read)
{
  for (const RecordRead::Brick& brick : read.bricks())
  {
    const std::int64_t stride = field_.records.layout(brick.wanted.key.variable).stride;
    retries_.push_back(std::make_unique<RecordRead>(read.file, stride, field_.direct));
    retries_.back()->add_behind(brick);
  }
}

void BrickFetcher::finish(const RecordRead& read)
{
  std::int64_t waste = read.gaps();
  for (const RecordRead::Brick& brick : read.bricks())
  {
    finish_brick(read, brick, std::exchange(waste, 0));
  }
}

void BrickFetcher::finish_brick(const RecordRead& read, const RecordRead::Brick& brick, std::int64_t waste)
{
  const BrickKey& key = brick.wanted.key;
  const FieldFile& file = field_.records.files()[static_cast<std::size_t>(read.file)];
  Result<LoadedBrick> loaded = LoadedBrick{ {}, field_.records.layout(key.variable).stride + waste };
  if (Result<void> there = read.outcome(brick, file.path); !there)
  {
    loaded = forward_error(there);
  }
  else if (Result<BrickView> admitted = field_.admit(key, brick.slot->data); !admitted)
  {
    loaded = forward_error(admitted);
  }
  else
  {
    loaded->view = *admitted;
  }
  Lookup arrived = field_.cache.end_load(*brick.slot, std::move(loaded));
  // Held before anybody is told, so that it is there when they come; from here on others find it in the cache.
  const std::vector<BrickAnswer> answers = field_.requests.finish(brick.wanted.number);
  if (arrived.pin && !answers.empty())
  {
    field_.held.keep(brick.wanted.number, std::move(arrived.pin), answers.size());
  }
  arrived.pin.release();
  tell(answers);
}

} // namespace rivulet
