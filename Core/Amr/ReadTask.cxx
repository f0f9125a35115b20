// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReadTask.h"

#include <algorithm>
#include <bit>

namespace rivulet
{

namespace
{

constexpr std::int64_t kBatchBytes = std::int64_t{ 1 } << 20;
constexpr std::int64_t kPartBytes = std::int64_t{ 8 } << 20;
constexpr std::int64_t kMostValues =
    1'000'000'000'000'000;                ///< of a variable of a patch, so that their bytes fit into 64 bits
constexpr std::int64_t kChunksPerCut = 8; ///< chunks of a part, because two threads decode a chunk that is cut

std::int64_t bytes_of_chunk(const hdf5::DatasetForm& form)
{
  return form.storage == hdf5::Storage::Chunked ? form.chunk[0] * size_of(form.type) : 0;
}

/// Reason why the values of a task do not fit their dataset; nothing if they fit.
std::optional<std::string> misfit(const ReadTask& task, const hdf5::DatasetForm& form)
{
  const std::int64_t there = form.count();
  if (task.whole())
  {
    const std::int64_t taken = volume(task.placement.stored);
    return there == taken ? std::nullopt
                          : std::optional("has " + std::to_string(there) + " values where the patch takes " +
                                          std::to_string(taken));
  }
  const bool inside = task.run.first >= 0 && task.run.count <= there && task.run.first <= there - task.run.count;
  return inside && hdf5::can_read_runs(form)
             ? std::nullopt
             : std::optional("has " + std::to_string(there) + " values, and the patch's are " +
                             std::to_string(task.run.count) + " from number " + std::to_string(task.run.first) + " on");
}

/// Cuts a task into at most `most_parts` parts along the slowest axis with several layers.
void cut_task(const ReadTask& task, std::int64_t most_parts, std::vector<ReadTask>& parts)
{
  const Placement& placement = task.placement;
  const Int3 kept = placement.kept();
  const std::size_t axis = kept[2] > 1 ? 2 : (kept[1] > 1 ? 1 : 0);
  std::int64_t stored_layer = 1;
  std::int64_t kept_layer = placement.components * placement.array_bytes();
  for (std::size_t faster = 0; faster < axis; ++faster)
  {
    stored_layer *= placement.stored[faster];
    kept_layer *= kept[faster];
  }
  Int3 corner{ 0, 0, 0 };
  Placement of_part = placement;
  for (std::size_t slower = axis; slower < 3; ++slower)
  {
    corner[slower] = placement.skipped[slower];
    of_part.stored[slower] = 1;
    of_part.skipped[slower] = 0;
    of_part.skipped_after[slower] = 0;
  }
  const std::int64_t first = task.run.first + row_major(corner, placement.stored);
  const std::int64_t count = std::min<std::int64_t>(kept[axis], most_parts);
  for (std::int64_t i = 0; i < count; ++i)
  {
    const std::int64_t begin = kept[axis] * i / count;
    const std::int64_t layers = kept[axis] * (i + 1) / count - begin;
    ReadTask& part = parts.emplace_back(task);
    part.placement = of_part;
    part.placement.stored[axis] = static_cast<std::int32_t>(layers);
    part.run = { first + begin * stored_layer, layers * stored_layer };
    part.offset = begin * kept_layer;
    part.first_part = i == 0;
  }
}

} // namespace

void VariableTasks::add(ReadTask task)
{
  if (volume(task.placement.stored) > kMostValues / task.placement.components)
  {
    error = Error{ ErrorCode::Corrupt, "\"" + task.name() + "\" is beyond all bounds, with its ghosts and components",
      "check the program that wrote the dump", task.job->index->path() };
    return;
  }
  const Match& found = *task.found;
  if (found.kind == Match::Kind::Missing)
  {
    ++missing;
    return;
  }
  if (found.kind == Match::Kind::Bad)
  {
    error = *found.error;
    error->what = "\"" + task.name() + "\": " + error->what;
    return;
  }
  by_library = by_library || found.kind == Match::Kind::Library;
  if (found.kind == Match::Kind::Plain)
  {
    const hdf5::DatasetForm& form = *found.dataset.form;
    if (const std::optional<std::string> why = misfit(task, form))
    {
      error = Error{ ErrorCode::Corrupt, "\"" + task.name() + "\" " + *why, "check the program that wrote the dump",
        task.job->index->path() };
      return;
    }
    type = type ? common_type(*type, form.type) : form.type;
    if (!type)
    {
      error = Error{ ErrorCode::Unsupported, "\"" + task.name() + "\" is of another type than the components before it",
        "", task.job->index->path() };
      return;
    }
    task.placement.scalar_bytes = size_of(form.type);
    task.placement.swapped = form.big_endian == (std::endian::native == std::endian::little);
  }
  tasks.push_back(task);
}

void VariableTasks::widen()
{
  for (ReadTask& task : tasks)
  {
    task.placement.widened = type == StoredType::Float64 && task.placement.scalar_bytes == sizeof(float);
  }
}

std::vector<PatchBatch> cut_into_batches(
    FileJob& job, const AmrDump& dump, const PatchData& data, const hdf5::DatasetForm* form)
{
  const std::int64_t scalar_bytes = form != nullptr ? size_of(form->type) : 8;
  const std::int64_t chunk_bytes = form != nullptr ? bytes_of_chunk(*form) : 0;
  const std::int64_t chunk = chunk_bytes / scalar_bytes;
  const auto patch_at = [&](std::size_t i) -> const AmrPatch&
  {
    return dump.patches[static_cast<std::size_t>(data.patches[job.patches[i]])];
  };
  std::vector<PatchBatch> batches;
  std::size_t begin = 0;
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < job.patches.size(); ++i)
  {
    for (const std::int32_t number : data.variables)
    {
      const AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
      bytes += volume(variable.stored_size(patch_at(i), dump.dimensions)) *
               static_cast<std::int64_t>(variable.components.size()) * scalar_bytes;
    }
    const bool last = i + 1 == job.patches.size();
    const bool between_chunks = chunk_bytes == 0 || (!last && patch_at(i + 1).first % chunk == 0);
    if (last || (bytes >= kBatchBytes && (between_chunks || bytes >= kChunksPerCut * chunk_bytes)))
    {
      batches.push_back({ &job, begin, i + 1 });
      begin = i + 1;
      bytes = 0;
    }
  }
  return batches;
}

