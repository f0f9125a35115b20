// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One array put together from parts of other sources: components (three scalars are a vector), or boxes of the lattice
/// (blocks that tile a domain are one field). A brick is joined on demand and kept in a cache. Parts are not copied as
/// a whole, and of paged parts only the needed bricks are read. If parts may have to wait for storage, threads of this
/// source join bricks while the callers do other work. Else the calling thread joins them.
///
///     std::vector<JoinedPart> parts;
///     parts.push_back({ .source = u, .component = 0, .box = all });
///     parts.push_back({ .source = v, .component = 1, .box = all });
///     JoinedBricks velocity({ .grid = grid, .variable = vector_of(3), .held = all }, std::move(parts));
///
/// Parts of one field with a cut of its own (BrickSource::own_cut()) keep that field's bricks; only their components
/// are joined.
///
/// As a BudgetedStore this is the cache only: values read for it are counted by their reader.
///
/// Threads, lifetime and errors as in BrickSource.h.
#pragma once

#include "Store/Cache/DerivedCache.h"
#include "Store/Source/BudgetedStore.h"

#include <memory>
#include <vector>

namespace rivulet
{

/// The part of the joined array that one source has.
struct JoinedPart
{
  std::shared_ptr<BrickSource> source;
  std::int32_t variable = 0;
  std::int32_t step = 0;      ///< without meaning if the joined array has several
  std::int32_t component = 0; ///< component of the joined array for its first component; its others follow
  Box box{};                  ///< box of the joined lattice; without meaning with a cut of their own
  Int3 from{ 0, 0, 0 };       ///< lattice point of the source for box.begin
};

/// The joined array.
struct JoinedLayout
{
  Grid grid;                   ///< the grid, counted as the other sources of a run: from the lattice point (0, 0, 0)
  Variable variable;           ///< components without a part are 0
  Box held;                    ///< lattice points with values
  bool may_wait = false;       ///< whether parts are read from storage
  double ignore_above = 0.0;   ///< values with larger absolute values become NaN; 0: none do
  std::vector<double> times{}; ///< of the steps that all parts have; empty: each part has the one step that it names
  bool cut_by_grid = false;    ///< whether the cut into bricks depends on the grid alone; not with a cut of their own
};

class JoinedBricks final : public BrickSource, public BudgetedStore, private BrickLoader
{
public:
  static constexpr std::int32_t kBrickCells = 16; ///< cells along each axis, if the first part's bricks cannot be used

  /// At least one part.
  JoinedBricks(JoinedLayout layout, std::vector<JoinedPart> parts);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return cut_.bricks; }
  [[nodiscard]] const BrickCut* own_cut() const override { return parts_.front().source->own_cut(); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return cache_.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    cache_.request(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override { cache_.withdraw(waiter); }
  void prepare(const Workload& workload) override;
  [[nodiscard]] std::int64_t bricks_at_once() const override
  {
    return cache_.memory_budget() / std::max<std::int64_t>(1, cache_.slot_bytes());
  }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override;
  [[nodiscard]] Result<void> health() override;

  [[nodiscard]] std::string path() const override { return {}; }
  [[nodiscard]] std::int64_t memory_budget() const override { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override { cache_.set_memory_budget(bytes); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * cache_.slot_bytes(); }
  /// Hits, misses and memory of the cache.
  [[nodiscard]] SourceStatistics statistics() const override { return cache_.statistics(); }

private:
  /// A cut of the joined lattice, and whether it is that of the first part.
  struct Cut
  {
    BrickGrid bricks;
    bool of_part = false;
  };
  [[nodiscard]] static Cut cut(const JoinedLayout& layout, const JoinedPart& first);
  [[nodiscard]] std::int64_t largest_brick() const;
  [[nodiscard]] std::function<std::int64_t(const BrickKey&)> bytes_of_bricks() const;
  [[nodiscard]] std::int32_t step_of(const JoinedPart& part, const BrickKey& key) const
  {
    return layout_.times.empty() ? part.step : key.step;
  }
  [[nodiscard]] int at_once() const;
  [[nodiscard]] Box lattice_of(std::int64_t brick) const;
  [[nodiscard]] BrickView view_of(const Box& box, std::byte* slot) const;
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override;
  [[nodiscard]] Result<void> join(const JoinedPart& part, std::int32_t step, const BrickView& to) const;
  [[nodiscard]] Result<LoadedBrick> load_in_own_cut(const BrickKey& key, std::byte* slot) const;
  void unpin(void* token) override { cache_.unpin(token); }

  JoinedLayout layout_;
  std::vector<JoinedPart> parts_;
  FieldInfo info_;
  Cut cut_;
  DerivedCache cache_; ///< last member: its threads use the members above until it is destroyed
};

} // namespace rivulet
