// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/LibraryFile.h"

#include "Base/Buffer.h"
#include "Io/FieldFile/Hdf5Session.h"
#include "Io/Files/File.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>

namespace rivulet::hdf5
{

struct LibraryFile::State
{
  std::string path;
  hid_t file = -1;
  std::string open_name; ///< name of the dataset that the last run of values came from
  hid_t open_dataset = -1;

  ~State()
  {
    const Session session;
    if (open_dataset >= 0)
    {
      H5Dclose(open_dataset);
    }
    if (file >= 0)
    {
      H5Fclose(file);
    }
  }
};

namespace
{

constexpr std::int64_t kMostValues = std::int64_t{ 1 } << 31; // values of one table
constexpr hsize_t kMostInMember = 4096;

/// Size in bytes up to which a file is read into memory as a whole. libhdf5 reads many small pieces one after the
/// other, and a parallel file system answers each of them late.
constexpr std::int64_t kReadAtOnce = std::int64_t{ 16 } << 20;

Handle open_dataset(hid_t file, const std::string& name)
{
  const hid_t id = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (id < 0)
  {
    throw Failure{ ErrorCode::NotFound, "there is no dataset \"" + name + "\"" };
  }
  return { id, H5Dclose, name };
}

Handle open_attribute(hid_t file, const std::string& object, const std::string& name)
{
  const hid_t id = H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  if (id < 0)
  {
    throw Failure{ ErrorCode::NotFound, "\"" + object + "\" has no attribute \"" + name + "\"" };
  }
  return { id, H5Aclose, name };
}

std::int64_t count_of(hid_t space, const std::string& name)
{
  const std::int64_t count = need(H5Sget_simple_extent_npoints(space), name + " has no size");
  if (count > kMostValues)
  {
    corrupt("\"" + name + "\" is larger than a table can be");
  }
  return count;
}

/// Dataset or attribute that is read as a whole.
struct Table
{
  std::string name;
  Handle object;
  Handle type;
  std::int64_t count = 0; ///< elements
  herr_t (*read_into)(hid_t object, hid_t memory, void* to);

  void read(hid_t memory, void* to) const { need(read_into(object, memory, to), "\"" + name + "\" cannot be read"); }
};

/// Checks, before memory is allocated, that a table is not too large for its file. The factor that is allowed is that
/// of zeros compressed by zstd.
void need_stored(hid_t file, const Table& table)
{
  hsize_t file_size = 0;
  need(H5Fget_filesize(file, &file_size), table.name);
  const auto stored = static_cast<double>(std::min(H5Dget_storage_size(table.object), file_size));
  if (static_cast<double>(table.count) * static_cast<double>(H5Tget_size(table.type)) > 65536.0 + 32768.0 * stored)
  {
    corrupt("\"" + table.name + "\" is larger than what is stored of it can be");
  }
}

Table table_of_dataset(hid_t file, const std::string& name)
{
  Handle dataset = open_dataset(file, name);
  Handle type(H5Dget_type(dataset), H5Tclose, name + " has no type");
  const Handle space(H5Dget_space(dataset), H5Sclose, name + " has no size");
  const auto read = [](hid_t object, hid_t memory, void* to)
  {
    return H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  };
  Table table{ name, std::move(dataset), std::move(type), count_of(space, name), read };
  need_stored(file, table);
  return table;
}

Table table_of_attribute(hid_t file, const std::string& object, const std::string& name)
{
  Handle attribute = open_attribute(file, object, name);
  Handle type(H5Aget_type(attribute), H5Tclose, name + " has no type");
  const Handle space(H5Aget_space(attribute), H5Sclose, name + " has no size");
  return { name, std::move(attribute), std::move(type), count_of(space, name), H5Aread };
}

void need_numbers(hid_t type, const std::string& name)
{
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT)
  {
    corrupt("\"" + name + "\" does not hold numbers");
  }
}

template <class T>
std::vector<T> numbers_of(const Table& table)
{
  need_numbers(table.type, table.name);
  std::vector<T> values(static_cast<std::size_t>(table.count));
  table.read(std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, values.data());
  return values;
}

std::vector<std::string> variable_texts(const Table& table)
{
  const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose, table.name);
  need(H5Tset_size(memory, H5T_VARIABLE), table.name);
  need(H5Tset_cset(memory, H5Tget_cset(table.type)), table.name);
  std::vector<char*> pointers(static_cast<std::size_t>(table.count), nullptr);
  table.read(memory, static_cast<void*>(pointers.data()));
  std::vector<std::string> texts;
  for (char* text : pointers)
  {
    texts.emplace_back(text == nullptr ? "" : text);
    H5free_memory(text);
  }
  return texts;
}

