// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: the metadata of a field file, to and from HDF5. For this format libhdf5 is called by
/// CreateFieldFile.cxx, ReadFieldFile.cxx and the Hdf5 files only.
///
/// Threads: any; one mutex lets one call at a time into libhdf5. libhdf5's own messages are not printed but become the
/// text of our errors. Values read here are checked for type and size; FieldFile::open checks their meaning.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "Io/FieldFile/FieldFile.h"

#include <string>
#include <vector>

namespace rivulet::hdf5
{

inline constexpr std::int32_t kPlainVersion = 1;   ///< all values are plain
inline constexpr std::int32_t kEncodedVersion = 2; ///< each variable has an attribute for its encoding
inline constexpr std::int32_t kSealedVersion = 3;  ///< as before; checksums cover the file's uuid; points may be hidden
inline constexpr std::size_t kMostVariables = 4096;
inline constexpr std::int64_t kPlacesNumbers = 8; ///< doubles of a row of brick_places: see PlacesTable.h

/// A dataset of consecutive rows of bytes.
struct StoredRows
{
  std::int64_t offset = 0; ///< bytes from the start of the file
  std::int64_t rows = 0;
  std::int64_t row_bytes = 0;
};

struct StoredVariable
{
  Variable variable;
  ValueRanges ranges; ///< of every component; NaN if not known
  bool fixed16 = false;
  double largest_error = 0; ///< of fixed16; for complete_file() and readers
  Int3 brick_cells{ 1, 1, 1 };
  Int3 brick_nodes{ 1, 1, 1 };
  std::int64_t brick_count = 0; ///< for create_file() only
  std::int64_t payload = 0;
  std::int64_t stride = 0;
  std::vector<StoredRows> bricks; ///< by step; where points stay, the same rows as at the step before
  // The next two are set by create_file(), and the checksums are for complete_file(). By step; no rows where not
  // stored.
  std::vector<StoredRows> brick_ranges;
  std::vector<StoredRows> brick_places; ///< of points
  std::vector<std::uint64_t> brick_range_checksums;
  std::vector<std::uint64_t> brick_places_checksums;
};

struct StoredField
{
  std::int32_t version = kSealedVersion;
  std::string uuid;
  Grid grid;
  std::vector<double> times;
  std::int32_t points = -1;                    ///< as in FieldInfo
  std::vector<std::int32_t> points_steps = {}; ///< as in FieldInfo, but of every step
  std::string points_in = {};                  ///< uuid of the file with the places of nodes, if that is another one
  std::vector<StoredVariable> variables = {};
  std::array<std::vector<StoredRows>, 2> hidden = {}; ///< by centring, then step; no rows if nothing is hidden
};

/// Replaces the (empty) file at `path`: writes groups and attributes, allocates all datasets, sets `complete` = 0. Sets
/// the rows in `field`.
[[nodiscard]] Result<void> create_file(const std::string& path, StoredField& field);

/// Allocates a table of hidden points or cells in an unfinished file.
[[nodiscard]] Result<StoredRows> add_hidden(
    const std::string& path, Centering centering, int step, std::int64_t rows, std::int64_t row_bytes);

/// Writes the ranges and checksums of `field`, and last `complete` = 1.
[[nodiscard]] Result<void> complete_file(const std::string& path, const StoredField& field);

/// Fails with NotThisFormat, OtherVersion, Unfinished, Unsupported or Corrupt. The size that the file claims allocates
/// no memory.
[[nodiscard]] Result<StoredField> read_file(const std::string& path);

/// Sizes that a table of the bricks must have.
struct TableLimits
{
  std::int64_t bricks = 0;
  std::int64_t file_bytes = 0;
};

/// Place of the ranges of a variable's bricks at a step. Fails with Corrupt unless there are so many of them within
/// the file's bytes.
[[nodiscard]] Result<RangeTable> find_brick_ranges(
    const std::string& path, const std::string& variable, int step, const TableLimits& limits);
/// The same of the places of nodes in each brick, at a step that has them.
[[nodiscard]] Result<RangeTable> find_brick_places(
    const std::string& path, const std::string& points, int step, const TableLimits& limits);

/// Whether libhdf5 opens the file and finds our root attribute.
[[nodiscard]] bool has_our_format(const std::string& path);

} // namespace rivulet::hdf5
