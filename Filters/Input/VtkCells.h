// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells of a VTK dataset of any kind, found and weighed by VTK's static cell locator.
///
///     const auto cells = std::make_shared<VtkCells>(dataset, std::vector<bool>{}, dimension_of(dataset));
///
/// A place belongs to the cell before if that has it, else to the first that the locator finds. Cells of lower
/// dimension than the mesh, as the faces of a border, have no places.
///
/// Polyhedra are evaluated by one thread at a time: VTK draws random rays for them, from one sequence for all threads.
/// The sequence begins anew for each place, so that the answer depends on the place alone.
///
/// Lifetime: keeps the dataset, whose structure must not change. Threads: as ForeignCells.
#pragma once

#include "Trace/Mesh/ForeignCells.h"
#include "vtkDataSet.h"
#include "vtkSmartPointer.h"

#include <set>

class vtkStaticCellLocator;

namespace rivulet
{

class VtkCells final : public ForeignCells
{
public:
  /// `dataset` has a cell. `left_out`: cells that are never found; empty: none. `dimension`: of the mesh.
  VtkCells(vtkDataSet& dataset, std::vector<bool> left_out, int dimension);
  ~VtkCells() override;

  [[nodiscard]] std::int64_t cells() const override { return dataset_->GetNumberOfCells(); }
  [[nodiscard]] std::int64_t nodes() const override { return dataset_->GetNumberOfPoints(); }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  /// Names of VTK's classes of cells that have places; empty if none has.
  [[nodiscard]] std::string kinds() const override;
  [[nodiscard]] bool needs_doubles() const override { return needs_doubles_; }

private:
  /// Waits for other threads, if there are polyhedra.
  class Turn;
  [[nodiscard]] bool is_left_out(vtkIdType cell) const
  {
    return !left_out_.empty() && left_out_[static_cast<std::size_t>(cell)];
  }
  void leave_out_lower(int dimension);
  void judge_precision(); ///< sets needs_doubles_ and tolerance_
  [[nodiscard]] bool is_in(vtkIdType cell, const Vec3& world, CellWeights& at) const;
  [[nodiscard]] vtkIdType seek(const Vec3& world, CellWeights& at) const;

  vtkSmartPointer<vtkDataSet> dataset_;
  vtkSmartPointer<vtkStaticCellLocator> locator_;
  std::vector<bool> left_out_;
  std::size_t most_points_; ///< of a cell
  double tolerance_;        ///< squared distance from a cell at which a place counts as in it
  bool needs_doubles_ = false;
  std::set<int> types_; ///< of the cells with places
};

/// Largest dimension of a cell; -1 if there is none.
[[nodiscard]] int dimension_of(vtkDataSet& dataset);

} // namespace rivulet
