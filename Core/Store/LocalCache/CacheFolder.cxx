// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/CacheFolder.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

constexpr const char* kOwnFolder = "make a folder of your own for it: mkdir -m 700 FOLDER";

tl::unexpected<Error> refuse(const std::string& path, const std::string& why, const std::string& remedy, int number = 0)
{
  return fail(ErrorCode::CannotWrite, "the local cache cannot be used: " + why, remedy, path, -1, number);
}

/// A link could have been planted by another user.
bool is_link_of_others(const std::string& path)
{
  struct stat status = {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && status.st_uid != ::geteuid() &&
         status.st_uid != 0;
}

void make_folder(const std::string& path)
{
  std::error_code ignored; // opening it tells
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  if (!above.empty())
  {
    std::filesystem::create_directories(above, ignored);
  }
  ::mkdir(path.c_str(), 0700);
}

Result<CacheDescriptor> open_folder(const std::string& path)
{
  if (is_link_of_others(path))
  {
    return refuse(path, "its folder is a link that another user made", kOwnFolder);
  }
  make_folder(path);
  CacheDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status = {};
  if (folder.get() < 0 || ::fstat(folder.get(), &status) != 0)
  {
    return refuse(path, "its folder cannot be opened", "check the path and its permissions", errno);
  }
  if (status.st_uid != ::geteuid())
  {
    return refuse(path, "its folder belongs to another user", kOwnFolder);
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
  {
    return refuse(path, "other users may write into its folder", "chmod go-w \"" + path + "\"");
  }
  return folder;
}

Result<CacheDescriptor> open_file(const CacheDescriptor& folder, const std::string& path, int flags)
{
  CacheDescriptor file(
      ::openat(folder.get(), kCacheFileName, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | flags, 0600));
  if (file.get() < 0)
  {
    const int number = errno;
    return number == ELOOP ? refuse(path, "a link has its name", "remove the link")
                           : refuse(path, "the file cannot be opened for writing", "check its permissions", number);
  }
  return file;
}

Result<struct stat> checked_status(const CacheDescriptor& file, const std::string& path)
{
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0)
  {
    return refuse(path, "the file's state cannot be read", {}, errno);
  }
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || status.st_nlink != 1)
  {
    return refuse(path,
        !S_ISREG(status.st_mode)       ? "there is no ordinary file under its name"
        : status.st_uid != ::geteuid() ? "the file belongs to another user"
                                       : "the file has other names, too",
        "remove it, or choose another folder");
  }
  return status;
}

