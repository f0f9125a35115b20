// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Records.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{
constexpr std::uint32_t kTrailerMagic = 0x31425652;
constexpr const char* kConvertAgain = "convert the field again from its source";
} // namespace

Result<Records> Records::open(const FieldFile& file)
{
  const int descriptor = ::open(file.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
  {
    return fail(ErrorCode::CannotRead, "the file cannot be opened", "check its permissions", file.path, -1, errno);
  }
  return Records(file, descriptor);
}

Records::Records(Records&& other) noexcept
  : file_(other.file_)
  , descriptor_(std::exchange(other.descriptor_, -1))
{
}

Records::~Records()
{
  if (descriptor_ >= 0)
  {
    ::close(descriptor_);
  }
}

const BrickLayout& Records::layout(const RecordId& id) const
{
  return file_.layouts[static_cast<std::size_t>(id.variable)];
}

std::int64_t Records::offset(const RecordId& id) const
{
  const BrickLayout& bricks = layout(id);
  return bricks.steps[static_cast<std::size_t>(id.step)].offset + id.hilbert * bricks.stride;
}

Result<void> Records::read(const RecordId& first, std::int64_t count, std::byte* out) const
{
  std::int64_t at = offset(first);
  const std::int64_t end = at + count * layout(first).stride;
  while (at < end)
  {
    const ssize_t got = ::pread(descriptor_, out, static_cast<std::size_t>(end - at), at);
    if (got == 0)
    {
      return fail(ErrorCode::Truncated, "the file ends before the brick does", kConvertAgain, file_.path, at);
    }
    if (got < 0 && errno != EINTR)
    {
      return fail(ErrorCode::CannotRead, "the brick cannot be read", "check the disk", file_.path, at, errno);
    }
    at += std::max<ssize_t>(got, 0);
    out += std::max<ssize_t>(got, 0);
  }
  return {};
}

std::string Records::defect(const RecordId& id, const std::byte* record) const
{
  const BrickLayout& bricks = layout(id);
  BrickTrailer trailer;
  std::memcpy(&trailer, record + bricks.stride - static_cast<std::int64_t>(sizeof(trailer)), sizeof(trailer));
  if (trailer.magic != kTrailerMagic)
  {
    return "the brick has no trailer";
  }
  if (trailer.hilbert_index != static_cast<std::uint64_t>(id.hilbert) ||
      trailer.variable != static_cast<std::uint32_t>(id.variable) ||
      trailer.step != static_cast<std::uint32_t>(id.step))
  {
    return "another brick lies here: variable " + std::to_string(trailer.variable) + ", step " +
           std::to_string(trailer.step) + ", number " + std::to_string(trailer.hilbert_index);
  }
  const bool holds = XXH3_64bits(record, static_cast<std::size_t>(bricks.payload)) == trailer.checksum;
  return holds ? "" : "the checksum does not match";
}

void Records::advise_sequential() const
{
  ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

} // namespace rivulet
