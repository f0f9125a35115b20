// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The input of a flow filter: a structured dataset and the vectors to follow, as Core traces through them.
///
///     Result<Flow> flow = Flow::open(dataset, vectors, Centering::Node);
///     if (flow) flow->add_point_arrays();
///     trace_streamlines(flow->field(), ...);
///
/// Lazily paged arrays hand out their open field, plain ones serve from memory, others are converted tile by tile.
/// Values come from the arrays, everything else (geometry, ghosts) from the dataset at hand.
///
/// Lifetime: keeps the sources alive, not the dataset. Threads: the one that called RequestData.
#pragma once

#include "Filters/RefinedInput.h"
#include "Pipeline/SourceArrays.h"
#include "Store/BudgetedStore.h"
#include "Trace/Streamlines.h"

#include <vector>

class vtkDataArray;
class vtkDataSet;
class vtkDataSetAttributes;

namespace rivulet
{

class RefinedBricks;

class Flow
{
public:
  /// Unsupported for anything but vtkImageData and vtkRectilinearGrid; BadArgument unless `velocity`, which has 3
  /// components, has one value per point (or cell).
  [[nodiscard]] static Result<Flow> open(vtkDataSet* dataset, vtkDataArray* velocity, Centering centering);

  /// Vectors of levels of blocks, of points or cells: interpolated between nodes in both cases (Levels/NodeValues.h),
  /// so centering() is Node. `velocity` is the array of the first block that there is.
  [[nodiscard]] static Result<Flow> open(LevelBlocks levels, vtkDataArray* velocity, Centering centering);

  /// Asks for every numeric point array but ghosts and global ids, which mean nothing between points. Levels: cell
  /// arrays, too.
  [[nodiscard]] Result<void> add_point_arrays();

  [[nodiscard]] const TraceField& field() const { return field_; }
  [[nodiscard]] Centering centering() const { return centering_; }

  /// Of the domain's bounds.
  [[nodiscard]] double longest_side() const;

  /// The input's arrays in the order of field().attributes.
  [[nodiscard]] const std::vector<vtkDataArray*>& point_arrays() const { return point_arrays_; }

  /// What the input uses a point array for (vtkDataSetAttributes::AttributeTypes), or -1.
  [[nodiscard]] int attribute_type(vtkDataArray& array) const;

  /// The open fields that the arrays page from, each once; empty if all is in memory.
  [[nodiscard]] const std::vector<std::shared_ptr<LazyField>>& lazy_fields() const { return lazy_fields_; }

  /// What blocks of levels are read by when they are asked for, each once.
  [[nodiscard]] const std::vector<std::shared_ptr<BudgetedStore>>& stores() const { return stores_; }

  /// What blocks of levels are made into, one for each array.
  [[nodiscard]] const std::vector<std::shared_ptr<RefinedBricks>>& level_bricks() const { return level_bricks_; }

  /// Reads from `other`, which holds the same values, wherever `source` was read from.
  void replace_source(const BrickSource* source, std::shared_ptr<BrickSource> other);

private:
  Flow() = default;
  [[nodiscard]] Result<void> take_ghosts();
  [[nodiscard]] Result<SourceArray> add_array(vtkDataArray& array, Centering centering);
  [[nodiscard]] SourceArray add_levels(vtkDataArray& array, Centering centering);
  [[nodiscard]] Result<void> add_arrays(vtkDataSetAttributes& attributes, Centering centering);
  [[nodiscard]] bool pages(vtkDataArray& array, Centering centering) const;
  void choose_lattice_offset(vtkDataArray& velocity);

  vtkDataSet* dataset_ = nullptr;
  vtkDataArray* velocity_ = nullptr;
  LevelBlocks levels_; ///< without a grid unless the input has levels; dataset_ is one of the blocks then
  Centering centering_ = Centering::Node;
  TraceField field_;
  std::vector<vtkDataArray*> point_arrays_;
  std::vector<std::shared_ptr<BrickSource>> sources_;
  std::vector<std::shared_ptr<LazyField>> lazy_fields_;
  std::vector<std::shared_ptr<BudgetedStore>> stores_;
  std::vector<std::shared_ptr<RefinedBricks>> level_bricks_;
};

} // namespace rivulet
