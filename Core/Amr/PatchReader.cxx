// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchReader.h"

#include "Amr/FileIndex.h"
#include "Amr/PlaceValues.h"
#include "Amr/SamraiSummary.h"
#include "Hdf5/LibraryFile.h"
#include "Parallel/Team.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

namespace rivulet
{

struct PatchReader::Kept
{
  std::map<std::string, FileIndex> files;
};

namespace
{

/// What is read where it was found rather than left to all.
constexpr std::int64_t kSmall = std::int64_t{ 256 } << 10;
constexpr std::size_t kMostFilesKept = 4096;
constexpr std::int64_t kMostValues =
    1'000'000'000'000'000; // of a variable of a patch: their bytes can still be counted

struct FileJob;

/// One component of one variable of one patch.
struct ReadTask
{
  FileJob* job = nullptr;
  const FileIndex* file = nullptr;
  const Found* found = nullptr;
  PatchVariable* to = nullptr;
  Placement placement;
  std::string name; ///< group and dataset, for errors
};

/// The patches of one file. Whoever is last to need the file closes it, so that no more are open than threads are at
/// work on, but for those with large datasets in the queue.
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
  std::atomic<int> users{ 1 };      ///< the search, and each task in the queue
};

/// What the threads of one call share.
class PatchRun
{
public:
  PatchRun(AmrDump& dump, PatchData& data, const PatchReadOptions& options)
    : dump_(dump)
    , data_(data)
    , options_(options)
  {
    for (std::size_t i = 0; i < data.values.size(); ++i)
    {
      left_.emplace_back(0);
    }
  }

  void add_file(FileIndex& index, std::vector<std::size_t>&& patches) { jobs_.emplace_back(index, std::move(patches)); }

  /// The work of one thread.
  void work();
  [[nodiscard]] bool watch();
  /// On the calling thread, when all others are done.
  void finish();

private:
  /// The components of one variable of one patch.
  struct VariableTasks
  {
    std::vector<ReadTask> tasks;
    std::size_t missing = 0;
    bool by_library = false; ///< one of them at least
    std::optional<StoredType> type;
    std::optional<Error> error;

    void add(ReadTask&& task);
  };

  void search(FileJob& job, hdf5::ValueReader& reader);
  void search_patch(FileJob& job, std::size_t patch, hdf5::ValueReader& reader, std::vector<ReadTask>& large);
  VariableTasks find_variable(FileJob& job, std::size_t position, std::size_t v);
  void begin_variable(std::size_t position, std::size_t v, VariableTasks&& found, hdf5::ValueReader& reader,
      std::vector<ReadTask>& large);
  void prepare(PatchVariable& to, const AmrVariable& variable, const AmrPatch& patch, StoredType type);
  void perform(const ReadTask& task, hdf5::ValueReader& reader);
  void fail_value(PatchVariable& to, Error&& error);
  void read_by_library(const ReadTask& task);
  void judge_absent();
  void put_back(std::vector<ReadTask>&& tasks);

