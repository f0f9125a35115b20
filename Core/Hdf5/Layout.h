// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Location and form of the values of one HDF5 dataset: everything that is needed to read them without libhdf5.
///
/// Plain values. Addresses and sizes are in bytes, dimensions in values.
///
/// Format: "HDF5 File Format Specification", version 3.0, The HDF Group, sections III and IV.
#pragma once

#include "Io/Blocks/StoredScalar.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace rivulet::hdf5
{

/// Registered numbers of the filters that ChunkDecoder knows.
enum class FilterId : std::uint16_t
{
  Deflate = 1,
  Shuffle = 2,
  Fletcher32 = 3,
  Lz4 = 32004,
  Zstd = 32015
};

/// One filter of a pipeline. Filters encode in the order of the pipeline and decode in the reverse order.
struct Filter
{
  std::uint16_t id = 0;              ///< a FilterId, or another number
  std::vector<std::uint32_t> values; ///< parameters from the file

  friend bool operator==(const Filter&, const Filter&) = default;
};

enum class Storage : std::uint8_t
{
  Contiguous,
  Chunked,
  Compact,  ///< the values are in the object header: DatasetForm::compact
  Unwritten ///< no space is allocated; every value is the fill value
};

inline constexpr int kMostDimensions = 32; ///< limit of libhdf5
inline constexpr std::uint64_t kUndefinedAddress = ~std::uint64_t{ 0 };

/// Properties that many datasets of a file share: everything but the address.
struct DatasetForm
{
  StoredType type = StoredType::Float32;
  bool big_endian = false;
  std::vector<std::int64_t> dims; ///< values along each dimension, slowest first; empty for a scalar
  Storage storage = Storage::Contiguous;
  std::vector<std::int64_t> chunk;       ///< values along each dimension of a chunk; Chunked only
  std::vector<Filter> filters;           ///< Chunked only
  std::vector<std::byte> compact;        ///< stored values; Compact only
  std::array<std::byte, 8> fill_value{}; ///< one value as stored; zeros if the file has none

  [[nodiscard]] std::int64_t count() const; ///< values of the dataset
  [[nodiscard]] std::int64_t bytes() const { return count() * size_of(type); }
  friend bool operator==(const DatasetForm&, const DatasetForm&) = default;
};

struct DatasetLayout : DatasetForm
{
  std::uint64_t address = 0; ///< of the values (Contiguous) or of the B-tree of chunks (Chunked)
};

/// One stored chunk.
struct Chunk
{
  std::uint64_t address = 0;       ///< offset in the file
  std::uint32_t bytes = 0;         ///< stored size
  std::uint32_t skipped = 0;       ///< filter mask: bit k is set if filter k was not applied
  std::vector<std::int64_t> first; ///< index of its first value along each dimension, slowest first
};

} // namespace rivulet::hdf5
