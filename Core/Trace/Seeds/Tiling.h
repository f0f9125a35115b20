// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The whole field cut into pieces for workers: tiles are bricks, or parts of large ones; a box of tiles is one piece.
/// Nothing is stored per tile, so that a field of any size can be cut.
///
///     const Tiling tiling(context);
///     for (std::int64_t block = 0; block < tiling.blocks(); ++block)
///       for (const Tile& tile : tiling.tiles_of(block)) search(tile.cells);
///
/// The cut depends on the field alone. Immutable; may be shared by threads. The context must outlive it.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"

namespace rivulet
{

struct Tile
{
  std::int64_t order = 0; ///< position of its brick on the storage
  std::int64_t brick = 0;
  Box cells; ///< cells of the dataset
};

class Tiling
{
public:
  explicit Tiling(const AdvectionContext& context);

  [[nodiscard]] std::int64_t blocks() const { return volume(block_counts()); }

  /// Tiles with cells of the dataset of one box of tiles, in storage order.
  [[nodiscard]] std::vector<Tile> tiles_of(std::int64_t block) const;

private:
  [[nodiscard]] Int3 block_counts() const;
  [[nodiscard]] Tile tile_at(const Int3& at) const;

  const AdvectionContext& context_;
  Int3 per_brick_{ 1, 1, 1 };
  Int3 tiles_{ 1, 1, 1 };
  std::int32_t edge_ = 1; ///< edge of a box of tiles, in tiles
};

} // namespace rivulet
