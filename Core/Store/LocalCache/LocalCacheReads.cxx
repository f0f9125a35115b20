// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/LocalCacheReads.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int64_t kOften = 4;  // of so many reads, one goes to the file to learn its time
constexpr std::int64_t kEvery = 64; // the same when it is known

constexpr double kSlow = 0.001; // seconds: storage that takes longer is slower than a local disk

std::string milliseconds(double seconds)
{
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g ms", seconds * 1000.0);
  return text.data();
}

double seconds_since(LocalCacheReads::Clock::time_point then)
{
  return std::chrono::duration<double>(LocalCacheReads::Clock::now() - then).count();
}

bool whole_pages(const CacheKey& key, const std::byte* memory)
{
  return key.bytes % kPage == 0 && reinterpret_cast<std::uintptr_t>(memory) % kPage == 0;
}

} // namespace

std::string report_on(const LocalCache* cache, const LocalCacheCounts& counts)
{
  const double file = counts.file.latency();
  if (cache == nullptr)
  {
    return file > kSlow ? " A read of the file takes " + milliseconds(file) +
                              ": a Local Cache Directory on a faster disk would pay where bricks are read again."
                        : std::string();
  }
  const std::int64_t found = counts.found.load();
  std::string text = " The local cache had " + std::to_string(found) + " of " +
                     std::to_string(found + counts.missing.load()) + " reads.";
  const double cached = counts.cache.latency();
  if (file >= 0 && cached >= 0)
  {
    text += " A read of the file takes " + milliseconds(file) + ", of the cache " + milliseconds(cached) + ".";
  }
  text += counts.slow.load() ? " The cache does not pay here: it was slower than the file." : "";
  const std::string trouble = cache->trouble();
  return trouble.empty() ? text : text + " Trouble with the cache: " + trouble;
}

LocalCacheReads::LocalCacheReads(std::unique_ptr<ReadEngine> engine, std::shared_ptr<LocalCache> cache,
    std::shared_ptr<LocalCacheCounts> counts, const Options& options)
  : engine_(std::move(engine))
  , cache_(std::move(cache))
  , counts_(std::move(counts))
  , options_(options)
  // A cache that is to have all is used whatever it takes.
  , quick_(options.if_busy == LocalCache::IfBusy::Wait ? std::numeric_limits<double>::infinity() : options.quick)
{
}

/// The read with the keys of its parts; without any if one is too small or too large for the cache.
LocalCacheReads::UnderWay LocalCacheReads::named(FileRead& read)
{
  UnderWay one;
  one.read = &read;
  std::int64_t offset = read.offset;
  for (const iovec& part : read.parts)
  {
    const auto bytes = static_cast<std::int64_t>(part.iov_len);
    if (part.iov_base != nullptr)
    {
      if (read.contents == 0 || part.iov_len < kLeastPart || bytes > CacheShape::kMostValue)
      {
        one.keys.clear();
        one.memory.clear();
        break;
      }
      one.keys.push_back({ read.contents, offset, bytes });
      one.memory.push_back(static_cast<std::byte*>(part.iov_base));
    }
    offset += bytes;
  }
  return one;
}

/// Whether the next read is one for the cache.
bool LocalCacheReads::may_ask()
{
  const std::int64_t turn = turns_++;
  if (cache_ == nullptr || !cache_->usable() || Clock::now() < rest_until_)
  {
    return false;
  }
  if (cached_.times.latency() <= quick_)
  {
    return true;
  }
  const bool compared = turn % (file_.times.latency() < 0 ? kOften : kEvery) == 0;
  return !is_slow() && !compared;
}

/// Whether the cache is known to be slower than the file; then it rests.
bool LocalCacheReads::is_slow()
{
  const double cached = cached_.times.latency();
  const double file = file_.times.latency();
  // The first reads of a session wait for the index, too.
  const std::size_t enough = tried_ == kCareful ? 2 * ReadTimes::kEvery : ReadTimes::kEvery;
  const bool known = file >= 0 && cached_.times.count() >= enough;
  if (known && (cached <= quick_ || cached < file))
  {
    counts_->slow.store(false, std::memory_order_relaxed);
  }
  if (!known || cached <= quick_ || cached < file)
  {
    return false;
  }
  cached_.times.reset();
  if (tried_ < depth() && cached < kHelps * tried_before_)
  {
    tried_before_ = cached;
    tried_ *= 2;
    return false;
  }
  tried_ = kCareful;
  tried_before_ = std::numeric_limits<double>::max();
  counts_->slow.store(true);
  rest_until_ = Clock::now() + rest_;
  rest_ = std::min(2 * rest_, LocalCache::kRest);
  return true;
}

/// Reads of the cache that may be under way.
int LocalCacheReads::most_at_once() const
{
  const double cached = cached_.times.latency();
  const double file = file_.times.latency();
  const bool good = cached >= 0 && (cached <= quick_ || (file >= 0 && cached < file));
  return good ? std::numeric_limits<int>::max() : tried_;
}

/// Whether the cache promises all parts.
bool LocalCacheReads::find_parts(UnderWay& one)
{
  one.parts.resize(one.keys.size());
  one.present.resize(one.keys.size());
  for (std::size_t i = 0; i < one.keys.size(); ++i)
  {
    const std::optional<CachePlace> place = cache_->file().find(one.keys[i]);
    one.present[i] = place.has_value();
    if (place)
    {
      PartRead& part = one.parts[i];
      part.key = one.keys[i];
      part.place = *place;
      part.descriptor = cache_->file().descriptor(whole_pages(part.key, one.memory[i]));
      part.offset = place->offset;
      part.parts = { { one.memory[i], static_cast<std::size_t>(part.key.bytes) } };
    }
  }
  return std::find(one.present.begin(), one.present.end(), false) == one.present.end();
}

