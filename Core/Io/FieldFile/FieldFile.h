// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The metadata of a Rivulet field file (.rvf). Documentation/field-file-format.md specifies the bytes.
///
/// Only FieldFileHdf5.h and the Hdf5 files beside it call libhdf5, and only for metadata. Brick values are read and
/// written at offsets (Store/, FieldFileWriter). Threads: any; a mutex in Hdf5Session.cxx lets one call at a time into
/// libhdf5.
#pragma once

#include "Base/Brick.h"
#include "Base/Field.h"
#include "Base/PlacesMeasure.h"
#include "Base/Result.h"
#include "Io/Files/FileIdentity.h"

#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

/// Place of the bricks of one (variable, step): brick number h along the Hilbert curve begins at offset + h * stride.
struct BrickSpan
{
  std::int64_t offset = 0; ///< bytes from the start of the file
};

/// Encoding of the values of a brick.
enum class Encoding : std::uint8_t
{
  Plain,
  Fixed16 ///< 16-bit numbers between a brick's smallest and largest value (Fixed16.h)
};

/// Stands for the brick size that fits the grid: usual_brick_cells().
inline constexpr Int3 kUsualBrick{ 0, 0, 0 };

/// Brick size at which records of float vectors at nodes fill their pages: three pages of plain values, two of 16-bit
/// ones. Of flat grids, with one cell or none along an axis, as many values lie in a plane.
[[nodiscard]] Int3 usual_brick_cells(Encoding encoding, const Int3& nodes);

/// `wanted`, or the usual one.
[[nodiscard]] Int3 brick_cells_or_usual(const Int3& wanted, Encoding encoding, const Int3& nodes);

/// One variable's bricks in the file.
struct BrickLayout
{
  Int3 cells{ 9, 9, 9 };    ///< cells owned by a brick
  Int3 nodes{ 10, 10, 10 }; ///< lattice points stored in a brick: cells + 1, or 1 along an axis of one node; of a
                            ///< cell-centred variable: cells
  BrickGrid grid;
  Encoding encoding = Encoding::Plain;
  double largest_error = 0; ///< largest difference between a written value and the value read; 0 for plain bricks
  std::int64_t values = 0;  ///< bytes of a brick's values in memory: volume(nodes) * tuple bytes
  std::int64_t payload = 0; ///< bytes of these values in a record
  std::int64_t stride = 0;  ///< bytes from one record to the next; a multiple of 4096
  std::optional<std::uint64_t> identity; ///< the file's (identity_of), which checksums cover; none before version 3
  std::vector<BrickSpan> steps;

  /// Bytes of memory in which a record is read and decoded. Values begin at its start and the record ends at its end,
  /// so that each part of the record is read before values overwrite it.
  [[nodiscard]] std::int64_t slot_bytes() const;
  /// Offset of the record in such memory: a multiple of 4096.
  [[nodiscard]] std::int64_t record_in_slot() const { return slot_bytes() - stride; }
};

/// The last 32 bytes of every record. All little-endian.
struct BrickTrailer
{
  static constexpr std::uint32_t kMagic = 0x31425652; ///< "RVB1"
  static constexpr std::uint32_t kNotAllFinite = 1;   ///< in flags: the brick holds a value that is not finite

  std::uint64_t hilbert_index; ///< brick number along the curve
  std::uint64_t checksum;      ///< XXH3-64 of the payload; its seed is of the file and of this trailer (BrickRecord.h)
  std::uint32_t flags;
  std::uint32_t variable;
  std::uint32_t step;
  std::uint32_t magic;
};
static_assert(sizeof(BrickTrailer) == 32);

/// The stored ranges of one variable's bricks at one step: two floats per brick, along the curve.
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
  std::string points_in;            ///< uuid of the file with the places of the nodes, if this has none of a grid's
  std::vector<BrickLayout> layouts; ///< one per variable; the steps of points may be the same bytes
  std::int64_t file_bytes = 0;
  FileIdentity identity;    ///< identity of the file, for checks when it is opened again to read values
  bool page_aligned = true; ///< false after tools that move datasets (h5repack): then read through the page cache
  std::array<std::vector<std::int64_t>, 2> hidden; ///< offset of the table of hidden points or cells (BlankingPlanes.h)
                                                   ///< by centring, then step; -1 if none is hidden

  /// Reads and checks all metadata. Fails with NotFound, CannotRead, NotThisFormat, OtherVersion, Unfinished,
  /// Unsupported, Corrupt or Truncated.
  [[nodiscard]] static Result<FieldFile> open(const std::string& path);

  /// Cheap test for readers: HDF5 signature and our root attribute. Never reports an error.
  [[nodiscard]] static bool can_read(const std::string& path);

  /// Smallest and largest finite magnitude (with one component: value) of each brick of one variable and step, in
  /// BrickGrid order, read on demand. Rounded outwards; {inf, -inf} for a brick without finite values.
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) const;
  /// Place of the same ranges in the file, not read: for callers without memory for all of them.
  [[nodiscard]] Result<RangeTable> range_table(int variable, int step) const;

  /// The bounds of the nodes of each brick, and facts about its cells, at a step with points; in BrickGrid order.
  [[nodiscard]] Result<std::vector<PlacesMeasure>> brick_places(int step) const;
  [[nodiscard]] Result<RangeTable> places_table(int step) const;

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
