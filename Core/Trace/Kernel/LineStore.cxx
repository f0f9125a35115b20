// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/LineStore.h"

#include "Base/Bytes.h"
#include "Store/Memory/MemoryAccount.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace rivulet
{

LineRoom::~LineRoom()
{
  MemoryAccount::process().give_back(MemoryUse::Lines, taken_.load());
}

bool LineRoom::take(std::int64_t bytes)
{
  // Left free for other needs of the run, and for the processing of its output.
  static constexpr std::int64_t kMargin = 32 * kMiB;
  const std::int64_t taken = taken_.fetch_add(bytes) + bytes;
  const auto wanted =
      static_cast<std::size_t>(bytes + kMargin + static_cast<std::int64_t>(share_ * static_cast<double>(taken)));
  // Address space only: no page of it is touched.
  void* probe = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
  {
    taken_.fetch_sub(bytes);
    return false;
  }
  ::munmap(probe, wanted);
  MemoryAccount::process().take(MemoryUse::Lines, bytes);
  return true;
}

PointBlock* LineStore::add_block(PointChain& chain)
{
  PointBlock* block = free_.back();
  free_.pop_back();
  block->next = nullptr;
  block->used = 0;
  (chain.tail == nullptr ? chain.head : chain.tail->next) = block;
  chain.tail = block;
  return block;
}

bool LineStore::add_slabs(std::size_t blocks)
{
  // From a small slab for a few lines to one large enough for huge pages.
  static constexpr std::size_t kFirstBlocks = 16;
  static constexpr std::size_t kMostBytes = std::size_t{ 8 } << 20;
  try
  {
    while (free_.size() < blocks)
    {
      const std::size_t count =
          std::min(kFirstBlocks << std::min<std::size_t>(slabs_.size(), 16), kMostBytes / block_bytes());
      if (!room_->take(static_cast<std::int64_t>(count * block_bytes())))
      {
        return false;
      }
      add_slab(count);
    }
  }
  catch (const std::bad_alloc&)
  {
    return false;
  }
  return true;
}

/// Throws std::bad_alloc.
void LineStore::add_slab(std::size_t count)
{
  if (free_.capacity() < made_ + count)
  {
    free_.reserve(std::max(made_ + count, 2 * free_.capacity()));
  }
  std::byte* records = slabs_.emplace_back(count * block_bytes()).data();
  PointBlock* blocks = blocks_.emplace_back(new PointBlock[count]).get();
  made_ += count;
  for (std::size_t i = count; i-- > 0;)
  {
    blocks[i].points = block_points_;
    blocks[i].records = records + i * block_bytes();
    free_.push_back(&blocks[i]);
  }
}

void LineStore::read(const PointBlock& block, std::int32_t row, std::byte* to) const
{
  for (const RecordPart& part : parts_)
  {
    std::memcpy(
        to + part.at, block.part(part.at) + std::ptrdiff_t{ part.bytes } * row, static_cast<std::size_t>(part.bytes));
  }
}

void LineStore::write(const LineRow& row, const std::byte* from) const
{
  for (const RecordPart& part : parts_)
  {
    std::byte* to = row.records + std::ptrdiff_t{ part.at } * block_points_;
    std::memcpy(to + std::ptrdiff_t{ part.bytes } * row.row, from + part.at, static_cast<std::size_t>(part.bytes));
  }
}

void LineStore::clear(PointChain& chain)
{
  for (PointBlock* block = chain.head; block != nullptr; block = block->next)
  {
    free_.push_back(block);
  }
  chain = {};
}

} // namespace rivulet
