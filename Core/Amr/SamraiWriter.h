// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes one time step as a SAMRAI "VisIt dump": the files that SamraiSummary.h and PatchReader.h read. Several
/// processes may each write a file of values; one writes the summary.
///
///     AmrDump dump = ...;                                  // patches with the numbers of their files
///     Result<SamraiValues> values = SamraiValues::create(folder, dump, types, rank);
///     values->write({ patch, variable, component }, numbers);
///     values->finish(true);
///     write_samrai_summary(folder, dump, true);
///
/// Names are as in SAMRAI (DumpNames.h). A file stands for one processor. Numbers are little-endian, and values keep
/// their type, float32 or float64.
///
/// Uses libhdf5 for the tables, one thread at a time in the process, and writes values without it.
#pragma once

#include "Amr/Dump.h"
#include "Base/Result.h"
#include "Io/Files/File.h"

#include <span>

namespace rivulet
{

/// Description of a variable with the names of its datasets.
[[nodiscard]] AmrVariable samrai_variable(const std::string& name, std::int32_t components, Centering centering);

/// Path of the file of a processor.
[[nodiscard]] std::string samrai_values_path(const std::string& folder, std::int32_t file);

/// A dataset: one component of a variable in one patch.
struct PatchComponent
{
  std::int32_t patch = 0; ///< index into AmrDump::patches
  std::size_t variable = 0;
  std::size_t component = 0;
};

class SamraiValues
{
public:
  /// A new file with room for all variables of the patches whose AmrPatch::file is `file`. `types`: of the variables.
  /// `dump` must outlive the object. Fails with CannotWrite.
  [[nodiscard]] static Result<SamraiValues> create(
      const std::string& folder, const AmrDump& dump, std::span<const ScalarType> types, std::int32_t file);

  /// Writes the values of a dataset of this file, x fastest, with ghosts as the variable has them. Fails with
  /// CannotWrite.
  [[nodiscard]] Result<void> write(const PatchComponent& what, std::span<const std::byte> values) const;

  /// Ends the file; `sync`: it is on the disk then. Fails with CannotWrite.
  [[nodiscard]] Result<void> finish(bool sync);

private:
  explicit SamraiValues(const AmrDump& dump)
    : dump_(&dump)
  {
  }

  const AmrDump* dump_;
  std::vector<std::int32_t> patches_; ///< of this file, ascending
  std::vector<std::int64_t> places_;  ///< bytes in the file of the datasets, by patch, variable and component
  File file_;
};

/// Writes the summary: all of `dump` but paths, notes and children, which follow from the boxes. Ranges of components
/// are written where they are known. `dump.files`: as many as there are processors. Fails with CannotWrite.
[[nodiscard]] Result<void> write_samrai_summary(const std::string& folder, const AmrDump& dump, bool sync);

} // namespace rivulet
