// SPDX-License-Identifier: BSD-3-Clause
// Finds the datasets of a dump (SAMRAI, Chombo, AMReX), and reads their values, in one of several ways; prints seconds
// and sums as one line of JSON. The ways differ in the index, that is the offset, size, type and chunks of each
// dataset:
//
//   own      Rivulet's parser, many threads
//   library  libhdf5 with default properties, one thread
//   tuned    libhdf5 with a large metadata cache and no file locks; other threads read each file into the page cache
//   first image    as tuned, and libhdf5 opens each file as an image in memory (core driver) kept     an index that an
//   earlier run saved, after a check of the size and time of each file
//
// In all ways many threads read the values with pread; in all but `own` they do so while later files are indexed.
#include "Amr/PatchReader.h"
#include "Amr/PlaceValues.h"
#include "Amr/ReadPatchData.h"
#include "Base/Buffer.h"
#include "CommandLine/CommandLine.h"
#include "Io/Reads/ReadAhead.h"
#include "Parallel/Team.h"
#include "patch_indices.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace
{

using namespace rivulet;
using namespace rivulet::bench;

struct Arguments
{
  std::string summary;
  std::vector<std::string> variables;
  std::string way = "own";
  std::string file; ///< of the kept index
  int threads = 2;
  bool values = false;
};

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<std::int32_t> numbers_of(const AmrDump& dump, const std::vector<std::string>& names)
{
  std::vector<std::int32_t> numbers(names.empty() ? dump.variables.size() : names.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  std::transform(
      names.begin(), names.end(), numbers.begin(), [&](const std::string& name) { return dump.variable_of(name); });
  return numbers;
}

std::vector<DataFile> files_of(const AmrDump& dump, const std::vector<std::int32_t>& variables)
{
  std::vector<DataFile> files(dump.files.size());
  for (std::size_t i = 0; i < files.size(); ++i)
  {
    files[i].path = dump.files[i];
  }
  for (const AmrPatch& patch : dump.patches)
  {
    DataFile& file = files[static_cast<std::size_t>(patch.file)];
    if (dump.shared && !file.names.empty() && file.names.back().first == patch.group)
    {
      continue;
    }
    for (const std::int32_t number : variables)
    {
      for (const AmrComponent& component : dump.variables[static_cast<std::size_t>(number)].components)
      {
        if (!dump.shared || std::find(file.names.begin(), file.names.end(),
                                std::pair(patch.group, component.dataset)) == file.names.end())
        {
          file.names.emplace_back(patch.group, component.dataset);
        }
      }
    }
  }
  return files;
}

// ---------------------------------------------------------------------------------------------------- values

double sum_of(StoredType type, const std::byte* bytes, std::int64_t count)
{
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
  {
    if (type == StoredType::Float32)
    {
      float value = 0;
      std::memcpy(&value, bytes + i * 4, 4);
      sum += static_cast<double>(value);
    }
    else
    {
      double value = 0;
      std::memcpy(&value, bytes + i * 8, 8);
      sum += value;
    }
  }
  return sum;
}

/// The values of one file's datasets, one after the other, in this machine's byte order.
class FileValues
{
public:
  void read(const DataFile& file, hdf5::BlockPool& pool)
  {
    const File opened = must(File::open(file.path, File::Mode::Read));
    std::vector<std::size_t> order(file.datasets.size());
    std::iota(order.begin(), order.end(), std::size_t{ 0 });
    std::sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return place_of(file.datasets[a]) < place_of(file.datasets[b]); });
    std::int64_t bytes = 0;
    for (const hdf5::DatasetIndex& dataset : file.datasets)
    {
      bytes += dataset.form->bytes();
    }
    values_ = Buffer<std::byte>(static_cast<std::size_t>(bytes));
    hdf5::BufferedFile held(opened, must(opened.size()), bytes, &pool);
    ReadAhead ahead(opened, held.much_wanted() ? std::vector<FilePart>() : parts_of(file, order));
    hdf5::ValueReader reader;
    std::byte* to = values_.data();
    std::size_t part = 0;
    for (const std::size_t number : order)
    {
      const hdf5::DatasetIndex& dataset = file.datasets[number];
      const std::size_t last = part + std::max<std::size_t>(1, dataset.chunks.size());
      for (; part < last && !held.much_wanted(); ++part)
      {
        ahead.reach(part);
      }
      must(reader.read_into(opened, held.much_wanted() ? &held : nullptr, dataset, to));
      if (dataset.form->big_endian == (std::endian::native == std::endian::little))
      {
        swap_bytes(to, dataset.form->count(), size_of(dataset.form->type));
      }
      to += dataset.form->bytes();
    }
  }

  [[nodiscard]] double sum(const DataFile& file) const
  {
    if (file.datasets.empty())
    {
      return 0;
    }
    const StoredType type = file.datasets[0].form->type;
    return sum_of(type, values_.data(), static_cast<std::int64_t>(values_.size()) / size_of(type));
  }

private:
  static std::uint64_t place_of(const hdf5::DatasetIndex& dataset)
  {
    return dataset.chunks.empty() ? dataset.address : dataset.chunks[0].address;
  }

  /// One part per contiguous dataset or chunk.
  static std::vector<FilePart> parts_of(const DataFile& file, const std::vector<std::size_t>& order)
  {
    std::vector<FilePart> parts;
    for (const std::size_t number : order)
    {
      const hdf5::DatasetIndex& dataset = file.datasets[number];
      if (dataset.chunks.empty())
      {
        parts.push_back({ static_cast<std::int64_t>(dataset.address), dataset.form->bytes() });
      }
      for (const hdf5::Chunk& chunk : dataset.chunks)
      {
        parts.push_back({ static_cast<std::int64_t>(chunk.address), std::int64_t{ chunk.bytes } });
      }
    }
    return parts;
  }

  Buffer<std::byte> values_;
};

