// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What vtkRivuletPatchReader needs to know of a file format. Private to the module.
///
/// Called by the first rank only, on the pipeline's thread; what it says is sent to the others.
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

  /// The time steps of what the user opens; with `only_complete` without a newest one that is half written.
  [[nodiscard]] virtual Result<DumpIndex> find(std::span<const std::string> paths, bool only_complete) = 0;
  /// One of these steps.
  [[nodiscard]] virtual Result<AmrDump> open(const std::string& path) = 0;
  /// Fills the ranges of a variable, as far as they can be had without reading all values; returns how many bytes of
  /// values were read.
  virtual std::int64_t find_ranges(AmrDump& dump, int variable) = 0;
};

} // namespace rivulet
