// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/FileBytes.h"

#include <algorithm>

namespace rivulet::hdf5
{

namespace
{

constexpr std::int64_t kAlignment = 4096; // of what is asked of the file

} // namespace

FileBytes::FileBytes(const File& file, std::int64_t size, std::int64_t wanted, BlockPool* pool)
  : file_(file)
  , size_(size)
  , pool_(pool)
  , much_(wanted >= size / 4)
  , next_block_(much_ ? kMuch : kLittle)
{
}

Result<std::span<const std::byte>> FileBytes::view(std::uint64_t address, std::uint64_t bytes)
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
    return found; // nothing was asked for, or it is here
  }
  const auto begin = static_cast<std::int64_t>(address);
  const auto wanted = static_cast<std::int64_t>(bytes);
  std::int64_t from = 0;
  std::int64_t to = size_;
  // Metadata that is sound does not lie in the same place again and again: what does is read as a whole, once.
  if ((size_ > kWhole || !much_) && held_ <= size_)
  {
    const bool in_order = begin >= last_end_ && begin < last_end_ + next_block_;
    next_block_ = in_order ? std::min(2 * next_block_, kBlock) : much_ ? kMuch : kLittle;
    from = begin / kAlignment * kAlignment;
    to = std::min(size_, std::max(begin + wanted, from + next_block_));
    last_end_ = to;
  }
  Result<const Block*> block = read(from, to - from);
  if (!block)
  {
    return forward_error(block);
  }
  return std::span((*block)->memory.data() + (begin - from), static_cast<std::size_t>(wanted));
}

std::span<const std::byte> FileBytes::held(std::uint64_t address, std::uint64_t bytes) const
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
  // Where blocks overlap the next one may not reach as far as one before it. More than two are not looked at: at worst
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

Result<std::span<const std::byte>> FileBytes::small(std::uint64_t address, std::uint64_t bytes)
{
  trim();
  return much_ ? view(address, bytes) : Result<std::span<const std::byte>>(held(address, bytes));
}

Result<const FileBytes::Block*> FileBytes::read(std::int64_t begin, std::int64_t bytes)
{
  const auto size = static_cast<std::size_t>(bytes);
  Block block{ pool_ != nullptr ? pool_->take(size) : Buffer<std::byte>(size), size, begin };
  if (Result<void> good = file_.pread_full(block.memory.data(), bytes, begin); !good)
  {
    return forward_error(good);
  }
  bytes_read_ += bytes;
  held_ += bytes;
  const Block* kept = &blocks_.emplace_back(std::move(block));
  const Block*& there = by_begin_[begin];
  if (there == nullptr || there->size < kept->size)
  {
    there = kept;
  }
  return kept;
}

void FileBytes::trim()
{
  // What was read last stays: it is likely to hold what comes next.
  while (held_ > kMostHeld && blocks_.size() > 1)
  {
    drop_oldest();
  }
}

void FileBytes::drop_oldest()
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

void FileBytes::clear()
{
  while (!blocks_.empty())
  {
    drop_oldest();
  }
  last_end_ = -1;
}

} // namespace rivulet::hdf5
