// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of the threads of a PatchReader. A task is to read the values of one component of a variable in one patch: a
/// dataset, a run of one, or a part of either.
///
/// Plain values, except FileJob, which the threads that read from its file share. Offsets and sizes are in bytes, runs
/// in values.
#pragma once

#include "Amr/FileIndex.h"
#include "Amr/PatchReader.h"
#include "Amr/PlaceValues.h"

#include <atomic>
#include <vector>

namespace rivulet
{

/// Patches of one file. The last user closes the file, so that only files with threads or queued work are open.
struct FileJob
{
  FileJob(FileIndex& the_index, std::vector<std::size_t>&& the_patches)
    : index(&the_index)
    , patches(std::move(the_patches))
  {
  }

  /// Called by each user when it is done. Any thread.
  void done_with_one()
  {
    if (users.fetch_sub(1) == 1)
    {
      index->close();
    }
  }

  FileIndex* index;
  std::vector<std::size_t> patches; ///< positions in PatchData::patches
  std::atomic<int> users{ 1 };      ///< the search of the file, and each piece of queued work
};

/// Patches that are consecutive in shared datasets: from `begin` to before `end` in FileJob::patches.
struct PatchBatch
{
  FileJob* job = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ReadTask
{
  FileJob* job = nullptr;
  const Match* found = nullptr;
  const AmrPatch* patch = nullptr;
  const AmrComponent* component = nullptr;
  PatchVariable* to = nullptr;
  hdf5::Run run;           ///< of the values of the dataset; count 0 means all
  Placement placement;     ///< of these values in the array
  std::int64_t offset = 0; ///< in bytes, of the first of them in the array
  bool first_part = true;  ///< of a dataset that is read in parts

  [[nodiscard]] bool whole() const { return run.count == 0; }
  [[nodiscard]] std::int64_t bytes() const { return volume(placement.stored) * placement.scalar_bytes; }
  /// Path of the dataset in its file, for errors.
  [[nodiscard]] std::string name() const { return patch->group + "/" + component->dataset; }
};

/// Tasks for all components of one variable of one patch.
struct VariableTasks
{
  std::vector<ReadTask> tasks;
  std::size_t missing = 0;        ///< components without a dataset
  bool by_library = false;        ///< at least one component needs libhdf5
  std::optional<StoredType> type; ///< of the array
  std::optional<Error> error;

  /// Adds the next component, or sets `error` if its dataset does not fit.
  void add(ReadTask task);
  /// Converts floats to doubles if the array has doubles. Called after all components were added.
  void widen();
};

/// Batches of the patches of a job that are large enough for the queue. The patches must be sorted by their position in
/// the file. A batch ends between two patches, if possible where a chunk ends, because two threads would both decode a
/// chunk that crosses the boundary. `form` is that of the datasets; nullptr if it is unknown.
[[nodiscard]] std::vector<PatchBatch> cut_into_batches(
    FileJob& job, const AmrDump& dump, const PatchData& data, const hdf5::DatasetForm* form);

/// Offset in the file of values that can be read directly into the array, because they are large, aligned and in the
/// form of the array; nothing for other values.
[[nodiscard]] std::optional<std::uint64_t> place_in_file(const ReadTask& task);

/// True if a task is large enough for the queue.
[[nodiscard]] bool worth_a_turn(const ReadTask& task);

/// The same tasks, with very large ones cut into parts for several threads. The parts leave out ghost layers of the
/// slowest axis.
[[nodiscard]] std::vector<ReadTask> cut_tasks(std::vector<ReadTask>&& tasks);

} // namespace rivulet
