// SPDX-License-Identifier: BSD-3-Clause
// Reads patches of a SAMRAI dump as Rivulet does, or with the HDF5 library on one thread, dataset after dataset, and
// says how long that took: one line of JSON for each pass. The sum of all values is there to compare.
#include "Amr/PatchReader.h"
#include "Amr/SamraiSummary.h"
#include "Hdf5/LibraryFile.h"

#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <hdf5.h>
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
  int threads = 0;
  int passes = 1;
  bool library = false;
  bool fresh = false;
};

double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The sum of all stored numbers as bytes of 64 bits would be as good; this one can be compared between types.
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

/// As a straightforward reader does it: open each file once, and each dataset by its path, one after the other.
nlohmann::json read_with_library(const std::string& summary, const Arguments& arguments)
{
  const double start = now();
  Result<AmrDump> dump = read_samrai_summary(summary, names_of(built_in_names(), summary));
  if (!dump)
  {
    return { { "error", dump.error().describe() } };
  }
  std::vector<hid_t> files(dump->files.size(), -1);
  std::vector<std::vector<std::byte>> all;
  std::vector<std::pair<bool, std::int64_t>> kinds;
  for (const AmrPatch& patch : dump->patches)
  {
    hid_t& file = files[static_cast<std::size_t>(patch.file)];
    if (file < 0)
    {
      file = H5Fopen(dump->files[static_cast<std::size_t>(patch.file)].c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    for (const std::int32_t number : numbers_of(*dump, arguments.variables))
    {
      for (const AmrComponent& component : dump->variables[static_cast<std::size_t>(number)].components)
      {
        const hid_t dataset = H5Dopen2(file, (patch.group + "/" + component.dataset).c_str(), H5P_DEFAULT);
        const hid_t type = H5Dget_type(dataset);
        const hid_t space = H5Dget_space(dataset);
        const bool wide = H5Tget_size(type) == 8;
        const hssize_t count = H5Sget_simple_extent_npoints(space);
        std::vector<std::byte> values(static_cast<std::size_t>(count) * (wide ? 8 : 4));
        H5Dread(dataset, wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        all.push_back(std::move(values));
        kinds.emplace_back(wide, count);
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(dataset);
      }
    }
  }
  for (const hid_t file : files)
  {
    if (file >= 0)
    {
      H5Fclose(file);
    }
  }
  const double seconds = now() - start;
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    sum +=
        kinds[i].first ? sum_as<double>(all[i].data(), kinds[i].second) : sum_as<float>(all[i].data(), kinds[i].second);
  }
  return { { "seconds", seconds }, { "datasets", all.size() }, { "sum", sum } };
}

nlohmann::json read_with_rivulet(PatchReader& reader, const std::string& summary, const Arguments& arguments)
{
  const double start = now();
  Result<AmrDump> dump = read_samrai_summary(summary, names_of(built_in_names(), summary));
  if (!dump)
  {
    return { { "error", dump.error().describe() } };
  }
  const double opened = now();
  std::vector<std::int32_t> patches(dump->patches.size());
  std::iota(patches.begin(), patches.end(), 0);
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
  CLI::App app("Reads all patches of SAMRAI dumps.");
  app.add_option("summaries", arguments.summaries, "one after the other, in every pass")->required();
  app.add_option("--variables", arguments.variables);
  app.add_option("--threads", arguments.threads);
  app.add_option("--passes", arguments.passes);
  app.add_flag("--library", arguments.library, "with the HDF5 library, on one thread");
  app.add_flag("--fresh", arguments.fresh, "forget between passes where datasets are");
  CLI11_PARSE(app, argc, argv);
  auto reader = std::make_unique<PatchReader>();
  for (int pass = 0; pass < arguments.passes; ++pass)
  {
    if (arguments.fresh)
    {
      reader = std::make_unique<PatchReader>();
    }
    for (const std::string& summary : arguments.summaries)
    {
      const nlohmann::json answer =
          arguments.library ? read_with_library(summary, arguments) : read_with_rivulet(*reader, summary, arguments);
      std::printf("%s\n", answer.dump().c_str());
    }
  }
  return 0;
}
