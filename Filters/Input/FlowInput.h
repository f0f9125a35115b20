// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Input of a flow filter: a dataset, levels, blocks, or cells of any kind (InputKind.h), with the vectors to follow,
/// as a TraceField.
///
///     Result<FlowInput> flow = FlowInput::open(std::make_unique<DatasetInput>(*dataset), *vectors);
///     if (flow) flow->add_point_arrays();
///     trace_streamlines(flow->field(), ...);
///
/// A lazily paged array is read from its open field. A plain array is read in place. Other arrays are converted tile by
/// tile. Scalar components, and blocks that tile a box, are joined brick by brick. Values come from the arrays,
/// geometry and ghosts from the dataset.
///
/// Lifetime: owns the sources; the dataset must outlive it. Threads: the one that called RequestData.
#pragma once

#include "Filters/Input/InputKind.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkDataSetAttributes;

namespace rivulet
{

class FlowInput
{
public:
  /// `vectors` are arrays of the input's first dataset. Fails as the kind does, and with BadArgument unless there is
  /// one vector per point (or cell).
  [[nodiscard]] static Result<FlowInput> open(std::unique_ptr<InputKind> kind, const ChosenVectors& vectors);

  /// The same levels with the same arrays in the bricks of another mesh, which is nowhere coarser. All arrays of the
  /// answer are other objects than this flow's. Only if amr_mesh() is set.
  [[nodiscard]] Result<FlowInput> cut_into(std::shared_ptr<const AmrMesh> bricks) const;

  /// The same dataset with all arrays in bricks of one cut, which does not depend on the source of their values:
  /// for time steps that come in different bricks. Not for levels and blocks.
  [[nodiscard]] Result<FlowInput> joined() const;
  /// Whether the arrays of both have the same cuts into bricks, counted from the same origin.
  [[nodiscard]] bool cut_like(const FlowInput& other) const;

  /// Adds every numeric point array as an attribute, except ghosts and global ids, which mean nothing between points.
  /// For levels cell arrays are added, too. For levels and blocks only arrays of all blocks are added, as doubles if
  /// their types differ.
  [[nodiscard]] Result<void> add_point_arrays();

  /// Messages, one for each array that was not added because some blocks do not have it.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// Warnings about values of the vectors that may stand for missing ones.
  [[nodiscard]] std::vector<Error> suspects() const;

  [[nodiscard]] const TraceField& field() const { return field_; }
  /// Replaces the source `before` by `now` in field().
  void read_from(const BrickSource& before, BrickSource& now);
  [[nodiscard]] Centering centering() const { return centering_; }
  /// Mesh of the levels; nullptr if the input has none. The mesh of the bricks may be finer.
  [[nodiscard]] std::shared_ptr<const AmrMesh> amr_mesh() const { return kind_->amr_mesh(); }
  [[nodiscard]] std::shared_ptr<const AmrMesh> mesh_of_bricks() const { return kind_->mesh_of_bricks(); }

  /// Longest side of the bounds of the domain, in world units.
  [[nodiscard]] double longest_side() const { return kind_->longest_side(field_); }

  /// The input's arrays in the order of field().attributes.
  [[nodiscard]] const std::vector<vtkDataArray*>& point_arrays() const { return point_arrays_; }

  /// The input, or its first block.
  [[nodiscard]] vtkDataSet& first() const { return kind_->first(); }
  /// Attribute type of a point array in the input (vtkDataSetAttributes::AttributeTypes), or -1.
  [[nodiscard]] int attribute_type(vtkDataArray& array) const;

  /// Open fields of the lazily paged arrays, each once; empty if all values are in memory.
  [[nodiscard]] const std::vector<std::shared_ptr<LazyField>>& lazy_fields() const { return sources_.lazy_fields(); }
  /// Stores that read AMR patches on demand, each once.
  [[nodiscard]] const std::vector<std::shared_ptr<BudgetedStore>>& stores() const { return sources_.stores(); }
  /// Bricks assembled from AMR patches, one source per array, the velocity first.
  [[nodiscard]] const std::vector<std::shared_ptr<AmrBricks>>& amr_bricks() const { return sources_.amr_bricks(); }
  /// Sources that join components or blocks, one per array.
  [[nodiscard]] const std::vector<std::shared_ptr<JoinedBricks>>& joined_bricks() const
  {
    return sources_.joined_bricks();
  }
  /// Memory of converted tiles; working_minimum() is 0 if no array is converted.
  [[nodiscard]] const std::shared_ptr<TileMemory>& tiles() const { return sources_.tiles(); }

private:
  FlowInput() = default;
  [[nodiscard]] static Result<FlowInput> open_again(
      Result<std::unique_ptr<InputKind>> kind, const ChosenVectors& vectors);
  [[nodiscard]] Result<void> follow(const ChosenVectors& vectors);
  [[nodiscard]] Result<void> add_arrays(Centering centering);
  [[nodiscard]] bool all_have(vtkDataArray& array, Centering centering);
  void find_others(Centering centering);
  [[nodiscard]] vtkDataArray& common(vtkDataArray& array, Centering centering);

  std::unique_ptr<InputKind> kind_;
  ChosenVectors vectors_; ///< that are followed
  Centering centering_ = Centering::Node;
  TraceField field_;
  InputSources sources_;
  std::vector<vtkDataArray*> point_arrays_;
  vtkSmartPointer<vtkDataArray> like_joined_;        ///< name and type of vectors made of scalars; no values
  std::vector<vtkSmartPointer<vtkDataArray>> likes_; ///< the same for arrays whose blocks differ in type
  std::vector<std::string> left_out_;
};

} // namespace rivulet
