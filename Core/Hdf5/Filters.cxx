// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/Filters.h"

#include <algorithm>
#include <cstring>
#include <libdeflate.h>
#include <limits>
#include <memory>
#ifdef RIVULET_HAVE_LZ4
#include <lz4.h>
#endif
#ifdef RIVULET_HAVE_ZSTD
#include <zstd.h>
#endif

namespace rivulet::hdf5
{

namespace
{

using Bytes = std::span<const std::byte>;

tl::unexpected<Error> corrupt(const char* what)
{
  return fail(ErrorCode::Corrupt, what, "the file is damaged: copy it again or leave it out");
}

/// Upper limit of the decoded size, which protects against chunks that claim more than their bytes can hold: `from`
/// bytes are units of at least `unit` bytes, and each unit decodes to at most `gives` bytes.
std::size_t limited(std::size_t most_bytes, std::size_t from, std::size_t unit, std::size_t gives)
{
  return std::min(most_bytes, (from / unit + 1) * gives);
}

Result<Bytes> inflate(Bytes from, std::size_t most_bytes, std::vector<std::byte>& to)
{
  struct Free
  {
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
  };
  static thread_local const std::unique_ptr<libdeflate_decompressor, Free> decompressor(
      libdeflate_alloc_decompressor());
  to.resize(limited(most_bytes, from.size(), 1, 1032)); // RFC 1951: two bits decode to 258 bytes at most
  std::size_t written = 0;
  const libdeflate_result result =
      libdeflate_zlib_decompress(decompressor.get(), from.data(), from.size(), to.data(), to.size(), &written);
  if (result != LIBDEFLATE_SUCCESS)
  {
    return corrupt("a compressed chunk cannot be inflated");
  }
  return Bytes(to.data(), written);
}

/// Shuffled data has byte k of all elements together. Trailing bytes that make no whole element are stored unchanged.
Bytes unshuffle(Bytes from, std::size_t size, std::vector<std::byte>& to)
{
  const std::size_t count = from.size() / size;
  if (count <= 1)
  {
    return from;
  }
  to.resize(from.size());
  for (std::size_t byte = 0; byte < size; ++byte)
  {
    const std::byte* source = from.data() + byte * count;
    std::byte* target = to.data() + byte;
    for (std::size_t i = 0; i < count; ++i)
    {
      target[i * size] = source[i];
    }
  }
  const std::size_t done = count * size;
  std::copy(
      from.begin() + static_cast<std::ptrdiff_t>(done), from.end(), to.begin() + static_cast<std::ptrdiff_t>(done));
  return { to.data(), to.size() };
}

/// Fletcher's checksum of 16-bit words, most significant byte first (J. Fletcher, "An Arithmetic Checksum for Serial
/// Transmissions", IEEE Trans. Comm. 30 (1982) 247-252), sums taken modulo 65535.
std::uint32_t fletcher32(Bytes bytes)
{
  std::uint64_t sum = 0;
  std::uint64_t sum_of_sums = 0;
  const auto at = [&](std::size_t i)
  {
    return std::to_integer<std::uint64_t>(bytes[i]);
  };
  for (std::size_t i = 0; i < bytes.size(); i += 2)
  {
    sum += at(i) << 8U | (i + 1 < bytes.size() ? at(i + 1) : 0);
    sum_of_sums += sum;
    if (i % 512 == 510)
    {
      sum = (sum & 0xffffU) + (sum >> 16U);
      sum_of_sums = (sum_of_sums & 0xffffU) + (sum_of_sums >> 16U);
    }
  }
  const auto fold = [](std::uint64_t x)
  {
    while (x > 0xffffU)
    {
      x = (x & 0xffffU) + (x >> 16U);
    }
    return static_cast<std::uint32_t>(x);
  };
  return fold(sum_of_sums) << 16U | fold(sum);
}

Result<Bytes> check_sum(Bytes from)
{
  if (from.size() < 4)
  {
    return corrupt("a chunk is too short for its checksum");
  }
  const Bytes values = from.first(from.size() - 4);
  std::array<unsigned char, 4> stored{};
  std::memcpy(stored.data(), from.data() + values.size(), 4);
  const auto join = [](unsigned a, unsigned b, unsigned c, unsigned d)
  {
    return static_cast<std::uint32_t>(a | b << 8U | c << 16U | d << 24U);
  };
  const std::uint32_t computed = fletcher32(values);
  // HDF5 before 1.6.3 stored the bytes of each half in the other order.
  const bool matches = computed == join(stored[0], stored[1], stored[2], stored[3]) ||
                       computed == join(stored[1], stored[0], stored[3], stored[2]);
  return matches ? Result<Bytes>(values) : corrupt("the checksum of a chunk does not match its values");
}

#ifdef RIVULET_HAVE_LZ4
/// Frame of the registered lz4 filter: decoded size and block size, most significant byte first, then the blocks, each
/// after its packed size.
Result<Bytes> unpack_lz4(Bytes from, std::size_t most_bytes, std::vector<std::byte>& to)
{
  std::size_t at = 0;
  const auto number = [&](std::size_t bytes) -> std::uint64_t
  {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes && at < from.size(); ++i)
    {
      value = value << 8U | std::to_integer<std::uint64_t>(from[at++]);
    }
    return value;
  };
  const std::uint64_t total = number(8);
  const std::uint64_t block = number(4);
  // One byte of lz4 decodes to 255 bytes at most, and liblz4 takes sizes as int.
  if (total > limited(most_bytes, from.size(), 1, 255) || (block == 0 && total > 0))
  {
    return corrupt("an lz4 chunk says that it holds more than a chunk");
  }
  to.resize(total);
  for (std::size_t done = 0; done < total;)
  {
    const std::size_t plain = std::min<std::size_t>(block, total - done);
    const std::uint64_t packed = number(4);
    if (packed > from.size() - at || std::max<std::size_t>(packed, plain) > std::numeric_limits<int>::max())
    {
      return corrupt("an lz4 chunk is cut off");
    }
    const auto* source = reinterpret_cast<const char*>(from.data() + at);
    auto* target = reinterpret_cast<char*>(to.data() + done);
    if (packed == plain)
    {
      std::memcpy(target, source, plain);
    }
    else if (LZ4_decompress_safe(source, target, static_cast<int>(packed), static_cast<int>(plain)) !=
             static_cast<int>(plain))
    {
      return corrupt("an lz4 chunk cannot be unpacked");
    }
    at += packed;
    done += plain;
  }
  return Bytes(to.data(), to.size());
}
#endif

#ifdef RIVULET_HAVE_ZSTD
Result<Bytes> unpack_zstd(Bytes from, std::size_t most_bytes, std::vector<std::byte>& to)
{
  const unsigned long long said = ZSTD_getFrameContentSize(from.data(), from.size());
  if (said == ZSTD_CONTENTSIZE_ERROR)
  {
    return corrupt("a chunk is not packed by zstd");
  }
  // RFC 8878: a block takes four bytes at least and decodes to 128 KiB at most.
  const std::size_t most = limited(most_bytes, from.size(), 4, std::size_t{ 1 } << 17U);
  to.resize(said == ZSTD_CONTENTSIZE_UNKNOWN ? most : std::min<unsigned long long>(most, said));
  const std::size_t written = ZSTD_decompress(to.data(), to.size(), from.data(), from.size());
  if (ZSTD_isError(written) != 0)
  {
    return corrupt("a zstd chunk cannot be unpacked");
  }
  return Bytes(to.data(), written);
}
#endif

/// Upper limit of the size of a chunk after the first `filters` filters of a pipeline. Incompressible data grows a
/// little, most with zstd.
std::size_t most_after(std::size_t filters, std::uint32_t skipped, std::size_t chunk_bytes)
{
  std::size_t most = chunk_bytes;
  for (std::size_t i = 0; i < filters; ++i)
  {
    most += (skipped >> i & 1U) != 0 ? 0 : most / 64 + 64;
  }
  return most;
}

} // namespace

