// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One VTK array in memory as a BrickSource of a single brick that begins at any lattice point. Unlike
/// Store/ArrayBricks it keeps the array alive and can stand beside a lazily paged array of a part of a field.
///
/// Threads: as BrickSource.
#pragma once

#include "Store/Source/BrickSource.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

class MemoryBricks final : public BrickSource
{
public:
  /// `values` is float or double, components fastest, and holds the lattice of `grid` for `variable`.
  MemoryBricks(vtkDataArray& values, const Grid& grid, const Variable& variable, const Int3& lattice_offset);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] Lookup try_get(const BrickKey&) override
  {
    return { Lookup::State::Ready, BrickPin(this, nullptr, view_), nullptr };
  }
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  vtkSmartPointer<vtkDataArray> values_;
  FieldInfo info_;
  BrickGrid bricks_;
  BrickView view_;
};

} // namespace rivulet
