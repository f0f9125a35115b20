// SPDX-License-Identifier: BSD-3-Clause
#include "Io/BlockFiles.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

Error cannot_open(const std::string& path, int number)
{
  if (number == ENOENT)
  {
    return { ErrorCode::NotFound, "there is no such data file",
      "check DATA_FILE in the header; its names count from the header's folder", path, -1, number };
  }
  return { ErrorCode::CannotRead, "the data file cannot be opened", "check that it may be read", path, -1, number };
}

int open_descriptor(const std::string& path, bool direct)
{
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; // a pipe by that name must not make us wait
  const int descriptor = ::open(path.c_str(), flags | (direct ? O_DIRECT : 0));
  return descriptor < 0 && direct && errno == EINVAL ? ::open(path.c_str(), flags) : descriptor;
}

} // namespace

Error too_short(const std::string& path, std::int64_t held, std::int64_t needed)
{
  return { ErrorCode::Truncated,
    "the data file has " + std::to_string(held) + " bytes, " + std::to_string(needed) + " are needed",
    "copy it again, or correct the size, type, components and offset that are stated for it", path, held, 0 };
}

BlockFile::BlockFile(std::string path, int descriptor, std::int64_t size)
  : path_(std::move(path))
  , descriptor_(descriptor)
  , size_(size)
{
}

BlockFile::~BlockFile()
{
  ::close(descriptor_);
}

Result<std::shared_ptr<const BlockFile>> BlockFile::open(const std::string& path, bool direct)
{
  const int descriptor = open_descriptor(path, direct);
  if (descriptor < 0)
  {
    return tl::unexpected(cannot_open(path, errno));
  }
  std::shared_ptr<BlockFile> file(new BlockFile(path, descriptor, 0));
  struct stat status
  {
  };
  if (::fstat(descriptor, &status) != 0)
  {
    return tl::unexpected(cannot_open(path, errno));
  }
  if (!S_ISREG(status.st_mode))
  {
    return fail(ErrorCode::CannotRead, "this is not a file", "name a file of values", path);
  }
  file->size_ = status.st_size;
  return std::shared_ptr<const BlockFile>(std::move(file));
}

Result<void> BlockFile::require(std::int64_t bytes) const
{
  if (size_ < bytes)
  {
    return tl::unexpected(too_short(path_, size_, bytes));
  }
  return {};
}

Result<void> BlockFile::read(std::int64_t offset, std::int64_t bytes, void* out) const
{
  return read_some(offset, bytes, bytes, out);
}

Result<void> BlockFile::read_some(std::int64_t offset, std::int64_t least, std::int64_t most, void* out) const
{
  std::int64_t done = 0;
  while (done < least)
  {
    const ssize_t got = ::pread(descriptor_, static_cast<std::byte*>(out) + done, static_cast<std::size_t>(most - done),
        static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR)
    {
      continue;
    }
    if (got < 0)
    {
      return fail(ErrorCode::CannotRead, "the data file cannot be read", "check the disk and the connection to it",
          path_, offset + done, errno);
    }
    if (got == 0)
    {
      return tl::unexpected(too_short(path_, offset + done, offset + least));
    }
    done += got;
  }
  return {};
}

Result<std::shared_ptr<const BlockFile>> BlockFiles::open(const std::string& path, std::int64_t bytes)
{
  std::shared_ptr<const BlockFile> file;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = open_.find(path); found != open_.end())
    {
      found->second.last_use = ++uses_;
      file = found->second.file;
    }
  }
  if (!file) // opened without the lock: a slow file system then delays only those who want this file
  {
    Result<std::shared_ptr<const BlockFile>> opened = BlockFile::open(path, direct_);
    if (!opened)
    {
      return opened;
    }
    file = std::move(*opened);
    const std::lock_guard lock(mutex_);
    forget_oldest();
    open_[path] = { file, ++uses_ };
  }
  if (Result<void> enough = file->require(bytes); !enough)
  {
    return forward_error(enough);
  }
  return file;
}

void BlockFiles::forget_oldest()
{
  if (open_.size() >= most_open_)
  {
    open_.erase(std::min_element(open_.begin(), open_.end(),
        [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; }));
  }
}

} // namespace rivulet
