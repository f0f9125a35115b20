// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/File.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace rivulet
{

namespace
{

constexpr const char* kCheckAccess = "check the path and its permissions";
constexpr const char* kMoreDescriptors = "close other files, or raise the limit of open files (ulimit -n)";

const char* remedy_for(int number)
{
  return number == EMFILE || number == ENFILE ? kMoreDescriptors : kCheckAccess;
}

bool direct(File::Mode mode)
{
  return mode == File::Mode::ReadDirect || mode == File::Mode::WriteDirect;
}

int access_of(File::Mode mode)
{
  switch (mode)
  {
  case File::Mode::ReadWrite:
    return O_RDWR;
  case File::Mode::WriteDirect:
    return O_WRONLY | O_DIRECT;
  case File::Mode::ReadDirect:
    return O_RDONLY | O_DIRECT;
  default:
    return O_RDONLY;
  }
}

tl::unexpected<Error> cannot_open(const std::string& path, File::Mode mode, int number)
{
  if (number == ENOENT || number == ENOTDIR)
  {
    return fail(ErrorCode::NotFound, "there is no such file", "check the path", path);
  }
  if (number == EINVAL && direct(mode))
  {
    return fail(ErrorCode::Unsupported, "its file system has no direct access", "choose a buffered strategy", path);
  }
  const bool writes = mode == File::Mode::ReadWrite || mode == File::Mode::WriteDirect;
  const ErrorCode code = writes ? ErrorCode::CannotWrite : ErrorCode::CannotRead;
  return fail(code, "the file cannot be opened", remedy_for(number), path, -1, number);
}

int open_retrying(const std::string& path, int flags)
{
  int descriptor = -1;
  do
  {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

/// Transfers `bytes` bytes with calls of transfer(done), which returns as read(2) does. Returns the bytes transferred.
template <class Transfer>
std::int64_t transfer_all(std::int64_t bytes, Transfer&& transfer)
{
  std::int64_t done = 0;
  while (done < bytes)
  {
    const ssize_t moved = transfer(done);
    if (moved == 0 || (moved < 0 && errno != EINTR))
    {
      errno = moved == 0 ? 0 : errno;
      break;
    }
    done += moved < 0 ? 0 : moved;
  }
  return done;
}

} // namespace

File::File(File&& other) noexcept
  : descriptor_(std::exchange(other.descriptor_, -1))
  , direct_(std::exchange(other.direct_, -1))
  , path_(std::move(other.path_))
  , pause_(std::exchange(other.pause_, nullptr))
{
}

File& File::operator=(File&& other) noexcept
{
  std::swap(descriptor_, other.descriptor_);
  std::swap(direct_, other.direct_);
  std::swap(pause_, other.pause_);
  std::swap(path_, other.path_);
  return *this;
}

File::~File()
{
  for (const int descriptor : { descriptor_, direct_ })
  {
    if (descriptor >= 0)
    {
      ::close(descriptor);
    }
  }
}

Result<File> File::open(const std::string& path, Mode mode)
{
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  File file(open_retrying(path, access_of(mode) | O_NONBLOCK), path);
  struct stat status = {};
  if (!file || ::fstat(file.descriptor_, &status) != 0)
  {
    return cannot_open(path, mode, errno);
  }
  if (!S_ISREG(status.st_mode))
  {
    return fail(ErrorCode::CannotRead, S_ISDIR(status.st_mode) ? "this is a folder" : "this is not a regular file",
        "give the path of a file", path);
  }
  return file;
}

Result<File> File::create(const std::string& path)
{
  File file(open_retrying(path, O_RDWR | O_CREAT | O_EXCL), path);
  if (!file)
  {
    const int number = errno;
    return fail(ErrorCode::CannotWrite, "the file cannot be created", remedy_for(number), path, -1, number);
  }
  return file;
}

tl::unexpected<Error> File::read_failure(std::int64_t offset, int number) const
{
  if (number == 0)
  {
    return fail(ErrorCode::Truncated, "the file ends too early", "copy or convert it again", path_, offset);
  }
  return fail(ErrorCode::CannotRead, "the file cannot be read", "check the disk", path_, offset, number);
}

tl::unexpected<Error> File::write_failure(const char* what, std::int64_t offset, int number) const
{
  return fail(ErrorCode::CannotWrite, what, "make room, or choose another folder", path_, offset, number);
}

Result<std::int64_t> File::size() const
{
  struct stat status = {};
  if (::fstat(descriptor_, &status) != 0)
  {
    return read_failure(-1, errno);
  }
  return static_cast<std::int64_t>(status.st_size);
}

namespace
{

/// Makes the system allocate the pages of memory that is written next. That is work of a processor, so it is done
/// before the thread reports that it waits for storage.
void populate(std::byte* memory, std::int64_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory) / kPage * kPage;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(bytes);
  (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_WRITE); // older kernels refuse it
#else
  (void)memory;
  (void)bytes;
#endif
}

} // namespace

bool File::read_past_cache()
{
  if (direct_ < 0)
  {
    // Opened by descriptor: the path may lead to another file now.
    direct_ = open_retrying("/proc/self/fd/" + std::to_string(descriptor_), O_RDONLY | O_DIRECT);
  }
  return direct_ >= 0;
}

/// Reads the bytes that can be had without waiting, from the beginning on. Returns their number.
std::int64_t File::read_cached(std::byte* out, std::int64_t bytes, std::int64_t offset) const
{
  std::int64_t done = 0;
#ifdef RWF_NOWAIT
  while (done < bytes)
  {
    const ::iovec rest{ out + done, static_cast<std::size_t>(bytes - done) };
    const ssize_t count = ::preadv2(descriptor_, &rest, 1, offset + done, RWF_NOWAIT);
    if (count <= 0) // not cached, end of file, or unknown to the file system: the plain read finds out
    {
      break;
    }
    done += count;
  }
#else
  (void)out;
  (void)bytes;
  (void)offset;
#endif
  return done;
}

bool File::is_cached(std::int64_t offset) const
{
  std::byte byte{};
  return read_cached(&byte, 1, offset) == 1;
}

void File::will_need(std::int64_t offset, std::int64_t bytes) const
{
  // Linux limits one request to its read-ahead window, which is seldom smaller than this.
  static constexpr std::int64_t kAdvice = std::int64_t{ 128 } << 10;
  for (std::int64_t begin = offset; begin < offset + bytes; begin += kAdvice)
  {
    (void)::posix_fadvise(descriptor_, begin, std::min(kAdvice, offset + bytes - begin), POSIX_FADV_WILLNEED);
  }
}

std::int64_t File::read_waiting(std::byte* out, std::int64_t bytes, std::int64_t offset) const
{
  return transfer_all(bytes, [&](std::int64_t done)
      { return ::pread(descriptor_, out + done, static_cast<std::size_t>(bytes - done), offset + done); });
}

/// Reads whole pages past the cache, and the first and the last partial page through it.
std::int64_t File::read_direct(std::byte* out, std::int64_t bytes, std::int64_t offset) const
{
  const std::int64_t begin = round_up(offset, kPage);
  const std::int64_t end = (offset + bytes) / kPage * kPage;
  std::int64_t done = read_waiting(out, begin - offset, offset);
  if (done < begin - offset)
  {
    return done;
  }
  done += transfer_all(end - begin, [&](std::int64_t more)
      { return ::pread(direct_, out + done + more, static_cast<std::size_t>(end - begin - more), begin + more); });
  // The last page, or the rest that could not be read directly: storage may need larger units than pages.
  return done + read_waiting(out + done, bytes - done, offset + done);
}

Result<void> File::pread_full(void* out, std::int64_t bytes, std::int64_t offset) const
{
  auto* to = static_cast<std::byte*>(out);
  // Asking for bytes that are not cached starts reading them into the cache. So a read that would go past the cache
  // asks for one page only: in the middle, because earlier reads may have cached the first pages.
  const std::int64_t middle = bytes / 2 / kPage * kPage;
  const bool can_go_past = direct_ >= 0 && bytes >= kMuchPastCache &&
                           reinterpret_cast<std::uintptr_t>(to) % kPage == static_cast<std::uintptr_t>(offset) % kPage;
  const bool directly = can_go_past && read_cached(to + middle, kPage, offset + middle) < kPage;
  std::int64_t done = pause_ != nullptr && !directly ? read_cached(to, bytes, offset) : 0;
  int number = 0;
  if (done < bytes)
  {
    const std::int64_t rest = bytes - done;
    if (directly)
    {
      populate(to, bytes);
    }
    else if (pause_ != nullptr)
    {
      will_need(offset + done, rest);
    }
    if (pause_ != nullptr)
    {
      pause_->before_waiting();
    }
    done += directly ? read_direct(to + done, rest, offset + done) : read_waiting(to + done, rest, offset + done);
    number = errno;
    if (pause_ != nullptr)
    {
      pause_->after_waiting();
    }
  }
  return done < bytes ? Result<void>(read_failure(offset + done, number)) : Result<void>{};
}

Result<void> File::pwrite_full(const void* values, std::int64_t bytes, std::int64_t offset) const
{
  const auto write = [&](std::int64_t done)
  {
    return ::pwrite(descriptor_, static_cast<const std::byte*>(values) + done, static_cast<std::size_t>(bytes - done),
        offset + done);
  };
  const std::int64_t done = transfer_all(bytes, write);
  if (done < bytes)
  {
    return write_failure("the file cannot be written", offset + done, errno);
  }
  return {};
}

Result<void> File::append(const void* values, std::int64_t bytes)
{
  const auto write = [&](std::int64_t done)
  {
    return ::write(descriptor_, static_cast<const std::byte*>(values) + done, static_cast<std::size_t>(bytes - done));
  };
  if (transfer_all(bytes, write) < bytes)
  {
    return write_failure("the file cannot be written", -1, errno);
  }
  return {};
}

Result<void> File::reserve(std::int64_t bytes) const
{
  if (Result<void> fits = check_free_space(bytes); !fits)
  {
    return fits;
  }
  int refused = 0;
  do
  {
    // Not posix_fallocate: on file systems that cannot reserve it writes every block.
    refused = ::fallocate(descriptor_, 0, 0, bytes) == 0 ? 0 : errno;
  } while (refused == EINTR);
  if (refused == EOPNOTSUPP || refused == ENOSYS)
  {
    refused = ::ftruncate(descriptor_, bytes) == 0 ? 0 : errno;
  }
  if (refused != 0)
  {
    return write_failure("there is no room for the file", -1, refused);
  }
  return {};
}

Result<void> File::check_size_limit(std::int64_t bytes) const
{
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      static_cast<rlim_t>(bytes) <= limit.rlim_cur)
  {
    return {};
  }
  return fail(ErrorCode::CannotWrite,
      "the file needs up to " + format_bytes(bytes) + ", the process may write files of " +
          format_bytes(static_cast<std::int64_t>(limit.rlim_cur)),
      "raise the limit (ulimit -f)", path_, -1, EFBIG);
}

Result<void> File::check_free_space(std::int64_t bytes) const
{
  struct statvfs system = {};
  struct stat status = {};
  if (::fstatvfs(descriptor_, &system) != 0 || ::fstat(descriptor_, &status) != 0)
  {
    return {}; // unknown: fallocate will fail if there is no room
  }
  const double free = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
  const double has = static_cast<double>(status.st_blocks) * 512.0;
  if (static_cast<double>(bytes) > free + has)
  {
    const std::string what = "the file needs " + format_bytes(bytes) + ", the disk has " +
                             format_bytes(static_cast<std::int64_t>(free)) + " free";
    return write_failure(what.c_str(), -1, ENOSPC);
  }
  return {};
}

Result<void> File::sync() const
{
  if (::fsync(descriptor_) != 0)
  {
    return write_failure("the file cannot be brought to the disk", -1, errno);
  }
  return {};
}

Result<void> File::close()
{
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR)
  {
    return write_failure("the file cannot be closed", -1, errno);
  }
  return {};
}

