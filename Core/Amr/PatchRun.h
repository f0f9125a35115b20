// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One call of PatchReader::read(): the state that its threads share, and the work of each thread.
///
///     PatchRun run(dump, data, options, cores, fingerprints);
///     run.add_file(index, positions); ...
///     run_team(run.begin(), [&](int) { run.work(); });
///     run.finish();
///
/// Any number of threads may call work(). Only the calling thread may call the other functions. `dump`, `data` and
/// `options` must outlive the run.
#pragma once

#include "Amr/CachedPatches.h"
#include "Amr/ReadQueue.h"
#include "Amr/ReadTask.h"
#include "Amr/ReadTurns.h"
#include "Amr/TaskReader.h"
#include "Hdf5/LibraryFile.h"
#include "Parallel/ObjectPool.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

/// Bytes of a request, if all values are stored as doubles. They are floating-point numbers because the boxes of a
/// damaged file may need more than an integer holds.
struct Wanted
{
  double all = 0;
  double small = 0;        ///< bytes of datasets that are read as soon as they are located
  std::int64_t pieces = 0; ///< number of these datasets
};

/// State of one call that its threads share.
class PatchRun
{
public:
  PatchRun(AmrDump& dump, PatchData& data, const PatchReadOptions& options, int at_once, FileFingerprints& files);

  void add_file(FileIndex& index, std::vector<std::size_t>&& patches);
  /// Number of threads that should call work(). Called once, after all files were added.
  [[nodiscard]] int begin();

  /// Work of one thread until nothing is left. Ends early if the system refuses memory: out_of_memory().
  void work();
  /// Reports progress. False if the run should stop.
  [[nodiscard]] bool watch();
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_.load(); }
  /// Reads the values for libhdf5 and fills the statistics, after all threads have ended. Throws std::bad_alloc.
  void finish();

private:
  void do_one(const Work& work);
  [[nodiscard]] Wanted wanted(std::span<const std::size_t> patches) const;
  void search(FileJob& job, TaskReader& reader);
  void take_from_cache(FileJob& job);
  void search_shared(FileJob& job);
  void search_patch(FileJob& job, std::size_t position, TaskReader& reader);
  void read_batch(const PatchBatch& batch, TaskReader& reader);
  [[nodiscard]] std::vector<ReadTask> begin_variable(FileJob& job, std::size_t position, std::size_t v);
  [[nodiscard]] VariableTasks find_variable(FileJob& job, std::size_t position, std::size_t v) const;
  void prepare(PatchVariable& to, const AmrVariable& variable, const AmrPatch& patch, StoredType type,
      std::span<const ReadTask> tasks);
  void end_task(const ReadTask& task, Result<void>&& good);
  void fail_value(PatchVariable& to, Error&& error);
  void read_by_library(const ReadTask& task);
  void refuse_library(const ReadTask& task);
  void judge_absent();

  [[nodiscard]] const AmrPatch& patch_at(std::size_t position) const
  {
    return dump_.patches[static_cast<std::size_t>(data_.patches[position])];
  }
  [[nodiscard]] const AmrVariable& variable_at(std::size_t v) const
  {
    return dump_.variables[static_cast<std::size_t>(data_.variables[v])];
  }

  AmrDump& dump_;
  PatchData& data_;
  const PatchReadOptions& options_;
  std::optional<CachedPatches> cached_;
  Wanted wanted_;
  std::size_t files_ = 0;
  std::string first_file_;
  bool past_cache_ = false;
  ReadQueue queue_;
  ReadTurns turns_;
  PageSlabs memory_; ///< memory of the values
  /// Readers, one for each thread at work. Threads without work need none.
  ObjectPool<TaskReader> readers_;
  std::atomic<std::int64_t> done_{ 0 }; ///< number of values that are finished
  std::atomic<bool> stop_{ false };
  std::atomic<bool> out_of_memory_{ false };
  std::atomic<std::int64_t> bytes_{ 0 };
  std::atomic<std::int64_t> from_cache_{ 0 };
  std::atomic<std::int64_t> datasets_{ 0 };
  std::mutex library_mutex_;
  std::vector<ReadTask> for_library_;
  std::optional<hdf5::LibraryFile> by_library_; ///< file that libhdf5 has open
  std::mutex errors_mutex_;
  std::deque<std::atomic<int>> left_;
};

} // namespace rivulet
