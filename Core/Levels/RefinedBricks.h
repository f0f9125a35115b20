// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One array of a refined grid as a source of bricks that lines can be traced through: the bricks of the RefinedGrid,
/// with values at their nodes (NodeValues.h), put together when they are wanted, in a cache.
///
/// The lattice of a brick's view counts the nodes of the brick's level from the domain's corner. info() describes the
/// coarsest level.
///
/// Threads, lifetime and errors as in BrickSource.h.
#pragma once

#include "Levels/NodeValues.h"
#include "Store/BrickCache.h"

namespace rivulet
{

class RefinedBricks final : public BrickSource, private BrickLoader
{
public:
  /// `cache_bytes`: for bricks that were put together.
  RefinedBricks(
      std::shared_ptr<const RefinedGrid> grid, std::shared_ptr<PatchValues> patches, std::int64_t cache_bytes);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] const RefinedGrid* refinement() const override { return grid_.get(); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { cache_.request(key, waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override;

private:
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override;
  void unpin(void* token) override { cache_.unpin(token); }

  std::shared_ptr<const RefinedGrid> grid_;
  std::shared_ptr<PatchValues> patches_;
  FieldInfo info_;
  BrickGrid bricks_;
  BrickCache cache_;
};

} // namespace rivulet
