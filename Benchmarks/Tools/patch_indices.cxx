// SPDX-License-Identifier: BSD-3-Clause
#include "patch_indices.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace rivulet::bench
{

namespace
{

template <class Number>
Number checked(Number answer, const char* what)
{
  if (answer < 0)
  {
    throw std::runtime_error(std::string("libhdf5: ") + what);
  }
  return answer;
}

StoredType type_of(hid_t type)
{
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT)
  {
    return size == 4 ? StoredType::Float32 : StoredType::Float64;
  }
  throw std::runtime_error("libhdf5: a dataset is not of floating-point numbers");
}

void list_chunks(hid_t dataset, hid_t space, hdf5::DatasetForm& form, std::vector<hdf5::Chunk>& chunks)
{
  const hid_t creation = checked(H5Dget_create_plist(dataset), "creation properties");
  const int rank = static_cast<int>(form.dims.size());
  std::array<hsize_t, hdf5::kMostDimensions> first{};
  checked(H5Pget_chunk(creation, rank, first.data()), "chunk");
  form.storage = hdf5::Storage::Chunked;
  form.chunk.assign(first.begin(), first.begin() + rank);
  const int filters = checked(H5Pget_nfilters(creation), "filters");
  for (int i = 0; i < filters; ++i)
  {
    unsigned flags = 0;
    std::array<unsigned, 16> values{};
    std::size_t count = values.size();
    const H5Z_filter_t id =
        checked(H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &count, values.data(), 0, nullptr, nullptr),
            "filter");
    form.filters.push_back({ static_cast<std::uint16_t>(id), { values.begin(), values.begin() + count } });
  }
  H5Pclose(creation);
  hsize_t count = 0;
  checked(H5Dget_num_chunks(dataset, space, &count), "number of chunks");
  for (hsize_t i = 0; i < count; ++i)
  {
    haddr_t address = 0;
    hsize_t bytes = 0;
    unsigned skipped = 0;
    checked(H5Dget_chunk_info(dataset, space, i, first.data(), &skipped, &address, &bytes), "chunk information");
    chunks.push_back({ address, static_cast<std::uint32_t>(bytes), skipped, { first.begin(), first.begin() + rank } });
  }
}

hdf5::DatasetIndex index_by_library(hid_t group, const std::string& name)
{
  const hid_t dataset = checked(H5Dopen2(group, name.c_str(), H5P_DEFAULT), "dataset");
  const hid_t type = checked(H5Dget_type(dataset), "type");
  const hid_t space = checked(H5Dget_space(dataset), "space");
  hdf5::DatasetForm form;
  hdf5::DatasetIndex index;
  form.type = type_of(type);
  form.big_endian = H5Tget_order(type) == H5T_ORDER_BE;
  std::array<hsize_t, hdf5::kMostDimensions> dims{};
  const int rank = checked(H5Sget_simple_extent_dims(space, dims.data(), nullptr), "dimensions");
  form.dims.assign(dims.begin(), dims.begin() + rank);
  index.address = H5Dget_offset(dataset);
  if (index.address == HADDR_UNDEF)
  {
    list_chunks(dataset, space, form, index.chunks);
  }
  index.form = std::make_shared<const hdf5::DatasetForm>(std::move(form));
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(dataset);
  return index;
}

template <class T>
nlohmann::json packed(const std::vector<T>& values)
{
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return nlohmann::json::binary(std::move(bytes));
}

template <class T>
std::vector<T> unpacked(const nlohmann::json& json)
{
  const auto& bytes = json.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::int64_t> state_of(const std::string& path)
{
  const std::optional<FileIdentity> identity = FileIdentity::of(path);
  return identity
             ? std::vector<std::int64_t>{ identity->size(), identity->changed().tv_sec, identity->changed().tv_nsec }
             : std::vector<std::int64_t>{};
}

nlohmann::json json_of(const hdf5::DatasetForm& form)
{
  nlohmann::json filters = nlohmann::json::array();
  for (const hdf5::Filter& filter : form.filters)
  {
    filters.push_back({ filter.id, packed(filter.values) });
  }
  return { static_cast<int>(form.type), form.big_endian, packed(form.dims), static_cast<int>(form.storage),
    packed(form.chunk), filters };
}

std::shared_ptr<const hdf5::DatasetForm> form_of(const nlohmann::json& json)
{
  auto form = std::make_shared<hdf5::DatasetForm>();
  form->type = static_cast<StoredType>(json[0].get<int>());
  form->big_endian = json[1];
  form->dims = unpacked<std::int64_t>(json[2]);
  form->storage = static_cast<hdf5::Storage>(json[3].get<int>());
  form->chunk = unpacked<std::int64_t>(json[4]);
  for (const nlohmann::json& filter : json[5])
  {
    form->filters.push_back({ filter[0], unpacked<std::uint32_t>(filter[1]) });
  }
  return form;
}

} // namespace

void index_own(DataFile& file, hdf5::BlockPool& pool)
{
  FileIndex index(file.path, pool);
  must(index.open({}));
  for (const auto& [group, name] : file.names)
  {
    const Match& found = index.find(group, name);
    if (found.kind != Match::Kind::Plain)
    {
      throw std::runtime_error("a dataset is not plain in " + file.path);
    }
    file.datasets.push_back(found.dataset);
  }
  index.close();
}

