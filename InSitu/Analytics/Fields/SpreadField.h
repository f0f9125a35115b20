// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field whose blocks are spread over ranks, and boxes of its values that ranks want.
///
///     Result<SpreadField> spread = SpreadField::gather(host, chosen);           // who has what
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
#include "Fields/FieldChoice.h"
#include "Plugin/Host.h"

#include <functional>
#include <span>

namespace rivulet
{

/// A block of any rank: the points of the lattice that it gives.
struct SpreadBlock
{
  int rank = 0;
  int number = 0; ///< among the blocks of its rank
  Box points;
};

class SpreadField
{
public:
  /// Collective; an error of one rank is one of all. Refuses domains that differ between ranks, and blocks that overlap
  /// or leave points without values, and names the region. `chosen` must outlive the object.
  [[nodiscard]] static Result<SpreadField> gather(const Host& host, const Result<ChosenField>& chosen);

  /// All blocks, by rank and number.
  [[nodiscard]] const std::vector<SpreadBlock>& blocks() const { return blocks_; }
  [[nodiscard]] const ChosenField& chosen() const { return *chosen_; }

  /// The boxes that a rank wants: the same answer on all ranks.
  using Wanted = std::function<std::vector<Box>(int rank)>;
  /// One variable's values of the boxes that this rank wants: components fastest, then i, j, k.
  using Values = std::vector<Buffer<std::byte>>;

  /// Memory for the values of a variable in boxes. Throws std::bad_alloc.
  [[nodiscard]] Values room_for(std::size_t variable, const std::vector<Box>& boxes) const;

  /// Collective. Fills room_for() of each variable that was chosen. Memory besides: what goes to and comes from other
  /// ranks, of one variable. Fails on all ranks if one has no memory for that.
  [[nodiscard]] Result<void> fetch(const Wanted& wanted, std::span<Values> values) const;

private:
  /// What goes to and comes from each rank.
  struct Traffic
  {
    std::vector<Buffer<std::byte>> sent;
    std::vector<Buffer<std::byte>> received;
  };

  SpreadField(const Host& host, const ChosenField& chosen)
    : host_(host)
    , chosen_(&chosen)
  {
  }
  [[nodiscard]] std::int64_t bytes_of(std::size_t variable, const Box& box) const;
  void copy_points(std::size_t variable, int block, const Box& points, const Box& into, std::byte* values) const;
  template <class Message>
  void for_messages(int from, int to, const Wanted& wanted, const Message& message) const;
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
