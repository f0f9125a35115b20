// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays that are in memory already, as a BrickSource of one brick each: no copies, no I/O, the same tracing code.
#pragma once

#include "Store/Source/BrickSource.h"

namespace rivulet
{

/// One array in memory: components fastest, then i, j, k. Must outlive the source.
struct MemoryArray
{
  Variable variable;
  const void* values = nullptr;
};

class ArrayBricks final : public BrickSource
{
public:
  /// All arrays live on `grid` (node- or cell-centred each); there is one step.
  ArrayBricks(const Grid& grid, std::vector<MemoryArray> arrays);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override
  {
    return grids_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  std::vector<MemoryArray> arrays_;
  std::vector<BrickGrid> grids_;
};

} // namespace rivulet