void read_whole(const std::string& path, std::vector<std::byte>& scratch)
{
  const File file = must(File::open(path, File::Mode::Read));
  const std::int64_t size = must(file.size());
  file.will_need(0, size);
  scratch.resize(std::size_t{ 1 } << 20);
  for (std::int64_t at = 0; at < size; at += static_cast<std::int64_t>(scratch.size()))
  {
    must(file.pread_full(
        scratch.data(), std::min<std::int64_t>(size - at, static_cast<std::int64_t>(scratch.size())), at));
  }
}

/// One thread indexes; the others read files into the page cache before that, and values after it.
class Rival
{
public:
  Rival(std::vector<DataFile>& files, const Arguments& arguments)
    : files_(files)
    , values_(files.size())
    , ahead_(files.size(), false)
    , values_wanted_(arguments.values)
    , fetches_(arguments.way == "tuned" || arguments.way == "image")
    , threads_(arguments.threads)
  {
  }

  /// `index_file` finds the datasets of one file; it is called by one thread.
  template <class IndexFile>
  void run(const IndexFile& index_file)
  {
    run_team(threads_ + 1, [&](int number) { number == 0 ? index_all(index_file) : help(); });
  }

  [[nodiscard]] double sum() const
  {
    double sum = 0;
    for (std::size_t i = 0; i < files_.size(); ++i)
    {
      sum += values_[i].sum(files_[i]);
    }
    return sum;
  }
  [[nodiscard]] double indexed() const { return indexed_; }

private:
  template <class IndexFile>
  void index_all(const IndexFile& index_file)
  {
    for (std::size_t i = 0; i < files_.size(); ++i)
    {
      if (fetches_)
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ahead_[i]; });
      }
      index_file(files_[i]);
      const std::lock_guard lock(mutex_);
      found_.push_back(i);
      indexed_ = i + 1 == files_.size() ? now() : 0;
      changed_.notify_all();
    }
  }

  void help()
  {
    hdf5::BlockPool pool;
    std::vector<std::byte> scratch;
    std::unique_lock lock(mutex_);
    while (true)
    {
      changed_.wait(lock, [&] { return !found_.empty() || indexed_ > 0 || (fetches_ && fetched_ < files_.size()); });
      if (!found_.empty())
      {
        const std::size_t file = found_.front();
        found_.pop_front();
        lock.unlock();
        if (values_wanted_)
        {
          values_[file].read(files_[file], pool);
        }
        lock.lock();
      }
      else if (fetches_ && fetched_ < files_.size())
      {
        const std::size_t file = fetched_++;
        lock.unlock();
        read_whole(files_[file].path, scratch);
        lock.lock();
        ahead_[file] = true;
        changed_.notify_all();
      }
      else
      {
        return;
      }
    }
  }

  std::vector<DataFile>& files_;
  std::vector<FileValues> values_;
  std::mutex mutex_; ///< guards what follows
  std::condition_variable changed_;
  std::vector<char> ahead_; ///< files that are in the page cache
  std::deque<std::size_t> found_;
  std::size_t fetched_ = 0;
  double indexed_ = 0;
  bool values_wanted_;
  bool fetches_;
  int threads_;
};

// ---------------------------------------------------------------------------------------------------- ways

void index_own(std::vector<DataFile>& files, int threads)
{
  hdf5::BlockPool pool;
  std::atomic<std::size_t> next{ 0 };
  run_team(threads,
      [&](int)
      {
        for (std::size_t i = next++; i < files.size(); i = next++)
        {
          index_own(files[i], pool);
        }
      });
}

