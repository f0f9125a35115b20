// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Records.h"

#include <cstring>
#include <fcntl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{
constexpr std::uint32_t kTrailerMagic = 0x31425652;
} // namespace

Result<Records> Records::open(const FieldFile& file)
{
  Result<File> descriptor = File::open(file.path, File::Mode::Read);
  if (!descriptor)
  {
    return forward_error(descriptor);
  }
  return Records(file, std::move(*descriptor));
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
  return descriptor_.pread_full(out, count * layout(first).stride, offset(first));
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
  ::posix_fadvise(descriptor_.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

} // namespace rivulet