/// Locks the header's bytes; 0, or errno.
int lock_header(const CacheDescriptor& file, short type)
{
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_len = sizeof(CacheHeader);
  return ::fcntl(file.get(), F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

/// Waits for another process that is making the file.
int lock_shared(const CacheDescriptor& file)
{
  int number = 0;
  for (int turn = 0; turn < 100; ++turn)
  {
    number = lock_header(file, F_RDLCK);
    if (number != EAGAIN && number != EACCES)
    {
      return number;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return number;
}

std::uint64_t this_machine()
{
  std::string name;
  std::getline(std::ifstream("/etc/machine-id"), name);
  if (name.empty())
  {
    std::array<char, 256> host{};
    name = ::gethostname(host.data(), host.size() - 1) == 0 ? host.data() : "";
  }
  return XXH3_64bits(name.data(), name.size());
}

std::optional<CacheHeader> read_header(const CacheDescriptor& file)
{
  CacheHeader header;
  const ssize_t got = ::pread(file.get(), &header, sizeof header, 0);
  return got == ssize_t{ sizeof header } ? std::optional(header) : std::nullopt;
}

/// Whether a process was to make the cache here, and ended or gave up before the header, which comes last.
bool is_unfinished(const CacheDescriptor& file)
{
  std::array<char, sizeof(CacheHeader)> bytes{};
  const ssize_t got = ::pread(file.get(), bytes.data(), bytes.size(), 0);
  return got >= 0 && std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == 0; });
}

bool is_cache(const std::optional<CacheHeader>& header)
{
  return header && header->magic == CacheHeader::kMagic;
}

/// Half of the free space, counting the blocks that the file has now.
std::int64_t default_limit(const CacheDescriptor& file, const struct stat& status)
{
  struct statvfs system = {};
  if (::fstatvfs(file.get(), &system) != 0)
  {
    return 0;
  }
  const auto free = static_cast<std::int64_t>(system.f_bavail) * static_cast<std::int64_t>(system.f_frsize);
  return (free + static_cast<std::int64_t>(status.st_blocks) * 512) / 2;
}

Result<void> check_size_limit(std::int64_t bytes, const std::string& path)
{
  rlimit most = {};
  if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < static_cast<rlim_t>(bytes))
  {
    return refuse(
        path, "the process may not write files of " + format_bytes(bytes), "set a smaller limit for the cache");
  }
  return {};
}

/// An empty cache. The header comes last.
Result<CacheShape> make_anew(const CacheDescriptors& opened, const struct stat& status, std::int64_t limit)
{
  const std::int64_t bytes = limit > 0 ? limit : default_limit(opened.buffered, status);
  if (limit <= 0 && bytes < CacheShape::kLeastLimit)
  {
    return refuse(opened.path, "its disk is full", "free some space, or choose another folder");
  }
  Result<CacheHeader> header = CacheShape::header_for(bytes, this_machine());
  if (!header)
  {
    return forward_error(header);
  }
  const CacheShape shape(*header);
  if (Result<void> allowed = check_size_limit(shape.file_bytes(), opened.path); !allowed)
  {
    return forward_error(allowed);
  }
  const int file = opened.buffered.get();
  if (::ftruncate(file, 0) != 0 || ::ftruncate(file, shape.file_bytes()) != 0 ||
      ::pwrite(file, &*header, sizeof *header, 0) != ssize_t{ sizeof *header })
  {
    return refuse(opened.path, "its file cannot be made", "check the free space and the permissions", errno);
  }
  return shape;
}

/// The shape of a file that no other process uses.
Result<CacheShape> take_alone(const CacheDescriptors& opened, const struct stat& status, std::int64_t limit)
{
  std::optional<CacheHeader> header = read_header(opened.buffered);
  if (!is_cache(header) && !is_unfinished(opened.buffered))
  {
    return refuse(opened.path, "a file that is no cache has its name", "remove it, or choose another folder");
  }
  const bool usable = header && CacheShape(*header).is_sound() && (limit <= 0 || header->limit == limit) &&
                      status.st_size == CacheShape(*header).file_bytes();
  if (!usable)
  {
    return make_anew(opened, status, limit);
  }
  if (header->machine != this_machine())
  {
    header->machine = this_machine();
    if (::pwrite(opened.buffered.get(), &*header, sizeof *header, 0) != ssize_t{ sizeof *header })
    {
      return refuse(opened.path, "its file cannot be written", "check the free space and the permissions", errno);
    }
  }
  return CacheShape(*header);
}

/// The shape of a file that other processes use.
Result<CacheShape> join(const CacheDescriptors& opened)
{
  const std::optional<CacheHeader> header = read_header(opened.buffered);
  if (!is_cache(header) || !CacheShape(*header).is_sound())
  {
    return refuse(
        opened.path, "a program with another version of it uses it", "end that program, or choose another folder");
  }
  if (header->machine != this_machine())
  {
    return refuse(opened.path, "another machine uses it", "choose a folder on a disk of this machine");
  }
  return CacheShape(*header);
}

/// Locks the file, alone or with others. Returns none if the process that had it alone has left no cache.
std::optional<Result<CacheShape>> try_to_settle(
    const CacheDescriptors& opened, const struct stat& status, std::int64_t limit)
{
  int number = lock_header(opened.buffered, F_WRLCK);
  const bool alone = number == 0;
  const bool used = number == EAGAIN || number == EACCES;
  if (!alone && !used)
  {
    return refuse(opened.path, "its file system has no locks", "choose a folder on a local disk", number);
  }
  Result<CacheShape> shape = alone ? take_alone(opened, status, limit) : CacheShape();
  if (!shape)
  {
    return shape;
  }
  if (number = lock_shared(opened.buffered); number != 0)
  {
    return refuse(opened.path, "another program has locked it", "end that program, or choose another folder", number);
  }
  if (alone)
  {
    return shape;
  }
  if (is_unfinished(opened.buffered))
  {
    (void)lock_header(opened.buffered, F_UNLCK);
    return {};
  }
  return join(opened);
}

Result<CacheShape> settle_shape(const CacheDescriptors& opened, const struct stat& status, std::int64_t limit)
{
  static constexpr int kTurns = 100; // each ends with a cache, but for processes that cannot make one
  for (int turn = 0; turn < kTurns; ++turn)
  {
    if (std::optional<Result<CacheShape>> shape = try_to_settle(opened, status, limit))
    {
      return std::move(*shape);
    }
  }
  return refuse(opened.path, "other programs try to make it and cannot", "see their messages");
}

} // namespace

CacheDescriptor::~CacheDescriptor()
{
  if (descriptor_ >= 0)
  {
    ::close(descriptor_);
  }
}

Result<CacheDescriptors> open_cache_file(const std::string& folder, std::int64_t limit)
{
  Result<CacheDescriptor> in = open_folder(folder);
  if (!in)
  {
    return forward_error(in);
  }
  CacheDescriptors opened;
  opened.path = (std::filesystem::path(folder) / kCacheFileName).string();
  Result<CacheDescriptor> file = open_file(*in, opened.path, O_CREAT);
  if (!file)
  {
    return forward_error(file);
  }
  opened.buffered = std::move(*file);
  Result<struct stat> status = checked_status(opened.buffered, opened.path);
  if (!status)
  {
    return forward_error(status);
  }
  Result<CacheShape> shape = settle_shape(opened, *status, limit);
  if (!shape)
  {
    return forward_error(shape);
  }
  opened.shape = *shape;
  opened.device = status->st_dev;
  opened.inode = status->st_ino;
  struct stat same = {};
  Result<CacheDescriptor> direct = open_file(*in, opened.path, O_DIRECT);
  if (direct && ::fstat(direct->get(), &same) == 0 && same.st_ino == status->st_ino && same.st_dev == status->st_dev)
  {
    opened.direct = std::move(*direct);
  }
  return opened;
}

} // namespace rivulet
