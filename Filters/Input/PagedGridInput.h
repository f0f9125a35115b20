// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A curvilinear grid in a field file, with the places of its nodes and its vectors paged in by bricks, as the input of
/// a flow. Other curvilinear grids are cells in memory (CellsInput.h).
#pragma once

#include "Filters/Input/DatasetInput.h"

class vtkStructuredGrid;

namespace rivulet
{

class PagedGridInput final : public DatasetInput
{
public:
  /// nullptr unless points and vectors are all of one open field, with bricks cut alike.
  [[nodiscard]] static std::unique_ptr<PagedGridInput> of(
      vtkDataSet& dataset, const ChosenVectors& vectors, MeshCache& cache);

  /// Reads bounds of the bricks of nodes.
  [[nodiscard]] Result<void> describe(TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] Result<std::unique_ptr<InputKind>> joined() const override;

private:
  PagedGridInput(vtkStructuredGrid& grid, MeshCache& cache);

  vtkStructuredGrid& grid_;
  MeshCache& cache_;
};

} // namespace rivulet
