// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/LineStore.h"

#include <algorithm>

namespace rivulet
{

PointBlock* LineStore::add_block(PointChain& chain)
{
  if (free_.empty())
  {
    add_slab();
  }
  PointBlock* block = free_.back();
  free_.pop_back();
  block->next = nullptr;
  block->used = 0;
  (chain.tail == nullptr ? chain.head : chain.tail->next) = block;
  chain.tail = block;
  return block;
}

void LineStore::add_slab()
{
  // From little for a few lines to enough for huge pages.
  static constexpr std::size_t kFirstBlocks = 16;
  static constexpr std::size_t kMostBytes = std::size_t{ 8 } << 20;
  const std::size_t block_bytes = static_cast<std::size_t>(layout_.bytes) * PointBlock::kPoints;
  const std::size_t count =
      std::min(kFirstBlocks << std::min<std::size_t>(slabs_.size(), 16), kMostBytes / block_bytes);
  std::byte* records = slabs_.emplace_back(count * block_bytes).data();
  PointBlock* blocks = blocks_.emplace_back(new PointBlock[count]).get();
  for (std::size_t i = count; i-- > 0;)
  {
    blocks[i].records = records + i * block_bytes;
    free_.push_back(&blocks[i]);
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
