// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Saves structured datasets, step by step, as one Rivulet field file or as steps of a store: brick by brick with all
/// cores, so that a lazily paged dataset streams through its own memory budget.
///
///     Result<FieldSaver> saver = FieldSaver::create({ "flow.rvf" }, *first, times);
///     for each step:  saver->add_step(step, *dataset, progress);
///     saver->finish();
///
/// Nothing lies under the name of a field file before finish(). A step of a store appears when it is added. Threads:
/// one at a time.
#pragma once

#include "Io/Series/StoreWriter.h"
#include "Pipeline/KeptArrays.h"
#include "Pipeline/SourceArrays.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

class vtkDataSet;

namespace rivulet
{

/// What is written.
struct SaveTarget
{
  std::string path;
  std::optional<StoreStart> store{}; ///< empty: a field file
};

/// Whether a step is to be written, by step: all, but for those whose times the store has that is to grow. A store that
/// cannot be read has none; create() says why.
[[nodiscard]] std::vector<bool> steps_to_save(const SaveTarget& target, const std::vector<double>& times);

class FieldSaver
{
public:
  /// The field gets the grid of `first` and its numeric point and cell arrays. Of its ghosts it keeps only the bits of
  /// hiding_bits().
  [[nodiscard]] static Result<FieldSaver> create(
      const SaveTarget& target, vtkDataSet& first, const std::vector<double>& times);

  /// A sentence on each array that is saved as another type, and one on all arrays left out; empty if nothing is
  /// converted or left out.
  [[nodiscard]] std::string note() const { return kept_.note(); }

  /// Writes every variable of a step. `progress` gets the share of this step done and returns false to stop.
  [[nodiscard]] Result<void> add_step(int step, vtkDataSet& dataset, const std::function<bool(double)>& progress);

  [[nodiscard]] Result<void> finish() { return store_ ? Result<void>() : writer_->finish(); }

private:
  FieldSaver() = default;
  void note_new_arrays(vtkDataSet& dataset, Centering centering);
  [[nodiscard]] Result<void> open(const SaveTarget& target);
  [[nodiscard]] Result<void> write_step(int step, vtkDataSet& dataset, const std::function<bool(double)>& progress);
  [[nodiscard]] Result<void> hide(int step, vtkDataSet& dataset, Centering centering);
  [[nodiscard]] Result<std::vector<PipelineArray>> open_arrays(vtkDataSet& dataset) const;

  FieldInfo info_;
  KeptArrays kept_;
  std::unique_ptr<StoreWriter> store_;      ///< nullptr: a field file is written
  std::unique_ptr<FieldFileWriter> writer_; ///< of the file, or of the step that is being added
};

} // namespace rivulet
