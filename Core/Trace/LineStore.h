// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the points of lines are kept while they grow: chains of fixed-size blocks, so that no line is ever moved and a
/// worker's memory is what its points need. One store per worker; blocks go back to it when a chain is cleared.
#pragma once

#include "Trace/Space.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace rivulet
{

/// What is kept of each point: byte offsets into its record. -1: not kept.
struct RecordLayout
{
  std::int32_t position = 0;  ///< 3 floats, world
  std::int32_t time = 16;     ///< double
  std::int32_t velocity = -1; ///< 3 scalars of the velocity's type as interpolated
  std::int32_t rotation = -1; ///< 5 doubles: vorticity, rotation, angular velocity
  std::int32_t location = -1; ///< Location, for arrays that are interpolated later
  std::int32_t bytes = 24;

  static RecordLayout make(std::size_t velocity_bytes, bool vorticity, bool location);
};

/// Points of one line so far.
class LineStore;
struct PointBlock
{
  static constexpr std::int32_t kPoints = 64;
  PointBlock* next = nullptr;
  std::int32_t used = 0;
  std::byte* records = nullptr;
};

struct PointChain
{
  PointBlock* head = nullptr;
  PointBlock* tail = nullptr;
  std::int64_t points = 0;
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

  /// Forgets a chain; its blocks are used again.
  void clear(PointChain& chain);

private:
  PointBlock* add_block(PointChain& chain);

  RecordLayout layout_;
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
  std::vector<std::unique_ptr<PointBlock[]>> blocks_;
  std::vector<PointBlock*> free_;
};

} // namespace rivulet
