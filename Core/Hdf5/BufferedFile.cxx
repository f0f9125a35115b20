// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/BufferedFile.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rivulet::hdf5
{

namespace
{

constexpr std::int64_t kAlignment = 4096; // of the offset of each read, in bytes

/// True if reading all bytes of the file costs less than many reads.
bool is_much(std::int64_t size, const WantedBytes& wanted)
{
  return wanted.bytes >= size / 4;
}

bool is_near(std::int64_t size, const WantedBytes& wanted)
{
  return wanted.pieces > 1 && size / wanted.pieces <= BufferedFile::kNear;
}

/// Whether a few places of a file, spread over it, are all in the page cache.
bool seems_cached(const File& file, std::int64_t size)
{
  static constexpr std::int64_t kPlaces = 4;
  for (std::int64_t i = 0; i < kPlaces; ++i)
  {
    if (!file.is_cached((2 * i + 1) * size / (2 * kPlaces)))
    {
      return false;
    }
  }
  return true;
}

/// Reading the bytes between the pieces saves requests, which cost nothing in the page cache.
bool read_as_whole(const File& file, std::int64_t size, const WantedBytes& wanted)
{
  return size <= BufferedFile::kWhole && is_near(size, wanted) && !seems_cached(file, size);
}

} // namespace

BufferedFile::BufferedFile(const File& file, std::int64_t size, const WantedBytes& wanted, BlockPool* pool)
  : file_(file)
  , size_(size)
  , pool_(pool)
  , much_(is_much(size, wanted) || read_as_whole(file, size, wanted))
  , ahead_(is_much(size, wanted) || is_near(size, wanted))
{
}

Result<std::span<const std::byte>> BufferedFile::view(std::uint64_t address, std::uint64_t bytes)
{
  const auto size = static_cast<std::uint64_t>(size_);
  if (address > size || bytes > size - address)
  {
    return fail(ErrorCode::Truncated,
        "the file ends before byte " + std::to_string(address) + " + " + std::to_string(bytes) +
            ", where it says that something is",
        "copy the file again, or wait until it is written", path(), size_);
  }
  std::span<const std::byte> found = held(address, bytes);
  if (found.size() == bytes)
  {
    return found; // no bytes, or they are held
  }
  const auto begin = static_cast<std::int64_t>(address);
  const auto wanted = static_cast<std::int64_t>(bytes);
  if (!too_much_held() && held_from(begin, wanted) == wanted) // across two blocks
  {
    joined_bytes_ += wanted;
    std::byte* joined = joined_.emplace_back(bytes).data();
    held_from(begin, wanted, joined);
    return std::span<const std::byte>(joined, bytes);
  }
  const Range range = whole_or_block(begin, wanted);
  Result<const Block*> block = read(range);
  if (!block)
  {
    return forward_error(block);
  }
  return std::span((*block)->memory.data() + (begin - range.begin), static_cast<std::size_t>(wanted));
}

BufferedFile::Range BufferedFile::whole_or_block(std::int64_t begin, std::int64_t wanted)
{
  if ((size_ <= kWhole && much_) || too_much_held())
  {
    return { 0, size_ };
  }
  if (Stream* stream = stream_of(begin, wanted))
  {
    const Range range = next_of(*stream, begin, wanted);
    std::swap(streams_[0], *stream);
    return range;
  }
  Stream& stream = streams_[1];
  stream.begin = begin / kAlignment * kAlignment;
  stream.end = std::min(size_, round_up(std::max(begin + wanted, stream.begin + first_block()), kAlignment));
  stream.next = 2 * first_block();
  stream.requested = 0;
  return { stream.begin, stream.end };
}

/// The run that these bytes continue; nullptr if there is none.
BufferedFile::Stream* BufferedFile::stream_of(std::int64_t begin, std::int64_t wanted)
{
  const auto found = std::find_if(streams_.begin(), streams_.end(),
      [&](const Stream& stream)
      { return begin >= stream.begin && begin < stream.end + stream.next && begin + wanted > stream.end; });
  return found == streams_.end() ? nullptr : &*found;
}

BufferedFile::Range BufferedFile::next_of(Stream& stream, std::int64_t begin, std::int64_t wanted) const
{
  // The bytes between will be read soon, too, if much of the file is wanted.
  const std::int64_t from = much_ ? std::min(begin, stream.end) : begin;
  stream.begin = from / kAlignment * kAlignment;
  stream.end = std::min(size_, round_up(std::max(begin + wanted, stream.begin + stream.next), kAlignment));
  stream.next = std::min(2 * stream.next, kBlock);
  if (ahead_)
  {
    read_ahead(stream);
  }
  return { stream.begin, stream.end };
}

/// Requests each byte once, because a request for bytes in the page cache takes time, too.
void BufferedFile::read_ahead(Stream& stream) const
{
  const std::int64_t from = std::max(stream.begin, stream.requested);
  stream.requested = std::min(size_, stream.end + kReadAhead);
  file_.will_need(from, stream.requested - from);
}

std::span<const std::byte> BufferedFile::held(std::uint64_t address, std::uint64_t bytes) const
{
  const auto begin = static_cast<std::int64_t>(address);
  if (const auto first = by_begin_.find(0);
      first != by_begin_.end() && static_cast<std::int64_t>(first->second->size) == size_)
  {
    const bool inside = address <= first->second->size && bytes <= first->second->size - address;
    return inside ? std::span(first->second->memory.data() + begin, static_cast<std::size_t>(bytes))
                  : std::span<const std::byte>();
  }
  auto block = by_begin_.upper_bound(begin);
  // Blocks may overlap, so that an earlier block may reach farther than the next. Two candidates are enough: at worst
  // the bytes are read again.
  for (int tries = 0; tries < 2 && block != by_begin_.begin(); ++tries)
  {
    --block;
    const auto skip = static_cast<std::uint64_t>(begin - block->first);
    const std::uint64_t size = block->second->size;
    if (skip <= size && bytes <= size - skip)
    {
      return { block->second->memory.data() + skip, static_cast<std::size_t>(bytes) };
    }
  }
  return {};
}

void BufferedFile::prefetch(std::uint64_t address) const
{
  const bool inside = address < static_cast<std::uint64_t>(size_);
  if (inside && held(address, 1).empty())
  {
    const std::int64_t begin = static_cast<std::int64_t>(address) / kAlignment * kAlignment;
    file_.will_need(begin, std::min(first_block(), size_ - begin));
  }
}

Result<std::span<const std::byte>> BufferedFile::small(std::uint64_t address, std::uint64_t bytes)
{
  trim();
  return much_ ? view(address, bytes) : Result<std::span<const std::byte>>(held(address, bytes));
}

Result<const BufferedFile::Block*> BufferedFile::read(const Range& range)
{
  const std::int64_t bytes = range.end - range.begin;
  const auto size = static_cast<std::size_t>(bytes);
  Block block{ pool_ != nullptr ? pool_->take(size) : Buffer<std::byte>(size), size, range.begin };
  const std::int64_t here = held_from(range.begin, bytes, block.memory.data());
  Result<void> good = file_.pread_full(block.memory.data() + here, bytes - here, range.begin + here);
  if (!good)
  {
    return forward_error(good);
  }
  bytes_read_ += bytes - here;
  held_ += bytes;
  const Block* kept = &blocks_.emplace_back(std::move(block));
  const Block*& there = by_begin_[range.begin];
  if (there == nullptr || there->size < kept->size)
  {
    there = kept;
  }
  return kept;
}

/// The newest among the last four blocks that holds the byte at `at`; nullptr if none does.
const BufferedFile::Block* BufferedFile::recent_block_with(std::int64_t at) const
{
  static constexpr int kFew = 4;
  auto block = blocks_.rbegin();
  for (int tries = 0; tries < kFew && block != blocks_.rend(); ++tries, ++block)
  {
    if (at >= block->begin && at < block->begin + static_cast<std::int64_t>(block->size))
    {
      return &*block;
    }
  }
  return nullptr;
}

/// Number of bytes from `begin` on, at most `bytes`, that recent blocks hold. Copies them if `to` is not nullptr.
std::int64_t BufferedFile::held_from(std::int64_t begin, std::int64_t bytes, std::byte* to) const
{
  std::int64_t done = 0;
  while (done < bytes)
  {
    const Block* block = recent_block_with(begin + done);
    if (block == nullptr)
    {
      break;
    }
    const std::int64_t skip = begin + done - block->begin;
    const std::int64_t part = std::min(static_cast<std::int64_t>(block->size) - skip, bytes - done);
    if (to != nullptr)
    {
      std::memcpy(to + done, block->memory.data() + skip, static_cast<std::size_t>(part));
    }
    done += part;
  }
  return done;
}

void BufferedFile::trim()
{
  joined_.clear();
  joined_bytes_ = 0;
  // The newest block stays, because the next access is likely to fall into it.
  while (held_ > kMostHeld && blocks_.size() > 1)
  {
    drop_oldest();
  }
}

void BufferedFile::drop_oldest()
{
  Block& block = blocks_.front();
  const auto there = by_begin_.find(block.begin);
  if (there != by_begin_.end() && there->second == &block)
  {
    by_begin_.erase(there);
  }
  held_ -= static_cast<std::int64_t>(block.size);
  if (pool_ != nullptr)
  {
    pool_->give_back(std::move(block.memory));
  }
  blocks_.pop_front();
}

void BufferedFile::clear()
{
  while (!blocks_.empty())
  {
    drop_oldest();
  }
  joined_.clear();
  joined_bytes_ = 0;
  streams_ = {};
}

} // namespace rivulet::hdf5
