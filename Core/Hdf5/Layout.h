// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the values of one HDF5 dataset lie in its file, and in what form: all that is needed to read them without the
/// library. Plain values.
///
/// Format: "HDF5 File Format Specification", version 3.0, The HDF Group, sections III and IV.
#pragma once

#include "Io/StoredScalar.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rivulet::hdf5
{

/// Numbers of the filters that can be undone here.
enum class FilterId : std::uint16_t
{
  Deflate = 1,
  Shuffle = 2,
  Fletcher32 = 3,
  Lz4 = 32004,
  Zstd = 32015
};

/// One filter of a pipeline. When a chunk was written the filters ran in their order; they are undone from the last to
/// the first.
struct Filter
{
  std::uint16_t id = 0;
  std::vector<std::uint32_t> values;

  friend bool operator==(const Filter&, const Filter&) = default;
};

enum class Storage : std::uint8_t
{
  Contiguous,
  Chunked,
  Compact,  ///< in the object's header: `compact` has the bytes
  Unwritten ///< no space was ever given: every value is the fill value
};

inline constexpr int kMostDimensions = 32; ///< the library's limit
inline constexpr std::uint64_t kUndefinedAddress = ~std::uint64_t{ 0 };

/// What many datasets of a file have in common.
struct DatasetForm
{
  StoredType type = StoredType::Float32;
  bool big_endian = false;
  std::vector<std::int64_t> dims; ///< slowest first; empty for a scalar
  Storage storage = Storage::Contiguous;
  std::vector<std::int64_t> chunk;       ///< dims of a chunk
  std::vector<Filter> filters;           ///< Chunked only
  std::vector<std::byte> compact;        ///< Compact only
  std::array<std::byte, 8> fill_value{}; ///< as stored; zeros unless the file says otherwise

  [[nodiscard]] std::int64_t count() const;
  [[nodiscard]] std::int64_t bytes() const { return count() * size_of(type); }
  friend bool operator==(const DatasetForm&, const DatasetForm&) = default;
};

struct DatasetLayout : DatasetForm
{
  std::uint64_t address = 0; ///< of the values (Contiguous) or of the tree of chunks (Chunked)
};

/// One stored chunk.
struct Chunk
{
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;         ///< as stored
  std::uint32_t skipped = 0;       ///< bit k: filter k was not applied
  std::vector<std::int64_t> first; ///< index of its first value along each dimension
};

} // namespace rivulet::hdf5
