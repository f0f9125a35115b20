// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/SamraiFormat.h"

#include "Amr/SamraiSummary.h"

namespace rivulet
{

bool SamraiFormat::can_read(const std::string& path)
{
  return is_dump_index(path, built_in_names()) || is_dump_folder(path, built_in_names()) || read_samrai_time(path);
}

Result<DumpIndex> SamraiFormat::find(std::span<const std::string> paths, bool only_complete)
{
  names_ = built_in_names();
  if (!names_file.empty())
  {
    Result<std::vector<DumpNames>> more = read_names(names_file);
    if (!more)
    {
      return forward_error(more);
    }
    names_.insert(names_.begin(), more->begin(), more->end());
  }
  return find_dumps(paths, names_, { all_beside_index, only_complete });
}

Result<AmrDump> SamraiFormat::open(const std::string& path)
{
  return read_samrai_summary(path, names_of(names_, path));
}

std::int64_t SamraiFormat::find_ranges(AmrDump& dump, int variable)
{
  // A summary without ranges is no error: ranges are computed when the values are read.
  (void)read_samrai_ranges(dump, variable);
  return 0;
}

} // namespace rivulet
