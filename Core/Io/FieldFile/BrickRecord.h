// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One brick as stored in a field file: payload, zeros, trailer (Documentation/field-file-format.md).
///
///     copy_box_to_record(layout, { region, values }, brick, record);
///     write_trailer(record, layout, { variable, step, hilbert }, 0);        // of the file that layout.identity names
///     ...
///     if (check_record(record, layout, id) != RecordState::Sound) ...
///
/// Plain functions on memory of layout.stride bytes, with any alignment; any thread. The size of a tuple is
/// layout.values / points. Boxes are copied to and from records of plain values. A record of another encoding is
/// encoded from, and decoded to, a plain record.
#pragma once

#include "Io/FieldFile/FieldFile.h"

#include <cstddef>

namespace rivulet
{

/// Identity of a record: its place in the file.
struct RecordPlace
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  std::int64_t hilbert = 0; ///< number along the curve
};

enum class RecordState : std::uint8_t
{
  Sound,
  NoTrailer,   ///< no trailer of ours: never written, or overwritten
  OtherBrick,  ///< a record of another place
  BadChecksum, ///< the right record with changed values, or a record of another file
};

/// A file's uuid as a number, for BrickLayout.
[[nodiscard]] std::uint64_t identity_of(const std::string& uuid);

/// Seed of the checksum of a record, made of the file and the place in it, so that bytes of another file or another
/// place do not match.
[[nodiscard]] std::uint64_t seal_of(std::uint64_t identity, const RecordPlace& place, std::uint32_t flags);

/// Writes the trailer of a record whose payload is filled in.
void write_trailer(void* record, const BrickLayout& layout, const RecordPlace& place, std::uint32_t flags);

/// Reads the payload once.
[[nodiscard]] RecordState check_record(const void* record, const BrickLayout& layout, const RecordPlace& place);

/// "the brick's checksum does not match"; empty for Sound.
[[nodiscard]] const char* describe(RecordState state);

/// The record's flags: BrickTrailer::kNotAllFinite.
[[nodiscard]] std::uint32_t flags_of(const void* record, const BrickLayout& layout);

/// The lattice points of a brick that lie inside the lattice.
[[nodiscard]] Box lattice_box(const BrickLayout& layout, const Int3& brick);

/// Values of the points of `box` in memory: the tuple at (i, j, k) starts
/// stride[0] * (i - begin[0]) + stride[1] * (j - begin[1]) + stride[2] * (k - begin[2]) bytes after `values`.
template <class Byte>
struct StridedBox
{
  Box box;
  Byte* values = nullptr;
  Long3 stride{ 0, 0, 0 }; ///< in bytes
};
using ConstStridedBox = StridedBox<const std::byte>;
using MutableStridedBox = StridedBox<std::byte>;

/// Strides of values that lie densely, i fastest.
[[nodiscard]] Long3 dense_strides(const Box& box, std::int64_t tuple_bytes);

/// Fills the payload of the record of `brick`. `from` must hold all its points inside the lattice; points outside
/// repeat the last one inside.
void copy_box_to_record(const BrickLayout& layout, const ConstStridedBox& from, const Int3& brick, void* record);

/// Copies the intersection of the brick and `to.box`.
void copy_record_to_box(const BrickLayout& layout, const void* record, const Int3& brick, const MutableStridedBox& to);

} // namespace rivulet
