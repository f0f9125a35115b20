// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field whose blocks are spread over ranks, and boxes of its values that ranks want.
///
///     Result<std::vector<SpreadBlock>> blocks = gather_blocks(host, chosen);    // blocks of each rank
///     Result<DistributedField> spread = DistributedField::of(host, *chosen, std::move(*blocks));
///     spread->fetch(wanted, buffers);                                          // values of boxes, from all ranks
///
///     +-------+-------+      Blocks are disjoint and cover the domain; layers of ghosts are dropped. Of nodes on the
///     | rank 0|rank 1 |      border of two blocks, the upper block's values are taken.
///     |   +===|==+    |      A wanted box (=) may reach over blocks of other ranks.
///     +---|---+--|----+
///
/// Every function that says so is collective. Threads: the one that calls the analytics.
#pragma once

#include "Base/Buffer.h"
#include "Fields/SpreadBlocks.h"

#include <functional>
#include <span>

namespace rivulet
{

class DistributedField
{
public:
  /// Of a field on one level. Refuses blocks that overlap or leave points without values, and names the region; the
  /// same answer on all ranks. `chosen` must outlive the object.
  [[nodiscard]] static Result<DistributedField> of(
      const Host& host, const ChosenField& chosen, std::vector<SpreadBlock> blocks);

  /// All blocks, by rank and number.
  [[nodiscard]] const std::vector<SpreadBlock>& blocks() const { return blocks_; }
  [[nodiscard]] const ChosenField& chosen() const { return *chosen_; }

  /// The boxes of a variable that a rank wants: the same answer on all ranks.
  using Wanted = std::function<std::vector<Box>(int rank, std::size_t variable)>;
  /// One variable's values of the boxes that this rank wants: components fastest, then i, j, k.
  using Values = std::vector<Buffer<std::byte>>;

  /// Memory for the values of a variable in boxes. Throws std::bad_alloc.
  [[nodiscard]] Values room_for(std::size_t variable, const std::vector<Box>& boxes) const;

  /// Collective. Fills room_for() of each variable that was chosen. Extra memory: the send and receive buffers of one
  /// variable. Fails on all ranks if one has no memory for these.
  [[nodiscard]] Result<void> fetch(const Wanted& wanted, std::span<Values> values) const;

private:
  /// Values sent to and received from each rank.
  struct Traffic
  {
    std::vector<Buffer<std::byte>> sent;
    std::vector<Buffer<std::byte>> received;
  };

  DistributedField(const Host& host, const ChosenField& chosen, std::vector<SpreadBlock> blocks)
    : host_(host)
    , chosen_(&chosen)
    , blocks_(std::move(blocks))
  {
  }
  [[nodiscard]] std::int64_t bytes_of(std::size_t variable, const Box& box) const;
  [[nodiscard]] Box points_of(const SpreadBlock& block, std::size_t variable) const;
  template <class Message>
  void for_messages(int from, int to, const Wanted& wanted, std::size_t variable, const Message& message) const;
  [[nodiscard]] std::int64_t bytes_between(int from, int to, const Wanted& wanted, std::size_t variable) const;
  [[nodiscard]] Result<Traffic> room_for_traffic(const Wanted& wanted, std::size_t variable) const;
  void copy_own(const Wanted& wanted, std::size_t variable, Traffic& traffic, Values& values) const;
  void place_received(const Wanted& wanted, std::size_t variable, const Traffic& traffic, Values& values) const;
  [[nodiscard]] Result<void> fetch_one(const Wanted& wanted, std::size_t variable, Values& values) const;

  Host host_;
  const ChosenField* chosen_;
  std::vector<SpreadBlock> blocks_;
};

/// Refuses boxes that overlap, and lattices of which points are in no box.
[[nodiscard]] Result<void> check_cover(const std::vector<SpreadBlock>& blocks, const Int3& lattice);

} // namespace rivulet
