// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Kind of an input: which grid or mesh its cells make, and how its arrays become sources. One class for each: a
/// dataset (DatasetInput.h), levels (LevelsInput.h), blocks that tile a box (BlocksInput.h), cells of any kind
/// (CellsInput.h).
///
/// Threads: the one that called RequestData. Lifetime: datasets must outlive it.
#pragma once

#include "Filters/Input/ChosenVectors.h"
#include "Filters/Input/InputBlocks.h"
#include "Filters/Input/InputSources.h"

#include <array>
#include <memory>
#include <vector>

namespace rivulet
{

class InputKind
{
public:
  InputKind() = default;
  InputKind(const InputKind&) = delete;
  InputKind& operator=(const InputKind&) = delete;
  virtual ~InputKind() = default;

  /// The input, or its first block, whose arrays stand for the arrays of all blocks. Chosen vectors are its arrays.
  [[nodiscard]] virtual vtkDataSet& first() const = 0;
  /// The blocks of which this process has some; empty if the input is one dataset.
  [[nodiscard]] virtual std::vector<InputBlock> blocks() const { return {}; }

  /// Grid or mesh, hidden cells, and the lattice point from which sources count.
  [[nodiscard]] virtual Result<void> describe(TraceField& field, const ChosenVectors& vectors) = 0;
  /// Centering of the vectors between nodes, as Core has it.
  [[nodiscard]] virtual Centering centering_of(const ChosenVectors& vectors) const { return vectors.centering; }
  /// Whether arrays of cells are interpolated between nodes, too.
  [[nodiscard]] virtual bool interpolates_cells() const { return false; }
  /// Longest side of the bounds of the domain, in world units.
  [[nodiscard]] virtual double longest_side(const TraceField& field) const = 0;

  /// The source of an array, which is one of first().
  [[nodiscard]] virtual Result<SourceArray> add(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering) = 0;
  /// The source of vectors that are made of scalars, or of which large values stand for missing ones.
  [[nodiscard]] virtual Result<SourceArray> add_joined(
      InputSources& sources, const TraceField& field, const ChosenVectors& vectors) = 0;

  /// See FlowInput::joined(). Fails with Unsupported for levels, blocks and cells.
  [[nodiscard]] virtual Result<std::unique_ptr<InputKind>> joined() const;
  /// See FlowInput::cut_into(). Fails with Unsupported for all but levels.
  [[nodiscard]] virtual Result<std::unique_ptr<InputKind>> cut_into(std::shared_ptr<const AmrMesh> bricks) const;

  /// Mesh of the levels, and the mesh of the bricks, which may be finer; nullptr if the input has none.
  [[nodiscard]] virtual std::shared_ptr<const AmrMesh> amr_mesh() const { return nullptr; }
  [[nodiscard]] virtual std::shared_ptr<const AmrMesh> mesh_of_bricks() const { return nullptr; }

protected:
  /// add(), or the same source as before for the same array.
  [[nodiscard]] Result<SourceArray> add_once(
      InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering);

  friend class FlowInput;
};

/// The array; if its type differs between blocks, `like`, which becomes an array of doubles without values, with its
/// name and components.
[[nodiscard]] vtkDataArray& common_array(
    const std::vector<InputBlock>& blocks, vtkDataArray& array, Centering centering, vtkDataArray& like);

/// Longest side of bounds as in VTK: x min, x max, y min, ...
[[nodiscard]] double longest_side_of(const std::array<double, 6>& bounds);

/// Parts of vectors: for each component with an array the parts that `parts_of` adds for it.
template <class PartsOf>
[[nodiscard]] Result<std::vector<JoinedPart>> parts_of_components(const ChosenVectors& vectors, const PartsOf& parts_of)
{
  std::vector<JoinedPart> parts;
  for (std::size_t axis = 0; axis < vectors.arrays.size(); ++axis)
  {
    vtkDataArray* const array = vectors.arrays[axis];
    Result<void> added = array != nullptr ? parts_of(*array, static_cast<std::int32_t>(axis), parts) : Result<void>{};
    if (!added)
    {
      return forward_error(added);
    }
  }
  return parts;
}

} // namespace rivulet