std::optional<std::uint64_t> place_in_file(const ReadTask& task)
{
  const hdf5::DatasetForm& form = *task.found->dataset.form;
  const auto scalar_bytes = static_cast<std::uint64_t>(task.placement.scalar_bytes);
  const std::uint64_t place = task.found->dataset.address + static_cast<std::uint64_t>(task.run.first) * scalar_bytes;
  const bool straight = form.storage == hdf5::Storage::Contiguous && task.placement.plain() &&
                        task.bytes() >= File::kMuchPastCache && place % scalar_bytes == 0;
  return straight ? std::optional(place) : std::nullopt;
}

bool worth_a_turn(const ReadTask& task)
{
  return task.bytes() > kBatchBytes && task.bytes() >= kChunksPerCut * bytes_of_chunk(*task.found->dataset.form);
}

std::vector<ReadTask> cut_tasks(std::vector<ReadTask>&& tasks)
{
  const auto is_large = [](const ReadTask& task)
  {
    return task.bytes() >= 2 * kPartBytes && hdf5::can_read_runs(*task.found->dataset.form);
  };
  if (std::none_of(tasks.begin(), tasks.end(), is_large))
  {
    return std::move(tasks);
  }
  std::vector<ReadTask> parts;
  for (ReadTask& task : tasks)
  {
    if (!is_large(task))
    {
      parts.push_back(task);
      continue;
    }
    const std::int64_t bytes = std::max(kPartBytes, kChunksPerCut * bytes_of_chunk(*task.found->dataset.form));
    cut_task(task, (task.bytes() + bytes - 1) / bytes, parts);
  }
  return parts;
}

} // namespace rivulet
