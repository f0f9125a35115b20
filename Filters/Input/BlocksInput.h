// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Blocks that tile a box as the input of a flow, as if they were one dataset. All arrays are joined brick by brick.
#pragma once

#include "Filters/Input/BlockLattice.h"
#include "Filters/Input/InputKind.h"

namespace rivulet
{

class BlocksInput final : public InputKind
{
public:
  explicit BlocksInput(BlockLattice lattice)
    : lattice_(std::move(lattice))
  {
  }

  [[nodiscard]] vtkDataSet& first() const override { return *lattice_.blocks.front().block.dataset; }
  [[nodiscard]] std::vector<InputBlock> blocks() const override;
  [[nodiscard]] Result<void> describe(TraceField& field, const ChosenVectors& vectors) override;
  [[nodiscard]] double longest_side(const TraceField& field) const override;
  /// Fails with NotFound if another block does not have the array.
  [[nodiscard]] Result<SourceArray> add(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering) override;
  [[nodiscard]] Result<SourceArray> add_joined(
      InputSources& sources, const TraceField& field, const ChosenVectors& vectors) override;

private:
  [[nodiscard]] Result<void> add_parts(InputSources& sources, vtkDataArray& array, Centering centering,
      std::int32_t component, std::vector<JoinedPart>& parts) const;

  BlockLattice lattice_;
};

} // namespace rivulet
