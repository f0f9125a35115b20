// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Saves structured datasets, step by step, as one Rivulet field file or as steps of a store.
///
///     Result<FieldSaver> saver = FieldSaver::open({ "flow.rvf" }, times, grid);
///     for each step that saver->wants():  saver->add_step(step, dataset, progress);
///     saver->finish();
///
/// Nothing lies under the name of a field file before finish(); the first rank writes it. A step of a store appears
/// when it is added, and all ranks write it: each the bricks in its share. A store that replaces another takes its
/// place in finish(); before, the old one is there as it was, so that the input may be read from it.
///
/// open(), add_step() and finish() are collective. Threads: the one that may call MPI.
#pragma once

#include "Convert/ParallelStoreWriter.h"
#include "Io/FieldFile/PlacesHash.h"
#include "Pipeline/KeptArrays.h"
#include "Pipeline/SourceArrays.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

class vtkDataSet;

namespace rivulet
{

/// Destination of the data, and the ranks that write it.
struct SaveTarget
{
  std::string path;
  std::optional<StoreStart> store{}; ///< empty: a field file
  RankLink* link = nullptr;          ///< nullptr: this process is alone
};

/// The nodes that a rank needs and the bricks that it writes; both empty if it writes nothing.
struct SaveShare
{
  Box nodes;  ///< indices as in VTK's extents, the end excluded
  Box bricks; ///< places in the grid of bricks
};

class FieldSaver
{
public:
  /// `whole`: the nodes of the whole grid, as SaveShare::nodes. Fails as ParallelStoreWriter::open() does.
  [[nodiscard]] static Result<FieldSaver> open(
      const SaveTarget& target, const std::vector<double>& times, const Box& whole);

  /// Whether a step is to be written: all steps whose times the store does not have. The same on all ranks.
  [[nodiscard]] bool wants(int step) const;

  /// Whether several ranks may write a step; the same on all of them.
  [[nodiscard]] bool is_shared() const { return store_ && target_.link != nullptr; }

  /// This rank's share of a step if is_shared(). The ranks share layers of bricks along the axis that has most of them.
  [[nodiscard]] SaveShare share() const;
  /// The same where the first rank is to write all.
  [[nodiscard]] SaveShare share_of_one() const;

  /// Whether the dataset hides points or cells, which only the first rank can write: share_of_one(). Of this rank.
  [[nodiscard]] static bool hides(vtkDataSet* dataset);

  /// Whether the nodes of a curvilinear grid lie elsewhere than at the step before. Of this rank; remembers them.
  [[nodiscard]] bool moved(vtkDataSet* dataset);

  /// Writes the share of a step. `dataset` holds the nodes of the share at least; nullptr is an error, unless the share
  /// is empty. The first step that is added tells which arrays are kept. `moved`: on any rank. `progress` gets the
  /// share of this step done and returns false to stop.
  [[nodiscard]] Result<void> add_step(
      int step, vtkDataSet* dataset, const SaveShare& share, bool moved, const std::function<bool(double)>& progress);

  /// A sentence on each array that is saved as another type, and one on all arrays left out; empty if nothing is
  /// converted or left out.
  [[nodiscard]] std::string note() const { return kept_.note(); }

  [[nodiscard]] Result<void> finish();

private:
  FieldSaver(SaveTarget target, const std::vector<double>& times, const Box& whole);
  [[nodiscard]] bool is_first() const { return target_.link == nullptr || target_.link->rank() == 0; }
  [[nodiscard]] Int3 brick_counts() const;
  [[nodiscard]] Result<FieldInfo> describe(vtkDataSet* dataset, const Box& nodes);
  void note_new_arrays(vtkDataSet& dataset, Centering centering);
  [[nodiscard]] Result<void> write_file(
      int step, vtkDataSet* dataset, const SaveShare& share, bool moved, const std::function<bool(double)>& progress);
  [[nodiscard]] Result<void> write_bricks(FieldFileWriter& writer, int step, vtkDataSet& dataset, const Box& bricks,
      const std::function<bool(double)>& progress);
  [[nodiscard]] Result<void> hide(FieldFileWriter& writer, int step, vtkDataSet& dataset, Centering centering) const;
  [[nodiscard]] Result<std::vector<PipelineArray>> open_arrays(vtkDataSet& dataset) const;

  SaveTarget target_;
  Box whole_;
  FieldInfo info_;                          ///< without variables before the first step
  std::optional<PlacesHash::Value> places_; ///< PlacesHash of the last step, of a curvilinear grid
  KeptArrays kept_;
  std::unique_ptr<ParallelStoreWriter> store_; ///< nullptr: a field file is written
  std::unique_ptr<FieldFileWriter> writer_;    ///< of the file, on the first rank
};

} // namespace rivulet
