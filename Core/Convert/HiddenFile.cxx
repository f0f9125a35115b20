// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/HiddenFile.h"

#include "Io/File.h"
#include "Io/UnfinishedFiles.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace rivulet
{

namespace
{

std::string hidden_name(const std::string& path)
{
  const std::filesystem::path target(path);
  const std::string name = "." + target.filename().string() + "." + std::to_string(::getpid()) + ".part";
  return (target.parent_path() / name).string();
}

} // namespace

Result<HiddenFile> HiddenFile::create(const std::string& path, std::int64_t bytes)
{
  HiddenFile file(path, hidden_name(path));
  ::unlink(file.hidden_.c_str()); // of a process that had this number before and was killed
  const Result<File> created = File::create(file.hidden_);
  if (!created)
  {
    file.hidden_.clear();
    return tl::unexpected(Error(created.error()).at_path(path));
  }
  add_unfinished_file(file.hidden_);
  Result<void> reserved = bytes > 0 ? created->reserve(bytes) : Result<void>();
  if (!reserved)
  {
    return tl::unexpected(std::move(reserved.error()).at_path(path));
  }
  return file;
}

HiddenFile::HiddenFile(HiddenFile&& other) noexcept
  : path_(std::move(other.path_))
  , hidden_(std::exchange(other.hidden_, {}))
{
}

HiddenFile::~HiddenFile()
{
  if (!hidden_.empty())
  {
    ::unlink(hidden_.c_str());
    forget_unfinished_file(hidden_);
  }
}

Result<void> HiddenFile::write_at(std::int64_t offset, const std::byte* values, std::int64_t bytes) const
{
  const Result<File> file = File::open(hidden_, File::Mode::ReadWrite);
  Result<void> written = file ? file->pwrite_full(values, bytes, offset) : tl::unexpected(file.error());
  return written ? written : tl::unexpected(std::move(written.error()).at_path(path_));
}

Result<void> HiddenFile::sync() const
{
  const Result<File> file = File::open(hidden_, File::Mode::ReadWrite);
  Result<void> synced = file ? file->sync() : tl::unexpected(file.error());
  return synced ? synced : tl::unexpected(std::move(synced.error()).at_path(path_));
}

Result<void> HiddenFile::publish()
{
  if (::rename(hidden_.c_str(), path_.c_str()) != 0)
  {
    return fail(
        ErrorCode::CannotWrite, "the finished file cannot get its name", "choose another folder", path_, -1, errno);
  }
  forget_unfinished_file(hidden_);
  hidden_.clear();
  return {};
}

} // namespace rivulet
