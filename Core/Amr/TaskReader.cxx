// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/TaskReader.h"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace rivulet
{

namespace
{

/// Sizes in bytes of one task and of all tasks that are read together. Their values are copied once more, which pays
/// for small sizes that stay in the cache of the processor.
constexpr std::int64_t kTogether = std::int64_t{ 64 } << 10;
constexpr std::int64_t kMostTogether = std::int64_t{ 512 } << 10;

bool can_join(const ReadTask& task)
{
  return !task.whole() && task.bytes() <= kTogether && task.found->dataset.form->storage == hdf5::Storage::Contiguous;
}

/// End of the tasks from `begin` on that are neighbours in the file.
std::size_t end_of_neighbours(std::span<const ReadTask> tasks, std::size_t begin)
{
  std::size_t end = begin + 1;
  std::int64_t bytes = tasks[begin].bytes();
  for (; can_join(tasks[begin]) && end < tasks.size(); ++end)
  {
    const ReadTask& before = tasks[end - 1];
    const ReadTask& task = tasks[end];
    bytes += task.bytes();
    if (task.found != before.found || task.run.first != before.run.first + before.run.count || !can_join(task) ||
        bytes > kMostTogether)
    {
      break;
    }
  }
  return end;
}

/// Requests the bytes of all tasks, so that the reads do not wait for the storage one after the other.
void prefetch(std::span<const ReadTask> tasks)
{
  std::vector<FilePart> parts;
  for (const ReadTask& task : tasks)
  {
    add_parts(task.found->dataset, task.run, parts);
  }
  if (!parts.empty())
  {
    ReadAhead(tasks.front().job->index->file(), std::move(parts)).prefetch_all();
  }
}

void place(const ReadTask& task, const std::byte* from)
{
  std::byte* to = task.to->values.data() + task.offset;
  if (task.placement.plain() && !task.placement.swapped)
  {
    std::memcpy(to, from, static_cast<std::size_t>(task.bytes()));
    return;
  }
  place_values(task.placement, from, to);
}

} // namespace

Result<void> TaskReader::read(const ReadTask& task, hdf5::BufferedFile* held)
{
  const File& file = task.job->index->file();
  const hdf5::DatasetIndex& dataset = task.found->dataset;
  Result<void> good;
  if (task.placement.plain())
  {
    std::byte* to = task.to->values.data() + task.offset;
    good =
        task.whole() ? values_.read_into(file, held, dataset, to) : values_.read_run_into(file, dataset, task.run, to);
    if (good && task.placement.swapped)
    {
      swap_bytes(to, volume(task.placement.stored), task.placement.scalar_bytes);
    }
  }
  else
  {
    Result<std::span<const std::byte>> values =
        task.whole() ? values_.read(file, held, dataset) : values_.read_run(file, dataset, task.run);
    if (values)
    {
      place(task, values->data());
    }
    else
    {
      good = forward_error(values);
    }
  }
  if (!good)
  {
    good.error().what = "\"" + task.name() + "\": " + good.error().what;
  }
  return good;
}

void TaskReader::read_all(std::vector<ReadTask>& tasks, const Done& done)
{
  std::sort(tasks.begin(), tasks.end(),
      [](const ReadTask& a, const ReadTask& b)
      { return std::tuple(a.found, a.run.first) < std::tuple(b.found, b.run.first); });
  prefetch(tasks);
  for (std::size_t begin = 0; begin < tasks.size();)
  {
    const std::size_t end = end_of_neighbours(tasks, begin);
    read_together(std::span(tasks).subspan(begin, end - begin), done);
    begin = end;
  }
}

void TaskReader::read_together(std::span<const ReadTask> tasks, const Done& done)
{
  if (tasks.size() > 1)
  {
    const ReadTask& last = tasks.back();
    const hdf5::Run all{ tasks[0].run.first, last.run.first + last.run.count - tasks[0].run.first };
    const Result<std::span<const std::byte>> values =
        values_.read_run(tasks[0].job->index->file(), tasks[0].found->dataset, all);
    if (values)
    {
      const std::byte* from = values->data();
      for (const ReadTask& task : tasks)
      {
        place(task, from);
        from += task.bytes();
        done(task, {});
      }
      return;
    }
  }
  for (const ReadTask& task : tasks) // each by itself, for its own error
  {
    done(task, read(task, nullptr));
  }
}

} // namespace rivulet