  AmrDump& dump_;
  PatchData& data_;
  const PatchReadOptions& options_;
  std::deque<FileJob> jobs_;
  std::atomic<std::size_t> next_job_{ 0 };
  std::atomic<std::size_t> searched_{ 0 };
  std::atomic<std::int64_t> done_{ 0 }; ///< values
  std::atomic<bool> stop_{ false };
  std::atomic<std::int64_t> bytes_{ 0 };
  std::atomic<std::int64_t> datasets_{ 0 };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<ReadTask> tasks_;
  std::vector<ReadTask> for_library_;
  std::optional<hdf5::LibraryFile> by_library_; ///< the file that it has open
  std::mutex errors_mutex_;
  std::deque<std::atomic<int>> left_;
};

void PatchRun::work()
{
  hdf5::ValueReader reader;
  while (!stop_.load(std::memory_order_relaxed))
  {
    ReadTask task;
    bool have = false;
    {
      std::unique_lock lock(mutex_);
      // Files first, as long as the others have enough to read.
      const bool more_files = next_job_.load() < jobs_.size();
      if (tasks_.empty() && !more_files)
      {
        if (searched_.load() == jobs_.size())
        {
          break;
        }
        changed_.wait_for(lock, std::chrono::milliseconds(20));
        continue;
      }
      if (!tasks_.empty() && (!more_files || tasks_.size() > 64))
      {
        task = std::move(tasks_.front());
        tasks_.pop_front();
        have = true;
      }
    }
    if (have)
    {
      perform(task, reader);
      task.job->done_with_one();
      continue;
    }
    const std::size_t job = next_job_.fetch_add(1);
    if (job < jobs_.size())
    {
      search(jobs_[job], reader);
      searched_.fetch_add(1);
      changed_.notify_all();
    }
  }
  bytes_.fetch_add(reader.bytes_read());
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

void PatchRun::search(FileJob& job, hdf5::ValueReader& reader)
{
  Result<void> opened = job.index->open();
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
  for (const std::size_t patch : job.patches)
  {
    if (stop_.load(std::memory_order_relaxed))
    {
      break;
    }
    std::vector<ReadTask> large;
    search_patch(job, patch, reader, large);
    if (!large.empty())
    {
      job.users.fetch_add(static_cast<int>(large.size()));
      put_back(std::move(large));
    }
  }
  bytes_.fetch_add(job.index->bytes_read());
  job.done_with_one();
}

void PatchRun::put_back(std::vector<ReadTask>&& tasks)
{
  const std::lock_guard lock(mutex_);
  std::move(tasks.begin(), tasks.end(), std::back_inserter(tasks_));
  changed_.notify_all();
}

/// Sets the array up.
void PatchRun::prepare(PatchVariable& to, const AmrVariable& variable, const AmrPatch& patch, StoredType type)
{
  const Int3 stored = variable.stored_size(patch.cells, dump_.dimensions);
  to.type = type;
  to.components = static_cast<std::int32_t>(variable.components.size());
  to.size = stored;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    to.size[axis] -= options_.keep_ghosts ? 0 : 2 * variable.ghosts[axis];
  }
  to.values = Buffer<std::byte>(static_cast<std::size_t>(volume(to.size) * to.components * size_of(type)));
}

void PatchRun::search_patch(FileJob& job, std::size_t position, hdf5::ValueReader& reader, std::vector<ReadTask>& large)
{
  for (std::size_t v = 0; v < data_.variables.size(); ++v)
  {
    VariableTasks tasks = find_variable(job, position, v);
    PatchVariable& to = data_.at(position, v);
    if (tasks.error)
    {
      fail_value(to, std::move(*tasks.error));
    }
    else if (tasks.missing > 0)
    {
      to.state = PatchVariable::State::Absent;
      done_.fetch_add(1);
    }
    else
    {
      begin_variable(position, v, std::move(tasks), reader, large);
    }
  }
}

/// Where all components of a variable are, or what is wrong with them.
PatchRun::VariableTasks PatchRun::find_variable(FileJob& job, std::size_t position, std::size_t v)
{
  const AmrPatch& patch = dump_.patches[static_cast<std::size_t>(data_.patches[position])];
  const AmrVariable& variable = dump_.variables[static_cast<std::size_t>(data_.variables[v])];
  VariableTasks tasks;
  for (std::size_t c = 0; c < variable.components.size() && !tasks.error; ++c)
  {
    const std::string& dataset = variable.components[c].dataset;
    const Found& found = job.index->find(patch.group, dataset);
    ReadTask task{ &job, job.index, &found, &data_.at(position, v), {}, patch.group + "/" + dataset };
    task.placement.stored = variable.stored_size(patch.cells, dump_.dimensions);
    task.placement.skipped = options_.keep_ghosts ? Int3{ 0, 0, 0 } : variable.ghosts;
    task.placement.components = static_cast<std::int64_t>(variable.components.size());
    task.placement.component = static_cast<std::int64_t>(c);
    tasks.add(std::move(task));
  }
  if (!tasks.error && tasks.missing > 0 && tasks.missing < variable.components.size())
  {
    tasks.error = Error{ ErrorCode::Corrupt,
      "some components of \"" + variable.name + "\" are missing in \"" + patch.group + "\"",
      "check the program that wrote the dump", job.index->path() };
  }
  return tasks;
}

/// Judges what was found of one component.
void PatchRun::VariableTasks::add(ReadTask&& task)
{
  const Found& found = *task.found;
  if (volume(task.placement.stored) > kMostValues / task.placement.components)
  {
    error = Error{ ErrorCode::Corrupt, "\"" + task.name + "\" is beyond all bounds, with its ghosts and components",
      "check the program that wrote the dump", task.file->path() };
    return;
  }
  if (found.kind == Found::Kind::Missing)
  {
    ++missing;
    return;
  }
  if (found.kind == Found::Kind::Bad)
  {
    error = found.error;
    error->what = "\"" + task.name + "\": " + error->what;
    return;
  }
  by_library = by_library || found.kind == Found::Kind::Library;
  if (found.kind == Found::Kind::Plain)
  {
    const hdf5::DatasetLayout& layout = found.dataset.layout;
    if (layout.count() != volume(task.placement.stored))
    {
      error = Error{ ErrorCode::Corrupt,
        "\"" + task.name + "\" has " + std::to_string(layout.count()) + " values where the patch takes " +
            std::to_string(volume(task.placement.stored)),
        "check the program that wrote the dump", task.file->path() };
      return;
    }
    if (type && *type != layout.type)
    {
      error = Error{ ErrorCode::Unsupported, "\"" + task.name + "\" is of another type than the components before it",
        "", task.file->path() };
      return;
    }
    type = layout.type;
    task.placement.scalar_bytes = size_of(layout.type);
    task.placement.swapped = layout.big_endian == (std::endian::native == std::endian::little);
  }
  tasks.push_back(std::move(task));
}

/// Reads what is small; the rest is for all, or for the library.
void PatchRun::begin_variable(
    std::size_t position, std::size_t v, VariableTasks&& found, hdf5::ValueReader& reader, std::vector<ReadTask>& large)
{
  left_[position * data_.variables.size() + v].store(static_cast<int>(found.tasks.size()));
  if (found.by_library)
  {
    // All of a variable's components, so that they come in one type.
    const std::lock_guard lock(mutex_);
    std::move(found.tasks.begin(), found.tasks.end(), std::back_inserter(for_library_));
    return;
  }
  prepare(data_.at(position, v), dump_.variables[static_cast<std::size_t>(data_.variables[v])],
      dump_.patches[static_cast<std::size_t>(data_.patches[position])], *found.type);
  for (ReadTask& task : found.tasks)
  {
    const bool small = task.found->dataset.layout.bytes() <= kSmall;
    small ? perform(task, reader) : large.push_back(std::move(task));
  }
}

void PatchRun::perform(const ReadTask& task, hdf5::ValueReader& reader)
{
  const hdf5::DatasetIndex& dataset = task.found->dataset;
  const hdf5::FileBytes* held = dataset.layout.bytes() <= kSmall ? task.file->bytes() : nullptr;
  Result<void> good;
  if (task.placement.plain())
  {
    good = reader.read_into(task.file->file(), held, dataset, task.to->values.data());
    if (good && task.placement.swapped)
    {
      swap_bytes(task.to->values.data(), dataset.layout.count(), task.placement.scalar_bytes);
    }
  }
  else
  {
    Result<std::span<const std::byte>> values = reader.read(task.file->file(), held, dataset);
    if (values)
    {
      place_values(task.placement, values->data(), task.to->values.data());
    }
    else
    {
      good = forward_error(values);
    }
  }
  if (!good)
  {
    good.error().what = "\"" + task.name + "\": " + good.error().what;
    fail_value(*task.to, std::move(good.error()));
    return;
  }
  datasets_.fetch_add(1, std::memory_order_relaxed);
  if (left_[static_cast<std::size_t>(task.to - data_.values.data())].fetch_sub(1) == 1)
  {
    done_.fetch_add(1, std::memory_order_relaxed);
  }
}

/// The first error of a value stays.
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
  if (!by_library_ || by_library_->path() != task.file->path())
  {
    Result<hdf5::LibraryFile> file = hdf5::LibraryFile::open(task.file->path());
    if (!file)
    {
      fail_value(*task.to, std::move(file.error()));
      return;
    }
    by_library_ = std::move(*file);
  }
  if (!by_library_->has("/" + task.name))
  {
    return; // absent; the caller counts what was left
  }
  Result<hdf5::LibraryValues> values = by_library_->values("/" + task.name, volume(task.placement.stored));
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
  const AmrPatch& patch = dump_.patches[static_cast<std::size_t>(data_.patches[position / data_.variables.size()])];
  const AmrVariable& variable =
      dump_.variables[static_cast<std::size_t>(data_.variables[position % data_.variables.size()])];
  if (!task.to->values.empty() && task.to->type != values->type)
  {
    fail_value(
        *task.to, Error{ ErrorCode::Corrupt, "\"" + task.name + "\" is of another type than the components before it",
                      "check the program that wrote the dump", task.file->path() });
    return;
  }
  if (task.to->values.empty())
  {
    prepare(*task.to, variable, patch, values->type);
  }
  Placement placement = task.placement;
  placement.scalar_bytes = size_of(values->type);
  placement.swapped = false;
  place_values(placement, values->bytes.data(), task.to->values.data());
  ++data_.statistics.by_library;
  datasets_.fetch_add(1);
  left_[position].fetch_sub(1);
}

