// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Access/MappedBricks.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <chrono>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

/// A mapping of the file for one user.
class UserArray final : public WholeArray
{
public:
  UserArray(MappingWatch& watch, std::unique_ptr<MappedFile> file, std::int64_t offset)
    : watch_(watch)
    , file_(std::move(file))
    , offset_(offset)
  {
    watch_.add(*file_);
  }
  ~UserArray() override { watch_.remove(*file_); }

  [[nodiscard]] void* values() const override { return file_->user_data() + offset_; }
  [[nodiscard]] bool written() const override { return file_->written(); }
  [[nodiscard]] std::int64_t bytes() const override { return 0; }

private:
  MappingWatch& watch_;
  std::unique_ptr<MappedFile> file_;
  std::int64_t offset_;
};

} // namespace

MappedBricks::MappedBricks(
    std::shared_ptr<BrickLocator> locator, std::shared_ptr<FileChangeGuard> seen, std::int64_t memory_budget)
  : LocatedBricks(std::move(locator))
  , seen_(std::move(seen))
  , mappings_(static_cast<std::size_t>(this->locator().file_count()))
  , known_(mappings_.size())
  , flags_(this->locator().count())
  , residency_(*this, memory_budget)
  , watch_(memory_budget)
{
}

Result<std::shared_ptr<LocatedBricks>> MappedBricks::open(
    std::shared_ptr<BrickLocator> locator, std::shared_ptr<FileChangeGuard> seen, std::int64_t memory_budget)
{
  std::shared_ptr<MappedBricks> bricks(new MappedBricks(std::move(locator), std::move(seen), memory_budget));
  std::int64_t first = 0;
  while (first + 1 < bricks->locator().file_count() && bricks->locator().file(first).defect != nullptr)
  {
    ++first;
  }
  if (const Mapping& sound = bricks->mapping(first); sound.error != nullptr)
  {
    return tl::unexpected(*sound.error);
  }
  return bricks;
}

MappedBricks::Mapping MappedBricks::map(std::int64_t number)
{
  const LocatedFile located = locator().file(number);
  if (located.defect != nullptr)
  {
    return { nullptr, located.defect };
  }
  Result<File> opened = File::open(located.path, File::Mode::Read);
  Result<std::unique_ptr<MappedFile>> file = opened ? MappedFile::of(*opened) : forward_error(opened);
  Result<void> good = file ? Result<void>() : forward_error(file);
  if (good && (*file)->size() < located.bytes)
  {
    good = tl::unexpected(locator().too_short(number, (*file)->size()));
  }
  good = good ? seen_->see(*opened, (*file)->identity()) : good;
  return good ? Mapping{ std::move(*file), nullptr }
              : Mapping{ nullptr, std::make_shared<const Error>(std::move(good.error())) };
}

const MappedBricks::Mapping& MappedBricks::mapping(std::int64_t number)
{
  const auto index = static_cast<std::size_t>(number);
  if (const Mapping* known = known_[index].load(std::memory_order_acquire); known != nullptr)
  {
    return *known;
  }
  const std::lock_guard lock(mapping_mutex_);
  if (mappings_[index] == nullptr)
  {
    mappings_[index] = std::make_unique<const Mapping>(map(number));
    known_[index].store(mappings_[index].get(), std::memory_order_release);
    if (locator().whole_arrays() && mappings_[index]->file)
    {
      watch_.add(*mappings_[index]->file);
    }
  }
  return *mappings_[index];
}

Lookup MappedBricks::try_get(const BrickKey& key)
{
  if (!locator().exists(key))
  {
    return no_such_brick();
  }
  const BrickInPlace place = locator().in_place(key);
  const std::uint64_t state = flags_.get(place.number);
  if ((state & BrickFlags::kFailed) != 0)
  {
    return failed_before(place);
  }
  const Mapping& mapped = mapping(place.file);
  if (mapped.error != nullptr)
  {
    return fail_brick(place, mapped.error);
  }
  const MappedFile& file = *mapped.file;
  if (file.damaged(place.offset, place.bytes))
  {
    return fail_brick(place, std::make_shared<const Error>(file.damage_at(place.offset)));
  }
  if ((state & BrickFlags::kResident) != 0)
  {
    hits_.add(1);
    residency_.touch();
  }
  else if (Result<void> there = touch(key, place, file); !there)
  {
    return fail_brick(place, std::make_shared<const Error>(std::move(there.error())));
  }
  const BrickView view = locator().view(key, file.data() + place.offset);
  return { Lookup::State::Ready, BrickPin(this, nullptr, view), nullptr };
}

