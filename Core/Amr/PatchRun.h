// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One read of a PatchReader: what its threads share, and what each of them does.
///
///     PatchRun run(dump, data, options, cores);
///     run.add_file(index, positions); ...
///     run_team(run.begin(), [&](int) { run.work(); });
///     run.finish();
///
/// Any number of threads call work(); all else is the calling thread's. `dump`, `data` and `options` must outlive it.
#pragma once

#include "Amr/ReadTask.h"
#include "Amr/ReadTurns.h"
#include "Amr/TaskReader.h"
#include "Amr/WorkQueue.h"
#include "Hdf5/LibraryFile.h"
#include "Parallel/Spares.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

/// Bytes to be read, if they are stored as doubles. Boxes that are wrong may ask for more than there can be.
struct Wanted
{
  double all = 0;
  double small = 0;        ///< of these, what is read where it is found
  std::int64_t pieces = 0; ///< datasets that the small ones are
};

/// What the threads of one call share.
class PatchRun
{
public:
  PatchRun(AmrDump& dump, PatchData& data, const PatchReadOptions& options, int at_once);

  void add_file(FileIndex& index, std::vector<std::size_t>&& patches);
  /// Before work(), when all files were added: the number of threads to call that.
  [[nodiscard]] int begin();

  /// The work of one thread. It ends early where the system refuses memory: see out_of_memory().
  void work();
  [[nodiscard]] bool watch();
  [[nodiscard]] bool out_of_memory() const { return out_of_memory_.load(); }
  /// On the calling thread, when all others are done. Throws std::bad_alloc.
  void finish();

private:
  void do_one(const Work& work);
  [[nodiscard]] Wanted wanted(std::span<const std::size_t> patches) const;
  void search(FileJob& job, TaskReader& reader);
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
  Wanted wanted_;
  std::size_t files_ = 0;
  std::string first_file_;
  bool past_cache_ = false;
  WorkQueue queue_;
  ReadTurns turns_;
  Slabs memory_; ///< of the values
  /// Not the threads' own: those that have nothing to do need none.
  Spares<TaskReader> readers_;
  std::atomic<std::int64_t> done_{ 0 }; ///< values
  std::atomic<bool> stop_{ false };
  std::atomic<bool> out_of_memory_{ false };
  std::atomic<std::int64_t> bytes_{ 0 };
  std::atomic<std::int64_t> datasets_{ 0 };
  std::mutex library_mutex_;
  std::vector<ReadTask> for_library_;
  std::optional<hdf5::LibraryFile> by_library_; ///< the file that it has open
  std::mutex errors_mutex_;
  std::deque<std::atomic<int>> left_;
};

} // namespace rivulet
