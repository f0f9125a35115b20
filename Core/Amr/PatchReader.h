// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads variables of patches from the files of a dump on many threads. Threads are the second of two levels of
/// parallelism; the first are processes, each of which reads its own patches (L. Shi, L. Xiao, L. Cao, Z. Mo, "Two
/// Level Parallel Data Read Acceleration Method for Visualization in Scientific Computing", J. Computer Research and
/// Development, 2016).
///
///     PatchReader reader;
///     PatchData data = reader.read(dump, patches, variables, {});
///     data.at(0, 0).values ...
///
/// A task is one component of one variable of one patch. Each task writes its own memory, so that no lock is held while
/// values are read. A free thread takes the next file, locates its datasets, reads small ones at once, and puts large
/// ones into a queue for all threads. libhdf5 reads only datasets that Rivulet's parser does not support, afterwards,
/// on the calling thread.
///
/// A reader keeps the locations of datasets for later calls. One thread at a time may use a reader. The arrays of a
/// result belong to the caller and do not depend on the reader.
#pragma once

#include "Amr/Dump.h"
#include "Base/PageSlabs.h"
#include "Base/Result.h"
#include "Io/Blocks/StoredScalar.h"

#include <functional>
#include <memory>
#include <span>

namespace rivulet
{

class LocalCache;

struct PatchReadOptions
{
  /// Number of reader threads. 0 means one per core, plus one for each that waits for storage, up to 16 in all, or the
  /// number in the table of the site (ReaderThreads.h).
  int threads = 0;
  int processes = 1;        ///< number of processes that read patches of the dump at the same time
  bool keep_ghosts = false; ///< ghost layers are part of the arrays
  /// Use of the page cache for large values. Automatic bypasses it if the request is larger than a quarter of the free
  /// memory, because the cache would need the same memory again.
  enum class PageCache : std::uint8_t
  {
    Automatic,
    Use,
    GoPast
  };
  PageCache page_cache = PageCache::Automatic;
  /// Called about every 100 ms on the calling thread with the fraction done, from 0 to 1. The result false stops the
  /// read.
  std::function<bool(double)> progress{};
  /// False: libhdf5 is not called, so that any thread may call read(); values that only libhdf5 can read are Failed.
  bool use_library = true;
  std::shared_ptr<LocalCache> local_cache{}; ///< of values; nullptr: none
};

/// One variable of one patch.
struct PatchVariable
{
  enum class State : std::uint8_t
  {
    NotRead, ///< the read was stopped before
    Read,
    Absent, ///< the dump has no such values for this patch
    Failed  ///< `error` is set
  };
  State state = State::NotRead;
  StoredType type = StoredType::Float32; ///< as in the file; common_type() of several components
  std::int32_t components = 1;
  Int3 size{ 1, 1, 1 }; ///< values along each axis
  SlabBuffer values;    ///< volume(size) * components scalars in the byte order of this machine, x fastest,
                        ///< components together
  std::shared_ptr<const Error> error;
};

struct PatchReadStatistics
{
  std::int64_t bytes_read = 0;             ///< bytes requested from the operating system
  std::int64_t bytes_from_local_cache = 0; ///< bytes of values that a local cache had
  std::int64_t datasets = 0;               ///< number of datasets read
  std::int64_t by_library = 0;             ///< number of datasets that libhdf5 read
  int threads = 0;                         ///< largest number of threads at work at one time
  std::string threads_because;             ///< reason for their number, if it was not given
  double seconds = 0;                      ///< duration of the call
};

struct PatchData
{
  std::vector<std::int32_t> patches;   ///< indices into AmrDump::patches
  std::vector<std::int32_t> variables; ///< indices into AmrDump::variables
  std::vector<PatchVariable> values;   ///< all variables of the first patch, then of the next
  PatchReadStatistics statistics;
  bool cancelled = false; ///< PatchReadOptions::progress stopped the read

  /// Values by position in `patches` and `variables`.
  [[nodiscard]] PatchVariable& at(std::size_t patch, std::size_t variable)
  {
    return values[patch * variables.size() + variable];
  }
};

class FileIndex;
class PatchRun;

class PatchReader
{
public:
  PatchReader();
  PatchReader(const PatchReader&) = delete;
  PatchReader& operator=(const PatchReader&) = delete;
  ~PatchReader();

  /// Values of all `variables` of all `patches`. Fails with BadArgument if an index is invalid, with BudgetTooSmall if
  /// the system refuses memory. Other errors belong to single values: PatchVariable::error.
  [[nodiscard]] Result<PatchData> read(AmrDump& dump, std::span<const std::int32_t> patches,
      std::span<const std::int32_t> variables, const PatchReadOptions& options);

  /// Type of the array of a variable for a patch. Fails with NotFound if the patch has no such values, with Unsupported
  /// if only libhdf5 can read them.
  [[nodiscard]] Result<StoredType> stored_type(const AmrDump& dump, std::int32_t patch, std::int32_t variable);
  /// Number of values per chunk of a shared dataset; 0 if it has no chunks or they cannot be parsed.
  [[nodiscard]] std::int64_t chunk_of(const AmrDump& dump, std::int32_t patch, std::int32_t variable);

private:
  struct Kept;
  /// Throws std::bad_alloc.
  [[nodiscard]] Result<PatchData> read_sound(AmrDump& dump, std::span<const std::int32_t> patches,
      std::span<const std::int32_t> variables, const PatchReadOptions& options);
  std::vector<FileIndex*> add_files(const AmrDump& dump, std::span<const std::int32_t> patches, PatchRun& run);

  std::unique_ptr<Kept> kept_;
};

} // namespace rivulet
