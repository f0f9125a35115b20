// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The arrays of a dataset that a field file keeps: its numeric point and cell arrays; and a note
/// on the rest.
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
  std::vector<std::string> left_out; ///< names of arrays that are not kept

  /// Adds a name to left_out unless it is there.
  void leave_out(const std::string& what);
  /// Text on conversions and arrays left out; empty if there are none.
  [[nodiscard]] std::string note() const;
};

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT KeptArrays kept_arrays(vtkDataSet& dataset);

/// Bits of vtkGhostType that a field file keeps as hidden: points and cells that VTK hides, and cells that finer ones
/// refine, because they lie under values that the file does not have. Duplicates of other pieces are kept as ordinary
/// points.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::uint8_t hiding_bits(Centering centering);

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT vtkDataSetAttributes* attributes_of(vtkDataSet& dataset, Centering centering);

} // namespace rivulet
