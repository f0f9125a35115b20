// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the threads of a PatchReader are given to do: values of one component of a variable in one patch, which are a
/// dataset, a run of values in one, or a part of either.
///
/// Plain values; a file's job is shared by the threads that read from that file.
#pragma once

#include "Amr/FileIndex.h"
#include "Amr/PatchReader.h"
#include "Amr/PlaceValues.h"

#include <atomic>
#include <vector>

namespace rivulet
{

/// The patches of one file. Whoever is last to need the file closes it, so that no more are open than threads are at
/// work on, but for those with work in the queue.
struct FileJob
{
  FileJob(FileIndex& the_index, std::vector<std::size_t>&& the_patches)
    : index(&the_index)
    , patches(std::move(the_patches))
  {
  }

  void done_with_one()
  {
    if (users.fetch_sub(1) == 1)
    {
      index->close();
    }
  }

  FileIndex* index;
  std::vector<std::size_t> patches; ///< positions in the request
  std::atomic<int> users{ 1 };      ///< the search, and each piece of work in the queue
};

/// Patches of a file whose datasets they share, next to each other on disk: from `begin` to `end` in FileJob::patches.
struct PatchBatch
{
  FileJob* job = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct ReadTask
{
  FileJob* job = nullptr;
  const Found* found = nullptr;
  const AmrPatch* patch = nullptr;
  const AmrComponent* component = nullptr;
  PatchVariable* to = nullptr;
  hdf5::Run run;           ///< of the dataset's values; of none: all of them
  Placement placement;     ///< of these values,
  std::int64_t offset = 0; ///< from this byte of the array on
  bool first_part = true;

  [[nodiscard]] bool whole() const { return run.count == 0; }
  [[nodiscard]] std::int64_t bytes() const { return volume(placement.stored) * placement.scalar_bytes; }
  /// Group and dataset, for errors.
  [[nodiscard]] std::string name() const { return patch->group + "/" + component->dataset; }
};

/// The tasks of all components of one variable of one patch.
struct VariableTasks
{
  std::vector<ReadTask> tasks;
  std::size_t missing = 0;
  bool by_library = false; ///< one of them at least
  std::optional<StoredType> type;
  std::optional<Error> error;

  /// Judges what was found of one more component.
  void add(ReadTask task);
  /// When all were added: floats beside doubles become doubles.
  void widen();
};

/// Where one patch ends and the next begins a thread may stop and another go on, at the cost of what both need to read.
/// The patches of a job, which must be sorted by their place in the file, in batches that are worth a turn in the
/// queue.
[[nodiscard]] std::vector<PatchBatch> cut_into_batches(
    FileJob& job, const AmrDump& dump, const PatchData& data, const hdf5::DatasetForm* form);

/// The offset in its file of values that go straight from there to their array, large and aligned as numbers must be;
/// nothing for others.
[[nodiscard]] std::optional<std::uint64_t> place_in_file(const ReadTask& task);

/// Whether a task is so large that another thread should take it, rather than the one that found it.
[[nodiscard]] bool worth_a_turn(const ReadTask& task);

/// The same tasks, but those in parts that are so large that several threads should share them. Parts leave out ghost
/// layers where that costs nothing.
[[nodiscard]] std::vector<ReadTask> cut_tasks(std::vector<ReadTask>&& tasks);

} // namespace rivulet
