// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cells of an input's datasets as one mesh: numbered one dataset after the other, and so are their points.
///
///     Result<std::shared_ptr<const InputCells>> cells = InputCells::of(blocks);
///
/// Cells of curvilinear grids are CurvilinearCells, of unstructured grids UnstructuredCells, all others VtkCells. A
/// place belongs to a cell of the dataset of the cell before, if one has it, else to one of the first other dataset
/// that has one. Cells are never found if they are hidden or refined, use a hidden point, are copies of another piece's
/// (vtkGhostType), or have a lower dimension than the others.
///
/// Lifetime: keeps the structure of the datasets, which must not change, and none of their values. Threads: as
/// ForeignCells.
#pragma once

#include "Filters/Input/InputBlocks.h"
#include "Trace/Mesh/CurvilinearCells.h"
#include "Trace/Mesh/UnstructuredCells.h"

#include <memory>

namespace rivulet
{

class InputCells final : public ForeignCells
{
public:
  /// Fails with BadArgument if there is no cell, a point has a coordinate that is not finite, or vtkGhostType is not
  /// one byte for each cell or point.
  [[nodiscard]] static Result<std::shared_ptr<const InputCells>> of(const std::vector<InputBlock>& blocks);

  /// Whether the datasets have these cells, at the same places, and nothing was changed in place since they were taken.
  [[nodiscard]] bool are_of(const std::vector<InputBlock>& blocks) const;

  /// The same cells at the places that the datasets have now; nullptr if they are not the same, or cannot be moved:
  /// only UnstructuredCells of one dataset can.
  [[nodiscard]] Result<std::shared_ptr<const InputCells>> moved(const std::vector<InputBlock>& blocks) const;

  /// The cells, if they are all of the cells of one curvilinear grid; else nullptr.
  [[nodiscard]] std::shared_ptr<const CurvilinearCells> one_grid() const
  {
    return parts_.size() == 1 ? parts_.front().lattice : nullptr;
  }
  /// The cells of the only dataset; nullptr if there are several.
  [[nodiscard]] std::shared_ptr<const ForeignCells> of_one() const
  {
    return parts_.size() == 1 ? parts_.front().cells : nullptr;
  }

  [[nodiscard]] std::int64_t cells() const override { return cells_; }
  [[nodiscard]] std::int64_t nodes() const override { return nodes_; }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  [[nodiscard]] std::string kinds() const override;
  [[nodiscard]] bool needs_doubles() const override;

private:
  /// One dataset.
  struct Part
  {
    vtkSmartPointer<vtkDataSet> dataset;             ///< without values
    std::shared_ptr<const ForeignCells> cells;       ///< nullptr: it has none
    std::shared_ptr<const CurvilinearCells> lattice; ///< the same, of a curvilinear grid; else nullptr
    std::shared_ptr<const UnstructuredCells> own;    ///< the same, of an unstructured grid; else nullptr
    std::vector<bool> left_out;                      ///< cells that are never found; empty: none
    std::int64_t first_cell = 0;
    std::int64_t first_node = 0;
    vtkMTimeType built = 0; ///< last change of the structure, which the pipeline shares
  };

  InputCells() = default;
  [[nodiscard]] static Part part_without_cells(vtkDataSet& dataset, std::vector<bool> left_out);
  /// `dimension`: of the mesh.
  [[nodiscard]] Result<void> add(vtkDataSet& dataset, int dimension);
  [[nodiscard]] const Part& part_of(std::int64_t cell) const;
  [[nodiscard]] static std::int64_t find_in(const Part& part, const Vec3& world, std::int64_t before, CellWeights& at);

  std::vector<Part> parts_;
  std::int64_t cells_ = 0;
  std::int64_t nodes_ = 0;
};

} // namespace rivulet
