// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Datasets of any kind as the input of a flow: one mesh of all their cells (InputCells.h).
#pragma once

#include "Filters/Input/InputKind.h"

namespace rivulet
{

class CellsInput final : public InputKind
{
public:
  CellsInput(std::vector<InputBlock> blocks, MeshCache& cache)
    : blocks_(std::move(blocks))
    , cache_(cache)
  {
  }

  [[nodiscard]] vtkDataSet& first() const override { return *blocks_.front().dataset; }
  [[nodiscard]] std::vector<InputBlock> blocks() const override { return blocks_; }
  /// Fails as InputCells::of().
  [[nodiscard]] Result<void> describe(TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] double longest_side(const TraceField& field) const override;
  /// Fails as row_of().
  [[nodiscard]] Result<SourceArray> add(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering) override;
  [[nodiscard]] Result<SourceArray> add_joined(
      InputSources& sources, const TraceField& field, const ChosenVectors& vectors) override;

private:
  std::vector<InputBlock> blocks_;
  MeshCache& cache_;
};

} // namespace rivulet
