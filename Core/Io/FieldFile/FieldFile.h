// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The metadata of a Rivulet field file (.rvf). Documentation/field-file-format.md specifies the bytes.
///
/// Only FieldFileHdf5.cxx calls libhdf5, and only for metadata; brick values are read and written at offsets by others
/// (Store/, FieldFileWriter). All functions here may be called from one thread at a time per process (libhdf5's rule);
/// a mutex inside FieldFileHdf5.cxx sees to it.
#pragma once

#include "Base/Brick.h"
#include "Base/Field.h"
#include "Base/Result.h"
#include "Io/Files/FileIdentity.h"

#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

/// Where the bricks of one (variable, step) lie: brick number h along the Hilbert curve starts at offset + h * stride.
struct BrickRun
{
  std::int64_t offset = 0; ///< bytes from the start of the file
};

/// How the values of a brick are written.
enum class Encoding : std::uint8_t
{
  Plain,
  Fixed16 ///< 16-bit numbers between a brick's smallest and largest value (Fixed16.h)
};

/// One variable's bricks in the file.
struct BrickLayout
{
  Int3 cells{ 9, 9, 9 };    ///< cells owned by a brick
  Int3 nodes{ 10, 10, 10 }; ///< lattice points stored in a brick: cells + 1, or 1 along an axis of one node; of a
                            ///< cell-centred variable: cells
  BrickGrid grid;
  Encoding encoding = Encoding::Plain;
  double largest_error = 0;              ///< between a value that was written and what is read; 0 of plain bricks
  std::int64_t values = 0;               ///< bytes of a brick's values in memory: volume(nodes) * tuple bytes
  std::int64_t payload = 0;              ///< bytes of them in a record
  std::int64_t stride = 0;               ///< bytes from one record to the next; a multiple of 4096
  std::optional<std::uint64_t> identity; ///< the file's (identity_of), which checksums cover; none before version 3
  std::vector<BrickRun> steps;

  /// Bytes of memory in which a record can be read and turned into values: values from its start, which the record,
  /// read to its end, is consumed before.
  [[nodiscard]] std::int64_t slot_bytes() const;
  /// Where in such memory a record is read to: a multiple of 4096.
  [[nodiscard]] std::int64_t record_in_slot() const { return slot_bytes() - stride; }
};

/// The last 32 bytes of every record. All little-endian.
struct BrickTrailer
{
  static constexpr std::uint32_t kMagic = 0x31425652; ///< "RVB1"
  static constexpr std::uint32_t kNotAllFinite = 1;   ///< in flags: holds a value that is not finite

  std::uint64_t hilbert_index; ///< brick number along the curve
  std::uint64_t checksum;      ///< XXH3-64 of the payload; its seed is of the file and of this trailer (BrickRecord.h)
  std::uint32_t flags;
  std::uint32_t variable;
  std::uint32_t step;
  std::uint32_t magic;
};
static_assert(sizeof(BrickTrailer) == 32);

/// The table of the ranges of one variable's bricks at one step: two floats for each, along the curve.
struct RangeTable
{
  std::int64_t offset = 0;    ///< bytes from the start of the file
  std::uint64_t checksum = 0; ///< XXH3-64 of the table
};

/// An open field file's description; holds no file handle.
struct FieldFile
{
  std::string path;
  std::string uuid;
  FieldInfo info;
  std::vector<BrickLayout> layouts; ///< one per variable
  std::int64_t file_bytes = 0;
  FileIdentity identity;    ///< for those who open it again, to read values
  bool page_aligned = true; ///< false after tools that move datasets (h5repack): read such a file buffered
  std::array<std::vector<std::int64_t>, 2> hidden; ///< by centring, then step: where the table of hidden points or
                                                   ///< cells begins (HiddenPlanes.h); -1 where none is hidden

  /// Reads the metadata and checks all of it. Fails with NotFound, CannotRead, NotThisFormat, OtherVersion, Unfinished,
  /// Unsupported, Corrupt, Truncated.
  [[nodiscard]] static Result<FieldFile> open(const std::string& path);

  /// Cheap content test for readers: HDF5 signature and our root attribute. Never reports an error.
  [[nodiscard]] static bool can_read(const std::string& path);

  /// Smallest and largest finite magnitude (of one component: value) per brick, in BrickGrid order, of one variable and
  /// step, read on demand. Rounded outwards; {inf, -inf} for a brick without finite values.
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) const;
  /// The same where it lies, and unread: for those who have no room for all of it.
  [[nodiscard]] Result<RangeTable> range_table(int variable, int step) const;

  /// Whether points, or cells, are hidden at a step.
  [[nodiscard]] bool hides(Centering centering, int step) const { return hidden_at(centering, step) >= 0; }
  [[nodiscard]] std::int64_t hidden_at(Centering centering, int step) const
  {
    return hidden[static_cast<std::size_t>(centering)][static_cast<std::size_t>(step)];
  }

  /// One byte for each point (or cell) of `box`, i fastest: 1 where it is hidden, else 0. hides() must hold. Fails with
  /// CannotRead, Truncated, Corrupt.
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) const;
};

} // namespace rivulet
