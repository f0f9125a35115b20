// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ReadScheduler.h"

#include <cstdlib>

namespace rivulet
{

namespace
{

// The engine holds the only pointer until it answers.
void submit(BrickFetcher& fetcher, std::unique_ptr<ExtentRead> read)
{
  fetcher.submit(read.release()->prepare());
}

bool has_more(const BrickLoad& load)
{
  return load.next < load.extents.size();
}

} // namespace

bool ReadScheduler::start(BrickFetcher& fetcher)
{
  if (!retries_.empty())
  {
    std::unique_ptr<ExtentRead> read = std::move(retries_.back());
    retries_.pop_back();
    submit(fetcher, std::move(read));
    return true;
  }
  return filling_ != nullptr || begin_best(fetcher) ? submit_next(fetcher) : false;
}

BrickLoad* ReadScheduler::begin_brick(BrickFetcher& fetcher, const WantedBrick& brick)
{
  Slot* slot = fetcher.begin(brick);
  if (slot == nullptr)
  {
    return nullptr;
  }
  BrickLoad& load = loads_[brick.number];
  load = { .wanted = brick, .memory = slot->data, .slot = slot };
  reader_.plan(load);
  return &load;
}

bool ReadScheduler::begin_best(BrickFetcher& fetcher)
{
  const std::optional<WantedBrick> best = fetcher.take_best();
  if (!best)
  {
    return false;
  }
  filling_ = begin_brick(fetcher, *best);
  if (filling_ == nullptr)
  {
    fetcher.wait_for_slot(*best);
  }
  return filling_ != nullptr;
}

bool ReadScheduler::submit_next(BrickFetcher& fetcher)
{
  BrickLoad& load = *filling_;
  Result<std::unique_ptr<ExtentRead>> read = reader_.begin(load, load.next, ExtentReader::Memory::Now);
  if (!read)
  {
    load.error = load.error ? load.error : std::move(read.error());
    load.next = load.extents.size();
    filling_ = nullptr;
    finish_if_done(fetcher, load);
    return true; // there may be other bricks
  }
  if (*read == nullptr)
  {
    return false;
  }
  ++load.next;
  ++load.under_way;
  filling_ = has_more(load) ? filling_ : nullptr;
  if (reader_.locator().consecutive())
  {
    take_in_neighbours(fetcher, **read, load);
  }
  submit(fetcher, std::move(*read));
  return true;
}

void ReadScheduler::take_in_neighbours(BrickFetcher& fetcher, ExtentRead& read, const BrickLoad& first)
{
  const WantedBrick& brick = first.wanted;
  const std::int64_t stride = first.extents.front().bytes;
  const std::int64_t reach = kMostGap / stride + 1;
  std::int64_t room = kMostBytes - stride;
  for (const bool behind : { true, false })
  {
    std::int64_t end = brick.number;
    while (room >= stride)
    {
      const std::int64_t far = std::min(reach, room / stride);
      const std::optional<WantedBrick> next = behind ? fetcher.requests().take_after(brick, end + 1, end + far)
                                                     : fetcher.requests().take_before(brick, end - far, end - 1);
      BrickLoad* load = next ? begin_brick(fetcher, *next) : nullptr;
      if (load == nullptr)
      {
        break;
      }
      load->next = load->extents.size();
      load->under_way = 1;
      ExtentReader::add(read, *load, behind);
      room -= std::abs(next->number - end) * stride;
      end = next->number;
    }
  }
}

void ReadScheduler::answer(BrickFetcher& fetcher, const ReadAnswer& answered)
{
  std::unique_ptr<ExtentRead> read(static_cast<ExtentRead*>(answered.read));
  switch (read->judge(answered.result))
  {
  case ExtentRead::Next::Again:
    submit(fetcher, std::move(read));
    break;
  case ExtentRead::Next::Split:
    for (const ExtentRead::Piece& piece : read->pieces())
    {
      retries_.push_back(reader_.alone(*read, piece));
    }
    break;
  case ExtentRead::Next::Done:
    reader_.take_in(*read);
    finish_pieces(fetcher, *read);
    break;
  }
}

void ReadScheduler::finish_pieces(BrickFetcher& fetcher, const ExtentRead& read)
{
  for (const ExtentRead::Piece& piece : read.pieces())
  {
    BrickLoad& load = *piece.load;
    --load.under_way;
    if (load.error) // no other extent is needed then
    {
      load.next = load.extents.size();
      filling_ = filling_ == &load ? nullptr : filling_;
    }
    finish_if_done(fetcher, load);
  }
}

void ReadScheduler::finish_if_done(BrickFetcher& fetcher, BrickLoad& load)
{
  if (load.under_way > 0 || has_more(load))
  {
    return;
  }
  const WantedBrick brick = load.wanted;
  fetcher.finish(brick, *load.slot, reader_.finish(load));
  loads_.erase(brick.number);
}

void ReadScheduler::end(BrickFetcher& fetcher)
{
  const Error closed{ ErrorCode::Cancelled, "the field was closed", {}, {} };
  for (const std::unique_ptr<ExtentRead>& read : retries_)
  {
    reader_.give_up(*read, closed);
    finish_pieces(fetcher, *read);
  }
  retries_.clear();
  if (filling_ != nullptr)
  {
    BrickLoad& last = *std::exchange(filling_, nullptr);
    last.next = last.extents.size();
    last.error = last.error ? last.error : closed;
    finish_if_done(fetcher, last);
  }
}

} // namespace rivulet
