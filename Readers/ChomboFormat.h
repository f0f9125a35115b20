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
  /// These files have no ranges. They are estimated from patches spread over all levels, 4 MiB of values at most but
  /// one patch at least, and every patch gets the same.
  std::int64_t find_ranges(AmrDump& dump, int variable) override;

private:
  PatchReader reader_;
};

} // namespace rivulet
