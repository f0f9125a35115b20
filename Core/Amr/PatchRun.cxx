// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchRun.h"

#include "Amr/ReaderThreads.h"
#include "Amr/SamraiSummary.h"
#include "Parallel/Team.h"
#include "Store/Memory/FreeMemory.h"

#include <algorithm>
#include <new>
#include <set>
#include <tuple>

namespace rivulet
{

namespace
{

/// Size in bytes up to which a thread reads a dataset as soon as it has located it.
constexpr std::int64_t kSmall = std::int64_t{ 256 } << 10;
/// Largest numbers of threads without a given number, at which most storage reaches its full rate. Fewer threads
/// suffice if each requests megabytes at once.
constexpr int kMostWaiting = 16;
constexpr int kMostStreaming = 8;
constexpr std::int64_t kStream = std::int64_t{ 1 } << 20;

constexpr std::int64_t kMuch = std::int64_t{ 1 } << 30; ///< bytes of a request from which on the free memory matters

void copy_as_doubles(const SlabBuffer& floats, SlabBuffer& doubles)
{
  const auto* from = reinterpret_cast<const float*>(floats.data());
  std::copy_n(from, floats.size() / sizeof(float), reinterpret_cast<double*>(doubles.data()));
}

} // namespace

PatchRun::PatchRun(
    AmrDump& dump, PatchData& data, const PatchReadOptions& options, int at_once, FileFingerprints& files)
  : dump_(dump)
  , data_(data)
  , options_(options)
  , turns_(at_once)
{
  for (std::size_t i = 0; i < data.values.size(); ++i)
  {
    left_.emplace_back(0);
  }
  if (options.local_cache)
  {
    cached_.emplace(options.local_cache, dump, files, options.keep_ghosts);
  }
}

void PatchRun::add_file(FileIndex& index, std::vector<std::size_t>&& patches)
{
  const Wanted of_file = wanted(patches);
  wanted_.all += of_file.all;
  wanted_.small += of_file.small;
  first_file_ = files_++ == 0 ? index.path() : first_file_;
  queue_.add_file(index, std::move(patches));
}

void PatchRun::work()
{
  try
  {
    while (const std::optional<Work> work = queue_.next(stop_))
    {
      do_one(*work);
    }
  }
  catch (const std::bad_alloc&)
  {
    out_of_memory_.store(true);
    stop_.store(true);
  }
}

void PatchRun::do_one(const Work& work)
{
  const ReadTurns::Turn turn(turns_);
  const ObjectPool<TaskReader>::Lent reader(readers_);
  if (const auto* task = std::get_if<ReadTask>(&work))
  {
    end_task(*task, reader->read(*task, nullptr));
  }
  else if (const auto* batch = std::get_if<PatchBatch>(&work))
  {
    read_batch(*batch, *reader);
  }
  else
  {
    search(*std::get<FileJob*>(work), *reader);
  }
  queue_.done(work);
}

bool PatchRun::watch()
{
  const double share =
      static_cast<double>(done_.load()) / static_cast<double>(std::max<std::size_t>(1, data_.values.size()));
  if (options_.progress && !options_.progress(std::min(1.0, share)))
  {
    stop_.store(true);
    data_.cancelled = true;
  }
  return !stop_.load();
}

Wanted PatchRun::wanted(std::span<const std::size_t> patches) const
{
  Wanted bytes;
  for (const std::size_t position : patches)
  {
    for (std::size_t v = 0; v < data_.variables.size(); ++v)
    {
      const AmrVariable& variable = variable_at(v);
      const Int3 size = variable.stored_size(patch_at(position), dump_.dimensions);
      const double each = static_cast<double>(size[0]) * size[1] * size[2] * sizeof(double);
      const double all = each * static_cast<double>(variable.components.size());
      bytes.all += all;
      if (!dump_.shared && each <= kSmall * 2.0)
      {
        bytes.small += all;
        bytes.pieces += static_cast<std::int64_t>(variable.components.size());
      }
    }
  }
  return bytes;
}

int PatchRun::begin()
{
  // Small requests must not take huge pages.
  memory_.expect(static_cast<std::size_t>(std::min(wanted_.all, 1e18)));
  using PageCache = PatchReadOptions::PageCache;
  past_cache_ = options_.page_cache == PageCache::GoPast ||
                (options_.page_cache == PageCache::Automatic && wanted_.all > static_cast<double>(kMuch) &&
                    wanted_.all > static_cast<double>(free_memory()) / 4);
  if (options_.threads > 0 || files_ == 0)
  {
    return std::max(1, options_.threads);
  }
  // By default as many threads compute as there are cores, while the others wait for storage.
  const bool streaming = past_cache_ || wanted_.small >= static_cast<double>(files_) * kStream;
  ThreadChoice choice = choose_threads({ .file = first_file_,
      .processes = options_.processes,
      .most = std::max(streaming ? kMostStreaming : kMostWaiting, available_threads()) });
  data_.statistics.threads_because = std::move(choice.why);
  return choice.threads;
}

/// Leaves the job the patches of which the cache lacks a value.
void PatchRun::take_from_cache(FileJob& job)
{
  const std::size_t count = data_.variables.size();
  const auto is_cached = [&](std::size_t position)
  {
    bool all = true;
    for (std::size_t v = 0; v < count && all; ++v)
    {
      all = cached_->take(data_.patches[position], data_.variables[v], memory_, data_.at(position, v));
    }
    for (std::size_t v = 0; v < count; ++v)
    {
      PatchVariable& value = data_.at(position, v);
      all ? static_cast<void>(from_cache_.fetch_add(static_cast<std::int64_t>(value.values.size())))
          : static_cast<void>(value = {});
    }
    done_.fetch_add(all ? static_cast<std::int64_t>(count) : 0);
    return all;
  };
  job.patches.erase(std::remove_if(job.patches.begin(), job.patches.end(), is_cached), job.patches.end());
}

void PatchRun::search(FileJob& job, TaskReader& reader)
{
  if (cached_)
  {
    take_from_cache(job);
  }
  if (job.patches.empty())
  {
    return;
  }
  const Wanted of_file = wanted(job.patches);
  const auto bytes = static_cast<std::int64_t>(std::min(of_file.small, 1e18));
  Result<void> opened = job.index->open({ bytes, of_file.pieces }, &turns_);
  if (!opened)
  {
    for (const std::size_t patch : job.patches)
    {
      for (std::size_t variable = 0; variable < data_.variables.size(); ++variable)
      {
        fail_value(data_.at(patch, variable), Error(opened.error()));
      }
    }
    return;
  }
  if (past_cache_)
  {
    job.index->read_past_cache();
  }
  if (dump_.shared)
  {
    search_shared(job);
  }
  else
  {
    for (std::size_t i = 0; i < job.patches.size() && !stop_.load(std::memory_order_relaxed); ++i)
    {
      search_patch(job, job.patches[i], reader);
    }
  }
  bytes_.fetch_add(job.index->bytes_read());
}

/// Locates the few datasets that many patches share, and puts batches of the patches into the queue.
void PatchRun::search_shared(FileJob& job)
{
  const hdf5::DatasetForm* form = nullptr;
  std::set<std::string> groups;
  for (const std::size_t position : job.patches)
  {
    if (!groups.insert(patch_at(position).group).second)
    {
      continue;
    }
    for (std::size_t v = 0; v < data_.variables.size(); ++v)
    {
      for (const AmrComponent& component : variable_at(v).components)
      {
        const Match& found = job.index->find(patch_at(position).group, component.dataset);
        form = form == nullptr && found.kind == Match::Kind::Plain ? found.dataset.form.get() : form;
      }
    }
  }
  std::sort(job.patches.begin(), job.patches.end(),
      [&](std::size_t a, std::size_t b) {
        return std::tuple(patch_at(a).level, patch_at(a).first, a) <
               std::tuple(patch_at(b).level, patch_at(b).first, b);
      });
  queue_.put(job, cut_into_batches(job, dump_, data_, form));
}

/// Reads the small datasets of a patch, and puts the large ones into the queue.
void PatchRun::search_patch(FileJob& job, std::size_t position, TaskReader& reader)
{
  std::vector<ReadTask> large;
  for (std::size_t v = 0; v < data_.variables.size(); ++v)
  {
    for (ReadTask& task : begin_variable(job, position, v))
    {
      if (task.bytes() <= kSmall)
      {
        end_task(task, reader.read(task, job.index->bytes()));
      }
      else
      {
        large.push_back(task);
      }
    }
  }
  if (!large.empty())
  {
    queue_.put(job, std::move(large));
  }
}

void PatchRun::read_batch(const PatchBatch& batch, TaskReader& reader)
{
  std::vector<ReadTask> tasks;
  for (std::size_t i = batch.begin; i < batch.end; ++i)
  {
    for (std::size_t v = 0; v < data_.variables.size(); ++v)
    {
      std::vector<ReadTask> found = begin_variable(*batch.job, batch.job->patches[i], v);
      if (!found.empty() && worth_a_turn(found.front()))
      {
        queue_.put(*batch.job, std::move(found));
        continue;
      }
      std::move(found.begin(), found.end(), std::back_inserter(tasks));
    }
  }
  reader.read_all(tasks, [this](const ReadTask& task, Result<void>&& good) { end_task(task, std::move(good)); });
}

/// Allocates the array of a variable.
void PatchRun::prepare(PatchVariable& to, const AmrVariable& variable, const AmrPatch& patch, StoredType type,
    std::span<const ReadTask> tasks)
{
  to.type = type;
  to.components = static_cast<std::int32_t>(variable.components.size());
  to.size =
      options_.keep_ghosts ? variable.stored_size(patch, dump_.dimensions) : variable.own_size(patch, dump_.dimensions);
  const auto bytes = static_cast<std::size_t>(volume(to.size) * to.components * size_of(type));
  const std::optional<std::uint64_t> place = past_cache_ && tasks.size() == 1 ? place_in_file(tasks[0]) : std::nullopt;
  to.values = place ? SlabBuffer::in_page(bytes, static_cast<std::size_t>(*place)) : SlabBuffer(memory_, bytes);
}

/// Tasks for a variable, whose array is allocated. Empty if it has no values, has an error, or is left to libhdf5.
std::vector<ReadTask> PatchRun::begin_variable(FileJob& job, std::size_t position, std::size_t v)
{
  VariableTasks found = find_variable(job, position, v);
  PatchVariable& to = data_.at(position, v);
  if (found.error)
  {
    fail_value(to, std::move(*found.error));
    return {};
  }
  if (found.missing > 0)
  {
    to.state = PatchVariable::State::Absent;
    done_.fetch_add(1);
    return {};
  }
  std::atomic<int>& left = left_[position * data_.variables.size() + v];
  if (found.by_library)
  {
    // All components of the variable, so that they get one type.
    left.store(static_cast<int>(found.tasks.size()));
    const std::lock_guard lock(library_mutex_);
    std::move(found.tasks.begin(), found.tasks.end(), std::back_inserter(for_library_));
    return {};
  }
  prepare(to, variable_at(v), patch_at(position), *found.type, found.tasks);
  std::vector<ReadTask> tasks = cut_tasks(std::move(found.tasks));
  left.store(static_cast<int>(tasks.size()));
  return tasks;
}

/// Locations of all components of a variable, or the error.
VariableTasks PatchRun::find_variable(FileJob& job, std::size_t position, std::size_t v) const
{
  const AmrPatch& patch = patch_at(position);
  const AmrVariable& variable = variable_at(v);
  VariableTasks tasks;
  for (std::size_t c = 0; c < variable.components.size() && !tasks.error; ++c)
  {
    const AmrComponent& component = variable.components[c];
    ReadTask task;
    task.job = &job;
    task.patch = &patch;
    task.component = &component;
    task.to = &data_.at(position, v);
    task.found = dump_.shared ? job.index->known(patch.group, component.dataset)
                              : &job.index->find(patch.group, component.dataset);
    task.placement.stored = variable.stored_size(patch, dump_.dimensions);
    for (std::size_t axis = 0; axis < 3 && !options_.keep_ghosts; ++axis)
    {
      task.placement.skipped[axis] = variable.ghosts[axis] + patch.cut_lower[axis];
      task.placement.skipped_after[axis] = variable.ghosts[axis] + patch.cut_upper[axis];
    }
    task.placement.components = static_cast<std::int64_t>(variable.components.size());
    task.placement.component = static_cast<std::int64_t>(c);
    if (dump_.shared)
    {
      const std::int64_t count = volume(task.placement.stored);
      task.run = { patch.first + component.run * count, count };
    }
    tasks.add(task);
  }
  tasks.widen();
  if (!tasks.error && tasks.missing > 0 && (dump_.shared || tasks.missing < variable.components.size()))
  {
    tasks.error = Error{ dump_.shared ? ErrorCode::NotFound : ErrorCode::Corrupt,
      (dump_.shared ? "" : "some ") + std::string("components of \"") + variable.name + "\" are missing in \"" +
          patch.group + "\"",
      "check the program that wrote the dump", job.index->path() };
  }
  return tasks;
}

void PatchRun::end_task(const ReadTask& task, Result<void>&& good)
{
  if (!good)
  {
    fail_value(*task.to, std::move(good.error()));
    return;
  }
  datasets_.fetch_add(task.first_part ? 1 : 0, std::memory_order_relaxed);
  if (left_[static_cast<std::size_t>(task.to - data_.values.data())].fetch_sub(1) == 1)
  {
    done_.fetch_add(1, std::memory_order_relaxed);
    const auto place = static_cast<std::size_t>(task.to - data_.values.data());
    if (cached_)
    {
      cached_->keep(
          data_.patches[place / data_.variables.size()], data_.variables[place % data_.variables.size()], *task.to);
    }
  }
}

/// Marks a value as failed. The first error is kept.
void PatchRun::fail_value(PatchVariable& to, Error&& error)
{
  const std::lock_guard lock(errors_mutex_);
  if (!to.error)
  {
    to.error = std::make_shared<const Error>(std::move(error));
    done_.fetch_add(1);
  }
}

void PatchRun::read_by_library(const ReadTask& task)
{
  if (task.to->error)
  {
    return;
  }
  const std::string& path = task.job->index->path();
  if (!by_library_ || by_library_->path() != path)
  {
    Result<hdf5::LibraryFile> file = hdf5::LibraryFile::open(path);
    if (!file)
    {
      fail_value(*task.to, std::move(file.error()));
      return;
    }
    by_library_ = std::move(*file);
  }
  const std::string name = "/" + task.name();
  if (task.whole() && !by_library_->has(name))
  {
    return; // absent; the caller counts it
  }
  Result<hdf5::LibraryValues> values = task.whole() ? by_library_->values(name, volume(task.placement.stored))
                                                    : by_library_->values(name, task.run.first, task.run.count);
  if (!values)
  {
    if (values.error().code == ErrorCode::Corrupt)
    {
      values.error().remedy = "check the program that wrote the dump";
    }
    fail_value(*task.to, std::move(values.error()));
    return;
  }
  const auto position = static_cast<std::size_t>(task.to - data_.values.data());
  const AmrPatch& patch = patch_at(position / data_.variables.size());
  const AmrVariable& variable = variable_at(position % data_.variables.size());
  const bool first = task.to->values.empty();
  const std::optional<StoredType> type = first ? values->type : common_type(task.to->type, values->type);
  if (!type)
  {
    fail_value(
        *task.to, Error{ ErrorCode::Corrupt, "\"" + task.name() + "\" is of another type than the components before it",
                      "check the program that wrote the dump", path });
    return;
  }
  if (first)
  {
    prepare(*task.to, variable, patch, *type, {});
  }
  else if (*type != task.to->type)
  {
    const SlabBuffer floats = std::move(task.to->values);
    prepare(*task.to, variable, patch, *type, {});
    copy_as_doubles(floats, task.to->values);
  }
  Placement placement = task.placement;
  placement.scalar_bytes = size_of(values->type);
  placement.swapped = false;
  placement.widened = size_of(*type) > placement.scalar_bytes;
  place_values(placement, values->bytes.data(), task.to->values.data());
  ++data_.statistics.by_library;
  datasets_.fetch_add(1);
  left_[position].fetch_sub(1);
}

void PatchRun::refuse_library(const ReadTask& task)
{
  fail_value(*task.to,
      Error{ ErrorCode::Unsupported, "\"" + task.name() + "\" is stored in a way that only the HDF5 library can read",
          "read it at once, not on demand", task.job->index->path() });
}

void PatchRun::finish()
{
  std::stable_sort(for_library_.begin(), for_library_.end(),
      [](const ReadTask& a, const ReadTask& b)
      {
        return std::tie(a.job->index->path(), a.patch->group, a.component->dataset, a.run.first) <
               std::tie(b.job->index->path(), b.patch->group, b.component->dataset, b.run.first);
      });
  for (std::size_t i = 0; i < for_library_.size() && (i % 64 != 0 || watch()); ++i)
  {
    options_.use_library ? read_by_library(for_library_[i]) : refuse_library(for_library_[i]);
  }
  for (std::size_t i = 0; i < data_.values.size(); ++i)
  {
    PatchVariable& value = data_.values[i];
    if (value.error)
    {
      value.state = PatchVariable::State::Failed;
      value.values = {};
    }
    else if (value.state != PatchVariable::State::Absent && left_[i].load() == 0 && !value.values.empty())
    {
      value.state = PatchVariable::State::Read;
    }
    else if (value.state != PatchVariable::State::Absent && !data_.cancelled)
    {
      value.state = PatchVariable::State::Absent;
      value.values = {};
    }
  }
  if (!data_.cancelled && options_.use_library)
  {
    judge_absent();
  }
  for (const std::unique_ptr<TaskReader>& reader : readers_.idle())
  {
    bytes_.fetch_add(reader->bytes_read());
  }
  data_.statistics.threads = turns_.most();
  data_.statistics.bytes_read = bytes_.load();
  data_.statistics.bytes_from_local_cache = from_cache_.load();
  data_.statistics.datasets = datasets_.load();
}

/// Values that are missing although the summary has their ranges are an error.
void PatchRun::judge_absent()
{
  for (std::size_t v = 0; v < data_.variables.size(); ++v)
  {
    AmrVariable& variable = dump_.variables[static_cast<std::size_t>(data_.variables[v])];
    for (std::size_t p = 0; p < data_.patches.size(); ++p)
    {
      PatchVariable& value = data_.at(p, v);
      if (value.state != PatchVariable::State::Absent)
      {
        continue;
      }
      if (variable.components.front().ranges.empty() && !read_samrai_ranges(dump_, data_.variables[v]))
      {
        break; // without ranges they may be missing
      }
      const std::vector<AmrRange>& ranges = variable.components.front().ranges;
      const auto patch = static_cast<std::size_t>(data_.patches[p]);
      if (!ranges.empty() && ranges[patch].stored)
      {
        const AmrPatch& at = dump_.patches[patch];
        value.state = PatchVariable::State::Failed;
        value.error = std::make_shared<const Error>(Error{ ErrorCode::NotFound,
            "\"" + at.group + "/" + variable.components.front().dataset +
                "\" is missing, although the summary says that it is stored",
            "check that the dump is complete", dump_.files[static_cast<std::size_t>(at.file)] });
      }
    }
  }
}

} // namespace rivulet
