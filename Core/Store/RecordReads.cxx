// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordReads.h"

namespace rivulet
{

namespace
{

// Owned by the engine, so to speak, until it answers.
void submit(BrickFetcher& fetcher, std::unique_ptr<RecordRead> read)
{
  fetcher.submit(read.release()->prepare());
}

} // namespace

bool RecordReads::start(BrickFetcher& fetcher)
{
  if (!retries_.empty())
  {
    std::unique_ptr<RecordRead> read = std::move(retries_.back());
    retries_.pop_back();
    submit(fetcher, std::move(read));
    return true;
  }
  const std::optional<WantedBrick> best = fetcher.requests().take_best();
  if (!best)
  {
    return false;
  }
  const StoredRecord place = records_.place(best->key);
  auto read = std::make_unique<RecordRead>(place.file, records_.layout(best->key.variable).stride, direct_);
  if (!add(fetcher, *read, *best, true))
  {
    fetcher.wait_for_slot(*best);
    return false;
  }
  take_in_neighbours(fetcher, *read, *best);
  submit(fetcher, std::move(read));
  return true;
}

bool RecordReads::add(BrickFetcher& fetcher, RecordRead& read, const WantedBrick& brick, bool behind)
{
  Slot* slot = fetcher.begin(brick);
  if (slot == nullptr)
  {
    return false;
  }
  std::byte* to = slot->data + records_.layout(brick.key.variable).record_in_slot();
  const RecordRead::Brick place{ brick, records_.place(brick.key).offset, slot, to };
  behind ? read.add_behind(place) : read.add_before(place);
  return true;
}

void RecordReads::take_in_neighbours(BrickFetcher& fetcher, RecordRead& read, const WantedBrick& first)
{
  const std::int64_t stride = records_.layout(first.key.variable).stride;
  const std::int64_t reach = kMostGap / stride + 1;
  std::int64_t room = kMostBytes - stride;
  for (const bool behind : { true, false })
  {
    std::int64_t end = first.number;
    while (room >= stride)
    {
      const std::int64_t far = std::min(reach, room / stride);
      const std::optional<WantedBrick> next = behind ? fetcher.requests().take_after(first, end + 1, end + far)
                                                     : fetcher.requests().take_before(first, end - far, end - 1);
      if (!next || !add(fetcher, read, *next, behind))
      {
        break;
      }
      room -= std::abs(next->number - end) * stride;
      end = next->number;
    }
  }
}

void RecordReads::answer(BrickFetcher& fetcher, const ReadAnswer& answered)
{
  std::unique_ptr<RecordRead> read(static_cast<RecordRead*>(answered.read));
  switch (read->judge(answered.result))
  {
  case RecordRead::Next::Again:
    submit(fetcher, std::move(read));
    break;
  case RecordRead::Next::Split:
    split(*read);
    break;
  case RecordRead::Next::Done:
    finish(fetcher, *read);
    break;
  }
}

void RecordReads::end(BrickFetcher& fetcher)
{
  for (const std::unique_ptr<RecordRead>& read : retries_)
  {
    finish(fetcher, *read);
  }
  retries_.clear();
}

void RecordReads::split(const RecordRead& read)
{
  for (const RecordRead::Brick& brick : read.bricks())
  {
    const std::int64_t stride = records_.layout(brick.wanted.key.variable).stride;
    retries_.push_back(std::make_unique<RecordRead>(read.file, stride, direct_));
    retries_.back()->add_behind(brick);
  }
}

void RecordReads::finish(BrickFetcher& fetcher, const RecordRead& read)
{
  std::int64_t waste = read.gaps();
  for (const RecordRead::Brick& brick : read.bricks())
  {
    fetcher.finish(brick.wanted, *brick.slot, loaded(read, brick, std::exchange(waste, 0)));
  }
}

Result<LoadedBrick> RecordReads::loaded(
    const RecordRead& read, const RecordRead::Brick& brick, std::int64_t waste) const
{
  const BrickKey& key = brick.wanted.key;
  if (Result<void> there = read.outcome(brick, records_.files()[static_cast<std::size_t>(read.file)].path); !there)
  {
    return forward_error(there);
  }
  Result<BrickView> admitted = admit_(key, brick.slot->data);
  if (!admitted)
  {
    return forward_error(admitted);
  }
  return LoadedBrick{ *admitted, records_.layout(key.variable).stride + waste };
}

} // namespace rivulet