/// Strings of fixed or of variable length.
std::vector<std::string> texts_of(const Table& table)
{
  if (H5Tget_class(table.type) != H5T_STRING)
  {
    corrupt("\"" + table.name + "\" does not hold text");
  }
  if (H5Tis_variable_str(table.type) > 0)
  {
    return variable_texts(table);
  }
  const std::size_t length = H5Tget_size(table.type);
  if (length == 0 || static_cast<std::int64_t>(length) > kMostValues / std::max<std::int64_t>(table.count, 1))
  {
    corrupt("\"" + table.name + "\" is larger than a table can be");
  }
  std::vector<char> bytes(static_cast<std::size_t>(table.count) * length);
  table.read(table.type, bytes.data());
  const bool padded = H5Tget_strpad(table.type) == H5T_STR_SPACEPAD;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(table.count); ++i)
  {
    const char* begin = bytes.data() + i * length;
    std::string text(begin, ::strnlen(begin, length));
    while (padded && !text.empty() && text.back() == ' ')
    {
      text.pop_back();
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

/// Numbers of one member of a compound.
std::vector<double> member_of(const Table& table, const std::string& member)
{
  const std::string& name = table.name;
  const int number = H5Tget_class(table.type) == H5T_COMPOUND ? H5Tget_member_index(table.type, member.c_str()) : -1;
  if (number < 0)
  {
    throw Failure{ ErrorCode::NotFound, "\"" + name + "\" has no member \"" + member + "\"" };
  }
  const Handle of_member(H5Tget_member_type(table.type, static_cast<unsigned>(number)), H5Tclose, member);
  hsize_t each = 1;
  hid_t memory_type = H5T_NATIVE_DOUBLE;
  std::optional<Handle> array;
  if (H5Tget_class(of_member) == H5T_ARRAY)
  {
    hsize_t dims[H5S_MAX_RANK];
    const int rank = need(H5Tget_array_dims2(of_member, dims), member);
    for (int i = 0; i < rank; ++i)
    {
      each *= std::min(dims[i], kMostInMember + 1);
      each = std::min(each, kMostInMember + 1);
    }
    const Handle base(H5Tget_super(of_member), H5Tclose, member);
    need_numbers(base, name + "." + member);
    array.emplace(H5Tarray_create2(H5T_NATIVE_DOUBLE, static_cast<unsigned>(rank), dims), H5Tclose, member);
    memory_type = *array;
  }
  else
  {
    need_numbers(of_member, name + "." + member);
  }
  if (each > kMostInMember)
  {
    corrupt("\"" + name + "." + member + "\" is larger than a table can be");
  }
  const Handle only(H5Tcreate(H5T_COMPOUND, each * sizeof(double)), H5Tclose, member);
  need(H5Tinsert(only, member.c_str(), 0, memory_type), member);
  std::vector<double> values(static_cast<std::size_t>(table.count) * each);
  table.read(only, values.data());
  return values;
}

/// Type of this machine for a type of the file; nothing if the latter is not numeric.
std::optional<StoredType> stored_type_of(hid_t type)
{
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) == H5T_FLOAT)
  {
    return size <= 4 ? std::optional(StoredType::Float32)
                     : (size == 8 ? std::optional(StoredType::Float64) : std::nullopt);
  }
  if (H5Tget_class(type) != H5T_INTEGER || size > 8)
  {
    return std::nullopt;
  }
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  return size == 1   ? (is_signed ? StoredType::Int8 : StoredType::UInt8)
         : size == 2 ? (is_signed ? StoredType::Int16 : StoredType::UInt16)
         : size <= 4 ? (is_signed ? StoredType::Int32 : StoredType::UInt32)
                     : (is_signed ? StoredType::Int64 : StoredType::UInt64);
}

