// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Saves structured datasets, step by step, as one Rivulet field file: brick by brick with all cores, so that a lazily
/// paged dataset streams through its own memory budget.
///
///     Result<FieldSaver> saver = FieldSaver::create("flow.rvf", *first, times);
///     for each step:  saver->add_step(step, *dataset, progress);
///     saver->finish();
///
/// Nothing lies under the final name before finish(). Threads: one at a time.
#pragma once

#include "Io/FieldFile/FieldFileWriter.h"
#include "Pipeline/KeptArrays.h"
#include "Pipeline/SourceArrays.h"

#include <functional>
#include <string>
#include <vector>

class vtkDataSet;

namespace rivulet
{

class FieldSaver
{
public:
  /// The file gets the grid of `first` and its numeric point and cell arrays. Of its ghosts the file keeps only the
  /// bits of hiding_bits().
  [[nodiscard]] static Result<FieldSaver> create(
      const std::string& path, vtkDataSet& first, const std::vector<double>& times);

  /// A sentence on each array that is saved as another type, and one on all arrays left out; empty if nothing is
  /// converted or left out.
  [[nodiscard]] std::string note() const { return kept_.note(); }

  /// Writes every variable of a step. `progress` gets the share of this step done and returns false to stop.
  [[nodiscard]] Result<void> add_step(int step, vtkDataSet& dataset, const std::function<bool(double)>& progress);

  [[nodiscard]] Result<void> finish() { return writer_->finish(); }

private:
  FieldSaver() = default;
  void note_new_arrays(vtkDataSet& dataset, Centering centering);
  [[nodiscard]] Result<void> hide(int step, vtkDataSet& dataset, Centering centering);
  [[nodiscard]] Result<std::vector<PipelineArray>> open_arrays(vtkDataSet& dataset) const;

  FieldInfo info_;
  KeptArrays kept_;
  std::unique_ptr<FieldFileWriter> writer_;
};

} // namespace rivulet
