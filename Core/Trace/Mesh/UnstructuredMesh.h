// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of unstructured cells in memory (UnstructuredCells.h): foreign cells whose shapes the kernel knows.
#pragma once

#include "Trace/Mesh/ForeignMesh.h"
#include "Trace/Mesh/UnstructuredCells.h"

#include <atomic>

namespace rivulet
{

class UnstructuredMesh final : public ForeignMesh
{
public:
  explicit UnstructuredMesh(std::shared_ptr<const UnstructuredCells> cells)
    : ForeignMesh(cells)
    , own_(*cells)
  {
  }

  [[nodiscard]] const UnstructuredCells& own() const { return own_; }
  [[nodiscard]] std::optional<Place> enter(const Vec3& world, const Moment& moment) const override;
  [[nodiscard]] std::int64_t sort_number(const Position& at) const override
  {
    return own_.sort_number(at.as<WorldPosition>().point);
  }
  void interpolate(const BrickView& brick, Centering centering, const Position& at, const Moment& moment,
      double* values) const override;
  [[nodiscard]] SearchCounts searches() const override { return { 0, seeks_.load(), 0 }; }
  /// Counts a search of all cells.
  void note_seek() const { seeks_.fetch_add(1, std::memory_order_relaxed); }
  void advance(const KernelCall& call) const override;

private:
  const UnstructuredCells& own_;
  mutable std::atomic<std::int64_t> seeks_{ 0 };
};

} // namespace rivulet