void PatchRun::finish()
{
  std::stable_sort(for_library_.begin(), for_library_.end(),
      [](const ReadTask& a, const ReadTask& b) { return a.file->path() < b.file->path(); });
  for (std::size_t i = 0; i < for_library_.size() && (i % 64 != 0 || watch()); ++i)
  {
    read_by_library(for_library_[i]);
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
  if (!data_.cancelled)
  {
    judge_absent();
  }
  data_.statistics.bytes_read = bytes_.load();
  data_.statistics.datasets = datasets_.load();
}

/// Values that are not there where the summary says that they are stored are an error.
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
        break; // without ranges nothing says that they should be there
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

} // namespace

PatchReader::PatchReader()
  : kept_(std::make_unique<Kept>())
{
}
PatchReader::~PatchReader() = default;

Result<PatchData> PatchReader::read(AmrDump& dump, std::span<const std::int32_t> patches,
    std::span<const std::int32_t> variables, const PatchReadOptions& options)
{
  const auto start = std::chrono::steady_clock::now();
  PatchData data;
  data.patches.assign(patches.begin(), patches.end());
  data.variables.assign(variables.begin(), variables.end());
  for (const std::int32_t patch : patches)
  {
    if (patch < 0 || static_cast<std::size_t>(patch) >= dump.patches.size())
    {
      return fail(ErrorCode::BadArgument, "there is no patch " + std::to_string(patch), "", dump.path);
    }
  }
  for (const std::int32_t variable : variables)
  {
    if (variable < 0 || static_cast<std::size_t>(variable) >= dump.variables.size())
    {
      return fail(ErrorCode::BadArgument, "there is no variable " + std::to_string(variable), "", dump.path);
    }
  }
  data.values.resize(patches.size() * variables.size());
  PatchRun run(dump, data, options);
  std::map<std::int32_t, std::vector<std::size_t>> by_file;
  for (std::size_t i = 0; i < patches.size(); ++i)
  {
    by_file[dump.patches[static_cast<std::size_t>(patches[i])].file].push_back(i);
  }
  if (kept_->files.size() + by_file.size() > kMostFilesKept)
  {
    kept_->files.clear();
  }
  std::vector<FileIndex*> used;
  for (auto& [number, positions] : by_file)
  {
    const std::string& path = dump.files[static_cast<std::size_t>(number)];
    FileIndex& index = kept_->files.try_emplace(path, path).first->second;
    used.push_back(&index);
    run.add_file(index, std::move(positions));
  }
  const int threads = options.threads > 0 ? options.threads : 2 * available_threads();
  data.statistics.threads = threads;
  if (run.watch()) // who has changed his mind by now need not wait for the first tick
  {
    run_team(
        threads, [&](int) { run.work(); }, [&] { (void)run.watch(); });
  }
  run.finish();
  for (FileIndex* index : used)
  {
    index->close();
  }
  data.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return data;
}

} // namespace rivulet