/// Metadata stays in the cache, and no locks are taken. The page buffer needs files that were written with pages.
hid_t access_for(const std::string& way)
{
  if (way == "library")
  {
    return H5P_DEFAULT;
  }
  const hid_t access = checked(H5Pcreate(H5P_FILE_ACCESS), "access properties");
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(access, &cache), "metadata cache");
  cache.set_initial_size = true;
  cache.initial_size = std::size_t{ 32 } << 20;
  cache.max_size = std::size_t{ 32 } << 20;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  checked(H5Pset_mdc_config(access, &cache), "metadata cache");
  checked(H5Pset_file_locking(access, false, true), "locks");
  if (way == "image")
  {
    checked(H5Pset_fapl_core(access, std::size_t{ 1 } << 20, false), "core driver");
  }
  return access;
}

/// Each file and each group is opened once, since the names come group by group.
void index_by_library(DataFile& file, hid_t access)
{
  const hid_t opened = checked(H5Fopen(file.path.c_str(), H5F_ACC_RDONLY, access), "file");
  std::string level;
  std::string patch;
  hid_t of_level = -1;
  hid_t of_patch = -1;
  for (const auto& [group, name] : file.names)
  {
    if (of_patch < 0 || group != patch)
    {
      const std::size_t slash = group.rfind('/');
      const std::string above = slash == std::string::npos ? "/" : group.substr(0, slash);
      if (of_level < 0 || above != level)
      {
        of_level < 0 ? 0 : H5Gclose(of_level);
        of_level = checked(H5Gopen2(opened, above.c_str(), H5P_DEFAULT), "group");
        level = above;
      }
      of_patch < 0 ? 0 : H5Gclose(of_patch);
      const std::string last = slash == std::string::npos ? group : group.substr(slash + 1);
      of_patch = checked(H5Gopen2(of_level, last.c_str(), H5P_DEFAULT), "group");
      patch = group;
    }
    file.datasets.push_back(index_by_library(of_patch, name));
  }
  H5Gclose(of_patch);
  H5Gclose(of_level);
  H5Fclose(opened);
}

void save_index(const std::vector<DataFile>& files, const std::string& path)
{
  std::vector<std::shared_ptr<const hdf5::DatasetForm>> forms;
  nlohmann::json saved;
  for (const DataFile& file : files)
  {
    std::vector<std::uint64_t> numbers;
    for (const hdf5::DatasetIndex& dataset : file.datasets)
    {
      auto form = std::find_if(forms.begin(), forms.end(), [&](const auto& known) { return *known == *dataset.form; });
      form = form == forms.end() ? forms.insert(form, dataset.form) : form;
      numbers.insert(numbers.end(), { dataset.address, static_cast<std::uint64_t>(form - forms.begin()),
                                        std::uint64_t{ dataset.chunks.size() } });
      for (const hdf5::Chunk& chunk : dataset.chunks)
      {
        numbers.insert(numbers.end(), { chunk.address, std::uint64_t{ chunk.bytes }, std::uint64_t{ chunk.skipped } });
        numbers.insert(numbers.end(), chunk.first.begin(), chunk.first.end());
      }
    }
    saved["files"].push_back({ file.path, packed(state_of(file.path)), packed(numbers) });
  }
  for (const auto& form : forms)
  {
    saved["forms"].push_back(json_of(*form));
  }
  std::ofstream out(path, std::ios::binary);
  nlohmann::json::to_cbor(saved, nlohmann::detail::output_adapter<char>(out));
}

void load_index(std::vector<DataFile>& files, const std::string& path)
{
  std::ifstream in(path, std::ios::binary);
  const nlohmann::json saved = nlohmann::json::from_cbor(in);
  std::vector<std::shared_ptr<const hdf5::DatasetForm>> forms;
  for (const nlohmann::json& form : saved["forms"])
  {
    forms.push_back(form_of(form));
  }
  for (std::size_t i = 0; i < files.size(); ++i)
  {
    DataFile& file = files[i];
    const nlohmann::json& entry = saved["files"].at(i);
    if (entry[0] != file.path || unpacked<std::int64_t>(entry[1]) != state_of(file.path))
    {
      throw std::runtime_error(file.path + " is not what it was");
    }
    const auto numbers = unpacked<std::uint64_t>(entry[2]);
    file.datasets.reserve(file.names.size());
    for (auto at = numbers.begin(); at != numbers.end();)
    {
      hdf5::DatasetIndex& dataset = file.datasets.emplace_back();
      dataset.address = *at++;
      dataset.form = forms[*at++];
      dataset.chunks.resize(*at++);
      for (hdf5::Chunk& chunk : dataset.chunks)
      {
        chunk.address = *at++;
        chunk.bytes = static_cast<std::uint32_t>(*at++);
        chunk.skipped = static_cast<std::uint32_t>(*at++);
        chunk.first.assign(at, at + static_cast<std::ptrdiff_t>(dataset.form->dims.size()));
        at += static_cast<std::ptrdiff_t>(dataset.form->dims.size());
      }
    }
  }
}

} // namespace rivulet::bench
