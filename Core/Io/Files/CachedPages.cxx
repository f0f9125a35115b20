// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/CachedPages.h"

#include "Base/Bytes.h"
#include "Io/Files/File.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

/// Whether mincore reports the truth to this process: without access it reports all pages as present.
bool may_be_told(const File& file)
{
  struct stat status = {};
  return ::fstat(file.descriptor(), &status) == 0 &&
         (::geteuid() == 0 || ::geteuid() == status.st_uid || ::access(file.path().c_str(), W_OK) == 0);
}

} // namespace

std::optional<double> cached_share(const std::string& path, const std::vector<std::int64_t>& offsets)
{
  Result<File> file = File::open(path, File::Mode::Read);
  const std::int64_t bytes = file ? file->size().value_or(0) : 0;
  if (bytes == 0 || !may_be_told(*file))
  {
    return std::nullopt;
  }
  const auto length = static_cast<std::size_t>(bytes);
  void* mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED | MAP_NORESERVE, file->descriptor(), 0);
  if (mapped == MAP_FAILED)
  {
    return std::nullopt;
  }
  int there = 0;
  int told = 0;
  for (const std::int64_t offset : offsets)
  {
    unsigned char flags = 0;
    const bool known = offset >= 0 && offset < bytes &&
                       ::mincore(static_cast<std::byte*>(mapped) + offset / kPage * kPage, kPage, &flags) == 0;
    told += known ? 1 : 0;
    there += known && (flags & 1U) != 0 ? 1 : 0;
  }
  ::munmap(mapped, length);
  return told == 0 ? std::nullopt : std::optional(static_cast<double>(there) / told);
}

} // namespace rivulet
