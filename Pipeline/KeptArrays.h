// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a field file keeps of a dataset: its numeric point and cell arrays, as float or double; and what it does not.
///
///     const KeptArrays kept = kept_arrays(*dataset);
///     info.variables = kept.variables;  tell(kept.note());
///
/// Threads: the thread that owns the dataset.
#pragma once

#include "Base/Field.h"
#include "vtkRivuletPipelineModule.h"

#include <string>
#include <vector>

class vtkDataSet;
class vtkDataSetAttributes;

namespace rivulet
{

struct VTKRIVULETPIPELINE_EXPORT KeptArrays
{
  std::vector<Variable> variables;
  std::string converted;             ///< a sentence on each array that is kept as another type
  std::vector<std::string> left_out; ///< what is not kept

  /// Each once.
  void leave_out(const std::string& what);
  /// All of it in words; empty if everything is kept as it is.
  [[nodiscard]] std::string note() const;
};

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT KeptArrays kept_arrays(vtkDataSet& dataset);

/// The bits of vtkGhostType that a field file keeps as hidden: what VTK hides, and cells that others refine, because
/// they lie under values that the file does not have. Duplicates of other pieces are points like all others.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::uint8_t hiding_bits(Centering centering);

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT vtkDataSetAttributes* attributes_of(vtkDataSet& dataset, Centering centering);

} // namespace rivulet
