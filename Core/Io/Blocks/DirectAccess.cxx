// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/DirectAccess.h"

#include <cerrno>
#include <unistd.h>

namespace rivulet
{

namespace
{

// A disk reads so many bytes in about the time of a seek.
constexpr std::int64_t kDirectGap = 64 * kKiB;

std::int64_t page_of(std::int64_t offset)
{
  return offset / kPage * kPage;
}

} // namespace

DirectAccess::DirectAccess(DataFiles& files, std::int64_t most)
  : BlockAccess(kDirectGap, most)
  , files_(files)
  , buffer_(
        static_cast<std::byte*>(std::aligned_alloc(kPage, static_cast<std::size_t>(round_up(most, kPage) + 2 * kPage))))
  , buffer_bytes_(round_up(most, kPage) + 2 * kPage)
{
}

Result<const std::byte*> DirectAccess::fetch(const BlockSpan& span)
{
  Result<std::shared_ptr<const DataFile>> file = files_.open(span.path(), span.needed());
  if (!file)
  {
    return forward_error(file);
  }
  const std::int64_t begin = page_of(span.offset);
  const std::int64_t least = span.offset + span.bytes - begin;
  const std::int64_t most = round_up(least, kPage); // at the end of the file the system stops by itself
  if (buffer_ == nullptr || most > buffer_bytes_)
  {
    return fail(ErrorCode::CannotRead, "there is no memory to read into", "close other programs", span.path());
  }
  ssize_t got = 0;
  do
  {
    got = ::pread((*file)->descriptor(), buffer_.get(), static_cast<std::size_t>(most), begin);
  } while (got < 0 && errno == EINTR);
  if (got < 0)
  {
    return fail(ErrorCode::CannotRead, "the data file cannot be read", "check the disk, or use the Buffered Cache",
        span.path(), begin, errno);
  }
  if (got < least)
  {
    Result<void> there = (*file)->reaches(span.needed()); // names the end, which may lie far before these bytes
    return there ? tl::unexpected(too_short(span.path(), begin + got, span.needed())) : forward_error(there);
  }
  count(most);
  return buffer_.get() + (span.offset - begin);
}

} // namespace rivulet
