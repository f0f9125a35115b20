// SPDX-License-Identifier: BSD-3-Clause
// The input is a pipeline of filters with its parameters, and either the bytes that a chunk has in a file, or its
// values: these are then packed by encoders of this file's own, and must come back, unless a byte of them is changed on
// the way.
#include "Fuzz/Support.h"
#include "Hdf5/Filters.h"

#include <algorithm>
#include <vector>

namespace
{

using namespace rivulet;
using namespace rivulet::hdf5;
using Bytes = std::vector<std::byte>;

void append(Bytes& to, std::uint64_t number, int bytes, bool big_endian)
{
  for (int i = 0; i < bytes; ++i)
  {
    to.push_back(static_cast<std::byte>(number >> 8U * static_cast<unsigned>(big_endian ? bytes - 1 - i : i)));
  }
}

/// RFC 1950 and 1951: stored blocks.
Bytes deflate(const Bytes& from)
{
  Bytes to{ std::byte{ 0x78 }, std::byte{ 0x01 } };
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  std::size_t at = 0;
  do
  {
    const std::size_t count = std::min<std::size_t>(65535, from.size() - at);
    append(to, at + count == from.size() ? 1 : 0, 1, false);
    append(to, count, 2, false);
    append(to, ~count, 2, false);
    for (const std::size_t end = at + count; at < end; ++at)
    {
      to.push_back(from[at]);
      a = (a + std::to_integer<std::uint32_t>(from[at])) % 65521;
      b = (b + a) % 65521;
    }
  } while (at < from.size());
  append(to, b << 16U | a, 4, true);
  return to;
}

Bytes shuffle(const Bytes& from, std::size_t size)
{
  Bytes to;
  const std::size_t count = from.size() / size;
  for (std::size_t byte = 0; count > 0 && byte < size; ++byte)
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      to.push_back(from[i * size + byte]);
    }
  }
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(count * size), from.end());
  return to;
}

/// Sums are reduced at every step; 65535 and 0 are the same remainder, and stored as what folding gives.
Bytes fletcher32(const Bytes& from)
{
  std::uint32_t sum = 0;
  std::uint32_t sum_of_sums = 0;
  const auto fold = [](std::uint32_t x)
  {
    return (x & 0xffffU) + (x >> 16U);
  };
  for (std::size_t i = 0; i < from.size(); i += 2)
  {
    const auto high = std::to_integer<std::uint32_t>(from[i]);
    const std::uint32_t low = i + 1 < from.size() ? std::to_integer<std::uint32_t>(from[i + 1]) : 0;
    sum = fold(sum + (high << 8U | low));
    sum_of_sums = fold(sum_of_sums + sum);
  }
  Bytes to = from;
  append(to, sum_of_sums << 16U | sum, 4, false);
  return to;
}

/// One block: as it is, or as literals of the block format.
Bytes lz4(const Bytes& from, bool packed)
{
  Bytes to;
  append(to, from.size(), 8, true);
  append(to, std::max<std::size_t>(from.size(), 1), 4, true);
  if (from.empty())
  {
    return to;
  }
  Bytes block;
  if (packed)
  {
    append(block, std::min<std::size_t>(from.size(), 15) << 4U, 1, true);
    std::size_t left = from.size() < 15 ? 0 : from.size() - 15;
    for (; from.size() >= 15 && left >= 255; left -= 255)
    {
      append(block, 255, 1, true);
    }
    if (from.size() >= 15)
    {
      append(block, left, 1, true);
    }
  }
  block.insert(block.end(), from.begin(), from.end());
  append(to, block.size(), 4, true);
  to.insert(to.end(), block.begin(), block.end());
  return to;
}

/// RFC 8878: a frame that says its size, of raw blocks.
Bytes zstd(const Bytes& from)
{
  static constexpr std::size_t kMost = std::size_t{ 1 } << 17;
  Bytes to;
  append(to, 0xFD2FB528U, 4, false);
  append(to, 0xA0, 1, false); // a single segment, its size in four bytes
  append(to, from.size(), 4, false);
  std::size_t at = 0;
  do
  {
    // Smaller frames have smaller windows, and no block larger than those.
    const std::size_t count = std::min(kMost, from.size() - at);
    append(to, count << 3U | (at + count == from.size() ? 1U : 0U), 3, false);
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(at),
        from.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  } while (at < from.size());
  return to;
}

Bytes pack(const Filter& filter, const Bytes& from)
{
  switch (static_cast<FilterId>(filter.id))
  {
  case FilterId::Deflate:
    return deflate(from);
  case FilterId::Shuffle:
    return shuffle(from, filter.values[0]);
  case FilterId::Fletcher32:
    return fletcher32(from);
  case FilterId::Lz4:
    return lz4(from, !filter.values.empty());
  default:
    return zstd(from);
  }
}

std::vector<Filter> take_filters(fuzz::Input& input)
{
  static constexpr FilterId kIds[] = { FilterId::Deflate, FilterId::Shuffle, FilterId::Fletcher32, FilterId::Lz4,
    FilterId::Zstd };
  std::vector<Filter> filters(static_cast<std::size_t>(input.below(7)));
  for (Filter& filter : filters)
  {
    const int id = input.below(6);
    filter.id = id < 5 ? static_cast<std::uint16_t>(kIds[id]) : input.take<std::uint16_t>();
    filter.values.resize(static_cast<std::size_t>(input.below(3)));
    for (std::uint32_t& value : filter.values)
    {
      value = input.below(4) == 3 ? input.take<std::uint32_t>() : input.take<std::uint8_t>();
    }
  }
  return filters;
}

/// What a file may hold.
void decode_anything(fuzz::Input& input, const std::vector<Filter>& filters, std::uint32_t skipped)
{
  static ChunkDecoder decoder;
  const std::size_t chunk_bytes = input.below(2) == 0 ? input.take<std::uint16_t>() : input.take<std::uint32_t>();
  const auto decoded = decoder.decode(filters, skipped, input.rest(), chunk_bytes);
  fuzz::expect(!decoded || decoded->size() == chunk_bytes, "a chunk was decoded to another size");
}

void decode_encoded(fuzz::Input& input, const std::vector<Filter>& filters, std::uint32_t skipped)
{
  static ChunkDecoder decoder;
  const bool damaged = input.below(2) == 1;
  const auto place = input.take<std::uint16_t>();
  const auto change = input.take<std::uint8_t>();
  const Bytes values(input.rest().begin(), input.rest().end());
  Bytes stored = values;
  for (std::size_t i = 0; i < filters.size(); ++i)
  {
    stored = (skipped >> i & 1U) != 0 ? stored : pack(filters[i], stored);
  }
  if (damaged && !stored.empty())
  {
    stored[place % stored.size()] ^= std::byte{ change };
  }
  const auto decoded = decoder.decode(filters, skipped, stored, values.size());
  fuzz::expect(damaged || (decoded && std::equal(decoded->begin(), decoded->end(), values.begin(), values.end())),
      "values did not come back as they were packed");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  fuzz::Input input(data, size);
  const std::vector<Filter> filters = take_filters(input);
  const bool encoded = input.below(2) == 1;
  const std::uint32_t skipped = input.below(2) == 1 ? input.take<std::uint32_t>() : 0;
  if (can_undo(filters))
  {
    encoded ? decode_encoded(input, filters, skipped) : decode_anything(input, filters, skipped);
  }
  return 0;
}
