// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FileIdentity.h"

#include <cerrno>

namespace rivulet
{

namespace
{

constexpr const char* kOpenAgain = "open the file again when it is complete";

bool same_file(const struct stat& a, const struct stat& b)
{
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool same_time(const struct stat& a, const struct stat& b)
{
  return a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

} // namespace

Result<FileIdentity> FileIdentity::of(const File& file)
{
  FileIdentity identity;
  if (::fstat(file.descriptor(), &identity.status_) != 0)
  {
    return fail(ErrorCode::CannotRead, "the file's size cannot be read", {}, file.path(), -1, errno);
  }
  return identity;
}

bool FileIdentity::same_as(const FileIdentity& other) const
{
  return size() == other.size() && same_file(status_, other.status_) && same_time(status_, other.status_);
}

std::optional<FileIdentity> FileIdentity::of(const std::string& path)
{
  FileIdentity identity;
  return ::stat(path.c_str(), &identity.status_) == 0 ? std::optional(identity) : std::nullopt;
}

Result<void> FileIdentity::check(const FileIdentity& now, const std::string& path) const
{
  if (now.size() < size())
  {
    return fail(ErrorCode::Truncated, "the file was cut short while it was open", kOpenAgain, path, now.size());
  }
  if (!same_time(now.status_, status_))
  {
    return fail(ErrorCode::CannotRead, "the file was written to while it was open", kOpenAgain, path);
  }
  return {};
}

Result<void> FileIdentity::check(const std::string& path) const
{
  const std::optional<FileIdentity> now = of(path);
  if (now && !same_file(now->status_, status_))
  {
    return fail(ErrorCode::CannotRead, "the file was replaced by another while it was open", kOpenAgain, path);
  }
  return now ? check(*now, path) : Result<void>();
}

Result<void> FileIdentity::check(const File& file) const
{
  Result<FileIdentity> now = of(file);
  if (!now)
  {
    return forward_error(now);
  }
  if (Result<void> same = check(*now, file.path()); !same)
  {
    return same;
  }
  if (::stat(file.path().c_str(), &now->status_) == 0 && !same_file(now->status_, status_))
  {
    return fail(ErrorCode::CannotRead, "the file was replaced by another while it was open", kOpenAgain, file.path());
  }
  return {};
}

} // namespace rivulet
