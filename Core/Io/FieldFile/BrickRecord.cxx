// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/BrickRecord.h"

#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

std::byte* trailer_of(void* record, const BrickLayout& layout)
{
  return static_cast<std::byte*>(record) + layout.stride - static_cast<std::int64_t>(sizeof(BrickTrailer));
}

BrickTrailer read_trailer(const void* record, const BrickLayout& layout)
{
  BrickTrailer trailer;
  const std::int64_t at = layout.stride - static_cast<std::int64_t>(sizeof(BrickTrailer));
  std::memcpy(&trailer, static_cast<const std::byte*>(record) + at, sizeof(trailer));
  return trailer;
}

std::uint64_t checksum(const void* record, const BrickLayout& layout, const RecordPlace& place, std::uint32_t flags)
{
  const auto bytes = static_cast<std::size_t>(layout.payload);
  return layout.identity ? XXH3_64bits_withSeed(record, bytes, seal_of(*layout.identity, place, flags))
                         : XXH3_64bits(record, bytes);
}

std::int64_t tuple_bytes_of(const BrickLayout& layout)
{
  return layout.values / volume(layout.nodes);
}

template <class Byte>
Byte* at(const StridedBox<Byte>& strided, const Int3& point)
{
  Byte* values = strided.values;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    values += (point[axis] - strided.box.begin[axis]) * strided.stride[axis];
  }
  return values;
}

/// Copies `count` tuples of `bytes` bytes. Strides are in bytes.
void copy_row(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
    std::int64_t count, std::int64_t bytes)
{
  if (to_stride == bytes && from_stride == bytes)
  {
    std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
    return;
  }
  for (std::int64_t i = 0; i < count; ++i)
  {
    std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(bytes));
  }
}

/// Repeats the last of the `have` units of `bytes` bytes at `units` until there are `want` units.
void repeat_last(std::byte* units, std::int64_t have, std::int64_t want, std::int64_t bytes)
{
  for (std::int64_t i = have; i < want; ++i)
  {
    std::memcpy(units + i * bytes, units + (i - 1) * bytes, static_cast<std::size_t>(bytes));
  }
}

} // namespace

std::uint64_t identity_of(const std::string& uuid)
{
  return XXH3_64bits(uuid.data(), uuid.size());
}

std::uint64_t seal_of(std::uint64_t identity, const RecordPlace& place, std::uint32_t flags)
{
  const std::array<std::uint64_t, 2> wide{ identity, static_cast<std::uint64_t>(place.hilbert) };
  const std::array<std::uint32_t, 3> narrow{ flags, static_cast<std::uint32_t>(place.variable),
    static_cast<std::uint32_t>(place.step) };
  std::array<std::byte, sizeof(wide) + sizeof(narrow)> bytes;
  std::memcpy(bytes.data(), wide.data(), sizeof(wide));
  std::memcpy(bytes.data() + sizeof(wide), narrow.data(), sizeof(narrow));
  return XXH3_64bits(bytes.data(), bytes.size());
}

void write_trailer(void* record, const BrickLayout& layout, const RecordPlace& place, std::uint32_t flags)
{
  std::byte* at = trailer_of(record, layout);
  std::byte* padding = static_cast<std::byte*>(record) + layout.payload;
  std::memset(padding, 0, static_cast<std::size_t>(at - padding));
  const BrickTrailer trailer{ .hilbert_index = static_cast<std::uint64_t>(place.hilbert),
    .checksum = checksum(record, layout, place, flags),
    .flags = flags,
    .variable = static_cast<std::uint32_t>(place.variable),
    .step = static_cast<std::uint32_t>(place.step),
    .magic = BrickTrailer::kMagic };
  std::memcpy(at, &trailer, sizeof(trailer));
}

RecordState check_record(const void* record, const BrickLayout& layout, const RecordPlace& place)
{
  const BrickTrailer trailer = read_trailer(record, layout);
  if (trailer.magic != BrickTrailer::kMagic)
  {
    return RecordState::NoTrailer;
  }
  if (trailer.hilbert_index != static_cast<std::uint64_t>(place.hilbert) ||
      trailer.variable != static_cast<std::uint32_t>(place.variable) ||
      trailer.step != static_cast<std::uint32_t>(place.step))
  {
    return RecordState::OtherBrick;
  }
  return trailer.checksum == checksum(record, layout, place, trailer.flags) ? RecordState::Sound
                                                                            : RecordState::BadChecksum;
}

const char* describe(RecordState state)
{
  switch (state)
  {
  case RecordState::NoTrailer:
    return "the brick has no trailer: it was never written, or was overwritten";
  case RecordState::OtherBrick:
    return "another brick lies where this one belongs";
  case RecordState::BadChecksum:
    return "the brick's checksum does not match";
  case RecordState::Sound:
    break;
  }
  return "";
}

std::uint32_t flags_of(const void* record, const BrickLayout& layout)
{
  return read_trailer(record, layout).flags;
}

Box lattice_box(const BrickLayout& layout, const Int3& brick)
{
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = brick[axis] * layout.cells[axis];
    box.end[axis] = std::min(box.begin[axis] + layout.nodes[axis], layout.grid.lattice[axis]);
  }
  return box;
}

Long3 dense_strides(const Box& box, std::int64_t tuple_bytes)
{
  const Int3 size = box.size();
  return { tuple_bytes, tuple_bytes * size[0], tuple_bytes * size[0] * size[1] };
}

void copy_box_to_record(const BrickLayout& layout, const ConstStridedBox& from, const Int3& brick, void* record)
{
  const Box box = lattice_box(layout, brick);
  const Int3 size = box.size();
  const std::int64_t bytes = tuple_bytes_of(layout);
  const std::int64_t row = layout.nodes[0] * bytes;
  const std::int64_t plane = layout.nodes[1] * row;
  auto* payload = static_cast<std::byte*>(record);
  for (std::int32_t k = 0; k < size[2]; ++k)
  {
    const std::byte* source = at(from, { box.begin[0], box.begin[1], box.begin[2] + k });
    for (std::int32_t j = 0; j < size[1]; ++j)
    {
      std::byte* out = payload + k * plane + j * row;
      copy_row(out, bytes, source + j * from.stride[1], from.stride[0], size[0], bytes);
      repeat_last(out, size[0], layout.nodes[0], bytes);
    }
    repeat_last(payload + k * plane, size[1], layout.nodes[1], row);
  }
  repeat_last(payload, size[2], layout.nodes[2], plane);
}

void copy_record_to_box(const BrickLayout& layout, const void* record, const Int3& brick, const MutableStridedBox& to)
{
  const Box held = lattice_box(layout, brick);
  const Box common = intersect(held, to.box);
  if (common.empty())
  {
    return;
  }
  const Long3 stride = dense_strides({ { 0, 0, 0 }, layout.nodes }, tuple_bytes_of(layout));
  const ConstStridedBox from{ held, static_cast<const std::byte*>(record), stride };
  for (std::int32_t k = common.begin[2]; k < common.end[2]; ++k)
  {
    for (std::int32_t j = common.begin[1]; j < common.end[1]; ++j)
    {
      const Int3 first{ common.begin[0], j, k };
      copy_row(at(to, first), to.stride[0], at(from, first), stride[0], common.size()[0], stride[0]);
    }
  }
}

} // namespace rivulet