hid_t memory_type_of(StoredType type)
{
  switch (type)
  {
  case StoredType::Int8:
    return H5T_NATIVE_INT8;
  case StoredType::UInt8:
    return H5T_NATIVE_UINT8;
  case StoredType::Int16:
    return H5T_NATIVE_INT16;
  case StoredType::UInt16:
    return H5T_NATIVE_UINT16;
  case StoredType::Int32:
    return H5T_NATIVE_INT32;
  case StoredType::UInt32:
    return H5T_NATIVE_UINT32;
  case StoredType::Int64:
    return H5T_NATIVE_INT64;
  case StoredType::UInt64:
    return H5T_NATIVE_UINT64;
  case StoredType::Float32:
    return H5T_NATIVE_FLOAT;
  default:
    return H5T_NATIVE_DOUBLE;
  }
}

/// Fails with Unsupported and the name of the filter if a filter is not installed. Without this check HDF5 1.10.8 may
/// return without having written to the memory.
void need_filters(hid_t dataset, const std::string& name)
{
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose, name);
  const int filters = need(H5Pget_nfilters(properties), name);
  for (int i = 0; i < filters; ++i)
  {
    unsigned flags = 0;
    std::size_t values = 0;
    char text[64] = {};
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, sizeof(text), text, nullptr);
    if (H5Zfilter_avail(filter) <= 0)
    {
      throw Failure{ ErrorCode::Unsupported, "\"" + name + "\" was written with HDF5 filter " + std::to_string(filter) +
                                                 (text[0] == 0 ? "" : " (" + std::string(text) + ")") +
                                                 ", which is not installed" };
    }
  }
}

LibraryValues read_values(hid_t file, const std::string& name, std::int64_t wanted)
{
  const Handle dataset = open_dataset(file, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, name + " has no type");
  const std::optional<StoredType> stored = stored_type_of(type);
  if (!stored)
  {
    throw Failure{ ErrorCode::Unsupported, "\"" + name + "\" does not hold numbers" };
  }
  need_filters(dataset, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, name + " has no size");
  LibraryValues values;
  values.type = *stored;
  hsize_t dims[H5S_MAX_RANK];
  const int rank = need(H5Sget_simple_extent_dims(space, dims, nullptr), name);
  values.dims.assign(dims, dims + rank);
  const std::int64_t count = need(H5Sget_simple_extent_npoints(space), name + " has no size");
  if (count != wanted)
  {
    corrupt(
        "\"" + name + "\" has " + std::to_string(count) + " values where " + std::to_string(wanted) + " are wanted");
  }
  values.bytes.resize(static_cast<std::size_t>(count * size_of(*stored)));
  need(H5Dread(dataset, memory_type_of(*stored), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.bytes.data()),
      "\"" + name + "\" cannot be read");
  return values;
}

constexpr std::size_t kChunksHeld = std::size_t{ 64 }
                                    << 20; // bytes of the chunk cache, so that a chunk is decoded once for all its runs

hid_t open_for_runs(hid_t file, const std::string& name)
{
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, "libhdf5 has no access properties");
  H5Pset_chunk_cache(access, 12421, kChunksHeld, 1.0);
  const hid_t dataset = H5Dopen2(file, name.c_str(), access);
  if (dataset < 0)
  {
    throw Failure{ ErrorCode::NotFound, "there is no dataset \"" + name + "\"" };
  }
  return dataset;
}

