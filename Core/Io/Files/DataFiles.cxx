// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/DataFiles.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <utility>

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

DataFiles::Process& DataFiles::process()
{
  static auto* const all = new Process; // never destroyed: fields may be closed as late as at the end of the process
  return *all;
}

std::int64_t DataFiles::most_kept()
{
  struct rlimit limit = {};
  const bool limited = ::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  const std::int64_t share = limited ? static_cast<std::int64_t>(limit.rlim_cur) / 4 : kMostKept;
  return std::clamp<std::int64_t>(share, 2, kMostKept);
}

std::int64_t DataFiles::kept()
{
  const std::lock_guard lock(process().mutex);
  return static_cast<std::int64_t>(process().by_use.size());
}

/// Files beyond the `most` that were used last, save for pinned ones. The caller holds the process's mutex, and closes
/// the files without it: that may take long.
DataFiles::Files DataFiles::give_up(std::int64_t most)
{
  Files given_up;
  std::list<Kept>& files = process().by_use;
  for (auto file = files.begin(); file != files.end() && static_cast<std::int64_t>(files.size()) > most;)
  {
    if (file->pinned)
    {
      ++file;
      continue;
    }
    file->owner->open_.erase(file->file->path());
    given_up.push_back(std::move(file->file));
    file = files.erase(file);
  }
  return given_up;
}

DataFiles::~DataFiles()
{
  Files closed;
  const std::lock_guard lock(process().mutex);
  for (const auto& [path, kept] : open_)
  {
    process().pinned -= kept->pinned ? 1 : 0;
    closed.push_back(std::move(kept->file));
    process().by_use.erase(kept);
  }
}

std::shared_ptr<const DataFile> DataFiles::find(const std::string& path)
{
  const std::lock_guard lock(process().mutex);
  const auto found = open_.find(path);
  if (found == open_.end())
  {
    return nullptr;
  }
  std::list<Kept>& files = process().by_use;
  files.splice(files.end(), files, found->second);
  return found->second->file;
}

void DataFiles::keep(const std::shared_ptr<const DataFile>& file)
{
  Files closed;
  const std::lock_guard lock(process().mutex);
  std::list<Kept>& files = process().by_use;
  if (const auto known = open_.find(file->path()); known != open_.end())
  {
    closed.push_back(std::exchange(known->second->file, file)); // another thread has opened it, too
    return;
  }
  files.push_back({ this, file, false });
  open_[file->path()] = std::prev(files.end());
  closed = give_up(most_kept());
}

bool DataFiles::pin(const std::string& path)
{
  const std::lock_guard lock(process().mutex);
  const auto found = open_.find(path);
  if (found == open_.end() || process().pinned >= most_kept() / 2)
  {
    return false;
  }
  process().pinned += found->second->pinned ? 0 : 1;
  found->second->pinned = true;
  return true;
}

Result<std::shared_ptr<const DataFile>> DataFiles::open_anew(const std::string& path, std::int64_t bytes)
{
  Result<std::shared_ptr<const DataFile>> file = DataFile::open(path, direct_);
  if (!file && (file.error().sys_errno == EMFILE || file.error().sys_errno == ENFILE))
  {
    {
      Files closed;
      const std::lock_guard lock(process().mutex);
      closed = give_up(0);
    }
    file = DataFile::open(path, direct_);
  }
  if (!file)
  {
    return file;
  }
  Result<void> sound = (*file)->require(bytes); // a better error than that the file changed
  sound = sound ? (*file)->see(*seen_) : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  if (order_ == Order::Random)
  {
    ::posix_fadvise((*file)->descriptor(), 0, 0, POSIX_FADV_RANDOM);
  }
  keep(*file);
  return file;
}

Result<std::shared_ptr<const DataFile>> DataFiles::open(const std::string& path, std::int64_t bytes)
{
  std::shared_ptr<const DataFile> file = find(path);
  if (!file) // opened without the lock: a slow file system then delays only the threads that need this file
  {
    return open_anew(path, bytes);
  }
  if (Result<void> enough = file->require(bytes); !enough)
  {
    return forward_error(enough);
  }
  return file;
}

Result<void> DataFiles::health()
{
  Files files;
  {
    const std::lock_guard lock(process().mutex);
    for (const auto& [path, kept] : open_)
    {
      files.push_back(kept->file);
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

} // namespace rivulet
