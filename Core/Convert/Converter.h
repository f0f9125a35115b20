// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Converts any LatticeReader to a Rivulet field file, with all cores and within a memory limit for fields of any size.
///
///     Result<ConvertReport> done = convert(reader, "flow.rvf", { .memory = kGiB });
///
/// Workers take regions of bricks in turn (see RegionPlan). A worker reads its region, packs the bricks in the order of
/// the Hilbert curve, and writes each run of consecutive bricks with one call. While one worker reads, others pack and
/// write. The bytes of the file depend on the values and on the uuid, which is part of the checksums. They do not
/// depend on the number of threads or on the memory limit. FieldFileOptions can set the uuid.
///
/// The calling thread calls `progress` about ten times a second. Any thread or a signal handler may set `cancel`. The
/// calling thread checks from time to time, and at the end, that the source's files have not changed; a change is an
/// error. The final name exists only after success.
#pragma once

#include "Base/Bytes.h"
#include "Io/Blocks/LatticeReader.h"
#include "Io/FieldFile/FieldFileWriter.h"

#include <atomic>
#include <functional>

namespace rivulet
{

/// Bytes of source values: done, and total.
using ByteProgress = std::function<void(std::int64_t done, std::int64_t total)>;

struct ConvertOptions
{
  FieldFileOptions file;
  std::int64_t memory = kGiB; ///< bytes of values in memory at once, over all threads
  int threads = 0;            ///< number of threads; 0 means one per core, or two for stored sources
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct ConvertReport
{
  std::int64_t source_bytes = 0; ///< bytes of the field's values, without shared layers
  std::int64_t file_bytes = 0;   ///< bytes of written brick records
  std::int64_t bricks = 0;
  std::int64_t runs = 0;         ///< number of write calls
  std::int64_t memory_bytes = 0; ///< bytes of all threads' buffers
  int threads = 0;
};

/// Fails with the first error of the reader or the writer, Cancelled, or BudgetTooSmall; and with BadArgument if the
/// path is that of a step of a store.
[[nodiscard]] Result<ConvertReport> convert(
    LatticeReader& reader, const std::string& path, const ConvertOptions& options);

/// The same with an open writer. The caller calls finish().
[[nodiscard]] Result<ConvertReport> convert_into(
    FieldFileWriter& writer, LatticeReader& reader, const ConvertOptions& options);

} // namespace rivulet
