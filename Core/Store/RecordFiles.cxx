// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordFiles.h"

#include <fcntl.h>

namespace rivulet
{

Result<RecordFiles> RecordFiles::open(const FieldRecords& records, bool direct)
{
  RecordFiles files;
  for (const FieldFile& description : records.files())
  {
    Result<File> file = File::open(description.path, direct ? File::Mode::ReadDirect : File::Mode::Read);
    if (!file)
    {
      return forward_error(file);
    }
    // What lies where was read when it was described: from another file, records that look right may be another
    // field's.
    if (Result<void> same = description.identity.check(*file); !same)
    {
      return forward_error(same);
    }
    ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_RANDOM); // what is near in the file is not wanted next
    files.files_.push_back({ std::move(*file), description.identity });
  }
  return files;
}

std::vector<int> RecordFiles::descriptors() const
{
  std::vector<int> all;
  for (const OpenFile& open : files_)
  {
    all.push_back(open.file.descriptor());
  }
  return all;
}

Result<void> RecordFiles::health() const
{
  for (const OpenFile& open : files_)
  {
    if (Result<void> same = open.identity.check(open.file); !same)
    {
      return same;
    }
  }
  return {};
}

} // namespace rivulet
