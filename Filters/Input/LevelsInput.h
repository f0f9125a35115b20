// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Levels of uniform grids (AMR) as the input of a flow. Values at points and at cells are interpolated between nodes
/// (AmrMesh/NodeValues.h).
#pragma once

#include "Filters/Input/InputKind.h"

namespace rivulet
{

class LevelsInput final : public InputKind
{
public:
  /// `cache` holds the bricks of all arrays of the flow, and must outlive it.
  LevelsInput(AmrBlocks levels, MeshCache& cache)
    : levels_(std::move(levels))
    , cache_(cache)
  {
  }

  [[nodiscard]] vtkDataSet& first() const override;
  [[nodiscard]] std::vector<InputBlock> blocks() const override;
  [[nodiscard]] Result<void> describe(TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] Centering centering_of(const ChosenVectors&) const override { return Centering::Node; }
  [[nodiscard]] bool interpolates_cells() const override { return true; }
  [[nodiscard]] double longest_side(const TraceField& field) const override;
  [[nodiscard]] Result<SourceArray> add(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering) override;
  [[nodiscard]] Result<SourceArray> add_joined(
      InputSources& sources, const TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] Result<std::unique_ptr<InputKind>> cut_into(std::shared_ptr<const AmrMesh> bricks) const override;
  [[nodiscard]] std::shared_ptr<const AmrMesh> amr_mesh() const override { return levels_.mesh; }
  [[nodiscard]] std::shared_ptr<const AmrMesh> mesh_of_bricks() const override { return levels_.cut; }

private:
  AmrBlocks levels_;
  MeshCache& cache_;
};

} // namespace rivulet
