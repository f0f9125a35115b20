// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FileIdentity.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <system_error>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

constexpr const char* kOpenAgain = "open the file again when it is complete";

std::int64_t nanoseconds(const timespec& time)
{
  return std::int64_t{ time.tv_sec } * 1'000'000'000 + time.tv_nsec;
}

std::int64_t nanoseconds_now()
{
  timespec time = {};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return nanoseconds(time);
}

bool same_file(const struct stat& a, const struct stat& b)
{
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool same_time(const struct stat& a, const struct stat& b)
{
  return a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

/// Hash of pages that lie evenly between the first and the last whole one; nothing if one cannot be read. Whole pages,
/// since the file may be open for direct reads.
std::optional<std::uint64_t> hash_of_samples(const File& file, std::int64_t size)
{
  alignas(kPage) std::array<std::byte, kPage> page;
  const std::int64_t pages = size / kPage;
  const std::int64_t samples = std::min(pages, FileIdentity::kSamples);
  const auto place = [&](std::int64_t sample)
  {
    return sample * (pages - 1) / std::max<std::int64_t>(1, samples - 1) * kPage;
  };
  for (std::int64_t sample = 0; sample < samples; ++sample) // all at once: storage may take milliseconds for each
  {
    ::posix_fadvise(file.descriptor(), place(sample), kPage, POSIX_FADV_WILLNEED);
  }
  std::uint64_t hash = 0;
  for (std::int64_t sample = 0; sample < samples; ++sample)
  {
    if (!file.pread_full(page.data(), kPage, place(sample)))
    {
      return std::nullopt;
    }
    hash = XXH3_64bits_withSeed(page.data(), page.size(), hash);
  }
  return hash;
}

} // namespace

Result<FileIdentity> FileIdentity::of(const File& file)
{
  FileIdentity identity;
  identity.seen_ = nanoseconds_now();
  if (::fstat(file.descriptor(), &identity.status_) != 0)
  {
    return fail(ErrorCode::CannotRead, "the file's size cannot be read", {}, file.path(), -1, errno);
  }
  return identity;
}

std::uint64_t FileIdentity::fingerprint(const File& file) const
{
  const std::int64_t age = seen_ - nanoseconds(status_.st_ctim);
  if (age >= 0 && age < kTick)
  {
    return 0;
  }
  std::error_code relative;
  const std::string path = std::filesystem::absolute(file.path(), relative).lexically_normal().string();
  const std::optional<std::uint64_t> samples = status_.st_mtim.tv_nsec == 0 ? hash_of_samples(file, size()) : 0;
  if (!samples)
  {
    return 0;
  }
  const std::array<std::int64_t, 7> facts{ static_cast<std::int64_t>(XXH3_64bits(path.data(), path.size())),
    status_.st_size, status_.st_mtim.tv_sec, status_.st_mtim.tv_nsec, status_.st_ctim.tv_sec, status_.st_ctim.tv_nsec,
    static_cast<std::int64_t>(*samples) };
  return std::max<std::uint64_t>(1, XXH3_64bits(facts.data(), sizeof facts));
}

bool FileIdentity::same_as(const FileIdentity& other) const
{
  return size() == other.size() && same_file(status_, other.status_) && same_time(status_, other.status_);
}

std::optional<FileIdentity> FileIdentity::of(const std::string& path)
{
  FileIdentity identity;
  identity.seen_ = nanoseconds_now();
  return ::stat(path.c_str(), &identity.status_) == 0 ? std::optional(identity) : std::nullopt;
}

std::int64_t FileIdentity::length_now(const char* path) const noexcept
{
  struct stat now = {};
  return ::stat(path, &now) == 0 && same_file(now, status_) ? std::int64_t{ now.st_size } : -1;
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
