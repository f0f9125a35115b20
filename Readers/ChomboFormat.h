// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Plot files of Chombo, and of AMReX in HDF5. Private to the module.
#pragma once

#include "Amr/PatchReader.h"
#include "Readers/DumpFormat.h"

namespace rivulet
{

class ChomboFormat final : public DumpFormat
{
public:
  [[nodiscard]] Result<DumpIndex> find(std::span<const std::string> paths, bool only_complete) override;
  [[nodiscard]] Result<AmrDump> open(const std::string& path) override;
  /// These files have no ranges. Ranges are estimated from patches spread over all levels: at most 4 MiB of values, but
  /// at least one patch. Every patch gets the same range.
  std::int64_t find_ranges(AmrDump& dump, int variable) override;

private:
  PatchReader reader_;
};

} // namespace rivulet
