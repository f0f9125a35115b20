// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/TemporaryPlace.h"

#include "Io/Writes/UnfinishedFiles.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

constexpr int kMostTries = 16;

std::string hexadecimal(std::uint32_t number)
{
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%08x", number);
  return text.data();
}

/// Hash (FNV-1a) of the machine's name, which may be long.
std::string host_mark()
{
  std::array<char, 256> name{};
  (void)::gethostname(name.data(), name.size() - 1);
  std::uint32_t hash = 2166136261U;
  for (const char* at = name.data(); *at != '\0'; ++at)
  {
    hash = (hash ^ static_cast<unsigned char>(*at)) * 16777619U;
  }
  return hexadecimal(hash);
}

/// Common beginning of the names of a target's hidden places, without folder.
std::string beginning_for(const std::string& target)
{
  return "." + std::filesystem::path(target).filename().string().substr(0, TemporaryPlace::kMostOfName) + ".tmp-";
}

std::string folder_of(const std::string& target)
{
  return target.substr(0, target.rfind('/') + 1); // npos + 1 is 0
}

/// Parses the rest of a name, PID-HOST-RANDOM; `host` gets its middle.
bool parse_rest(const std::string& rest, std::string& host)
{
  const std::size_t dash = rest.find('-');
  const auto digit = [](char c)
  {
    return c >= '0' && c <= '9';
  };
  const auto mark = [&](char c)
  {
    return digit(c) || (c >= 'a' && c <= 'f');
  };
  if (dash == 0 || dash == std::string::npos || rest.size() != dash + 18 || rest[dash + 9] != '-')
  {
    return false;
  }
  host = rest.substr(dash + 1, 8);
  const std::string random = rest.substr(dash + 10);
  return std::all_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(dash), digit) &&
         std::all_of(host.begin(), host.end(), mark) && std::all_of(random.begin(), random.end(), mark);
}

/// Descriptor of the object at `path` itself, not of a link's target; -1 if there is none.
int open_itself(const std::string& path)
{
  return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

bool leads_to(const std::string& path, int descriptor)
{
  struct stat named = {};
  struct stat opened = {};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(descriptor, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

enum class Fate : std::uint8_t
{
  InUse,
  Removed,
  Left
};

Fate remove_if_abandoned(const std::string& path, bool of_this_host, const RemovePlace& remove)
{
  const int descriptor = open_itself(path);
  struct stat status = {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
  {
    return errno == ENOENT ? Fate::InUse : Fate::Left;
  }
  const bool ours =
      of_this_host && status.st_uid == ::geteuid() && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  const bool locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  Fate fate = !locked && errno == EWOULDBLOCK ? Fate::InUse : Fate::Left;
  if (ours && locked && leads_to(path, descriptor))
  {
    fate = remove(path) ? Fate::Removed : Fate::Left;
  }
  ::close(descriptor);
  return fate;
}

} // namespace

bool remove_place(const std::string& path)
{
  std::error_code error; // the next process that finds it tries again
  std::filesystem::remove_all(path, error);
  return !error;
}

AbandonedPlaces remove_abandoned_places(const std::string& target, const RemovePlace& remove)
{
  AbandonedPlaces found;
  const std::string folder = folder_of(target);
  const std::string beginning = beginning_for(target);
  std::error_code error;
  std::filesystem::directory_iterator entries(folder.empty() ? "." : folder, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error))
  {
    const std::string name = entries->path().filename().string();
    std::string host;
    if (!name.starts_with(beginning) || !parse_rest(name.substr(beginning.size()), host))
    {
      continue;
    }
    const Fate fate = remove_if_abandoned(folder + name, host == host_mark(), remove);
    if (fate != Fate::InUse)
    {
      (fate == Fate::Removed ? found.removed : found.left).push_back(folder + name);
    }
  }
  return found;
}

/// `make` makes the hidden place and returns 0 or errno.
template <class Make>
Result<TemporaryPlace> TemporaryPlace::create(const std::string& target, Abandoned abandoned, const Make& make)
{
  if (abandoned == Abandoned::Remove)
  {
    remove_abandoned_places(target);
  }
  std::random_device random;
  const std::string beginning =
      folder_of(target) + beginning_for(target) + std::to_string(::getpid()) + "-" + host_mark() + "-";
  int refused = 0;
  for (int tries = 0; tries < kMostTries; ++tries)
  {
    const std::string path = beginning + hexadecimal(random());
    add_unfinished_file(path); // first: a signal may come as soon as it is made
    refused = make(path);
    if (refused != 0)
    {
      forget_unfinished_file(path);
      break;
    }
    TemporaryPlace made(path, open_itself(path));
    // Between making and locking, another process may have removed it as abandoned.
    if (made.lock_ >= 0 && (::flock(made.lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) &&
        leads_to(path, made.lock_))
    {
      return made;
    }
    refused = made.lock_ < 0 ? EACCES : EAGAIN;
  }
  return fail(
      ErrorCode::CannotWrite, "the file cannot be created", "check the path and its permissions", target, -1, refused);
}

Result<TemporaryPlace> TemporaryPlace::file(const std::string& target, Abandoned abandoned)
{
  return create(target, abandoned,
      [](const std::string& path)
      {
        const Result<File> made = File::create(path);
        return made ? 0 : made.error().sys_errno;
      });
}

Result<TemporaryPlace> TemporaryPlace::folder(const std::string& target, Abandoned abandoned)
{
  return create(
      target, abandoned, [](const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0 ? 0 : errno; });
}

TemporaryPlace::TemporaryPlace(TemporaryPlace&& other) noexcept
  : path_(std::exchange(other.path_, {}))
  , lock_(std::exchange(other.lock_, -1))
{
}

TemporaryPlace& TemporaryPlace::operator=(TemporaryPlace&& other) noexcept
{
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

TemporaryPlace::~TemporaryPlace()
{
  if (!path_.empty())
  {
    remove_place(path_);
  }
  forget();
}

void TemporaryPlace::forget()
{
  if (!path_.empty())
  {
    forget_unfinished_file(path_);
    path_.clear();
  }
  if (lock_ >= 0)
  {
    ::close(std::exchange(lock_, -1));
  }
}

} // namespace rivulet
