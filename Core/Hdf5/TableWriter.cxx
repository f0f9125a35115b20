// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/TableWriter.h"

#include "Io/FieldFile/Hdf5Session.h"

#include <algorithm>
#include <vector>

namespace rivulet::hdf5
{

struct TableWriter::State
{
  explicit State(Handle&& opened)
    : file(std::move(opened))
  {
  }

  Handle file;
};

namespace
{

Handle create_file(const std::string& path)
{
  const std::string what = "the file cannot be created";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  H5Pset_file_locking(access, false, true); // no other process knows the file; some file systems have no locks
  need(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), what);
  need(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), what);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, what);
}

Handle space_of(std::size_t values, std::size_t columns, const std::string& what)
{
  const std::array<hsize_t, 2> dims{ columns > 0 ? values / columns : values, columns };
  return Handle(H5Screate_simple(columns > 0 ? 2 : 1, dims.data(), nullptr), H5Sclose, what);
}

/// A dataset in one piece, whose room is in the file at once, and which is not filled.
Handle create_dataset(hid_t file, const std::string& name, hid_t type, hid_t space)
{
  const std::string what = "dataset \"" + name + "\" cannot be created";
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  need(H5Pset_layout(properties, H5D_CONTIGUOUS), what);
  need(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), what);
  need(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), what);
  need(H5Pset_obj_track_times(properties, false), what);
  return Handle(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, what);
}

void put_table(hid_t file, const std::string& name, hid_t type, hid_t space, const void* values)
{
  const Handle dataset = create_dataset(file, name, type, space);
  need(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "dataset \"" + name + "\" cannot be written");
}

hid_t type_of_member(RecordMember::Type type)
{
  return type == RecordMember::Type::Int8    ? H5T_STD_I8LE
         : type == RecordMember::Type::Int32 ? type_of<std::int32_t>()
                                             : type_of<double>();
}

} // namespace

TableWriter::TableWriter(std::unique_ptr<State> state)
  : state_(std::move(state))
{
}

TableWriter::~TableWriter() = default;

void TableWriter::group(const std::string& name)
{
  const Handle made(H5Gcreate2(state_->file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
      "group \"" + name + "\" cannot be created");
}

void TableWriter::integers(const std::string& name, std::span<const std::int32_t> values, std::size_t columns)
{
  put_table(state_->file, name, type_of<std::int32_t>(), space_of(values.size(), columns, name), values.data());
}

void TableWriter::numbers(const std::string& name, std::span<const double> values, std::size_t columns)
{
  put_table(state_->file, name, type_of<double>(), space_of(values.size(), columns, name), values.data());
}

void TableWriter::floats(const std::string& name, std::span<const float> values)
{
  put_table(state_->file, name, type_of<float>(), space_of(values.size(), 0, name), values.data());
}

void TableWriter::texts(const std::string& name, std::span<const std::string> values)
{
  std::size_t length = 0;
  for (const std::string& value : values)
  {
    length = std::max(length, value.size() + 1);
  }
  std::vector<char> letters(values.size() * length, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    std::copy(values[i].begin(), values[i].end(), letters.begin() + static_cast<std::ptrdiff_t>(i * length));
  }
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
  need(H5Tset_size(type, length), name);
  put_table(state_->file, name, type, space_of(values.size(), 0, name), letters.data());
}

void TableWriter::records(
    const std::string& name, std::span<const RecordMember> members, std::span<const std::byte> bytes, std::size_t count)
{
  const Handle type(H5Tcreate(H5T_COMPOUND, bytes.size() / count), H5Tclose, name);
  for (const RecordMember& member : members)
  {
    const hsize_t numbers = member.count;
    const hid_t one = type_of_member(member.type);
    const Handle several(numbers > 1 ? H5Tarray_create2(one, 1, &numbers) : H5Tcopy(one), H5Tclose, name);
    need(H5Tinsert(type, member.name, member.offset, several), name);
  }
  put_table(state_->file, name, type, space_of(count, 0, name), bytes.data());
}

std::int64_t TableWriter::room(const std::string& name, ScalarType type, std::int64_t count)
{
  const hid_t stored = type == ScalarType::Float32 ? type_of<float>() : type_of<double>();
  const Handle dataset = create_dataset(state_->file, name, stored, space_of(static_cast<std::size_t>(count), 0, name));
  const haddr_t place = H5Dget_offset(dataset);
  if (place == HADDR_UNDEF)
  {
    corrupt("dataset \"" + name + "\" has no place in the file");
  }
  return static_cast<std::int64_t>(place);
}

Result<void> write_tables(const std::string& path, const std::function<void(TableWriter&)>& fill)
{
  return guarded(path, Access::Write,
      [&]
      {
        TableWriter writer(std::make_unique<TableWriter::State>(create_file(path)));
        fill(writer);
        writer.state_->file.close("the file cannot be completed");
      });
}

} // namespace rivulet::hdf5
