// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays in memory as a BrickSource of one brick each: no copies, no I/O.
#pragma once

#include "Store/Source/BrickSource.h"

#include <memory>

namespace rivulet
{

/// One array in memory: components fastest, then i, j, k. The values must outlive the source, which keeps their owner.
struct MemoryArray
{
  Variable variable;
  const void* values = nullptr;
  std::shared_ptr<const void> owner = {};
};

class ArrayBricks final : public BrickSource
{
public:
  /// All arrays live on `grid` (node- or cell-centred each), whose first lattice point is `first` of the source; there
  /// is one step.
  ArrayBricks(const Grid& grid, std::vector<MemoryArray> arrays, const Int3& first = { 0, 0, 0 });

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override
  {
    return grids_[static_cast<std::size_t>(variable)];
  }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  Int3 first_;
  std::vector<MemoryArray> arrays_;
  std::vector<BrickGrid> grids_;
};

} // namespace rivulet
