// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PlaceValues.h"

#include <bit>
#include <cstring>

namespace rivulet
{

namespace
{

std::uint8_t turned(std::uint8_t x)
{
  return x;
}
std::uint16_t turned(std::uint16_t x)
{
  return __builtin_bswap16(x);
}
std::uint32_t turned(std::uint32_t x)
{
  return __builtin_bswap32(x);
}
std::uint64_t turned(std::uint64_t x)
{
  return __builtin_bswap64(x);
}

template <class Word>
Word as_stored(Word word)
{
  return word;
}

double as_double(std::uint32_t word)
{
  return std::bit_cast<float>(word);
}

template <class Word, bool kSwapped, auto kValue>
void place_row(const std::byte* from, std::int32_t count, std::byte* to, std::int64_t stride)
{
  for (std::int32_t i = 0; i < count; ++i)
  {
    Word word;
    std::memcpy(&word, from + i * sizeof(Word), sizeof(Word));
    if constexpr (kSwapped)
    {
      word = turned(word);
    }
    const auto value = kValue(word);
    std::memcpy(to + i * stride, &value, sizeof(value));
  }
}

template <class Word, auto kValue = as_stored<Word>>
void place_as(const Placement& placement, const std::byte* from, std::byte* array)
{
  const Int3 kept = placement.kept();
  const std::int64_t stride = placement.components * placement.array_bytes();
  std::byte* to = array + placement.component * placement.array_bytes();
  for (std::int32_t k = 0; k < kept[2]; ++k)
  {
    for (std::int32_t j = 0; j < kept[1]; ++j)
    {
      const std::int64_t first =
          row_major({ placement.skipped[0], j + placement.skipped[1], k + placement.skipped[2] }, placement.stored);
      const std::byte* row = from + first * static_cast<std::int64_t>(sizeof(Word));
      placement.swapped ? place_row<Word, true, kValue>(row, kept[0], to, stride)
                        : place_row<Word, false, kValue>(row, kept[0], to, stride);
      to += kept[0] * stride;
    }
  }
}

template <class Word>
void swap_as(std::byte* values, std::int64_t count)
{
  for (std::int64_t i = 0; i < count; ++i)
  {
    Word word;
    std::memcpy(&word, values + i * static_cast<std::int64_t>(sizeof(Word)), sizeof(Word));
    word = turned(word);
    std::memcpy(values + i * static_cast<std::int64_t>(sizeof(Word)), &word, sizeof(Word));
  }
}

} // namespace

std::optional<StoredType> common_type(StoredType a, StoredType b)
{
  const auto is_real = [](StoredType type)
  {
    return type == StoredType::Float32 || type == StoredType::Float64;
  };
  return a == b ? std::optional(a) : is_real(a) && is_real(b) ? std::optional(StoredType::Float64) : std::nullopt;
}

void place_values(const Placement& placement, const std::byte* from, std::byte* array)
{
  switch (placement.scalar_bytes)
  {
  case 1:
    return place_as<std::uint8_t>(placement, from, array);
  case 2:
    return place_as<std::uint16_t>(placement, from, array);
  case 4:
    return placement.widened ? place_as<std::uint32_t, as_double>(placement, from, array)
                             : place_as<std::uint32_t>(placement, from, array);
  default:
    return place_as<std::uint64_t>(placement, from, array);
  }
}

void swap_bytes(std::byte* values, std::int64_t count, std::int64_t scalar_bytes)
{
  switch (scalar_bytes)
  {
  case 1:
    return;
  case 2:
    return swap_as<std::uint16_t>(values, count);
  case 4:
    return swap_as<std::uint32_t>(values, count);
  default:
    return swap_as<std::uint64_t>(values, count);
  }
}

} // namespace rivulet