LibraryValues read_run(hid_t dataset, const std::string& name, std::int64_t first, std::int64_t count)
{
  const Handle type(H5Dget_type(dataset), H5Tclose, name + " has no type");
  const std::optional<StoredType> stored = stored_type_of(type);
  if (!stored)
  {
    throw Failure{ ErrorCode::Unsupported, "\"" + name + "\" does not hold numbers" };
  }
  need_filters(dataset, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, name + " has no size");
  const std::int64_t there = need(H5Sget_simple_extent_npoints(space), name + " has no size");
  if (H5Sget_simple_extent_ndims(space) != 1 || first < 0 || count < 1 || count > there || first > there - count)
  {
    corrupt("\"" + name + "\" does not have " + std::to_string(count) + " values from number " + std::to_string(first) +
            " on");
  }
  const auto begin = static_cast<hsize_t>(first);
  const auto length = static_cast<hsize_t>(count);
  need(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &length, nullptr), name);
  const Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose, name);
  LibraryValues values;
  values.type = *stored;
  values.dims = { count };
  values.bytes.resize(static_cast<std::size_t>(count * size_of(*stored)));
  need(H5Dread(dataset, memory_type_of(*stored), memory, space, H5P_DEFAULT, values.bytes.data()),
      "\"" + name + "\" cannot be read");
  return values;
}

extern "C" herr_t rivulet_keep_name(hid_t, const char* name, const H5L_info_t*, void* names)
{
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

} // namespace

LibraryFile::LibraryFile(std::unique_ptr<State> state)
  : state_(std::move(state))
{
}
LibraryFile::LibraryFile(LibraryFile&&) noexcept = default;
LibraryFile& LibraryFile::operator=(LibraryFile&&) noexcept = default;
LibraryFile::~LibraryFile() = default;

namespace
{

/// Name for a file in memory. It differs from that of each file on disk and each open file. It is in the folder of the
/// file, because libhdf5 looks there for files that this one refers to.
std::string name_in_memory(const std::string& path)
{
  static std::atomic<int> number{ 0 };
  std::string name;
  std::error_code error;
  do
  {
    name = path + ".in-memory." + std::to_string(++number);
  } while (std::filesystem::exists(name, error));
  return name;
}

/// Bytes of the whole file; empty if it is large.
Result<Buffer<std::byte>> read_if_small(const File& file, std::int64_t size)
{
  if (size > kReadAtOnce)
  {
    return Buffer<std::byte>();
  }
  Buffer<std::byte> image(static_cast<std::size_t>(size));
  file.will_need(0, size);
  Result<void> good = file.pread_full(image.data(), size, 0);
  return good ? Result<Buffer<std::byte>>(std::move(image)) : Result<Buffer<std::byte>>(forward_error(good));
}

} // namespace

Result<LibraryFile> LibraryFile::open(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::Read);
  if (!file)
  {
    return forward_error(file);
  }
  Result<std::int64_t> size = file->size();
  if (!size)
  {
    return forward_error(size);
  }
  auto state = std::make_unique<State>();
  state->path = path;
  Result<Buffer<std::byte>> whole = read_if_small(*file, *size);
  if (!whole)
  {
    return forward_error(whole);
  }
  Buffer<std::byte>& image = *whole;
  Result<void> opened = guarded(path, Access::ReadForeign,
      [&]
      {
        const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "libhdf5 has no access properties");
        H5Pset_file_locking(access, false, true); // the file is only read, and some file systems have no locks
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
        if (!image.empty())
        {
          need(H5Pset_fapl_core(access, std::size_t{ 1 } << 16, false), "libhdf5 has no files in memory");
          need(H5Pset_file_image(access, image.data(), image.size()), "libhdf5 takes no files from memory");
        }
        const std::string name = image.empty() ? path : name_in_memory(path);
        state->file = H5Fopen(name.c_str(), H5F_ACC_RDONLY, access);
        if (state->file < 0)
        {
          throw Failure{ H5Fis_hdf5(path.c_str()) > 0 ? ErrorCode::Corrupt : ErrorCode::NotThisFormat,
            "the file cannot be opened as HDF5" + library_message() };
        }
      });
  if (!opened)
  {
    opened.error().remedy = "check that the file is complete";
    return forward_error(opened);
  }
  return LibraryFile(std::move(state));
}

const std::string& LibraryFile::path() const
{
  return state_->path;
}

