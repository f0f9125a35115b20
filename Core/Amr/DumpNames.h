// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What codes call the files and groups of their dumps, as data: SAMRAI's own names, and those of frameworks that
/// follow it. A site adds its own in a JSON file, without a new version of Rivulet:
///
///     [ { "name": "MyCode", "index": "dumps.mine", "folder": "my_dump.*", "summary": "summary.my",
///         "cluster": "cluster.%05d.my", "groups": [ "processor.%05d", "level.%05d", "patch.%05d" ],
///         "component": ".%02d" } ]
///
/// Patterns have one %d or %0Nd each; N is the least number of digits. In "folder" a * stands for the number.
#pragma once

#include "Base/Result.h"
#include "Io/FilePattern.h"

#include <array>
#include <span>
#include <vector>

namespace rivulet
{

struct DumpNames
{
  std::string name;
  std::string index;                 ///< file that lists the summaries of all dumps
  std::string folder;                ///< of one dump, beside the index
  std::string summary;               ///< in the folder
  FilePattern cluster;               ///< in the folder, by number of the file cluster
  std::array<FilePattern, 3> groups; ///< by number of the processor, the level, the patch in its level
  FilePattern component;             ///< what is added to a variable's name, by number of the component
};

/// SAMRAI's and JASMIN's names.
[[nodiscard]] const std::vector<DumpNames>& built_in_names();

/// More names from a JSON file. Fails with NotFound, CannotRead, or BadArgument naming the entry.
[[nodiscard]] Result<std::vector<DumpNames>> read_names(const std::string& path);

/// The names by which a summary or an index of this file name goes; the first ones if none fits, or
/// SAMRAI's if none are known.
[[nodiscard]] const DumpNames& names_of(std::span<const DumpNames> known, const std::string& path);

} // namespace rivulet
