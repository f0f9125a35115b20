// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/LineStore.h"

namespace rivulet
{

RecordLayout RecordLayout::make(std::size_t velocity_bytes, bool vorticity, bool location)
{
  RecordLayout layout;
  const auto reserve = [&layout](std::int32_t& offset, std::size_t size, std::int32_t alignment)
  {
    offset = (layout.bytes + alignment - 1) / alignment * alignment;
    layout.bytes = offset + static_cast<std::int32_t>(size);
  };
  if (vorticity)
  {
    reserve(layout.rotation, 5 * sizeof(double), 8);
  }
  if (location)
  {
    reserve(layout.location, sizeof(Location), 8);
  }
  if (velocity_bytes != 0)
  {
    reserve(layout.velocity, velocity_bytes, 8);
  }
  layout.bytes = (layout.bytes + 7) / 8 * 8;
  return layout;
}

PointBlock* LineStore::add_block(PointChain& chain)
{
  static constexpr std::size_t kBlocksPerSlab = 64;
  if (free_.empty())
  {
    const std::size_t block_bytes = static_cast<std::size_t>(layout_.bytes) * PointBlock::kPoints;
    std::byte* records = slabs_.emplace_back(new std::byte[kBlocksPerSlab * block_bytes]).get();
    PointBlock* blocks = blocks_.emplace_back(new PointBlock[kBlocksPerSlab]).get();
    for (std::size_t i = kBlocksPerSlab; i-- > 0;)
    {
      blocks[i].records = records + i * block_bytes;
      free_.push_back(&blocks[i]);
    }
  }
  PointBlock* block = free_.back();
  free_.pop_back();
  block->next = nullptr;
  block->used = 0;
  (chain.tail == nullptr ? chain.head : chain.tail->next) = block;
  chain.tail = block;
  return block;
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
