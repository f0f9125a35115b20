// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Names of the files and groups in dumps of SAMRAI and of frameworks that follow it. A site adds names for
/// other codes in a JSON file:
///
///     [ { "name": "MyCode", "index": "dumps.mine", "folder": "my_dump.*", "summary": "summary.my",
///         "cluster": "cluster.%05d.my", "groups": [ "processor.%05d", "level.%05d", "patch.%05d" ],
///         "component": ".%02d" } ]
///
/// Each pattern has one %d or %0Nd; N is the least number of digits. In "folder" a * stands for the number.
///
/// Plain values. Any thread may call any function.
#pragma once

#include "Base/Result.h"
#include "Io/Files/FilePattern.h"

#include <array>
#include <span>
#include <vector>

namespace rivulet
{

struct DumpNames
{
  std::string name;                  ///< of the code
  std::string index;                 ///< name of the file that lists the summaries of all dumps
  std::string folder;                ///< name of the folder of a dump, beside the index
  std::string summary;               ///< name of the summary in the folder
  FilePattern cluster;               ///< name of a file with values in the folder, by number of the file cluster
  std::array<FilePattern, 3> groups; ///< names by number of the processor, the level, and the patch in its level
  FilePattern component;             ///< suffix of the name of a variable, by number of the component
};

/// Names of SAMRAI and JASMIN.
[[nodiscard]] const std::vector<DumpNames>& built_in_names();

/// Names from a JSON file. Fails with NotFound, CannotRead, or BadArgument with the name of the entry.
[[nodiscard]] Result<std::vector<DumpNames>> read_names(const std::string& path);

/// The names that fit the file name of a summary or an index; the first ones if none fit, and SAMRAI's names if
/// `known` is empty.
[[nodiscard]] const DumpNames& names_of(std::span<const DumpNames> known, const std::string& path);

} // namespace rivulet
