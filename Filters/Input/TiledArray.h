// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK data array of any type and memory layout on a structured dataset, as bricks of doubles (floats if the array
/// holds floats). A tile is one such brick. It is converted on demand and deleted with its pin, so that the whole array
/// is never copied. For arrays that Pipeline/SourceArrays would have to copy.
///
/// Threads: as BrickSource. The array's elements are read from all threads at once, which VTK's arrays and lazily paged
/// ones allow.
#pragma once

#include "Base/Result.h"
#include "Store/Source/BudgetedStore.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace rivulet
{

/// Memory of the tiles of all arrays of a flow, in bytes, in the process's account. Each worker pins one tile at a
/// time, so that the budget has no effect.
class TileMemory final : public BudgetedStore
{
public:
  /// Adds an array; its largest tile takes `bytes`.
  void expect(std::int64_t bytes) { largest_ = std::max(largest_, bytes); }
  void take(std::int64_t bytes);
  void give_back(std::int64_t bytes);

  [[nodiscard]] std::string path() const override { return {}; }
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_; }
  void set_memory_budget(std::int64_t bytes) override { budget_ = bytes; }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * largest_; }
  [[nodiscard]] SourceStatistics statistics() const override { return { .peak_bytes = peak_ }; }

private:
  std::int64_t budget_ = 0;
  std::int64_t largest_ = 0;
  std::atomic<std::int64_t> held_{ 0 };
  std::atomic<std::int64_t> peak_{ 0 };
};

class TiledArray final : public BrickSource
{
public:
  static constexpr std::int32_t kTileCells = 16; ///< cells along each axis

  /// `array` has one tuple per lattice point of `grid`; its tuple 0 is the lattice point `lattice_offset` of the
  /// source.
  TiledArray(vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset,
      std::shared_ptr<TileMemory> memory);

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void* token) override;
  [[nodiscard]] Box lattice_of(std::int64_t tile) const;
  [[nodiscard]] std::int64_t tile_bytes() const; ///< bytes of the largest tile
  template <class Scalar>
  void copy(const Box& box, Scalar* out) const;

  vtkSmartPointer<vtkDataArray> array_;
  Box held_; ///< lattice points of the array
  FieldInfo info_;
  BrickGrid bricks_;
  std::shared_ptr<TileMemory> memory_;
};

/// Whether the values can be used in place: float or double, in VTK's standard memory layout.
[[nodiscard]] bool is_plain(const vtkDataArray& array);

} // namespace rivulet