bool can_undo(const std::vector<Filter>& filters)
{
  for (const Filter& filter : filters)
  {
    switch (static_cast<FilterId>(filter.id))
    {
    case FilterId::Deflate:
    case FilterId::Fletcher32:
#ifdef RIVULET_HAVE_LZ4
    case FilterId::Lz4:
#endif
#ifdef RIVULET_HAVE_ZSTD
    case FilterId::Zstd:
#endif
      break;
    case FilterId::Shuffle:
      if (filter.values.empty() || filter.values[0] == 0)
      {
        return false;
      }
      break;
    default:
      return false;
    }
  }
  return filters.size() <= 32; // one bit of a chunk's mask per filter
}

Result<Bytes> ChunkDecoder::undo(const Filter& filter, Bytes from, std::size_t most_bytes, std::vector<std::byte>& to)
{
  switch (static_cast<FilterId>(filter.id))
  {
  case FilterId::Deflate:
    return inflate(from, most_bytes, to);
  case FilterId::Shuffle:
    return unshuffle(from, filter.values[0], to);
  case FilterId::Fletcher32:
    return check_sum(from);
#ifdef RIVULET_HAVE_LZ4
  case FilterId::Lz4:
    return unpack_lz4(from, most_bytes, to);
#endif
#ifdef RIVULET_HAVE_ZSTD
  case FilterId::Zstd:
    return unpack_zstd(from, most_bytes, to);
#endif
  default:
    return fail(ErrorCode::Unsupported, "filter " + std::to_string(filter.id) + " cannot be undone");
  }
}

Result<Bytes> ChunkDecoder::decode(
    const std::vector<Filter>& filters, std::uint32_t skipped, Bytes stored, std::size_t chunk_bytes)
{
  Bytes bytes = stored;
  std::size_t target = 0;
  for (std::size_t i = filters.size(); i-- > 0;)
  {
    if ((skipped >> i & 1U) != 0)
    {
      continue;
    }
    Result<Bytes> undone = undo(filters[i], bytes, most_after(i, skipped, chunk_bytes), memory_[target]);
    if (!undone)
    {
      return undone;
    }
    bytes = *undone;
    // A checksum is only cut off, so that the values stay in their memory.
    target = bytes.data() == memory_[target].data() ? 1 - target : target;
  }
  if (bytes.size() != chunk_bytes)
  {
    return corrupt("a chunk does not hold as many bytes as a chunk has");
  }
  return bytes;
}

} // namespace rivulet::hdf5
