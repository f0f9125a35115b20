// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Dumps of SAMRAI, with any names of files and groups. Private to the module.
#pragma once

#include "Readers/DumpFormat.h"

namespace rivulet
{

class SamraiFormat final : public DumpFormat
{
public:
  /// Settings of the next find(): DumpSearchOptions::all_beside_index, and a JSON file of names (empty for none).
  bool all_beside_index = false;
  std::string names_file;

  [[nodiscard]] static bool can_read(const std::string& path);

  [[nodiscard]] Result<DumpIndex> find(std::span<const std::string> paths, bool only_complete) override;
  [[nodiscard]] Result<AmrDump> open(const std::string& path) override;
  std::int64_t find_ranges(AmrDump& dump, int variable) override;

private:
  std::vector<DumpNames> names_;
};

} // namespace rivulet
