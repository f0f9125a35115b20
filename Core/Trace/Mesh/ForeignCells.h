// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells in memory that another library knows: it finds the cell with a place, and weighs the cell's nodes there.
///
///     class Tetrahedra final : public ForeignCells { ... };
///     field.foreign = std::make_shared<Tetrahedra>(...);
///
/// The answers of find() and weigh() may depend on their arguments only, so that lines do not depend on threads.
///
/// Threads: every function may be called from any thread. Units: world.
#pragma once

#include "Base/Box.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet
{

/// A cell's nodes and their weights at a place.
struct CellWeights
{
  std::vector<std::int64_t> nodes;
  std::vector<double> weights; ///< of each node; their sum is 1
  std::vector<Vec3> gradients; ///< derivatives of each node's weight by x, y and z
};

class ForeignCells
{
public:
  ForeignCells() = default;
  ForeignCells(const ForeignCells&) = delete;
  ForeignCells& operator=(const ForeignCells&) = delete;
  virtual ~ForeignCells() = default;

  [[nodiscard]] virtual std::int64_t cells() const = 0;
  [[nodiscard]] virtual std::int64_t nodes() const = 0;

  /// Number of a cell with a place that is not hidden; -1: there is none. `before`: the cell of a place nearby, which
  /// is the answer if it has this place, too; -1: not known. Sets nodes and weights.
  [[nodiscard]] virtual std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const = 0;
  /// Sets nodes and weights, and if asked for gradients, at a place in a cell.
  virtual void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const = 0;

  /// Sides of the cell's bounding box.
  [[nodiscard]] virtual Vec3 cell_sides(std::int64_t cell) const = 0;
  /// Names of the kinds of cells, for users, separated by commas.
  [[nodiscard]] virtual std::string kinds() const = 0;
  /// Whether single precision resolves less than a hundredth of a cell at some place.
  [[nodiscard]] virtual bool needs_doubles() const = 0;
};

} // namespace rivulet