Result<DirectLimits> direct_limits(const std::string& path)
{
  const Result<File> file = File::open(path, File::Mode::ReadDirect);
  if (!file)
  {
    return tl::unexpected<Error>(file.error());
  }
  DirectLimits limits;
#ifdef STATX_DIOALIGN
  struct statx status = {};
  if (::statx(file->descriptor(), "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) == 0 &&
      (status.stx_mask & STATX_DIOALIGN) != 0)
  {
    if (status.stx_dio_offset_align == 0)
    {
      return cannot_open(path, File::Mode::ReadDirect, EINVAL);
    }
    limits = { status.stx_dio_mem_align, status.stx_dio_offset_align };
  }
#endif
  return limits;
}

Result<void> sync_folder_of(const std::string& path)
{
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = open_retrying(folder, O_RDONLY | O_DIRECTORY);
  // Some network file systems cannot sync folders (EINVAL); they need not.
  const bool synced = descriptor >= 0 && (::fsync(descriptor) == 0 || errno == EINVAL);
  const int number = errno;
  if (descriptor >= 0)
  {
    ::close(descriptor);
  }
  if (!synced)
  {
    return fail(
        ErrorCode::CannotWrite, "the folder cannot be brought to the disk", "check the disk", folder, -1, number);
  }
  return {};
}

} // namespace rivulet
