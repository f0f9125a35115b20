// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One array on an AMR mesh as a source of bricks: the bricks of the AmrMesh with values at their nodes
/// (NodeValues.h). A brick is assembled on demand and kept in a cache. If that may wait for storage
/// (PatchValues::at_once()), threads of this source assemble bricks while the threads that asked do other work. If all
/// values are in memory, the thread that asks assembles the brick.
///
/// The patches may have another mesh than the bricks, if every cell of theirs lies in cells of the bricks' mesh that
/// are as fine: for values of two time steps in the same bricks (MovingLevels.h).
///
/// As a BudgetedStore this is the cache only. Values that are read for it are counted by their reader.
///
/// A brick that could not be assembled stays failed. failed() tells the owner, which may replace this source.
///
/// The lattice of a view counts the nodes of the brick's level from the corner of the domain. info() describes the
/// coarsest level.
///
/// Threads, lifetime and errors as in BrickSource.h.
#pragma once

#include "AmrMesh/NodeValues.h"
#include "Store/Cache/DerivedCache.h"
#include "Store/Source/BudgetedStore.h"

#include <atomic>
#include <memory>

namespace rivulet
{

class AmrBricks final : public BrickSource, public BudgetedStore, private BrickLoader
{
public:
  /// `memory_budget` is in bytes, for assembled bricks; 0 means default_memory_budget().
  AmrBricks(
      const std::shared_ptr<const AmrMesh>& mesh, std::shared_ptr<PatchValues> patches, std::int64_t memory_budget)
    : AmrBricks(mesh, mesh, std::move(patches), memory_budget)
  {
  }
  /// `mesh`: of the bricks. `of_patches`: of the patches, with at least as many levels.
  AmrBricks(std::shared_ptr<const AmrMesh> mesh, std::shared_ptr<const AmrMesh> of_patches,
      std::shared_ptr<PatchValues> patches, std::int64_t memory_budget);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] const BrickCut* own_cut() const override { return mesh_.get(); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return cache_.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    cache_.request(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override { cache_.withdraw(waiter); }

  [[nodiscard]] std::string path() const override { return {}; }
  [[nodiscard]] std::int64_t memory_budget() const override { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override { cache_.set_memory_budget(bytes); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * cache_.slot_bytes(); }
  /// Hits, misses and memory of the cache.
  [[nodiscard]] SourceStatistics statistics() const override { return cache_.statistics(); }

  /// Whether any brick could not be assembled so far.
  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_relaxed); }

private:
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override;
  [[nodiscard]] Result<LoadedBrick> assemble(const LeafBrick& brick, std::byte* slot) const;
  void unpin(void* token) override { cache_.unpin(token); }

  std::shared_ptr<const AmrMesh> mesh_;
  std::shared_ptr<const AmrMesh> of_patches_;
  std::shared_ptr<PatchValues> patches_;
  FieldInfo info_;
  BrickGrid bricks_;
  std::atomic<bool> failed_{ false };
  DerivedCache cache_; ///< last member: its threads use the members above until it is destroyed
};

} // namespace rivulet
