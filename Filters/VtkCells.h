// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells of VTK's datasets of any kind, found and weighed by VTK itself. Several datasets are one mesh: their cells and
/// points are numbered one dataset after the other.
///
///     Result<std::shared_ptr<VtkCells>> cells = VtkCells::of(blocks);
///
/// A place belongs to the cell before if that has it, else to a cell of the same dataset, else to one of the first
/// other dataset that has one. Cells that are hidden, use a hidden point, or are copies of another piece's
/// (vtkGhostType) are never found.
///
/// Polyhedra are evaluated by one thread at a time: VTK draws random rays for them, from one sequence for all threads.
/// The sequence begins anew for each place, so that the answer depends on the place alone.
///
/// Lifetime: keeps the structure of the datasets, which must not change, and none of their values. Threads: as
/// ForeignCells.
#pragma once

#include "Filters/InputBlocks.h"
#include "Trace/Mesh/ForeignCells.h"

#include <memory>
#include <mutex>
#include <set>

class vtkGenericCell;
class vtkStaticCellLocator;

namespace rivulet
{

class VtkCells final : public ForeignCells
{
public:
  /// Fails with BadArgument if there is no cell, a point has a coordinate that is not finite, or vtkGhostType is not
  /// one byte for each cell or point.
  [[nodiscard]] static Result<std::shared_ptr<const VtkCells>> of(const std::vector<InputBlock>& blocks);
  ~VtkCells() override;

  /// Whether the datasets have these cells, at the same places, and nothing was changed in place since they were taken.
  [[nodiscard]] bool are_of(const std::vector<InputBlock>& blocks) const;

  [[nodiscard]] std::int64_t cells() const override { return cells_; }
  [[nodiscard]] std::int64_t nodes() const override { return nodes_; }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  /// Names of VTK's classes.
  [[nodiscard]] std::string kinds() const override;
  [[nodiscard]] bool needs_doubles() const override { return needs_doubles_; }

private:
  /// One dataset.
  struct Part
  {
    vtkSmartPointer<vtkDataSet> dataset;
    vtkSmartPointer<vtkStaticCellLocator> locator;
    std::vector<bool> left_out; ///< cells that are never found; empty: none
    std::int64_t first_cell = 0;
    std::int64_t first_node = 0;
    std::size_t most_points = 1; ///< of a cell
    vtkMTimeType built = 0;      ///< last change of the structure, which the pipeline shares
    double tolerance = 0.0;      ///< squared distance from a cell at which a place counts as in it
  };

  VtkCells() = default;
  /// Waits for other threads, if there are polyhedra.
  class Turn;
  [[nodiscard]] Result<void> add(vtkDataSet& dataset);
  void choose_precision();
  [[nodiscard]] const Part& part_of(std::int64_t cell) const;
  [[nodiscard]] static bool is_in(const Part& part, vtkIdType cell, const Vec3& world, CellWeights& at);
  [[nodiscard]] static vtkIdType find_in(const Part& part, const Vec3& world, CellWeights& at);

  std::vector<Part> parts_;
  std::int64_t cells_ = 0;
  std::int64_t nodes_ = 0;
  bool needs_doubles_ = false;
  std::set<int> types_;          ///< of all cells
  std::set<std::string> kinds_;  ///< names of their classes
  mutable std::mutex polyhedra_; ///< held while one may be evaluated
};

} // namespace rivulet
