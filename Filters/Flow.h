// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The input of a flow filter: a structured dataset and the vectors to follow, as Core traces through them.
///
///     Result<Flow> flow = Flow::open(dataset, *vectors);
///     if (flow) flow->add_point_arrays();
///     trace_streamlines(flow->field(), ...);
///
/// Lazily paged arrays hand out their open field, plain ones serve from memory, others are converted tile by tile;
/// scalars that are components, and blocks that tile a box, are joined brick by brick. Values come from the arrays,
/// everything else (geometry, ghosts) from the dataset at hand.
///
/// Lifetime: keeps the sources alive, not the dataset. Threads: the one that called RequestData.
#pragma once

#include "Filters/BlockLattice.h"
#include "Filters/ChosenVectors.h"
#include "Filters/RefinedInput.h"
#include "Pipeline/SourceArrays.h"
#include "Store/BudgetedStore.h"
#include "Trace/Streamlines.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <map>
#include <vector>

class vtkDataSetAttributes;

namespace rivulet
{

class JoinedBricks;
class RefinedBricks;
class TileMemory;
struct JoinedPart;

class Flow
{
public:
  /// Unsupported for anything but vtkImageData and vtkRectilinearGrid; BadArgument unless there is one vector per point
  /// (or cell).
  [[nodiscard]] static Result<Flow> open(vtkDataSet* dataset, const ChosenVectors& vectors);

  /// Vectors of levels of blocks, of points or cells: interpolated between nodes in both cases (Levels/NodeValues.h),
  /// so centering() is Node. `vectors` are arrays of the first block that there is.
  [[nodiscard]] static Result<Flow> open(LevelBlocks levels, const ChosenVectors& vectors);

  /// Vectors of blocks that tile a box: as those of one dataset. `vectors` are arrays of the first block. NotFound if
  /// another one does not have them.
  [[nodiscard]] static Result<Flow> open(BlockLattice blocks, const ChosenVectors& vectors);

  /// Asks for every numeric point array but ghosts and global ids, which mean nothing between points. Levels: cell
  /// arrays, too. Levels and blocks: those that all of them have; of doubles where they differ in type.
  [[nodiscard]] Result<void> add_point_arrays();

  /// Arrays that blocks have which were not asked for, because others do not have them: what to say of each.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

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

  /// What components and blocks are joined in, one for each array.
  [[nodiscard]] const std::vector<std::shared_ptr<JoinedBricks>>& joined_bricks() const { return joined_bricks_; }

  /// Where arrays are converted in; needs nothing unless there are such arrays.
  [[nodiscard]] const std::shared_ptr<TileMemory>& tiles() const { return tiles_; }

  /// Reads from `other`, which holds the same values, wherever `source` was read from.
  void replace_source(const BrickSource* source, std::shared_ptr<BrickSource> other);

private:
  Flow();
  [[nodiscard]] Result<void> take_ghosts();
  [[nodiscard]] Result<void> follow(const ChosenVectors& vectors);
  [[nodiscard]] Result<SourceArray> add_values(vtkDataArray& array, Centering centering);
  [[nodiscard]] Result<SourceArray> add_array(
      vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset);
  [[nodiscard]] SourceArray add_levels(vtkDataArray& array, Centering centering);
  [[nodiscard]] Result<void> add_parts(
      vtkDataArray& array, Centering centering, std::int32_t component, std::vector<JoinedPart>& parts);
  [[nodiscard]] SourceArray join(
      const std::string& name, std::int32_t components, Centering centering, std::vector<JoinedPart> parts);
  [[nodiscard]] JoinedPart part_of(const SourceArray& array, std::int32_t component, const Box& box, const Int3& from);
  [[nodiscard]] Result<void> add_arrays(vtkDataSetAttributes& attributes, Centering centering);
  [[nodiscard]] std::vector<InputBlock> parts() const;
  [[nodiscard]] bool all_have(vtkDataArray& array, Centering centering);
  void find_others(Centering centering);
  [[nodiscard]] vtkDataArray& common(vtkDataArray& array, Centering centering);
  void choose_lattice_offset(const ChosenVectors& vectors);
  [[nodiscard]] Box lattice(Centering centering) const;

  vtkDataSet* dataset_ = nullptr;
  LevelBlocks levels_;  ///< without a grid unless the input has levels; dataset_ is one of the blocks then
  BlockLattice blocks_; ///< without blocks unless the input is made of several; dataset_ is the first then
  Centering centering_ = Centering::Node;
  TraceField field_;
  std::vector<vtkDataArray*> point_arrays_;
  vtkSmartPointer<vtkDataArray> like_joined_; ///< without values: name and type of vectors that are made of scalars
  std::vector<vtkSmartPointer<vtkDataArray>> likes_; ///< without values: of arrays whose blocks differ in type
  std::map<std::pair<vtkDataArray*, Centering>, SourceArray> known_;
  std::vector<std::string> left_out_;
  std::vector<std::shared_ptr<BrickSource>> sources_;
  std::vector<std::shared_ptr<LazyField>> lazy_fields_;
  std::vector<std::shared_ptr<BudgetedStore>> stores_;
  std::vector<std::shared_ptr<RefinedBricks>> level_bricks_;
  std::vector<std::shared_ptr<JoinedBricks>> joined_bricks_;
  std::shared_ptr<TileMemory> tiles_;
};

} // namespace rivulet
