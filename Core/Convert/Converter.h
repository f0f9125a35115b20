// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Turns any LatticeReader into a Rivulet field file: all cores, memory under a limit whatever the field's size.
///
///     Result<ConvertReport> done = convert(reader, "flow.rvf", { .memory = kGiB });
///
/// Workers take regions of bricks in turn (see RegionPlan): each reads its region, packs the bricks in the order of the
/// Hilbert curve and writes every stretch of neighbours on the curve with one call. While one worker reads, others pack
/// and write. The bytes of the file do not depend on the number of threads or on the memory limit, but for its uuid and
/// the checksums, which cover that; with a uuid that is given (FieldFileOptions) they are the same.
///
/// The calling thread watches: it alone calls `progress`, about ten times a second. `cancel` may be set from any thread
/// or from a signal handler. A source whose files are written to or replaced meanwhile is an error: the calling thread
/// looks at them now and then, and in the end. Nothing is left under the final name unless the conversion succeeded.
#pragma once

#include "Base/Bytes.h"
#include "Io/FieldFileWriter.h"
#include "Io/LatticeReader.h"

#include <atomic>
#include <functional>

namespace rivulet
{

/// Source bytes done, and in all.
using ByteProgress = std::function<void(std::int64_t done, std::int64_t total)>;

struct ConvertOptions
{
  FieldFileOptions file;
  std::int64_t memory = kGiB; ///< bytes of values held at once by all workers
  int threads = 0;            ///< 0 = all cores
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct ConvertReport
{
  std::int64_t source_bytes = 0; ///< values of the field, each counted once
  std::int64_t file_bytes = 0;   ///< brick records written
  std::int64_t bricks = 0;
  std::int64_t runs = 0;         ///< writes that the records took
  std::int64_t memory_bytes = 0; ///< buffers held
  int threads = 0;
};

/// Fails with what the reader or the writer said first, Cancelled, or BudgetTooSmall.
[[nodiscard]] Result<ConvertReport> convert(
    LatticeReader& reader, const std::string& path, const ConvertOptions& options);

/// The same into a writer that is open already; leaves finish() to the caller.
[[nodiscard]] Result<ConvertReport> convert_into(
    FieldFileWriter& writer, LatticeReader& reader, const ConvertOptions& options);

} // namespace rivulet
