// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the points of lines are kept while they grow: chains of fixed-size blocks, so that no line is ever moved and a
/// worker's memory is what its points need. One store per worker; blocks go back to it when a chain is cleared.
#pragma once

#include "Base/Buffer.h"
#include "Trace/PointRecord.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace rivulet
{

struct PointBlock
{
  static constexpr std::int32_t kPoints = 64;
  PointBlock* next = nullptr;
  std::int32_t used = 0;
  std::byte* records = nullptr;
};

/// Points of one line so far.
struct PointChain
{
  PointBlock* head = nullptr;
  PointBlock* tail = nullptr;
  std::int64_t points = 0;
};

/// The free rows of the last block of a chain. While a cursor is open, the chain does not count the points added
/// through it.
struct LineCursor
{
  std::byte* next = nullptr;
  std::int32_t left = 0;
};

class LineStore
{
public:
  explicit LineStore(const RecordLayout& layout)
    : layout_(layout)
  {
  }
  LineStore(const LineStore&) = delete;
  LineStore& operator=(const LineStore&) = delete;
  LineStore(LineStore&&) = default;
  LineStore& operator=(LineStore&&) = default;

  [[nodiscard]] const RecordLayout& layout() const { return layout_; }

  /// Room for one more point at the end of `chain`. The record stays where it is as long as the store.
  [[nodiscard]] std::byte* append(PointChain& chain)
  {
    PointBlock* block = chain.tail;
    if (block == nullptr || block->used == PointBlock::kPoints)
    {
      block = add_block(chain);
    }
    ++chain.points;
    return block->records + static_cast<std::ptrdiff_t>(layout_.bytes) * block->used++;
  }

  [[nodiscard]] LineCursor open(const PointChain& chain) const
  {
    const PointBlock* block = chain.tail;
    return block == nullptr ? LineCursor{}
                            : LineCursor{ block->records + static_cast<std::ptrdiff_t>(layout_.bytes) * block->used,
                                PointBlock::kPoints - block->used };
  }

  /// As append(chain), through an open cursor.
  [[nodiscard]] std::byte* append(PointChain& chain, LineCursor& cursor)
  {
    if (cursor.left == 0)
    {
      close(chain, cursor);
      cursor = { add_block(chain)->records, PointBlock::kPoints };
    }
    std::byte* record = cursor.next;
    cursor.next += layout_.bytes;
    --cursor.left;
    return record;
  }

  /// The chain counts what was added.
  void close(PointChain& chain, const LineCursor& cursor) const
  {
    if (chain.tail != nullptr)
    {
      const std::int32_t used = PointBlock::kPoints - cursor.left;
      chain.points += used - chain.tail->used;
      chain.tail->used = used;
    }
  }

  /// Forgets a chain; its blocks are used again.
  void clear(PointChain& chain);

private:
  PointBlock* add_block(PointChain& chain);
  void add_slab();

  RecordLayout layout_;
  std::vector<Buffer<std::byte>> slabs_;
  std::vector<std::unique_ptr<PointBlock[]>> blocks_;
  std::vector<PointBlock*> free_;
};

} // namespace rivulet
