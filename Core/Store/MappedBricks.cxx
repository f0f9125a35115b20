// SPDX-License-Identifier: BSD-3-Clause
#include "Store/MappedBricks.h"

#include "Store/MemoryAccount.h"

#include <algorithm>
#include <chrono>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

} // namespace

MappedBricks::MappedBricks(FieldRecords&& field, StrategyChoice&& choice, const OpenOptions& options)
  : FieldBricks(std::move(field), std::move(choice), options.verify)
  , residency_(*this, options.memory_budget)
{
}

Result<std::shared_ptr<FileBricks>> MappedBricks::open(
    FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options)
{
  std::shared_ptr<MappedBricks> bricks(new MappedBricks(std::move(records), std::move(choice), options));
  for (const FieldFile& description : bricks->records().files())
  {
    Result<std::unique_ptr<MappedFile>> file = MappedFile::open(description.path);
    if (!file)
    {
      return forward_error(file);
    }
    if (Result<void> same = (*file)->require(description.identity); !same)
    {
      return forward_error(same);
    }
    bricks->files_.push_back(std::move(*file));
  }
  return bricks;
}

Lookup MappedBricks::try_get(const BrickKey& key)
{
  if (!records().exists(key))
  {
    return no_such_brick(path());
  }
  const StoredRecord place = records().place(key);
  const MappedFile& file = *files_[static_cast<std::size_t>(place.file)];
  const std::int64_t stride = records().layout(key.variable).stride;
  const std::uint64_t state = flags().get(place.number);
  if ((state & RecordFlags::kFailed) != 0)
  {
    return failed_before(place);
  }
  if (file.damaged(place.offset, stride))
  {
    return fail_brick(place, file.damage_at(place.offset));
  }
  if ((state & RecordFlags::kResident) != 0)
  {
    hits_.add(1);
    residency_.touch();
  }
  else if (Result<void> there = touch(key, place); !there)
  {
    return fail_brick(place, std::move(there.error()));
  }
  const BrickView view = records().view(key, file.data() + place.offset);
  return { Lookup::State::Ready, BrickPin(this, nullptr, view), nullptr };
}

Result<void> MappedBricks::touch(const BrickKey& key, const StoredRecord& place)
{
  const Clock::time_point start = Clock::now();
  const MappedFile& file = *files_[static_cast<std::size_t>(place.file)];
  const std::int64_t stride = records().layout(key.variable).stride;
  residency_.arrive(stride);
  // One request for the whole brick; page by page, with read-ahead off, it would be several.
  file.will_need(place.offset, stride);
  Result<void> sound = check_once(key, place, file.data() + place.offset);
  if (!sound && file.damaged(place.offset, stride))
  {
    sound = tl::unexpected(file.damage_at(place.offset));
  }
  if (flags().set(place.number, RecordFlags::kResident))
  {
    misses_.add(1);
    bytes_.add(stride);
  }
  else
  {
    residency_.depart(stride); // another thread was as fast
    hits_.add(1);
  }
  nanoseconds_.add(std::chrono::nanoseconds(Clock::now() - start).count());
  return sound;
}

Lookup MappedBricks::fail_brick(const StoredRecord& place, Error&& error)
{
  const std::lock_guard lock(failed_mutex_);
  auto& known = failed_[place.number];
  if (known == nullptr)
  {
    known = std::make_shared<const Error>(std::move(error));
  }
  flags().set(place.number, RecordFlags::kFailed);
  return { Lookup::State::Failed, {}, known };
}

Lookup MappedBricks::failed_before(const StoredRecord& place)
{
  const std::lock_guard lock(failed_mutex_);
  return { Lookup::State::Failed, {}, failed_.at(place.number) };
}

std::int64_t MappedBricks::drop(std::int64_t bytes)
{
  const std::int64_t count = flags().count();
  std::int64_t dropped = 0;
  for (std::int64_t scanned = 0; scanned < count && dropped < bytes;)
  {
    hand_ = hand_ == count ? 0 : hand_;
    const RecordRange run = records().range(hand_, count);
    std::int64_t length = 0;
    while (length < run.count && dropped < bytes)
    {
      length = std::min(flags().skip_empty(hand_ + length) - hand_, run.count);
      if (length < run.count)
      {
        dropped += flags().clear(hand_ + length, RecordFlags::kResident) ? run.stride : 0;
        ++length;
      }
    }
    // What lies between goes too: the kernel maps neighbours of what is read.
    files_[static_cast<std::size_t>(run.file)]->drop(run.offset, length * run.stride);
    hand_ += length;
    scanned += length;
  }
  return dropped;
}

void MappedBricks::set_memory_budget(std::int64_t bytes)
{
  residency_.set_budget(bytes > 0 ? bytes : default_memory_budget());
}

SourceStatistics MappedBricks::statistics() const
{
  return { .bytes_read = bytes_.total(),
    .bricks_read = misses_.total(),
    .cache_hits = hits_.total(),
    .cache_misses = misses_.total(),
    .peak_bytes = residency_.peak(),
    .stall_seconds = static_cast<double>(nanoseconds_.total()) * 1e-9 };
}

Result<void> MappedBricks::health()
{
  for (const std::unique_ptr<MappedFile>& file : files_)
  {
    if (Result<void> sound = file->health(); !sound)
    {
      return sound;
    }
  }
  return {};
}

} // namespace rivulet
