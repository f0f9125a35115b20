// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/DirectWrites.h"

namespace rivulet
{

DirectWrites DirectWrites::to(const std::string& path)
{
  DirectWrites writes;
  const Result<DirectLimits> limits = direct_limits(path);
  Result<File> file = File::open(path, File::Mode::WriteDirect);
  if (limits && file)
  {
    writes.file_ = std::move(*file);
    writes.limits_ = *limits;
  }
  return writes;
}

bool DirectWrites::take(const void* values, std::int64_t bytes, std::int64_t offset) const
{
  const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(values));
  return static_cast<bool>(file_) && address % limits_.memory == 0 && (bytes | offset) % limits_.offset == 0;
}

} // namespace rivulet
