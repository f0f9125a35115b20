// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/ValueReader.h"

#include <algorithm>
#include <cstring>

namespace rivulet::hdf5
{

namespace
{

void fill(const DatasetLayout& layout, std::byte* out)
{
  const auto size = static_cast<std::size_t>(size_of(layout.type));
  const auto bytes = static_cast<std::size_t>(layout.bytes());
  for (std::size_t at = 0; at < bytes; at += size)
  {
    std::memcpy(out + at, layout.fill_value.data(), size);
  }
}

/// Copies the part of a chunk that lies inside its dataset to its place there, row by row.
void place_chunk(const DatasetLayout& layout, const Chunk& chunk, const std::byte* values, std::byte* out)
{
  const std::size_t rank = layout.dims.size();
  const auto size = static_cast<std::int64_t>(size_of(layout.type));
  std::array<std::int64_t, kMostDimensions> inside{};
  std::int64_t rows = 1;
  for (std::size_t axis = 0; axis < rank; ++axis)
  {
    inside[axis] = std::min(layout.chunk[axis], layout.dims[axis] - chunk.first[axis]);
    rows *= axis + 1 < rank ? inside[axis] : 1;
  }
  std::array<std::int64_t, kMostDimensions> at{};
  for (std::int64_t row = 0; row < rows; ++row)
  {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
    {
      from = from * layout.chunk[axis] + at[axis];
      to = to * layout.dims[axis] + chunk.first[axis] + at[axis];
    }
    std::memcpy(out + to * size, values + from * size, static_cast<std::size_t>(inside[rank - 1] * size));
    for (std::size_t axis = rank - 1; axis-- > 0;)
    {
      if (++at[axis] < inside[axis])
      {
        break;
      }
      at[axis] = 0;
    }
  }
}

std::size_t bytes_of_chunk(const DatasetLayout& layout)
{
  std::int64_t bytes = size_of(layout.type);
  for (const std::int64_t dim : layout.chunk)
  {
    bytes *= dim;
  }
  return static_cast<std::size_t>(bytes);
}

} // namespace

bool can_read(const DatasetLayout& layout)
{
  return layout.storage != Storage::Chunked || (can_undo(layout.filters) && !layout.dims.empty());
}

Result<std::span<const std::byte>> ValueReader::read(
    const File& file, const FileBytes* held, const DatasetIndex& dataset)
{
  const DatasetLayout& layout = dataset.layout;
  const auto bytes = static_cast<std::size_t>(layout.bytes());
  if (layout.storage == Storage::Compact)
  {
    return std::span(layout.compact.data(), bytes);
  }
  if (layout.storage == Storage::Contiguous && held != nullptr)
  {
    if (const std::span<const std::byte> here = held->held(layout.address, bytes); here.size() == bytes)
    {
      return here;
    }
  }
  values_.resize(bytes);
  if (Result<void> good = read_into(file, held, dataset, values_.data()); !good)
  {
    return forward_error(good);
  }
  return std::span<const std::byte>(values_.data(), bytes);
}

Result<void> ValueReader::read_into(
    const File& file, const FileBytes* held, const DatasetIndex& dataset, std::byte* out)
{
  const DatasetLayout& layout = dataset.layout;
  const std::int64_t bytes = layout.bytes();
  if (bytes == 0)
  {
    return {}; // and `out` may be no address
  }
  switch (layout.storage)
  {
  case Storage::Unwritten:
    fill(layout, out);
    return {};
  case Storage::Compact:
    std::memcpy(out, layout.compact.data(), static_cast<std::size_t>(bytes));
    return {};
  case Storage::Contiguous:
    if (held != nullptr)
    {
      const auto here = held->held(layout.address, static_cast<std::uint64_t>(bytes));
      if (static_cast<std::int64_t>(here.size()) == bytes)
      {
        std::memcpy(out, here.data(), here.size());
        return {};
      }
    }
    bytes_read_ += bytes;
    return file.pread_full(out, bytes, static_cast<std::int64_t>(layout.address));
  default:
    return read_chunks(file, held, dataset, out);
  }
}

Result<void> ValueReader::read_chunks(
    const File& file, const FileBytes* held, const DatasetIndex& dataset, std::byte* out)
{
  const DatasetLayout& layout = dataset.layout;
  const std::size_t chunk_bytes = bytes_of_chunk(layout);
  std::int64_t covered = 0;
  for (const Chunk& chunk : dataset.chunks)
  {
    std::int64_t inside = 1;
    for (std::size_t axis = 0; axis < layout.dims.size(); ++axis)
    {
      inside *= std::min(layout.chunk[axis], layout.dims[axis] - chunk.first[axis]);
    }
    covered += inside;
  }
  if (covered < layout.count())
  {
    fill(layout, out); // not every chunk was written
  }
  for (const Chunk& chunk : dataset.chunks)
  {
    Result<std::span<const std::byte>> stored = stored_chunk(file, held, chunk);
    if (!stored)
    {
      return forward_error(stored);
    }
    Result<std::span<const std::byte>> values = decoder_.decode(layout.filters, chunk.skipped, *stored, chunk_bytes);
    if (!values)
    {
      values.error().path = file.path();
      values.error().offset = static_cast<std::int64_t>(chunk.address);
      return forward_error(values);
    }
    place_chunk(layout, chunk, values->data(), out);
  }
  return {};
}

Result<std::span<const std::byte>> ValueReader::stored_chunk(
    const File& file, const FileBytes* held, const Chunk& chunk)
{
  if (held != nullptr)
  {
    if (const auto here = held->held(chunk.address, chunk.bytes); here.size() == chunk.bytes)
    {
      return here;
    }
  }
  stored_.resize(chunk.bytes);
  bytes_read_ += chunk.bytes;
  if (Result<void> good = file.pread_full(stored_.data(), chunk.bytes, static_cast<std::int64_t>(chunk.address)); !good)
  {
    return forward_error(good);
  }
  return std::span<const std::byte>(stored_.data(), stored_.size());
}

} // namespace rivulet::hdf5
