// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/ValueReader.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cstring>

namespace rivulet::hdf5
{

namespace
{

/// Number of chunks from which on they are requested ahead. For fewer the requests cost more than they save if the file
/// is in the page cache.
constexpr std::size_t kManyChunks = 4;

void fill(const DatasetForm& form, std::int64_t count, std::byte* out)
{
  const auto size = static_cast<std::size_t>(size_of(form.type));
  const auto bytes = static_cast<std::size_t>(count) * size;
  for (std::size_t at = 0; at < bytes; at += size)
  {
    std::memcpy(out + at, form.fill_value.data(), size);
  }
}

/// Copies the part of a chunk within its dataset to its position there, row by row.
void place_chunk(const DatasetForm& form, const Chunk& chunk, const std::byte* values, std::byte* out)
{
  const std::size_t rank = form.dims.size();
  const auto size = static_cast<std::int64_t>(size_of(form.type));
  std::array<std::int64_t, kMostDimensions> inside{};
  std::int64_t rows = 1;
  for (std::size_t axis = 0; axis < rank; ++axis)
  {
    inside[axis] = std::min(form.chunk[axis], form.dims[axis] - chunk.first[axis]);
    rows *= axis + 1 < rank ? inside[axis] : 1;
  }
  std::array<std::int64_t, kMostDimensions> at{};
  for (std::int64_t row = 0; row < rows; ++row)
  {
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (std::size_t axis = 0; axis < rank; ++axis)
    {
      from = from * form.chunk[axis] + at[axis];
      to = to * form.dims[axis] + chunk.first[axis] + at[axis];
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

std::size_t bytes_of_chunk(const DatasetForm& form)
{
  std::int64_t bytes = size_of(form.type);
  for (const std::int64_t dim : form.chunk)
  {
    bytes *= dim;
  }
  return static_cast<std::size_t>(bytes);
}

std::vector<FilePart> parts_of(std::span<const Chunk> chunks)
{
  std::vector<FilePart> parts;
  parts.reserve(chunks.size());
  for (const Chunk& chunk : chunks)
  {
    parts.push_back({ static_cast<std::int64_t>(chunk.address), static_cast<std::int64_t>(chunk.bytes) });
  }
  return parts;
}

/// Chunks that a run touches, of a dataset with one dimension.
std::span<const Chunk> chunks_of(const DatasetIndex& dataset, Run run)
{
  const auto before = [](const Chunk& a, std::int64_t first)
  {
    return a.first[0] < first;
  };
  const auto begin =
      std::lower_bound(dataset.chunks.begin(), dataset.chunks.end(), run.first - dataset.form->chunk[0] + 1, before);
  const auto end = std::lower_bound(begin, dataset.chunks.end(), run.first + run.count, before);
  return { begin, end };
}

} // namespace

void add_parts(const DatasetIndex& dataset, Run run, std::vector<FilePart>& parts)
{
  const std::int64_t size = size_of(dataset.form->type);
  switch (dataset.form->storage)
  {
  case Storage::Contiguous:
    parts.push_back({ static_cast<std::int64_t>(dataset.address) + run.first * size, run.count * size });
    return;
  case Storage::Chunked:
    for (const FilePart& part : parts_of(chunks_of(dataset, run)))
    {
      parts.push_back(part);
    }
    return;
  default:
    return;
  }
}

bool can_read(const DatasetForm& form)
{
  return form.storage != Storage::Chunked || (can_undo(form.filters) && !form.dims.empty());
}

bool can_read_runs(const DatasetForm& form)
{
  return can_read(form) && (form.storage != Storage::Chunked || form.dims.size() == 1);
}

Result<DatasetIndex> index_dataset(BufferedFile& file, DatasetLayout&& layout)
{
  DatasetIndex index;
  if (layout.storage == Storage::Chunked && can_read(layout))
  {
    Result<std::vector<Chunk>> chunks = list_chunks(file, layout);
    if (!chunks)
    {
      return forward_error(chunks);
    }
    index.chunks = std::move(*chunks);
    index.chunks.shrink_to_fit();
  }
  index.address = layout.address;
  index.form = std::make_shared<const DatasetForm>(std::move(layout));
  return index;
}

std::byte* ValueReader::room(std::size_t bytes, std::int64_t offset)
{
  static constexpr auto kWhole = static_cast<std::uintptr_t>(kPage);
  const bool large = bytes >= static_cast<std::size_t>(File::kMuchPastCache);
  values_.resize(bytes + (large ? 2 * kWhole : 0));
  const auto behind = static_cast<std::uintptr_t>(offset) - reinterpret_cast<std::uintptr_t>(values_.data());
  return values_.data() + (large ? behind % kWhole : 0);
}

Result<std::span<const std::byte>> ValueReader::read(const File& file, BufferedFile* held, const DatasetIndex& dataset)
{
  const DatasetForm& form = *dataset.form;
  const auto bytes = static_cast<std::size_t>(form.bytes());
  if (form.storage == Storage::Compact)
  {
    return std::span(form.compact.data(), bytes);
  }
  if (form.storage == Storage::Contiguous && held != nullptr)
  {
    if (Result<std::span<const std::byte>> here = held->small(dataset.address, bytes); !here || here->size() == bytes)
    {
      return here;
    }
  }
  std::byte* values = room(bytes, static_cast<std::int64_t>(dataset.address));
  if (Result<void> good = read_into(file, held, dataset, values); !good)
  {
    return forward_error(good);
  }
  return std::span<const std::byte>(values, bytes);
}

Result<void> ValueReader::read_into(const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out)
{
  const DatasetForm& form = *dataset.form;
  const std::int64_t bytes = form.bytes();
  if (bytes == 0)
  {
    return {}; // `out` may be nullptr
  }
  switch (form.storage)
  {
  case Storage::Unwritten:
    fill(form, form.count(), out);
    return {};
  case Storage::Compact:
    std::memcpy(out, form.compact.data(), static_cast<std::size_t>(bytes));
    return {};
  case Storage::Contiguous:
    if (held != nullptr)
    {
      Result<std::span<const std::byte>> here = held->small(dataset.address, static_cast<std::uint64_t>(bytes));
      if (!here)
      {
        return forward_error(here);
      }
      if (static_cast<std::int64_t>(here->size()) == bytes)
      {
        std::memcpy(out, here->data(), here->size());
        return {};
      }
    }
    bytes_read_ += bytes;
    return file.pread_full(out, bytes, static_cast<std::int64_t>(dataset.address));
  default:
    return read_chunks(file, held, dataset, out);
  }
}

Result<void> ValueReader::read_chunks(const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out)
{
  const DatasetForm& form = *dataset.form;
  std::int64_t covered = 0;
  for (const Chunk& chunk : dataset.chunks)
  {
    std::int64_t inside = 1;
    for (std::size_t axis = 0; axis < form.dims.size(); ++axis)
    {
      inside *= std::min(form.chunk[axis], form.dims[axis] - chunk.first[axis]);
    }
    covered += inside;
  }
  if (covered < form.count())
  {
    fill(form, form.count(), out); // some chunks were not written
  }
  const bool ask = dataset.chunks.size() >= kManyChunks && (held == nullptr || !held->much_wanted());
  ReadAhead ahead(file, ask ? parts_of(dataset.chunks) : std::vector<FilePart>());
  for (std::size_t i = 0; i < dataset.chunks.size(); ++i)
  {
    if (ask)
    {
      ahead.reach(i);
    }
    const Chunk& chunk = dataset.chunks[i];
    Result<std::span<const std::byte>> values = decoded_chunk(file, held, form, chunk);
    if (!values)
    {
      return forward_error(values);
    }
    place_chunk(form, chunk, values->data(), out);
  }
  return {};
}

bool ValueReader::Last::is(const Chunk& chunk, const File& file, std::size_t bytes) const
{
  return address == chunk.address && values.size() == bytes && path == file.path();
}

Result<std::span<const std::byte>> ValueReader::read_run(const File& file, const DatasetIndex& dataset, Run run)
{
  const std::int64_t size = size_of(dataset.form->type);
  const auto bytes = static_cast<std::size_t>(run.count * size);
  std::byte* values = room(bytes, static_cast<std::int64_t>(dataset.address) + run.first * size);
  if (Result<void> good = read_run_into(file, dataset, run, values); !good)
  {
    return forward_error(good);
  }
  return std::span<const std::byte>(values, bytes);
}

Result<void> ValueReader::read_run_into(const File& file, const DatasetIndex& dataset, Run run, std::byte* out)
{
  const DatasetForm& form = *dataset.form;
  const std::int64_t begin = run.first * size_of(form.type);
  const std::int64_t bytes = run.count * size_of(form.type);
  if (bytes == 0)
  {
    return {}; // `out` may be nullptr
  }
  switch (form.storage)
  {
  case Storage::Unwritten:
    fill(form, run.count, out);
    return {};
  case Storage::Compact:
    std::memcpy(out, form.compact.data() + begin, static_cast<std::size_t>(bytes));
    return {};
  case Storage::Contiguous:
    bytes_read_ += bytes;
    return file.pread_full(out, bytes, static_cast<std::int64_t>(dataset.address) + begin);
  default:
    return read_run_of_chunks(file, dataset, run, out);
  }
}

Result<void> ValueReader::read_run_of_chunks(const File& file, const DatasetIndex& dataset, Run run, std::byte* out)
{
  const DatasetForm& form = *dataset.form;
  const std::int64_t size = size_of(form.type);
  const std::int64_t length = form.chunk[0];
  const std::int64_t end = run.first + run.count;
  const std::span<const Chunk> chunks = chunks_of(dataset, run);
  const bool ask = chunks.size() >= kManyChunks;
  ReadAhead ahead(file, ask ? parts_of(chunks) : std::vector<FilePart>());
  std::int64_t at = run.first;
  for (std::size_t i = 0; at < end; ++i)
  {
    const bool none = i == chunks.size();
    const Chunk* chunk = none ? nullptr : &chunks[i];
    const std::int64_t next = none ? end : std::max(at, chunk->first[0]);
    fill(form, next - at, out + (at - run.first) * size); // values without a chunk
    at = next;
    if (none)
    {
      break;
    }
    if (ask)
    {
      ahead.reach(i);
    }
    if (!last_.is(*chunk, file, bytes_of_chunk(form)))
    {
      Result<std::span<const std::byte>> values = decoded_chunk(file, nullptr, form, *chunk);
      if (!values)
      {
        return forward_error(values);
      }
      last_ = { file.path(), chunk->address, *values };
    }
    const std::int64_t stop = std::min(end, chunk->first[0] + length);
    std::memcpy(out + (at - run.first) * size, last_.values.data() + (at - chunk->first[0]) * size,
        static_cast<std::size_t>((stop - at) * size));
    at = stop;
  }
  return {};
}

Result<std::span<const std::byte>> ValueReader::decoded_chunk(
    const File& file, BufferedFile* held, const DatasetForm& form, const Chunk& chunk)
{
  last_.address = kUndefinedAddress; // the memory of the kept chunk is used again
  Result<std::span<const std::byte>> stored = stored_chunk(file, held, chunk);
  if (!stored)
  {
    return stored;
  }
  Result<std::span<const std::byte>> values =
      decoder_.decode(form.filters, chunk.skipped, *stored, bytes_of_chunk(form));
  if (!values)
  {
    values.error().path = file.path();
    values.error().offset = static_cast<std::int64_t>(chunk.address);
  }
  return values;
}

Result<std::span<const std::byte>> ValueReader::stored_chunk(const File& file, BufferedFile* held, const Chunk& chunk)
{
  if (held != nullptr)
  {
    if (Result<std::span<const std::byte>> here = held->small(chunk.address, chunk.bytes);
        !here || here->size() == chunk.bytes)
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
