// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/HiddenFile.h"

#include "Io/File.h"
#include "Io/UnfinishedFiles.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
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

tl::unexpected<Error> HiddenFile::failure(const std::string& what, int number) const
{
  return fail(ErrorCode::CannotWrite, what, "make room, or choose another folder", path_, -1, number);
}

Result<HiddenFile> HiddenFile::create(const std::string& path, std::int64_t bytes)
{
  HiddenFile file(path, hidden_name(path));
  const int descriptor = ::open(file.hidden_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
  {
    const int number = errno;
    file.hidden_.clear();
    return file.failure("the file cannot be created", number);
  }
  add_unfinished_file(file.hidden_);
  const int refused = bytes > 0 ? ::posix_fallocate(descriptor, 0, bytes) : 0;
  ::close(descriptor);
  if (refused != 0 && refused != EOPNOTSUPP && refused != EINVAL)
  {
    return file.failure("there is no room for the file", refused);
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
  const Result<File> file = File::open_write(hidden_);
  Result<void> written = file ? file->write_at(offset, values, bytes) : tl::unexpected(file.error());
  return written ? written : tl::unexpected(std::move(written.error()).at_path(path_));
}

Result<void> HiddenFile::sync() const
{
  const Result<File> file = File::open_write(hidden_);
  if (!file || ::fsync(file->descriptor()) != 0)
  {
    return failure("the file cannot be brought to the disk", errno);
  }
  return {};
}

Result<void> HiddenFile::publish()
{
  if (::rename(hidden_.c_str(), path_.c_str()) != 0)
  {
    return failure("the finished file cannot get its name", errno);
  }
  forget_unfinished_file(hidden_);
  hidden_.clear();
  return {};
}

} // namespace rivulet
