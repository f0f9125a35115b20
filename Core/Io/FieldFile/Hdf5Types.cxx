// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Hdf5Types.h"

#include "Io/FieldFile/Cursor.h"

#include <algorithm>
#include <array>

namespace rivulet::hdf5
{

namespace
{

using Size = std::optional<std::uint64_t>;

constexpr int kMostDepth = 8;
constexpr unsigned kMostDimensions = 32;

enum Class : unsigned
{
  kWhole = 0,
  kFloat = 1,
  kText = 3,
  kOpaque = 5,
  kCompound = 6,
  kReference = 7,
  kEnumeration = 8,
  kElsewhere = 9, ///< sequences and texts of variable length
  kArray = 10
};

/// First part of every type.
struct Head
{
  unsigned version = 0;
  unsigned bits = 0; ///< bits of the class; the first 16
  std::uint64_t size = 0;
};

Size size_of_type(Cursor& from, int depth);

bool is_float(Cursor& from, std::uint64_t size)
{
  const std::array<unsigned, 2> whole{ from.u16(), from.u16() }; // offset, precision
  const std::array<unsigned, 4> parts{ from.u8(), from.u8(), from.u8(), from.u8() };
  const std::uint32_t bias = from.u32();
  const bool single = size == 4 && parts == std::array<unsigned, 4>{ 23, 8, 0, 23 } && bias == 127;
  const bool twofold = size == 8 && parts == std::array<unsigned, 4>{ 52, 11, 0, 52 } && bias == 1023;
  return whole[0] == 0 && whole[1] == 8 * size && (single || twofold);
}

bool is_whole_number(Cursor& from, std::uint64_t size)
{
  const unsigned offset = from.u16();
  const unsigned precision = from.u16();
  return (size == 1 || size == 2 || size == 4 || size == 8) && offset == 0 && precision == 8 * size;
}

/// Skips a name with its zero; before version 3 padded to a multiple of eight bytes.
bool skip_name(Cursor& from, unsigned version)
{
  std::size_t length = 0;
  while (from.ok() && from.u8() != 0)
  {
    ++length;
  }
  from.skip(version < 3 ? (length + 8) / 8 * 8 - (length + 1) : 0);
  return from.ok() && length > 0;
}

/// Offset of a member in its compound.
std::uint64_t offset_of_member(Cursor& from, const Head& head)
{
  if (head.version < 3)
  {
    return from.u32();
  }
  std::uint64_t offset = 0;
  for (unsigned byte = 0; byte == 0 || head.size >> (8 * byte) != 0; ++byte)
  {
    offset |= std::uint64_t{ from.u8() } << (8 * byte);
  }
  return offset;
}

bool is_compound(Cursor& from, const Head& head, int depth)
{
  std::uint64_t end = 0; // end of the previous member
  for (unsigned member = 0; member < head.bits; ++member)
  {
    if (!skip_name(from, head.version))
    {
      return false;
    }
    const std::uint64_t offset = offset_of_member(from, head);
    const bool plain = head.version > 1 || from.u8() == 0; // members of version 1 have dimensions here
    from.skip(head.version > 1 ? 0 : 27);
    const Size size = size_of_type(from, depth + 1);
    if (!plain || !size || offset < end || offset > head.size || *size > head.size - offset)
    {
      return false;
    }
    end = offset + *size;
  }
  return head.bits > 0;
}

bool is_enumeration(Cursor& from, const Head& head, int depth)
{
  const bool whole = (Cursor(from).u8() & 0x0FU) == kWhole;
  const Size size = whole ? size_of_type(from, depth + 1) : Size();
  for (unsigned member = 0; size && member < head.bits; ++member)
  {
    if (!skip_name(from, head.version))
    {
      return false;
    }
  }
  from.skip(static_cast<std::size_t>(size.value_or(0)) * head.bits);
  return size.value_or(0) == head.size && head.bits > 0; // types of 0 bytes are refused
}

bool is_array(Cursor& from, const Head& head, int depth)
{
  const unsigned dimensions = from.u8();
  from.skip(head.version == 2 ? 3 : 0);
  std::uint64_t count = 1;
  for (unsigned i = 0; i < std::min(dimensions, kMostDimensions); ++i)
  {
    const std::uint64_t side = from.u32();
    count = side > 0 && count <= kMostText / side ? count * side : 0;
  }
  from.skip(head.version == 2 ? 4 * std::size_t{ dimensions } : 0);
  const Size size = size_of_type(from, depth + 1);
  return head.version >= 2 && dimensions > 0 && dimensions <= kMostDimensions && count > 0 && size &&
         *size * count == head.size;
}

bool is_opaque(Cursor& from, const Head& head)
{
  const unsigned tag = head.bits & 0xFFU;
  from.skip(tag);
  return tag % 8 == 0;
}

bool is_elsewhere(Cursor& from, const Head& head, int depth)
{
  const unsigned form = head.bits & 0x0FU;
  return size_of_type(from, depth + 1).has_value() && form <= 1 && head.size == 16;
}

bool holds_together(Cursor& from, unsigned kind, const Head& head, int depth)
{
  switch (kind)
  {
  case kWhole:
    return is_whole_number(from, head.size);
  case kFloat:
    return is_float(from, head.size);
  case kText:
    return true;
  case kOpaque:
    return is_opaque(from, head);
  case kCompound:
    return is_compound(from, head, depth);
  case kReference:
    return head.size == ((head.bits & 0x0FU) == 0 ? 8U : 12U) && (head.bits & 0x0FU) <= 1;
  case kEnumeration:
    return is_enumeration(from, head, depth);
  case kElsewhere:
    return is_elsewhere(from, head, depth);
  case kArray:
    return is_array(from, head, depth);
  default:
    return false;
  }
}

Size size_of_type(Cursor& from, int depth)
{
  const unsigned kind_and_version = from.u8();
  Head head;
  head.version = kind_and_version >> 4U;
  head.bits = from.u16();
  from.skip(1);
  head.size = from.u32();
  const bool sane =
      head.version >= 1 && head.version <= 3 && head.size > 0 && head.size <= kMostText && depth < kMostDepth;
  return sane && holds_together(from, kind_and_version & 0x0FU, head, depth) && from.ok() ? Size(head.size) : Size();
}

} // namespace

std::optional<std::uint64_t> bytes_of_type(std::span<const std::byte> message)
{
  Cursor from(message);
  return size_of_type(from, 0);
}

} // namespace rivulet::hdf5
