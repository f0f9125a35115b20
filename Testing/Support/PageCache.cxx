// SPDX-License-Identifier: BSD-3-Clause
#include "Support/PageCache.h"

#include "Base/Bytes.h"
#include "Io/Files/CachedPages.h"

#include <chrono>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace rivulet::test
{

double cached_pages(const std::string& path, std::int64_t begin, std::int64_t end)
{
  std::vector<std::int64_t> offsets;
  for (std::int64_t offset = begin; offset < end; offset += kPage)
  {
    offsets.push_back(offset);
  }
  return cached_share(path, offsets).value_or(-1);
}

bool comes_into_cache(const std::string& path, std::int64_t begin, std::int64_t end)
{
  for (int tries = 0; tries < 10000 && cached_pages(path, begin, end) < 1; ++tries)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return cached_pages(path, begin, end) == 1;
}

std::optional<File> cold_file(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file || ::fsync(file->descriptor()) != 0 ||
      ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_DONTNEED) != 0 || cached_pages(path, 0, *file->size()) != 0)
  {
    return std::nullopt;
  }
  return std::move(*file);
}

} // namespace rivulet::test
