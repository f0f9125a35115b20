// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The nodes of a curvilinear grid in bricks, and the search for the cell with a place.
///
///     const auto grid = CurvilinearGrid::create({ source, variable, step }, CurvilinearGrid::kWholeBricks);
///     std::shared_ptr<const Error> error = (*grid)->seek(places, hidden, found);
///
/// A search reads the bricks whose boxes have one of the places, many together. Of all cells that have it within
/// kOnFace it takes the one with the lowest number, which does not depend on the cut. Hidden cells are left out, cells
/// without volume, and inverted ones if there are others.
///
/// Memory: 40 bytes for each leaf of the tree: a brick, or a part of it. Threads: any. The source must outlive this.
/// Units: world; tolerances: share of the cell.
#pragma once

#include "Base/PlacesMeasure.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Mesh/BrickCorners.h"
#include "Trace/Mesh/WorldBoxTree.h"

#include <functional>
#include <memory>
#include <span>

namespace rivulet
{

/// Parts of a leaf of few cells each, with boxes around their nodes at all moments that the corners have: for several
/// searches in one leaf. A leaf that is one part keeps the box it came with.
class LeafParts
{
public:
  static constexpr std::int32_t kCells = 4; ///< along each axis, at most

  LeafParts(const Box& cells, const WorldBox& box, const BrickCorners& corners);

  /// Calls use(cells, box) for each part that may have the place.
  template <class Use>
  void visit(const Vec3& place, const Use& use) const
  {
    for (const Part& part : parts_)
    {
      if (part.box.contains(place))
      {
        use(part.cells, part.box);
      }
    }
  }

private:
  struct Part
  {
    Box cells;
    WorldBox box;
  };

  std::vector<Part> parts_;
};

class CurvilinearGrid
{
public:
  /// A place in a cell.
  struct Found
  {
    std::int64_t cell = -1; ///< row-major; -1: none
    Vec3 at{ 0, 0, 0 };     ///< parametric
  };
  using Hidden = std::function<bool(const Int3& cell)>;

  /// Cells along each axis of a leaf. Small ones for a grid in memory, where each costs little.
  static constexpr std::int32_t kWholeBricks = std::numeric_limits<std::int32_t>::max();
  static constexpr std::int32_t kSmall = 4;

  /// Reads all nodes once, by some threads. `points`: three components at nodes, at least two along each axis. Fails
  /// with BadArgument if it is anything else, or if a coordinate is not finite; and as reading does.
  [[nodiscard]] static Result<std::shared_ptr<const CurvilinearGrid>> create(
      const SourceArray& points, std::int32_t leaf = kWholeBricks, int threads = 1);
  /// The same without reading: facts about each brick, in the order of their numbers.
  [[nodiscard]] static Result<std::shared_ptr<const CurvilinearGrid>> create(
      const SourceArray& points, std::span<const PlacesMeasure> of_bricks);

  [[nodiscard]] const SourceArray& points() const { return points_; }
  [[nodiscard]] const BrickGrid& cut() const { return cut_; }
  [[nodiscard]] Int3 counts() const ///< of cells
  {
    return { cut_.lattice[0] - 1, cut_.lattice[1] - 1, cut_.lattice[2] - 1 };
  }
  [[nodiscard]] std::int64_t brick_of(std::int64_t cell) const
  {
    return cut_.index_of_cell(from_row_major(cell, counts()));
  }
  /// Waits for the brick.
  [[nodiscard]] BrickPin pin(std::int64_t brick, std::shared_ptr<const Error>& error) const;
  [[nodiscard]] bool needs_doubles() const { return needs_doubles_; }
  /// Whether most cells are.
  [[nodiscard]] bool left_handed() const { return left_handed_; }
  /// A box around the nodes of a leaf.
  [[nodiscard]] WorldBox box_of_leaf(std::int32_t leaf) const { return tree_.box(static_cast<std::size_t>(leaf)); }
  [[nodiscard]] std::int32_t leaves() const { return static_cast<std::int32_t>(leaves_.size()); }

  /// The same grid with other boxes of its leaves, which all have the nodes of another time, too. pin() and the first
  /// seek() have the nodes of this time alone.
  [[nodiscard]] std::shared_ptr<const CurvilinearGrid> with_boxes(std::span<const WorldBox> boxes) const;

  /// Waits for bricks. Returns the first failure to read one: there may be cells all the same. Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<const Error> seek(
      std::span<const Vec3> places, const Hidden& hidden, std::span<Found> found) const;
  /// The same for one place, of a grid that is one brick.
  [[nodiscard]] Found seek(const Vec3& place, const BrickCorners& corners, const Hidden& hidden) const;

  // The same one leaf after the other, for callers that have their bricks.
  /// Calls visit(leaf) for the leaves whose boxes have the place, in the order of their numbers.
  template <class Visit>
  void visit_leaves(const Vec3& place, const Visit& visit) const
  {
    tree_.visit(place, [&](std::int64_t leaf) { visit(static_cast<std::int32_t>(leaf)); });
  }
  /// The first leaf after number `last` with a box that has the place, -1 being before all; -1: there is none.
  [[nodiscard]] std::int32_t next_leaf(const Vec3& world, std::int32_t last) const;
  [[nodiscard]] std::int64_t brick_of_leaf(std::int32_t leaf) const
  {
    return cut_.index_of_cell(leaves_[static_cast<std::size_t>(leaf)]);
  }
  [[nodiscard]] LeafParts parts_of(std::int32_t leaf, const BrickCorners& corners) const
  {
    return LeafParts(cells_of_leaf(leaf), box_of_leaf(leaf), corners);
  }
  /// Changes `best` if the leaf has a cell that is better. `corners`: of its brick, at the moment of the search.
  void seek_in_leaf(
      const LeafParts& leaf, const BrickCorners& corners, const Vec3& world, const Hidden& hidden, Found& best) const;

private:
  struct Facts;
  struct Visit;

  explicit CurvilinearGrid(const SourceArray& points);
  [[nodiscard]] static Result<std::shared_ptr<CurvilinearGrid>> begin(const SourceArray& points, std::int32_t leaf);
  void cut_into_leaves(std::int32_t side);
  [[nodiscard]] Box cells_of_brick(std::int64_t brick) const;
  [[nodiscard]] Box cells_of_leaf(std::int32_t leaf) const;
  [[nodiscard]] Result<PlacesMeasure> look_at(std::int32_t leaf) const;
  void learn(const Facts& facts);
  void seek_in(const Box& cells, const WorldBox& box, const BrickCorners& corners, const Vec3& world,
      const Hidden& hidden, Found& best) const;

  SourceArray points_;
  BrickGrid cut_;
  std::vector<Int3> leaves_;   ///< the first cell of each; neighbours together
  std::int32_t leaf_side_ = 0; ///< most cells along each axis
  WorldBoxTree tree_;          ///< of their boxes, in this order
  bool left_handed_ = false;
  bool needs_doubles_ = false;
};

} // namespace rivulet
