// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Records.h"

#include <fcntl.h>

namespace rivulet
{

Result<Records> Records::open(const FieldFile& file)
{
  Result<File> descriptor = File::open(file.path, File::Mode::Read);
  if (!descriptor)
  {
    return forward_error(descriptor);
  }
  return Records(file, std::move(*descriptor));
}

const BrickLayout& Records::layout(const RecordPlace& id) const
{
  return file_.layouts[static_cast<std::size_t>(id.variable)];
}

std::int64_t Records::offset(const RecordPlace& id) const
{
  const BrickLayout& bricks = layout(id);
  return bricks.steps[static_cast<std::size_t>(id.step)].offset + id.hilbert * bricks.stride;
}

Result<void> Records::read(const RecordPlace& first, std::int64_t count, std::byte* out) const
{
  return descriptor_.pread_full(out, count * layout(first).stride, offset(first));
}

void Records::advise_sequential() const
{
  ::posix_fadvise(descriptor_.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

} // namespace rivulet
