// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/MappedFile.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

/// Start of the page of a byte, for madvise.
std::int64_t page_of(std::int64_t offset)
{
  static const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  return offset / page * page;
}

} // namespace

Result<std::unique_ptr<MappedFile>> MappedFile::open(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  return file ? of(*file) : forward_error(file);
}

Result<std::unique_ptr<MappedFile>> MappedFile::of(const File& file)
{
  if (!ensure_bus_error_handler())
  {
    return fail(ErrorCode::Unsupported, "the system lacks what mapped files need (memfd_create)",
        "use the Buffered Cache", file.path(), -1, errno);
  }
  Result<FileIdentity> identity = FileIdentity::of(file);
  if (!identity)
  {
    return forward_error(identity);
  }
  std::unique_ptr<MappedFile> mapped(new MappedFile(file.path(), *identity));
  if (Result<void> done = mapped->map(file, false); !done)
  {
    return forward_error(done);
  }
  return mapped;
}

Result<std::unique_ptr<MappedFile>> MappedFile::for_users() const
{
  Result<File> file = File::open(path_, File::Mode::Read);
  if (Result<void> same = file ? identity_.check(*file) : forward_error(file); !same)
  {
    return forward_error(same);
  }
  static_cast<void>(ensure_bus_error_handler()); // libraries may have replaced it
  std::unique_ptr<MappedFile> mapped(new MappedFile(path_, identity_));
  if (Result<void> done = mapped->map(*file, true); !done)
  {
    return forward_error(done);
  }
  mapped->guard_ = WriteGuard::over(mapped->data_, size());
  if (mapped->guard_ == nullptr)
  {
    return fail(ErrorCode::CannotRead, "the mapped file cannot be guarded against being written to", {}, path());
  }
  return mapped;
}

Result<void> MappedFile::map(const File& file, bool for_users)
{
  if (size() == 0)
  {
    return fail(ErrorCode::Truncated, "the file is empty", "write it again", path(), 0);
  }
  const int flags = for_users ? MAP_PRIVATE | MAP_NORESERVE : MAP_SHARED;
  void* begin = ::mmap(nullptr, static_cast<std::size_t>(size()), PROT_READ, flags, file.descriptor(), 0);
  if (begin == MAP_FAILED)
  {
    return fail(ErrorCode::CannotRead, "the file cannot be mapped", "use the Buffered Cache", path(), -1, errno);
  }
  data_ = static_cast<std::byte*>(begin);
  ::madvise(begin, static_cast<std::size_t>(size()), MADV_RANDOM);
  region_ = watch_for_bus_errors(begin, size(), identity_, path_.c_str());
  if (region_ == nullptr)
  {
    return fail(ErrorCode::CannotRead, "there is no memory to watch the mapped file", {}, path(), -1, errno);
  }
  return {};
}

MappedFile::~MappedFile()
{
  guard_.reset();
  if (region_ != nullptr)
  {
    stop_watching(region_);
  }
  if (data_ != nullptr)
  {
    ::munmap(data_, static_cast<std::size_t>(size()));
  }
}

Error MappedFile::damage_at(std::int64_t offset) const
{
  if (const Result<void> same = identity_.check(path_); !same && same.error().code == ErrorCode::Truncated)
  {
    return Error(same.error()).at_offset(offset);
  }
  return { ErrorCode::CannotRead, "the file cannot be read here", "check the disk or the network file system", path(),
    offset, EIO };
}

Result<void> MappedFile::health() const
{
  static_cast<void>(ensure_bus_error_handler()); // libraries may have replaced it
  Result<void> same = identity_.check(path_);
  if (!same && same.error().code == ErrorCode::Truncated)
  {
    region_->note_end(same.error().offset);
  }
  else if (region_->first_fault() >= 0)
  {
    return tl::unexpected(damage_at(region_->first_fault()));
  }
  return same;
}

void MappedFile::will_need(std::int64_t offset, std::int64_t bytes) const
{
  const std::int64_t begin = page_of(offset);
  ::madvise(data_ + begin, static_cast<std::size_t>(offset + bytes - begin), MADV_WILLNEED);
}

void MappedFile::drop(std::int64_t offset, std::int64_t bytes) const
{
  const std::int64_t begin = page_of(offset);
  const std::int64_t length = offset + bytes - begin;
  if (guard_ != nullptr)
  {
    guard_->drop(data_ + begin, length);
    return;
  }
  ::madvise(data_ + begin, static_cast<std::size_t>(length), MADV_DONTNEED);
}

} // namespace rivulet
