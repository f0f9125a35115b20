// SPDX-License-Identifier: BSD-3-Clause
// Reads patches of a dump (SAMRAI, Chombo, AMReX) with Rivulet, or with the HDF5 library on one thread, one dataset
// after another. Prints the time of each pass as one line of JSON, with the sum of all values to compare results.
#include "Amr/PatchShares.h"
#include "Amr/ReadPatchData.h"
#include "Base/Buffer.h"
#include "CommandLine/CommandLine.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <hdf5.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sys/resource.h>

namespace
{

using namespace rivulet;

struct Arguments
{
  std::vector<std::string> summaries;
  std::vector<std::string> variables;
  std::vector<std::string> then;
  int threads = 0;
  int passes = 1;
  int part = 0;
  int parts = 1;
  bool library = false;
  bool fresh = false;
};

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Sum of all stored numbers. Sums of different types can be compared.
template <class T>
double sum_as(const std::byte* bytes, std::int64_t count)
{
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i)
  {
    T value;
    std::memcpy(&value, bytes + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    sum += static_cast<double>(value);
  }
  return sum;
}

double sum_of(StoredType type, const std::byte* bytes, std::int64_t count)
{
  return type == StoredType::Float32   ? sum_as<float>(bytes, count)
         : type == StoredType::Float64 ? sum_as<double>(bytes, count)
                                       : sum_as<std::int32_t>(bytes, count);
}

std::vector<std::int32_t> numbers_of(const AmrDump& dump, const std::vector<std::string>& names)
{
  std::vector<std::int32_t> numbers;
  for (const std::string& name : names)
  {
    numbers.push_back(dump.variable_of(name));
  }
  if (numbers.empty())
  {
    numbers.resize(dump.variables.size());
    std::iota(numbers.begin(), numbers.end(), 0);
  }
  return numbers;
}

/// Cache of summaries. Another pass over the same dump finds them here, as in ParaView.
class Dumps
{
public:
  Result<AmrDump*> open(const std::string& summary)
  {
    const auto known = dumps_.find(summary);
    if (known != dumps_.end())
    {
      return &known->second;
    }
    Result<AmrDump> dump = open_dump(summary);
    if (!dump)
    {
      return forward_error(dump);
    }
    return &dumps_.emplace(summary, std::move(*dump)).first->second;
  }
  void forget() { dumps_.clear(); }

private:
  std::map<std::string, AmrDump> dumps_;
};

/// Open dataset of the library, and the type of its values in memory.
struct OpenDataset
{
  hid_t dataset = -1;
  hid_t space = -1;
  bool wide = false;
};

/// Reads as a plain reader does: opens each file once, and each dataset by its path, one after another. Datasets that
/// several patches share stay open.
class LibraryPass
{
public:
  explicit LibraryPass(const AmrDump& dump)
    : dump_(dump)
    , files_(dump.files.size(), -1)
  {
  }

  void read(const AmrPatch& patch, const AmrVariable& variable, const AmrComponent& component)
  {
    if (!dump_.shared)
    {
      const OpenDataset own = open(patch, component);
      read_all(own);
      close(own);
      return;
    }
    const std::string name = patch.group + "/" + component.dataset;
    const auto known = shared_.find(name);
    const OpenDataset& dataset = known != shared_.end() ? known->second : (shared_[name] = open(patch, component));
    const std::int64_t count = volume(variable.stored_size(patch.cells, dump_.dimensions));
    const auto first = static_cast<hsize_t>(patch.first + component.run * count);
    const auto length = static_cast<hsize_t>(count);
    H5Sselect_hyperslab(dataset.space, H5S_SELECT_SET, &first, nullptr, &length, nullptr);
    const hid_t memory = H5Screate_simple(1, &length, nullptr);
    read_into(dataset, memory, dataset.space, count);
    H5Sclose(memory);
  }

  void close_all()
  {
    for (const auto& [name, dataset] : shared_)
    {
      close(dataset);
    }
    for (const hid_t file : files_)
    {
      if (file >= 0)
      {
        H5Fclose(file);
      }
    }
  }

