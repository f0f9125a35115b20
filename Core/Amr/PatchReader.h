// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads variables of patches from the files of a dump, on many threads: the second of two levels of parallelism (L.
/// Shi, L. Xiao, L. Cao, Z. Mo, "Two Level Parallel Data Read Acceleration Method for Visualization in Scientific
/// Computing", J. Computer Research and Development, 2016); the first is processes, each of which reads patches of its
/// own.
///
///     PatchReader reader;
///     PatchData data = reader.read(dump, patches, variables, {});
///     data.at(0, 0).values ...
///
/// One <patch, variable, component> is one task, with memory of its own, so that nothing is locked while values are
/// read. Whichever thread is free finds the datasets of the next file, reads what is small at once, and leaves what is
/// large to all. The HDF5 library is not thread-safe, and slow to find things: it reads only what is written in a way
/// that we do not read ourselves, afterwards, on the calling thread.
///
/// What was found is kept: another variable of the same files, or the same again, costs no search.
#pragma once

#include "Amr/Dump.h"
#include "Base/Result.h"
#include "Base/Slabs.h"
#include "Io/StoredScalar.h"

#include <functional>
#include <memory>
#include <span>

namespace rivulet
{

struct PatchReadOptions
{
  /// That read; 0: as many as there are cores, and others while those wait for the storage, up to 16 in all, or what is
  /// known of the storage (ReaderThreads.h).
  int threads = 0;
  int processes = 1;        ///< that read patches of the same dump at the same time
  bool keep_ghosts = false; ///< ghost layers are part of the arrays
  /// Large values leave no trace in the page cache. Automatic: if all that is wanted is more than a quarter of what
  /// memory is free, so that there is no room for it twice.
  enum class PageCache : std::uint8_t
  {
    Automatic,
    Use,
    GoPast
  };
  PageCache page_cache = PageCache::Automatic;
  /// Called about every 100 ms by the calling thread with the share done; false stops the reading.
  std::function<bool(double)> progress{};
  /// false: read() may be called from any thread, and what only the HDF5 library can read has Failed.
  bool use_library = true;
};

/// One variable of one patch.
struct PatchVariable
{
  enum class State : std::uint8_t
  {
    NotRead, ///< stopped before
    Read,
    Absent, ///< the dump has no such values for this patch
    Failed  ///< `error` says why
  };
  State state = State::NotRead;
  StoredType type = StoredType::Float32; ///< as in the file, in this machine's byte order; or common_type()
  std::int32_t components = 1;
  Int3 size{ 1, 1, 1 }; ///< values along each axis
  SlabBuffer values;    ///< volume(size) * components scalars, x fastest, components together
  std::shared_ptr<const Error> error;
};

struct PatchReadStatistics
{
  std::int64_t bytes_read = 0; ///< asked of the operating system
  std::int64_t datasets = 0;   ///< that hold what was read
  std::int64_t by_library = 0; ///< of these, read by the HDF5 library
  int threads = 0;             ///< that were at work at one time, at most
  std::string threads_because; ///< why there could be so many, where they were not given
  double seconds = 0;
};

struct PatchData
{
  std::vector<std::int32_t> patches;
  std::vector<std::int32_t> variables;
  std::vector<PatchVariable> values; ///< patch after patch
  PatchReadStatistics statistics;
  bool cancelled = false;

  /// By position in `patches` and `variables`.
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

  /// Fails with BadArgument if there is no such patch or variable, with BudgetTooSmall if the system refuses memory.
  /// What cannot be read is said value by value.
  [[nodiscard]] Result<PatchData> read(AmrDump& dump, std::span<const std::int32_t> patches,
      std::span<const std::int32_t> variables, const PatchReadOptions& options);

  /// The type of a variable's array for a patch. NotFound if there is none; Unsupported if only the HDF5 library can
  /// read it.
  [[nodiscard]] Result<StoredType> stored_type(const AmrDump& dump, std::int32_t patch, std::int32_t variable);
  /// Values in a chunk of the dataset that patches share; 0 if there are no chunks, or nothing is known of them.
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