bool LibraryFile::has(const std::string& name) const
{
  const Session session;
  for (std::size_t end = name.find('/', 1); end != std::string::npos; end = name.find('/', end + 1))
  {
    if (H5Lexists(state_->file, name.substr(0, end).c_str(), H5P_DEFAULT) <= 0)
    {
      return false;
    }
  }
  return name == "/" || H5Lexists(state_->file, name.c_str(), H5P_DEFAULT) > 0;
}

Result<std::vector<std::string>> LibraryFile::names(const std::string& group) const
{
  return guarded(path(), Access::ReadForeign,
      [&]
      {
        const hid_t id = H5Gopen2(state_->file, group.c_str(), H5P_DEFAULT);
        if (id < 0)
        {
          throw Failure{ ErrorCode::NotFound, "there is no group \"" + group + "\"" };
        }
        const Handle handle(id, H5Gclose, group);
        std::vector<std::string> names;
        hsize_t at = 0;
        need(H5Literate(handle, H5_INDEX_NAME, H5_ITER_INC, &at, rivulet_keep_name, &names),
            "the names in \"" + group + "\" cannot be read");
        return names;
      });
}

Result<std::vector<double>> LibraryFile::numbers(const std::string& name) const
{
  return guarded(path(), Access::ReadForeign, [&] { return numbers_of<double>(table_of_dataset(state_->file, name)); });
}

Result<std::vector<std::int64_t>> LibraryFile::integers(const std::string& name) const
{
  return guarded(
      path(), Access::ReadForeign, [&] { return numbers_of<std::int64_t>(table_of_dataset(state_->file, name)); });
}

Result<std::vector<std::string>> LibraryFile::texts(const std::string& name) const
{
  return guarded(path(), Access::ReadForeign, [&] { return texts_of(table_of_dataset(state_->file, name)); });
}

Result<std::vector<double>> LibraryFile::member(const std::string& name, const std::string& member) const
{
  return guarded(path(), Access::ReadForeign, [&] { return member_of(table_of_dataset(state_->file, name), member); });
}

bool LibraryFile::has_attribute(const std::string& object, const std::string& name) const
{
  const Session session;
  return H5Aexists_by_name(state_->file, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

Result<std::vector<double>> LibraryFile::attribute_numbers(const std::string& object, const std::string& name) const
{
  return guarded(
      path(), Access::ReadForeign, [&] { return numbers_of<double>(table_of_attribute(state_->file, object, name)); });
}

Result<std::vector<std::string>> LibraryFile::attribute_texts(const std::string& object, const std::string& name) const
{
  return guarded(path(), Access::ReadForeign, [&] { return texts_of(table_of_attribute(state_->file, object, name)); });
}

Result<std::vector<double>> LibraryFile::attribute_member(
    const std::string& object, const std::string& name, const std::string& member) const
{
  return guarded(
      path(), Access::ReadForeign, [&] { return member_of(table_of_attribute(state_->file, object, name), member); });
}

Result<std::vector<std::int64_t>> LibraryFile::dimensions(const std::string& name) const
{
  return guarded(path(), Access::ReadForeign,
      [&]
      {
        const Handle dataset = open_dataset(state_->file, name);
        const Handle space(H5Dget_space(dataset), H5Sclose, name + " has no size");
        hsize_t dims[H5S_MAX_RANK];
        const int rank = need(H5Sget_simple_extent_dims(space, dims, nullptr), name + " has no size");
        return std::vector<std::int64_t>(dims, dims + rank);
      });
}

Result<LibraryValues> LibraryFile::values(const std::string& name, std::int64_t count) const
{
  return guarded(path(), Access::ReadForeign, [&] { return read_values(state_->file, name, count); });
}

Result<LibraryValues> LibraryFile::values(const std::string& name, std::int64_t first, std::int64_t count) const
{
  return guarded(path(), Access::ReadForeign,
      [&]
      {
        if (state_->open_name != name)
        {
          const hid_t dataset = open_for_runs(state_->file, name);
          if (state_->open_dataset >= 0)
          {
            H5Dclose(state_->open_dataset);
          }
          state_->open_dataset = dataset;
          state_->open_name = name;
        }
        return read_run(state_->open_dataset, name, first, count);
      });
}

} // namespace rivulet::hdf5
