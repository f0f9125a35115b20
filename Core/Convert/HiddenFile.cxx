// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/HiddenFile.h"

#include "Io/UnfinishedFiles.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

// Closes on the way out.
struct Descriptor
{
  int number;
  explicit Descriptor(int opened)
    : number(opened)
  {
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor()
  {
    if (number >= 0)
    {
      ::close(number);
    }
  }
};

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
  const Descriptor opened(::open(file.hidden_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (opened.number < 0)
  {
    const int number = errno;
    file.hidden_.clear();
    return file.failure("the file cannot be created", number);
  }
  add_unfinished_file(file.hidden_);
  const int refused = bytes > 0 ? ::posix_fallocate(opened.number, 0, bytes) : 0;
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
  const Descriptor opened(::open(hidden_.c_str(), O_WRONLY | O_CLOEXEC));
  if (opened.number < 0)
  {
    return failure("the file cannot be opened", errno);
  }
  while (bytes > 0)
  {
    const ssize_t put = ::pwrite(opened.number, values, static_cast<std::size_t>(bytes), offset);
    if (put < 0 && errno != EINTR)
    {
      return failure("the file cannot be written", errno);
    }
    const ssize_t moved = put < 0 ? 0 : put;
    offset += moved;
    values += moved;
    bytes -= moved;
  }
  return {};
}

Result<void> HiddenFile::sync() const
{
  const Descriptor opened(::open(hidden_.c_str(), O_WRONLY | O_CLOEXEC));
  if (opened.number < 0 || ::fsync(opened.number) != 0)
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