double sum_of(PatchData& data)
{
  double sum = 0;
  for (const PatchVariable& value : data.values)
  {
    if (value.state != PatchVariable::State::Read)
    {
      throw std::runtime_error(value.error ? value.error->describe() : "a value was not read");
    }
    sum += sum_of(value.type, value.values.data(), volume(value.size) * value.components);
  }
  return sum;
}

nlohmann::json first_look(AmrDump& dump, const std::vector<std::int32_t>& variables, const Arguments& arguments)
{
  std::vector<std::int32_t> patches(dump.patches.size());
  std::iota(patches.begin(), patches.end(), 0);
  const double start = now();
  PatchReader reader;
  PatchReadOptions options;
  options.threads = arguments.threads;
  PatchData data = must(reader.read(dump, patches, variables, options));
  const double seconds = now() - start;
  return { { "seconds", seconds }, { "datasets", data.statistics.datasets }, { "sum", sum_of(data) } };
}

nlohmann::json by_rival(std::vector<DataFile>& files, const Arguments& arguments)
{
  const double start = now();
  Rival rival(files, arguments);
  if (arguments.way == "kept")
  {
    load_index(files, arguments.file);
    rival.run([](DataFile&) {});
  }
  else
  {
    const hid_t access = access_for(arguments.way);
    rival.run([&](DataFile& file) { index_by_library(file, access); });
  }
  const double seconds = arguments.values ? now() - start : rival.indexed() - start;
  return { { "seconds", seconds }, { "index_seconds", rival.indexed() - start }, { "sum", rival.sum() } };
}

/// A number that is the same for indices that agree in all places and sizes.
std::uint64_t digest(const std::vector<DataFile>& files)
{
  std::uint64_t digest = 0;
  const auto mix = [&](std::uint64_t number)
  {
    digest = (digest ^ number) * 0x9e3779b97f4a7c15U;
    digest ^= digest >> 32U;
  };
  for (const DataFile& file : files)
  {
    for (const hdf5::DatasetIndex& dataset : file.datasets)
    {
      mix(dataset.chunks.empty() ? dataset.address : 0); // libhdf5 does not tell where a tree of chunks is
      mix(static_cast<std::uint64_t>(dataset.form->bytes()));
      mix(static_cast<std::uint64_t>(dataset.form->type) * 2 + (dataset.form->big_endian ? 1 : 0));
      for (const hdf5::Filter& filter : dataset.form->filters)
      {
        mix(filter.id);
      }
      for (const hdf5::Chunk& chunk : dataset.chunks)
      {
        mix(chunk.address);
        mix(chunk.bytes);
        mix(chunk.skipped);
        mix(static_cast<std::uint64_t>(chunk.first[0]));
      }
    }
  }
  return digest;
}

nlohmann::json run(const Arguments& arguments)
{
  AmrDump dump = must(open_dump(arguments.summary));
  const std::vector<std::int32_t> variables = numbers_of(dump, arguments.variables);
  std::vector<DataFile> files = files_of(dump, variables);
  nlohmann::json answer;
  if (arguments.way == "save")
  {
    index_own(files, arguments.threads);
    save_index(files, arguments.file);
  }
  else if (arguments.way == "own" && arguments.values)
  {
    return first_look(dump, variables, arguments);
  }
  else if (arguments.way == "own")
  {
    const double start = now();
    index_own(files, arguments.threads);
    answer["seconds"] = now() - start;
  }
  else
  {
    answer = by_rival(files, arguments);
  }
  std::size_t datasets = 0;
  std::size_t chunks = 0;
  for (const DataFile& file : files)
  {
    datasets += file.datasets.size();
    chunks += std::accumulate(file.datasets.begin(), file.datasets.end(), std::size_t{ 0 },
        [](std::size_t sum, const hdf5::DatasetIndex& dataset) { return sum + dataset.chunks.size(); });
  }
  answer["datasets"] = datasets;
  answer["chunks"] = chunks;
  answer["digest"] = std::to_string(digest(files));
  return answer;
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  rivulet::cli::Program program("Indexes the datasets of a dump, and reads their values.");
  program.option("summary", arguments.summary).required();
  program.option("--variables", arguments.variables, "all if none is named");
  program.option("--way", arguments.way, "own, library, tuned, image or kept; save: saves the index in --file")
      .one_of({ "own", "library", "tuned", "image", "kept", "save" });
  program.option("--file", arguments.file, "of the index that is kept");
  program.option("--threads", arguments.threads, "that read, beside the one that calls libhdf5");
  program.flag("--values", arguments.values, "the values too");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  try
  {
    std::printf("%s\n", run(arguments).dump().c_str());
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
