// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/DataFiles.h"

#include <algorithm>
#include <fcntl.h>
#include <vector>

namespace rivulet
{

Error too_short(const std::string& path, std::int64_t held, std::int64_t needed)
{
  return { ErrorCode::Truncated,
    "the data file has " + std::to_string(held) + " bytes, " + std::to_string(needed) + " are needed",
    "copy it again, or correct the size, type, components and offset that are stated for it", path, held, 0 };
}

Result<std::shared_ptr<const DataFile>> DataFile::open(const std::string& path, bool direct)
{
  Result<File> file = File::open(path, direct ? File::Mode::ReadDirect : File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  Result<FileIdentity> identity = FileIdentity::of(*file);
  if (!identity)
  {
    return forward_error(identity);
  }
  return std::shared_ptr<const DataFile>(new DataFile(std::move(*file), *identity));
}

std::uint64_t DataFile::fingerprint() const
{
  std::call_once(fingerprinted_, [this] { fingerprint_ = identity_.fingerprint(file_); });
  return fingerprint_;
}

Result<void> DataFile::read(std::int64_t offset, std::int64_t bytes, void* out) const
{
  const Result<void> read = file_.pread_full(out, bytes, offset);
  return read ? reaches(offset + bytes) : read;
}

Result<void> DataFile::reaches(std::int64_t end) const
{
  Result<FileIdentity> now = FileIdentity::of(file_);
  if (!now)
  {
    return forward_error(now);
  }
  return now->size() < end ? tl::unexpected(too_short(path(), now->size(), end)) : Result<void>();
}

Result<void> DataFile::require(std::int64_t bytes) const
{
  if (size() < bytes)
  {
    return tl::unexpected(too_short(path(), size(), bytes));
  }
  return {};
}

Result<std::shared_ptr<const DataFile>> DataFiles::open(const std::string& path, std::int64_t bytes)
{
  std::shared_ptr<const DataFile> file;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = open_.find(path); found != open_.end())
    {
      found->second.last_use = ++uses_;
      file = found->second.file;
    }
  }
  if (!file) // opened without the lock: a slow file system then delays only the threads that need this file
  {
    Result<std::shared_ptr<const DataFile>> opened = DataFile::open(path, direct_);
    if (!opened)
    {
      return opened;
    }
    file = std::move(*opened);
    Result<void> sound = file->require(bytes); // a better error than that the file changed
    sound = sound ? file->see(*seen_) : sound;
    if (!sound)
    {
      return forward_error(sound);
    }
    if (order_ == Order::Random)
    {
      ::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_RANDOM);
    }
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

Result<void> DataFiles::health()
{
  std::vector<std::shared_ptr<const DataFile>> files;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [path, entry] : open_)
    {
      files.push_back(entry.file);
    }
  }
  for (const std::shared_ptr<const DataFile>& file : files)
  {
    if (Result<void> same = file->check(); !same)
    {
      return same;
    }
  }
  return {};
}

void DataFiles::forget_oldest()
{
  if (static_cast<std::int64_t>(open_.size()) >= kMostOpen)
  {
    open_.erase(std::min_element(open_.begin(), open_.end(),
        [](const auto& a, const auto& b) { return a.second.last_use < b.second.last_use; }));
  }
}

} // namespace rivulet
