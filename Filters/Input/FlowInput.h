// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Input of a flow filter: a structured dataset, AMR levels, blocks, or cells of any kind, with the vectors to follow,
/// as a TraceField.
///
///     Result<FlowInput> flow = FlowInput::open(dataset, *vectors);
///     if (flow) flow->add_point_arrays();
///     trace_streamlines(flow->field(), ...);
///
/// A lazily paged array is read from its open field. A plain array is read in place. Other arrays are converted tile by
/// tile. Scalar components, and blocks that tile a box, are joined brick by brick. Values come from the arrays,
/// geometry and ghosts from the dataset.
///
/// Lifetime: owns the sources; the dataset must outlive it. Threads: the one that called RequestData.
#pragma once

#include "Filters/Input/AmrInput.h"
#include "Filters/Input/BlockLattice.h"
#include "Filters/Input/ChosenVectors.h"
#include "Filters/Input/InputBlocks.h"
#include "Pipeline/SourceArrays.h"
#include "Store/Source/BudgetedStore.h"
#include "Trace/Streamlines.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <map>
#include <vector>

class vtkDataSetAttributes;

namespace rivulet
{

class MeshCache;
class JoinedBricks;
class AmrBricks;
class TileMemory;
struct JoinedPart;

class FlowInput
{
public:
  /// Fails with Unsupported for anything but vtkImageData and vtkRectilinearGrid, with BadArgument unless there is one
  /// vector per point (or cell).
  [[nodiscard]] static Result<FlowInput> open(vtkDataSet* dataset, const ChosenVectors& vectors);

  /// Vectors on AMR levels, at points or cells. Both are interpolated between nodes (AmrMesh/NodeValues.h), so
  /// centering() is Node. `vectors` are arrays of the first block in this process. `cache` holds the bricks of all
  /// arrays of the flow and must outlive it.
  [[nodiscard]] static Result<FlowInput> open(AmrBlocks levels, const ChosenVectors& vectors, MeshCache& cache);

  /// The same levels with the same arrays in the bricks of another mesh, which is nowhere coarser. All arrays of the
  /// answer are other objects than this flow's. Only if amr_mesh() is set.
  [[nodiscard]] Result<FlowInput> cut_into(std::shared_ptr<const AmrMesh> bricks) const;

  /// The same dataset with all arrays in bricks of one cut, which does not depend on what they are read from: for time
  /// steps that come in other bricks than others. Not for levels and blocks.
  [[nodiscard]] Result<FlowInput> joined() const;
  /// Whether the arrays of both have the same cuts into bricks, counted from the same origin.
  [[nodiscard]] bool cut_like(const FlowInput& other) const;

  /// Vectors on blocks that tile a box, as if on one dataset. `vectors` are arrays of the first block. Fails with
  /// NotFound if another block does not have them.
  [[nodiscard]] static Result<FlowInput> open(BlockLattice blocks, const ChosenVectors& vectors);

  /// Vectors on datasets of any kind as one mesh, of all their cells (InputCells.h). `vectors` are arrays of the
  /// first. Fails as InputCells::of() and row_of().
  [[nodiscard]] static Result<FlowInput> open(
      std::vector<InputBlock> foreign, const ChosenVectors& vectors, MeshCache& cache);

  /// Adds every numeric point array as an attribute, except ghosts and global ids, which mean nothing between points.
  /// For levels cell arrays are added, too. For levels and blocks only arrays of all blocks are added, as doubles if
  /// their types differ.
  [[nodiscard]] Result<void> add_point_arrays();

  /// Messages, one for each array that was not added because some blocks do not have it.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// Warnings about values of the vectors that may stand for missing ones.
  [[nodiscard]] std::vector<Error> suspects() const;

  [[nodiscard]] const TraceField& field() const { return field_; }
  /// From now on field() reads from `now` what it read from `before`.
  void read_from(const BrickSource& before, BrickSource& now);
  [[nodiscard]] Centering centering() const { return centering_; }
  /// Mesh of the levels; nullptr if the input has none. The mesh of the bricks may be finer.
  [[nodiscard]] const std::shared_ptr<const AmrMesh>& amr_mesh() const { return levels_.mesh; }
  [[nodiscard]] const std::shared_ptr<const AmrMesh>& mesh_of_bricks() const { return levels_.cut; }

  /// Longest side of the bounds of the domain, in world units.
  [[nodiscard]] double longest_side() const;

  /// The input's arrays in the order of field().attributes.
  [[nodiscard]] const std::vector<vtkDataArray*>& point_arrays() const { return point_arrays_; }

  /// Attribute type of a point array in the input (vtkDataSetAttributes::AttributeTypes), or -1.
  [[nodiscard]] int attribute_type(vtkDataArray& array) const;

  /// Open fields of the lazily paged arrays, each once; empty if all values are in memory.
  [[nodiscard]] const std::vector<std::shared_ptr<LazyField>>& lazy_fields() const { return lazy_fields_; }

  /// Stores that read AMR patches on demand, each once.
  [[nodiscard]] const std::vector<std::shared_ptr<BudgetedStore>>& stores() const { return stores_; }

  /// Bricks assembled from AMR patches, one source per array, the velocity first.
  [[nodiscard]] const std::vector<std::shared_ptr<AmrBricks>>& amr_bricks() const { return amr_bricks_; }

  /// Sources that join components or blocks, one per array.
  [[nodiscard]] const std::vector<std::shared_ptr<JoinedBricks>>& joined_bricks() const { return joined_bricks_; }
  /// Memory of converted tiles; working_minimum() is 0 if no array is converted.
  [[nodiscard]] const std::shared_ptr<TileMemory>& tiles() const { return tiles_; }

private:
  FlowInput();
  [[nodiscard]] static Result<FlowInput> open(vtkDataSet* dataset, const ChosenVectors& vectors, bool joined);
  [[nodiscard]] Result<void> take_ghosts();
  [[nodiscard]] Result<void> follow(const ChosenVectors& vectors);
  [[nodiscard]] Result<SourceArray> join_vectors(const ChosenVectors& vectors);
  [[nodiscard]] Result<SourceArray> take_row(Result<std::shared_ptr<BrickSource>> row);
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
  AmrBlocks levels_;                ///< without a mesh unless the input has levels; then dataset_ is one of the blocks
  MeshCache* cache_ = nullptr;      ///< cache of the bricks of levels
  ChosenVectors vectors_;           ///< that are followed; of blocks and levels those of the first block
  bool joined_ = false;             ///< all arrays are joined
  std::vector<InputBlock> foreign_; ///< datasets that are one mesh of all their cells; else empty
  BlockLattice blocks_;             ///< empty unless several blocks tile a box; then dataset_ is the first
  Centering centering_ = Centering::Node;
  TraceField field_;
  std::vector<vtkDataArray*> point_arrays_;
  vtkSmartPointer<vtkDataArray> like_joined_;        ///< name and type of vectors made of scalars; no values
  std::vector<vtkSmartPointer<vtkDataArray>> likes_; ///< the same for arrays whose blocks differ in type
  std::map<std::pair<vtkDataArray*, Centering>, SourceArray> known_;
  std::vector<std::string> left_out_;
  std::vector<std::shared_ptr<BrickSource>> sources_;
  std::vector<std::shared_ptr<LazyField>> lazy_fields_;
  std::vector<std::shared_ptr<BudgetedStore>> stores_;
  std::vector<std::shared_ptr<AmrBricks>> amr_bricks_;
  std::vector<std::shared_ptr<JoinedBricks>> joined_bricks_;
  std::shared_ptr<TileMemory> tiles_;
};

} // namespace rivulet