Result<void> MappedBricks::touch(const BrickKey& key, const BrickInPlace& place, const MappedFile& file)
{
  const Clock::time_point start = Clock::now();
  const std::int64_t counted = locator().whole_arrays() ? 0 : place.bytes; // the watch counts pages of whole arrays
  Result<void> sound;
  if (counted > 0)
  {
    residency_.arrive(counted);
    // One request for the whole brick: page by page without read-ahead it would be several.
    file.will_need(place.offset, place.bytes);
    sound = locator().check(key, file.data() + place.offset);
    if (!sound && file.damaged(place.offset, place.bytes))
    {
      sound = tl::unexpected(file.damage_at(place.offset));
    }
  }
  if (flags_.set(place.number, BrickFlags::kResident))
  {
    misses_.add(1);
    bytes_.add(counted);
  }
  else
  {
    residency_.depart(counted); // another thread was faster
    hits_.add(1);
  }
  nanoseconds_.add(std::chrono::nanoseconds(Clock::now() - start).count());
  return sound;
}

Lookup MappedBricks::fail_brick(const BrickInPlace& place, std::shared_ptr<const Error> error)
{
  const std::lock_guard lock(failed_mutex_);
  auto& known = failed_[place.number];
  known = known != nullptr ? known : std::move(error);
  flags_.set(place.number, BrickFlags::kFailed);
  return { Lookup::State::Failed, {}, known };
}

Lookup MappedBricks::failed_before(const BrickInPlace& place)
{
  const std::lock_guard lock(failed_mutex_);
  return { Lookup::State::Failed, {}, failed_.at(place.number) };
}

std::int64_t MappedBricks::drop(std::int64_t bytes)
{
  const std::int64_t count = flags_.count();
  std::int64_t dropped = 0;
  for (std::int64_t scanned = 0; scanned < count && dropped < bytes;)
  {
    hand_ = hand_ == count ? 0 : hand_;
    const BrickRange run = locator().range(hand_, count);
    std::int64_t length = 0;
    while (length < run.count && dropped < bytes)
    {
      length = std::min(flags_.skip_empty(hand_ + length) - hand_, run.count);
      if (length < run.count)
      {
        dropped += flags_.clear(hand_ + length, BrickFlags::kResident) ? run.stride : 0;
        ++length;
      }
    }
    // Bytes between them are dropped, too: the kernel maps neighbours of a page that is read.
    const Mapping* mapped = known_[static_cast<std::size_t>(run.file)].load(std::memory_order_acquire);
    if (mapped != nullptr && mapped->file)
    {
      mapped->file->drop(run.offset, length * run.stride);
    }
    hand_ += length;
    scanned += length;
  }
  return dropped;
}

/// Of whole arrays, the pages with the values of a cell: up to four rows, each across two pages, and as many for the
/// next cell.
std::int64_t MappedBricks::working_minimum(int workers) const
{
  return workers * (locator().whole_arrays() ? 16 * kPage : locator().slot_bytes());
}

void MappedBricks::set_memory_budget(std::int64_t bytes)
{
  residency_.set_budget(bytes);
  watch_.set_budget(bytes);
}

std::shared_ptr<const WholeArray> MappedBricks::whole_array(int variable, int step)
{
  const BrickKey key{ variable, step, 0 };
  if (!locator().whole_arrays() || !locator().exists(key))
  {
    return nullptr;
  }
  const BrickInPlace place = locator().in_place(key);
  const Mapping& mapped = mapping(place.file);
  if (!mapped.file)
  {
    return nullptr;
  }
  Result<std::unique_ptr<MappedFile>> file = mapped.file->for_users();
  return file ? std::make_shared<const UserArray>(watch_, std::move(*file), place.offset) : nullptr;
}

/// Reads ahead whole planes of whole arrays. Other bricks are read at once by the first lookup.
void MappedBricks::read_ahead(const BrickKey& key, const Box& box)
{
  if (!locator().whole_arrays() || !locator().exists(key))
  {
    return;
  }
  const BrickInPlace place = locator().in_place(key);
  const Mapping& mapped = mapping(place.file);
  if (mapped.file)
  {
    const BrickView view = locator().view(key, nullptr);
    const std::int64_t plane = view.stride[2] * static_cast<std::int64_t>(size_of(view.type));
    mapped.file->will_need(place.offset + box.begin[2] * plane, box.size()[2] * plane);
  }
}

SourceStatistics MappedBricks::statistics() const
{
  watch_.look(true);
  return { .bytes_read = bytes_.total() + watch_.arrived(),
    .bricks_read = misses_.total(),
    .cache_hits = hits_.total(),
    .cache_misses = misses_.total(),
    .peak_bytes = std::max(residency_.peak(), watch_.peak()),
    .stall_seconds = static_cast<double>(nanoseconds_.total()) * 1e-9 };
}

Result<void> MappedBricks::health()
{
  watch_.look();
  for (const std::atomic<const Mapping*>& known : known_)
  {
    const Mapping* mapped = known.load(std::memory_order_acquire);
    if (mapped != nullptr && mapped->file)
    {
      if (Result<void> sound = mapped->file->health(); !sound)
      {
        return sound;
      }
    }
  }
  return {};
}

} // namespace rivulet
