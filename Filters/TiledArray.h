// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK data array of any type and memory layout on a structured dataset, as bricks of doubles (floats if the array
/// holds floats). A tile is converted on demand and deleted with its pin, so that the whole array is never copied. For
/// arrays that Pipeline/SourceArrays would have to copy.
///
/// Threads: as BrickSource. The array's elements are read from all threads at once, which VTK's arrays and lazily paged
/// ones allow.
#pragma once

#include "Base/Result.h"
#include "Store/BrickSource.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

class TiledArray final : public BrickSource
{
public:
  static constexpr std::int32_t kTileCells = 16; ///< cells along each axis

  /// `array` has one tuple per lattice point of `grid`; its tuple 0 is the lattice point `lattice_offset` of the
  /// source.
  TiledArray(vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void* token) override;
  [[nodiscard]] Box lattice_of(std::int64_t tile) const;
  template <class Scalar>
  void copy(const Box& box, Scalar* out) const;

  vtkSmartPointer<vtkDataArray> array_;
  Box held_; ///< lattice points of the array
  FieldInfo info_;
  BrickGrid bricks_;
};

/// Whether the values can be used in place: float or double, in VTK's standard memory layout.
[[nodiscard]] bool is_plain(const vtkDataArray& array);

} // namespace rivulet
