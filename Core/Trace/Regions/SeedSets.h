// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds of a query: lattices of any size and given points, in blocks. A seed of a set for one source region is
/// released if it is in that region, and belongs to it alone; so the numbers of a region do not depend on the others. A
/// seed of any other set belongs to each source region that it is in, and is released if there is one.
///
///     SeedSet set = *lattice_seeds(region.bounds, field.grid, 0.1);   // at most 0.1 apart
///     set.source = 2;                                                 // in source region 2 only
///
/// Seeds are numbered set by set: nodes of a lattice row-major, points in their order. They are made on demand, block
/// by block: boxes of 8 nodes along each axis, or runs of 512 points, because neighbours share bricks.
#pragma once

#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Regions/Region.h"

#include <variant>

namespace rivulet
{

struct SeedSet
{
  static constexpr std::int32_t kAnySource = -1;

  std::variant<std::vector<Vec3>, Grid> places; ///< points, or the nodes of a lattice
  std::int32_t source = kAnySource;
};

/// A lattice of centres of equal boxes that fill some bounds within a grid; they are cubes as far as they fit. Without
/// a node where the bounds are empty or outside the grid; with one along an axis without extent. Fails with
/// BadArgument if the spacing is not above 0 or too small, if the grid is a plane or line not along the axes, and as
/// GridGeometry::create().
[[nodiscard]] Result<SeedSet> lattice_seeds(const WorldBox& bounds, const Grid& grid, double spacing);
/// The same with about a number of nodes, at least one.
[[nodiscard]] Result<SeedSet> lattice_seeds(const WorldBox& bounds, const Grid& grid, std::int64_t number);

/// The seeds of several sets. Immutable.
class SeedBlocks
{
public:
  static constexpr std::int64_t kInBlock = 512; ///< largest number of seeds of a block

  /// Fails with BadArgument for a source region that does not exist, points that are not finite, more seeds than 2^62,
  /// and as GridGeometry::create().
  [[nodiscard]] static Result<SeedBlocks> create(std::vector<SeedSet> sets, std::vector<Region> sources);

  /// Number of blocks.
  [[nodiscard]] std::int64_t count() const
  {
    return parts_.empty() ? 0 : parts_.back().first_block + parts_.back().blocks;
  }

  /// Where a seed is, and to which source regions it belongs.
  struct Seed
  {
    std::int64_t id = 0;
    Vec3 point{ 0, 0, 0 };
    bool in_field = false;
    std::span<const std::int32_t> sources; ///< at least one; valid during the visit
  };
  /// Visits the seeds of a block that belong to a source region, in the field or not (then label regions do not count).
  /// May wait for bricks. Throws std::bad_alloc.
  void visit(
      std::int64_t block, const Mesh& mesh, const Moment& moment, const std::function<void(const Seed&)>& take) const;

  [[nodiscard]] const std::vector<Region>& sources() const { return sources_; }

private:
  /// One set.
  struct Part
  {
    SeedSet set;
    std::optional<GridGeometry> lattice{}; ///< none: points
    Int3 blocks_along{ 0, 0, 0 };
    std::int64_t blocks = 0;
    std::int64_t first_block = 0;
    std::int64_t first_seed = 0;
    WorldBox bounds{}; ///< of its source region, or of all
  };

  static void collect(const Part& part, std::int64_t own, std::vector<std::int64_t>& ids, std::vector<Vec3>& points);
  /// `is_in`: whether a region has the seed.
  template <class IsIn>
  void add_sources(const Part& part, const IsIn& is_in, std::vector<std::int32_t>& found) const;

  std::vector<Region> sources_;
  std::vector<Part> parts_;
};

} // namespace rivulet
