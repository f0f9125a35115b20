// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/BlankingPlanes.h"

#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldRules.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

std::int64_t bits_bytes(const Int3& lattice)
{
  return (std::int64_t{ lattice[0] } * lattice[1] + 7) / 8;
}

/// Rows have checksums like records of variables -1 and -2, which no file has.
std::uint64_t checksum(const std::byte* row, const Int3& lattice, std::uint64_t identity, const HiddenPlane& plane)
{
  const RecordPlace place{ plane.centering == Centering::Node ? -1 : -2, plane.step, plane.k };
  return XXH3_64bits_withSeed(row, static_cast<std::size_t>(bits_bytes(lattice)), seal_of(identity, place, 0));
}

} // namespace

std::int64_t hidden_row_bytes(const Int3& lattice)
{
  const std::int64_t points = checked_product(lattice[0], lattice[1]);
  const std::int64_t most = (kMostHiddenRow - static_cast<std::int64_t>(sizeof(std::uint64_t))) * 8;
  return points < 0 || points > most ? -1 : bits_bytes(lattice) + static_cast<std::int64_t>(sizeof(std::uint64_t));
}

void pack_hidden(
    const std::uint8_t* flags, const Int3& lattice, std::uint64_t identity, const HiddenPlane& plane, std::byte* row)
{
  const std::int64_t bytes = bits_bytes(lattice);
  const std::int64_t points = std::int64_t{ lattice[0] } * lattice[1];
  std::memset(row, 0, static_cast<std::size_t>(bytes));
  for (std::int64_t point = 0; point < points; ++point)
  {
    row[point / 8] |= static_cast<std::byte>((flags[point] != 0 ? 1U : 0U) << static_cast<unsigned>(point % 8));
  }
  const std::uint64_t sum = checksum(row, lattice, identity, plane);
  std::memcpy(row + bytes, &sum, sizeof(sum));
}

bool hidden_row_sound(const std::byte* row, const Int3& lattice, std::uint64_t identity, const HiddenPlane& plane)
{
  std::uint64_t written = 0;
  std::memcpy(&written, row + bits_bytes(lattice), sizeof(written));
  return written == checksum(row, lattice, identity, plane);
}

void unpack_hidden(const std::byte* row, const Int3& lattice, const Box& box, std::uint8_t* out)
{
  for (std::int32_t j = box.begin[1]; j < box.end[1]; ++j)
  {
    for (std::int32_t i = box.begin[0]; i < box.end[0]; ++i)
    {
      const std::int64_t point = std::int64_t{ j } * lattice[0] + i;
      *out++ =
          static_cast<std::uint8_t>(std::to_integer<unsigned>(row[point / 8]) >> static_cast<unsigned>(point % 8) & 1U);
    }
  }
}

} // namespace rivulet
