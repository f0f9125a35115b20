// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Storage for the points of lines while they grow: chains of blocks of fixed size, so that no line is ever moved and a
/// worker uses no more memory than its points need. One store per worker; blocks return to it when a chain is cleared.
///
///     auto room = std::make_shared<LineRoom>(share);           // one for all stores of a run
///     LineStore store(layout, room);
///     while (store.make_room(chains)) { ... }                  // before a turn that adds a point to each of these
///
/// A store may keep the last point of each line alone. Then each chain has one record, which is written again.
///
/// If the system has no more memory, make_room() returns false between two turns, so that no line ends within a step.
#pragma once

#include "Base/Buffer.h"
#include "Trace/Kernel/PointRecord.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace rivulet
{

struct PointBlock
{
  PointBlock* next = nullptr;
  std::int32_t used = 0;
  std::int32_t points = 0; ///< that it has room for
  std::byte* records = nullptr;

  /// The values of a part of all records.
  [[nodiscard]] const std::byte* part(std::int32_t at) const { return records + std::ptrdiff_t{ at } * points; }
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
  std::byte* records = nullptr;
  std::int32_t row = 0;
  std::int32_t left = 0;
};

/// The place of a record in its block.
struct LineRow
{
  std::byte* records = nullptr;
  std::int32_t row = 0;
};

/// Leaves the system enough memory to assemble the lines of a run: lines that cannot be assembled would be useless.
/// Counts the records in the process's account, for which caches give memory back; the account's limit ends no line.
/// Any thread.
class LineRoom
{
public:
  /// `share`: bytes of output for each byte of records.
  explicit LineRoom(double share)
    : share_(share)
  {
  }
  LineRoom(const LineRoom&) = delete;
  LineRoom& operator=(const LineRoom&) = delete;
  ~LineRoom();

  /// False if the system has no memory for so many more bytes of records and for the output of all records.
  [[nodiscard]] bool take(std::int64_t bytes);

private:
  double share_;
  std::atomic<std::int64_t> taken_{ 0 };
};

/// On cache lines of its own, because its neighbours in memory belong to other threads.
class alignas(64) LineStore
{
public:
  /// `block_points`: points of a block. Chains take whole blocks, so that short paths need small ones.
  LineStore(const RecordLayout& layout, std::shared_ptr<LineRoom> room, std::int32_t block_points)
    : layout_(layout)
    , block_points_(block_points)
    , room_(std::move(room))
  {
  }
  LineStore(const LineStore&) = delete;
  LineStore& operator=(const LineStore&) = delete;
  LineStore(LineStore&&) = default;
  LineStore& operator=(LineStore&&) = default;

  [[nodiscard]] const RecordLayout& layout() const { return layout_; }
  [[nodiscard]] std::int32_t block_points() const { return block_points_; }

  /// Keeps the last point of each line alone, in unsteady flow. Before the first chain.
  void keep_last_points()
  {
    last_points_only_ = true;
    block_points_ = 1;
  }
  [[nodiscard]] bool last_points_only() const { return last_points_only_; }
  /// Gives an empty chain its only record; make_room() must have been called.
  void add_record(PointChain& chain);
  /// The only record of a chain.
  [[nodiscard]] static LineRow record_of(const PointChain& chain) { return { chain.tail->records, 0 }; }

  /// Whether each of `blocks` chains can get one more block. False if the system has no memory for them.
  [[nodiscard]] bool make_room(std::size_t blocks) { return free_.size() >= blocks || add_slabs(blocks); }

  [[nodiscard]] LineCursor open(const PointChain& chain) const;

  /// Room for one more point at the end of `chain`, through an open cursor; make_room() must have been called. The
  /// record stays at its place as long as the store lives.
  [[nodiscard]] LineRow append(PointChain& chain, LineCursor& cursor);

  /// Copies a record to or from memory in which its parts lie one after the other.
  void read(const PointBlock& block, std::int32_t row, std::byte* to) const;
  void write(const LineRow& row, const std::byte* from) const;

  /// Adds the points of the cursor to the count of the chain.
  void close(PointChain& chain, const LineCursor& cursor) const;

  /// Empties a chain; its blocks are used again.
  void clear(PointChain& chain);

private:
  PointBlock* add_block(PointChain& chain);
  [[nodiscard]] bool add_slabs(std::size_t blocks);
  void add_slab(std::size_t count);

  [[nodiscard]] std::size_t block_bytes() const
  {
    return static_cast<std::size_t>(layout_.bytes) * static_cast<std::size_t>(block_points_);
  }

  RecordLayout layout_;
  std::vector<RecordPart> parts_ = layout_.parts();
  std::int32_t block_points_;
  bool last_points_only_ = false;
  std::shared_ptr<LineRoom> room_;
  std::vector<Buffer<std::byte>> slabs_;
  std::vector<std::unique_ptr<PointBlock[]>> blocks_;
  std::vector<PointBlock*> free_; ///< has capacity for all blocks
  std::size_t made_ = 0;
};

inline void LineStore::add_record(PointChain& chain)
{
  add_block(chain)->used = 1;
  chain.points = 1;
}

inline LineRow LineStore::append(PointChain& chain, LineCursor& cursor)
{
  if (cursor.left == 0)
  {
    close(chain, cursor);
    cursor = { add_block(chain)->records, 0, block_points_ };
  }
  --cursor.left;
  return { cursor.records, cursor.row++ };
}

inline LineCursor LineStore::open(const PointChain& chain) const
{
  const PointBlock* block = chain.tail;
  return block == nullptr ? LineCursor{} : LineCursor{ block->records, block->used, block_points_ - block->used };
}

inline void LineStore::close(PointChain& chain, const LineCursor& cursor) const
{
  if (chain.tail != nullptr)
  {
    const std::int32_t used = block_points_ - cursor.left;
    chain.points += used - chain.tail->used;
    chain.tail->used = used;
  }
}

} // namespace rivulet
