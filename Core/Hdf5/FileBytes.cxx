// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/FileBytes.h"

#include <algorithm>

namespace rivulet::hdf5
{

namespace
{

constexpr std::int64_t kAlignment = 4096; // of what is asked of the file

} // namespace

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
  if (size_ > kWhole && kept_ <= size_)
  {
    const bool in_order = begin >= last_end_ && begin < last_end_ + next_block_;
    next_block_ = in_order ? std::min(2 * next_block_, kLargestBlock) : kSmallestBlock;
    from = begin / kAlignment * kAlignment;
    to = std::min(size_, std::max(begin + wanted, from + next_block_));
    last_end_ = to;
  }
  Result<const Buffer<std::byte>*> block = read(from, to - from);
  if (!block)
  {
    return forward_error(block);
  }
  return std::span((*block)->data() + (begin - from), static_cast<std::size_t>(wanted));
}

std::span<const std::byte> FileBytes::held(std::uint64_t address, std::uint64_t bytes) const
{
  const auto begin = static_cast<std::int64_t>(address);
  if (const auto first = by_begin_.find(0);
      first != by_begin_.end() && static_cast<std::int64_t>(first->second->size()) == size_)
  {
    const bool inside = address <= first->second->size() && bytes <= first->second->size() - address;
    return inside ? std::span(first->second->data() + begin, static_cast<std::size_t>(bytes))
                  : std::span<const std::byte>();
  }
  auto block = by_begin_.upper_bound(begin);
  // Where blocks overlap the next one may not reach as far as one before it. More than two are not looked at: at worst
  // the bytes are read again.
  for (int tries = 0; tries < 2 && block != by_begin_.begin(); ++tries)
  {
    --block;
    const auto skip = static_cast<std::uint64_t>(begin - block->first);
    const std::uint64_t size = block->second->size();
    if (skip <= size && bytes <= size - skip)
    {
      return { block->second->data() + skip, static_cast<std::size_t>(bytes) };
    }
  }
  return {};
}

Result<const Buffer<std::byte>*> FileBytes::read(std::int64_t begin, std::int64_t bytes)
{
  Buffer<std::byte> block(static_cast<std::size_t>(bytes));
  if (Result<void> good = file_.pread_full(block.data(), bytes, begin); !good)
  {
    return forward_error(good);
  }
  bytes_read_ += bytes;
  kept_ += bytes;
  const Buffer<std::byte>* kept = &blocks_.emplace_back(std::move(block));
  const Buffer<std::byte>*& there = by_begin_[begin];
  if (there == nullptr || there->size() < kept->size())
  {
    there = kept;
  }
  return kept;
}

void FileBytes::clear()
{
  by_begin_.clear();
  blocks_.clear();
  kept_ = 0;
  last_end_ = -1;
}

} // namespace rivulet::hdf5
