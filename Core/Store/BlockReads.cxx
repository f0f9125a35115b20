// SPDX-License-Identifier: BSD-3-Clause
#include "Store/BlockReads.h"

#include "Base/Bytes.h"
#include "Store/BlockCut.h"
#include "Store/ReadProgress.h"

#include <algorithm>

namespace rivulet
{

/// The read of one span.
struct BlockReads::SpanRead final : FileRead
{
  SpanRead(Loading& the_loading, std::size_t number, const std::shared_ptr<const BlockFile>& the_file, bool direct)
    : loading(the_loading)
    , planned(the_loading.spans[number])
    , holder(the_file)
    , begin(direct ? planned.span.offset / kPage * kPage : planned.span.offset)
    , wanted(planned.span.offset + planned.span.bytes - begin)
    , length(direct ? round_up(wanted, kPage) : wanted)
    , progress(direct)
  {
    descriptor = holder->descriptor();
  }

  FileRead& prepare()
  {
    offset = begin + progress.done();
    parts = { { memory + progress.done(), static_cast<std::size_t>(length - progress.done()) } };
    return *this;
  }

  Loading& loading;
  const PlannedSpan& planned;
  std::shared_ptr<const BlockFile> holder; ///< stays open until the answer
  std::int64_t begin;                      ///< in the file
  std::int64_t wanted;                     ///< bytes from there
  std::int64_t length;                     ///< of the read: up to a page's end, which may lie behind the file's
  ReadProgress progress;
  std::byte* memory = nullptr;
};

bool BlockReads::start(BrickFetcher& fetcher)
{
  const bool filling = !loading_.empty() && loading_.back().next < loading_.back().spans.size();
  return filling || begin_brick(fetcher) ? submit_next(fetcher) : false;
}

bool BlockReads::begin_brick(BrickFetcher& fetcher)
{
  const std::optional<WantedBrick> best = fetcher.requests().take_best();
  if (!best)
  {
    return false;
  }
  Slot* slot = fetcher.begin(*best);
  if (slot == nullptr)
  {
    fetcher.wait_for_slot(*best);
    return false;
  }
  const BlockVariable& from = variable(best->key);
  Loading& loading = loading_.emplace_back();
  loading.wanted = *best;
  loading.slot = slot;
  loading.box = brick_values(
      field_.grids[static_cast<std::size_t>(best->key.variable)], from.variable.centering, best->key.index);
  // Nothing can go wrong: the visitor only remembers.
  (void)for_each_span(from, best->key.step, loading.box, limits_,
      [&loading](PlannedSpan&& planned)
      {
        loading.spans.push_back(std::move(planned));
        return Result<void>{};
      });
  return true;
}

bool BlockReads::submit_next(BrickFetcher& fetcher)
{
  Loading& loading = loading_.back();
  const BlockSpan& span = loading.spans[loading.next].span;
  Result<std::shared_ptr<const BlockFile>> file = field_.files.open(span.path(), span.needed());
  if (!file)
  {
    loading.error = loading.error ? loading.error : std::move(file.error());
    loading.next = loading.spans.size();
    finish_if_done(fetcher, loading);
    return true; // there may be other bricks
  }
  auto read = std::make_unique<SpanRead>(loading, loading.next, *file, field_.direct);
  read->memory = field_.staging.take(read->length);
  if (read->memory == nullptr)
  {
    return false;
  }
  ++loading.next;
  ++loading.under_way;
  // Owned by the engine, so to speak, until it answers.
  fetcher.submit(read.release()->prepare());
  return true;
}

void BlockReads::answer(BrickFetcher& fetcher, const ReadAnswer& answered)
{
  std::unique_ptr<SpanRead> read(static_cast<SpanRead*>(answered.read));
  Loading& loading = read->loading;
  switch (read->progress.judge(answered.result, read->wanted))
  {
  case ReadProgress::Next::Again:
    fetcher.submit(read.release()->prepare());
    return;
  case ReadProgress::Next::Failed:
    loading.error = Error{ ErrorCode::CannotRead, "the data file cannot be read", "check the disk",
      read->holder->path(), read->begin + read->progress.done(), read->progress.error() };
    break;
  case ReadProgress::Next::Done:
    take_in(*read);
    break;
  }
  field_.staging.give_back(read->memory, read->length);
  --loading.under_way;
  if (loading.error)
  {
    loading.next = loading.spans.size(); // the rest would be read for nothing
  }
  finish_if_done(fetcher, loading);
}

void BlockReads::take_in(const SpanRead& read)
{
  Loading& loading = read.loading;
  if (read.progress.done() < read.wanted)
  {
    loading.error = too_short(read.holder->path(), read.begin + read.progress.done(), read.planned.span.needed());
    return;
  }
  if (Result<void> whole = read.holder->reaches(read.begin + read.wanted); !whole)
  {
    loading.error = std::move(whole.error());
    return;
  }
  loading.bytes_read += read.length;
  place(read.planned, read.memory + (read.planned.span.offset - read.begin), loading.slot->data);
}

void BlockReads::finish_if_done(BrickFetcher& fetcher, Loading& loading)
{
  if (loading.under_way > 0 || loading.next < loading.spans.size())
  {
    return;
  }
  Result<LoadedBrick> loaded =
      LoadedBrick{ dense_view(variable(loading.wanted.key), loading.box, loading.slot->data), loading.bytes_read };
  if (loading.error)
  {
    loaded = tl::unexpected(std::move(*loading.error));
  }
  fetcher.finish(loading.wanted, *loading.slot, std::move(loaded));
  loading_.remove_if([&loading](const Loading& each) { return &each == &loading; });
}

void BlockReads::end(BrickFetcher& fetcher)
{
  if (!loading_.empty())
  {
    Loading& last = loading_.back();
    last.next = last.spans.size();
    last.error = Error{ ErrorCode::Cancelled, "the field was closed", {}, {} };
    finish_if_done(fetcher, last);
  }
}

} // namespace rivulet
