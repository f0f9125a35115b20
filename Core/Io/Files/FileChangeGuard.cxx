// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FileChangeGuard.h"

#include <tuple>

namespace rivulet
{

namespace
{

// File systems take times from this clock or from its last tick, so never later ones.
timespec now()
{
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

bool before(const timespec& a, const timespec& b)
{
  return std::tie(a.tv_sec, a.tv_nsec) < std::tie(b.tv_sec, b.tv_nsec);
}

} // namespace

FileChangeGuard::FileChangeGuard()
  : since_(now())
{
}

void FileChangeGuard::expect(const std::string& path, const FileIdentity& identity)
{
  const std::lock_guard lock(mutex_);
  seen_.try_emplace(path, identity);
}

Result<void> FileChangeGuard::see(const File& file, const FileIdentity& identity)
{
  const std::lock_guard lock(mutex_);
  const auto [known, first] = seen_.try_emplace(file.path(), identity);
  if (!first)
  {
    return known->second.check(file);
  }
  if (before(since_, identity.changed()) && !before(now(), identity.changed()))
  {
    seen_.erase(known);
    return fail(ErrorCode::CannotRead, "the file was written or replaced after the field was opened",
        "open the field again when it is complete", file.path());
  }
  return {};
}

Result<void> FileChangeGuard::see(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  Result<FileIdentity> identity = FileIdentity::of(*file);
  return identity ? see(*file, *identity) : forward_error(identity);
}

Result<void> FileChangeGuard::check_all()
{
  const std::lock_guard lock(mutex_);
  for (const auto& [path, identity] : seen_)
  {
    if (Result<void> same = identity.check(path); !same)
    {
      return same;
    }
  }
  return {};
}

} // namespace rivulet