  [[nodiscard]] std::size_t datasets() const { return all_.size(); }
  [[nodiscard]] double sum() const
  {
    double sum = 0;
    for (std::size_t i = 0; i < all_.size(); ++i)
    {
      const auto& [wide, count] = kinds_[i];
      sum += wide ? sum_as<double>(all_[i].data(), count) : sum_as<float>(all_[i].data(), count);
    }
    return sum;
  }

private:
  [[nodiscard]] OpenDataset open(const AmrPatch& patch, const AmrComponent& component)
  {
    hid_t& file = files_[static_cast<std::size_t>(patch.file)];
    if (file < 0)
    {
      file = H5Fopen(dump_.files[static_cast<std::size_t>(patch.file)].c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    OpenDataset opened;
    opened.dataset = H5Dopen2(file, (patch.group + "/" + component.dataset).c_str(), H5P_DEFAULT);
    const hid_t type = H5Dget_type(opened.dataset);
    opened.space = H5Dget_space(opened.dataset);
    opened.wide = H5Tget_size(type) == 8;
    H5Tclose(type);
    return opened;
  }

  void read_all(const OpenDataset& dataset)
  {
    read_into(dataset, H5S_ALL, H5S_ALL, H5Sget_simple_extent_npoints(dataset.space));
  }

  void read_into(const OpenDataset& dataset, hid_t memory, hid_t place, std::int64_t count)
  {
    Buffer<std::byte> values(static_cast<std::size_t>(count) * (dataset.wide ? 8 : 4));
    const hid_t type = dataset.wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
    H5Dread(dataset.dataset, type, memory, place, H5P_DEFAULT, values.data());
    all_.push_back(std::move(values));
    kinds_.emplace_back(dataset.wide, count);
  }

  static void close(const OpenDataset& dataset)
  {
    H5Sclose(dataset.space);
    H5Dclose(dataset.dataset);
  }

  const AmrDump& dump_;
  std::vector<hid_t> files_;
  std::map<std::string, OpenDataset> shared_;
  std::vector<Buffer<std::byte>> all_;
  std::vector<std::pair<bool, std::int64_t>> kinds_;
};

nlohmann::json read_with_library(Dumps& dumps, const std::string& summary, const Arguments& arguments)
{
  const double start = now();
  const Result<AmrDump*> opened = dumps.open(summary);
  if (!opened)
  {
    return { { "error", opened.error().describe() } };
  }
  const AmrDump* dump = *opened;
  LibraryPass pass(*dump);
  for (const AmrPatch& patch : dump->patches)
  {
    for (const std::int32_t number : numbers_of(*dump, arguments.variables))
    {
      const AmrVariable& variable = dump->variables[static_cast<std::size_t>(number)];
      for (const AmrComponent& component : variable.components)
      {
        pass.read(patch, variable, component);
      }
    }
  }
  pass.close_all();
  const double seconds = now() - start;
  return { { "seconds", seconds }, { "datasets", pass.datasets() }, { "sum", pass.sum() } };
}

nlohmann::json read_with_rivulet(
    PatchReader& reader, Dumps& dumps, const std::string& summary, const Arguments& arguments)
{
  const double start = now();
  const Result<AmrDump*> found = dumps.open(summary);
  if (!found)
  {
    return { { "error", found.error().describe() } };
  }
  AmrDump* dump = *found;
  const double opened = now();
  const std::vector<std::int32_t> patches =
      share_of_patches(*dump, static_cast<int>(dump->levels.size()) - 1, arguments.part, arguments.parts);
  Result<PatchData> data =
      reader.read(*dump, patches, numbers_of(*dump, arguments.variables), { arguments.threads, false, {} });
  if (!data)
  {
    return { { "error", data.error().describe() } };
  }
  const double seconds = now() - start;
  double sum = 0;
  std::int64_t bytes = 0;
  std::string error;
  for (const PatchVariable& value : data->values)
  {
    error = value.error && error.empty() ? value.error->describe() : error;
    if (value.state == PatchVariable::State::Read)
    {
      sum += sum_of(value.type, value.values.data(), volume(value.size) * value.components);
      bytes += static_cast<std::int64_t>(value.values.size());
    }
  }
  return { { "seconds", seconds }, { "summary_seconds", opened - start }, { "datasets", data->statistics.datasets },
    { "threads", data->statistics.threads }, { "bytes", bytes }, { "bytes_read", data->statistics.bytes_read },
    { "by_library", data->statistics.by_library }, { "sum", sum }, { "error", error } };
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Reads all patches of dumps.");
  program.option("summaries", arguments.summaries, "one after the other, in every pass").required();
  program.option("--variables", arguments.variables);
  program.option("--then", arguments.then, "variables of one more pass");
  program.option("--threads", arguments.threads);
  program.option("--passes", arguments.passes);
  program.option("--part", arguments.part, "only the patches of this process, counted from 0, of --parts");
  program.option("--parts", arguments.parts);
  program.flag("--library", arguments.library, "with the HDF5 library, on one thread");
  program.flag("--fresh", arguments.fresh, "forget between passes what the dumps are and where datasets are");
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  auto reader = std::make_unique<PatchReader>();
  Dumps dumps;
  const int passes = arguments.passes + (arguments.then.empty() ? 0 : 1);
  for (int pass = 0; pass < passes; ++pass)
  {
    if (pass == arguments.passes)
    {
      arguments.variables = arguments.then;
    }
    if (arguments.fresh)
    {
      reader = std::make_unique<PatchReader>();
      dumps.forget();
    }
    for (const std::string& summary : arguments.summaries)
    {
      const nlohmann::json answer = arguments.library ? read_with_library(dumps, summary, arguments)
                                                      : read_with_rivulet(*reader, dumps, summary, arguments);
      std::printf("%s\n", answer.dump().c_str());
    }
  }
  return 0;
}
