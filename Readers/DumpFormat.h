// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Operations of vtkRivuletPatchReader that depend on the file format. Private to the module.
///
/// Called by the first rank only, on the thread of the pipeline. The results are sent to the other ranks.
#pragma once

#include "Amr/DumpIndex.h"

namespace rivulet
{

struct AmrDump;

class DumpFormat
{
public:
  DumpFormat() = default;
  DumpFormat(const DumpFormat&) = delete;
  DumpFormat& operator=(const DumpFormat&) = delete;
  virtual ~DumpFormat() = default;

  /// Time steps in the files that the user opens. `only_complete` leaves out a newest step that is half written.
  [[nodiscard]] virtual Result<DumpIndex> find(std::span<const std::string> paths, bool only_complete) = 0;
  /// Description of one of these steps.
  [[nodiscard]] virtual Result<AmrDump> open(const std::string& path) = 0;
  /// Fills in ranges of a variable that are available without reading all values. Returns the number of bytes of values
  /// that were read.
  virtual std::int64_t find_ranges(AmrDump& dump, int variable) = 0;
};

} // namespace rivulet