void LocalCacheReads::submit(FileRead& read)
{
  UnderWay& one = under_way_.insert_or_assign(&read, named(read)).first->second;
  if (!one.keys.empty() && may_ask())
  {
    if (find_parts(one))
    {
      held_.push_back(&one);
      read_held();
      return;
    }
    one.parts.clear();
    counts_->missing.fetch_add(1, std::memory_order_relaxed);
  }
  read_file(one);
}

void LocalCacheReads::read_file(UnderWay& one)
{
  one.since = Clock::now();
  one.beside = ++file_.under_way;
  waiting_.push_back(one.read);
  start_reads();
}

/// Begins reads of the cache, as many as is known to be wise. Where it takes long, the others are reads of the file, as
/// many at once as it serves, until its time is known.
void LocalCacheReads::read_held()
{
  while (!held_.empty())
  {
    const bool resting = Clock::now() < rest_until_ || is_slow();
    const bool full = cached_.under_way >= most_at_once();
    const bool unknown = cached_.times.latency() < 0 && tried_ == kCareful;
    if (!resting && full && unknown)
    {
      return;
    }
    UnderWay& one = *held_.front();
    held_.pop_front();
    if (resting || full)
    {
      one.parts.clear();
      read_file(one);
      continue;
    }
    read_parts(one);
  }
}

void LocalCacheReads::read_parts(UnderWay& one)
{
  one.since = Clock::now();
  one.left = one.parts.size();
  cached_.under_way += static_cast<int>(one.left);
  one.beside = cached_.under_way;
  for (PartRead& part : one.parts)
  {
    part.whole = &one;
    parts_.emplace(&part, &part);
    waiting_.push_back(&part);
  }
  start_reads();
}

void LocalCacheReads::start_reads()
{
  while (!waiting_.empty() && in_engine_ < engine_->depth())
  {
    FileRead& next = *waiting_.front();
    waiting_.pop_front();
    ++in_engine_;
    engine_->submit(next);
  }
}

void LocalCacheReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  std::vector<ReadAnswer> answered;
  engine_->wait(most, answered);
  in_engine_ -= static_cast<int>(answered.size());
  for (const ReadAnswer& answer : answered)
  {
    take(answer, answers);
  }
  read_held();
  start_reads();
}

void LocalCacheReads::take(const ReadAnswer& answer, std::vector<ReadAnswer>& answers)
{
  if (const auto part = parts_.find(answer.read); part != parts_.end())
  {
    const PartRead& read = *part->second;
    parts_.erase(part);
    take_part(read, answer.result, answers);
    return;
  }
  const UnderWay& one = under_way_.at(answer.read);
  const double seconds = seconds_since(one.since);
  counts_->file.add(seconds);
  file_.times.add(seconds / one.beside);
  --file_.under_way;
  keep(one, answer.result);
  finish(one, answer.result, answers);
}

void LocalCacheReads::take_part(const PartRead& part, std::int64_t result, std::vector<ReadAnswer>& answers)
{
  UnderWay& one = *part.whole;
  --one.left;
  --cached_.under_way;
  const auto* memory = static_cast<const std::byte*>(part.parts.front().iov_base);
  const bool whole = result == part.key.bytes;
  if (whole && CacheFile::is_right(part.key, part.place, { memory, static_cast<std::size_t>(result) }))
  {
    cache_->file().touch(part.place);
  }
  else
  {
    one.wrong = true;
    one.present[static_cast<std::size_t>(&part - one.parts.data())] = false;
    cache_->file().forget(part.key);
    if (result < 0)
    {
      cache_->note_trouble(
          "the local cache cannot be read (errno " + std::to_string(-result) + "): " + cache_->file().path());
      rest_until_ = Clock::now() + LocalCache::kRest;
      broken_until_ = rest_until_;
    }
  }
  if (one.left > 0)
  {
    return;
  }
  if (one.wrong)
  {
    counts_->missing.fetch_add(1, std::memory_order_relaxed);
    one.parts.clear(); // `part` is gone
    read_file(one);
    return;
  }
  const CacheKey& last = one.keys.back();
  const std::int64_t bytes = last.offset + last.bytes - one.read->offset;
  const double seconds = seconds_since(one.since);
  counts_->cache.add(seconds);
  cached_.times.add(seconds / one.beside);
  counts_->found.fetch_add(1, std::memory_order_relaxed);
  counts_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  finish(one, bytes, answers);
}

void LocalCacheReads::finish(const UnderWay& one, std::int64_t result, std::vector<ReadAnswer>& answers)
{
  FileRead* read = one.read;
  answers.push_back({ read, result });
  under_way_.erase(read);
}

/// Gives the cache the parts that were read completely.
void LocalCacheReads::keep(const UnderWay& one, std::int64_t result)
{
  if (cache_ == nullptr || (options_.if_busy == LocalCache::IfBusy::Drop && Clock::now() < broken_until_))
  {
    return;
  }
  if (one.keys.empty())
  {
    cache_->count_left_out();
  }
  for (std::size_t i = 0; i < one.keys.size(); ++i)
  {
    const CacheKey& key = one.keys[i];
    const bool read = result >= key.offset + key.bytes - one.read->offset;
    const bool present = one.present.empty() ? cache_->file().find(key).has_value() : one.present[i];
    if (read && !present)
    {
      cache_->keep(key, { one.memory[i], static_cast<std::size_t>(key.bytes) }, options_.if_busy);
    }
  }
}

} // namespace rivulet
