// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Hdf5Objects.h"

#include <algorithm>
#include <optional>

namespace rivulet::hdf5
{

namespace
{

/// Properties of all objects: attributes stay in the object's header, which libhdf5 guards with a checksum. No times
/// are stored, so that the same field gives the same header except for its uuid.
void set_object_properties(hid_t properties)
{
  need(H5Pset_attr_phase_change(properties, 64, 32), "attribute properties cannot be set");
  need(H5Pset_obj_track_times(properties, false), "time properties cannot be set");
}

/// Properties of groups: as of all objects, and links stay in the group's header, too, where they can be checked before
/// libhdf5 follows them. More than about a thousand links would be slow there.
void set_group_properties(hid_t properties)
{
  set_object_properties(properties);
  need(H5Pset_link_phase_change(properties, 1024, 1023), "group properties cannot be set");
}

Handle create_group(hid_t parent, const std::string& name)
{
  const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "libhdf5 has no group properties");
  set_group_properties(properties);
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose,
      "group " + name + " cannot be created");
}

/// A contiguous dataset with its place in the file allocated at once.
Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& dims)
{
  const std::string what = "dataset " + name + " cannot be created";
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  need(H5Pset_layout(properties, H5D_CONTIGUOUS), what);
  need(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), what);
  need(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), what);
  set_object_properties(properties);
  const Handle space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose, what);
  return Handle(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, what);
}

void put_numbers(hid_t parent, const char* name, const std::vector<double>& values)
{
  const Handle dataset = create_dataset(parent, name, H5T_IEEE_F64LE, { values.size() });
  need(H5Dwrite(dataset, H5T_IEEE_F64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      std::string("dataset ") + name + " cannot be written");
  put(dataset, "xxh3", checksum_of(values.data(), values.size() * sizeof(double)));
}

void put_grid(hid_t file, const StoredField& field)
{
  const Grid& grid = field.grid;
  const Handle group = create_group(file, "grid");
  put_text(group, "kind", kKindNames[static_cast<std::size_t>(grid.kind)]);
  put(group, "nodes", grid.nodes);
  put(group, "first", grid.first);
  if (grid.kind == Grid::Kind::Curvilinear)
  {
    const bool own = field.points >= 0;
    put_text(group, own ? kPoints : kPointsIn, own ? field.variables.back().variable.name : field.points_in);
    return;
  }
  if (grid.kind == Grid::Kind::Uniform)
  {
    put(group, "origin", grid.origin);
    put(group, "spacing", grid.spacing);
    put(group, "direction", grid.direction.data(), { 3, 3 });
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    put_numbers(group, kAxisNames[axis], grid.axes[axis]);
  }
}

/// A table of numbers of each brick, with room for its checksum.
StoredRows put_table(hid_t group, const std::string& name, hid_t type, const std::vector<hsize_t>& dims)
{
  const Handle table = create_dataset(group, name, type, dims);
  put(table, "xxh3", std::uint64_t{ 0 });
  return rows_of(table, dims, static_cast<std::int64_t>(H5Tget_size(type)));
}

/// Datasets of the stored steps. Another step has the rows of the step before.
void put_steps(hid_t group, StoredVariable& stored, const std::vector<bool>& own, bool places)
{
  const Handle brick_group = create_group(group, "bricks");
  const Handle range_group = create_group(group, "brick_ranges");
  std::optional<Handle> places_group;
  if (places)
  {
    places_group.emplace(create_group(group, "brick_places"));
  }
  const auto bricks = static_cast<hsize_t>(stored.brick_count);
  const std::vector<hsize_t> brick_dims{ bricks, static_cast<hsize_t>(stored.stride) };
  for (std::size_t step = 0; step < own.size(); ++step)
  {
    stored.brick_ranges.emplace_back();
    stored.brick_places.emplace_back();
    if (!own[step])
    {
      stored.bricks.push_back(stored.bricks.back());
      continue;
    }
    const std::string name = std::to_string(step);
    const Handle dataset = create_dataset(brick_group, name, H5T_STD_U8LE, brick_dims);
    stored.bricks.push_back(rows_of(dataset, brick_dims, 1));
    stored.brick_ranges.back() = put_table(range_group, name, H5T_IEEE_F32LE, { bricks, 2 });
    if (places_group)
    {
      stored.brick_places.back() = put_table(*places_group, name, H5T_IEEE_F64LE, { bricks, kPlacesNumbers });
    }
  }
}

/// Which steps have bricks of a variable of their own.
std::vector<bool> own_steps(const StoredField& field, std::size_t variable)
{
  std::vector<bool> own(field.times.size(), true);
  for (std::size_t step = 0; static_cast<std::int32_t>(variable) == field.points && step < own.size(); ++step)
  {
    own[step] = field.points_steps[step] == static_cast<std::int32_t>(step);
  }
  return own;
}

void put_variable(hid_t variables, StoredField& field, std::size_t index)
{
  StoredVariable& stored = field.variables[index];
  const Variable& variable = stored.variable;
  const Handle group = create_group(variables, link_name(variable.name));
  put_text(group, "name", variable.name);
  put(group, "index", static_cast<std::int32_t>(index));
  put_text(group, "type", variable.type == ScalarType::Float32 ? "float32" : "float64");
  if (variable.whole != WholeType::None)
  {
    put_text(group, kWholeNumbers, std::string(name_of(variable.whole)));
  }
  put(group, "components", variable.components);
  put_text(group, "centering", variable.centering == Centering::Node ? "node" : "cell");
  put_text(group, "curve", kCurveName);
  if (field.version != kPlainVersion)
  {
    put_text(group, "encoding", stored.fixed16 ? kFixed16Name : kPlainName);
    put(group, "largest_error", stored.largest_error);
  }
  put(group, "brick_cells", stored.brick_cells);
  put(group, "brick_nodes", stored.brick_nodes);
  put(group, "payload_bytes", stored.payload);
  put(group, "stride_bytes", stored.stride);
  put(group, "component_ranges", stored.ranges.components.data()->data(),
      { static_cast<hsize_t>(variable.components), 2 });
  put(group, "magnitude_range", stored.ranges.magnitude);
  put_steps(group, stored, own_steps(field, index), static_cast<std::int32_t>(index) == field.points);
}

/// Creates the file: metadata together in large blocks instead of between the bricks, datasets at pages.
Handle create_empty(const std::string& path, std::size_t datasets)
{
  const Handle access = access_properties();
  const std::string what = "the file cannot be created";
  need(H5Pset_alignment(access, kPage, kPage), what);
  // Formats with checksums on all metadata, which libhdf5 1.8 and later read.
  need(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), what);
  const std::int64_t metadata = round_up(static_cast<std::int64_t>(datasets) * 512, kPage);
  need(H5Pset_meta_block_size(access, static_cast<hsize_t>(std::clamp(metadata, 2 * kPage, kMiB))), what);
  const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose, what);
  set_group_properties(properties);
  return Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, access), H5Fclose, what);
}

void put_root(hid_t file, const StoredField& field)
{
  put_text(file, "format", kFormatName);
  put(file, "format_version", field.version);
  put(file, "complete", std::uint8_t{ 0 });
  put_text(file, "uuid", field.uuid);
  put_text(file, "creator", "Rivulet");
  put_text(file, "byte_order", "little");
  put_numbers(file, "times", field.times);
}

} // namespace

Result<void> create_file(const std::string& path, StoredField& field)
{
  const auto work = [&]
  {
    Handle file = create_empty(path, 2 * field.times.size() * field.variables.size());
    put_root(file, field);
    put_grid(file, field);
    {
      const Handle group = create_group(file, "variables");
      for (std::size_t index = 0; index < field.variables.size(); ++index)
      {
        put_variable(group, field, index);
      }
    }
    file.close("the file cannot be written");
  };
  return guarded(path, Access::Write, work);
}

Result<StoredRows> add_hidden(
    const std::string& path, Centering centering, int step, std::int64_t rows, std::int64_t row_bytes)
{
  const auto work = [&]
  {
    const std::string what = "the file cannot be added to";
    const Handle access = access_properties();
    need(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), what);
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, what);
    const auto group_in = [&](hid_t parent, const char* name)
    {
      return need(H5Lexists(parent, name, H5P_DEFAULT), what) > 0 ? open_group(parent, name)
                                                                  : create_group(parent, name);
    };
    const Handle hidden = group_in(file, "hidden");
    const Handle tables = group_in(hidden, kHiddenNames[static_cast<std::size_t>(centering)]);
    const std::vector<hsize_t> dims{ static_cast<hsize_t>(rows), static_cast<hsize_t>(row_bytes) };
    return rows_of(create_dataset(tables, std::to_string(step), H5T_STD_U8LE, dims), dims, 1);
  };
  return guarded(path, Access::Write, work);
}

namespace
{

/// Writes the checksums of the tables of a variable.
void seal_tables(hid_t variable, const std::string& tables, const std::vector<StoredRows>& rows,
    const std::vector<std::uint64_t>& checksums)
{
  for (std::size_t step = 0; step < checksums.size(); ++step)
  {
    const std::string name = tables + "/" + std::to_string(step);
    if (rows[step].rows > 0)
    {
      const Handle table(H5Dopen2(variable, name.c_str(), H5P_DEFAULT), H5Dclose, "table " + name + " is missing");
      change(table, "xxh3", &checksums[step]);
    }
  }
}

} // namespace

Result<void> complete_file(const std::string& path, const StoredField& field)
{
  const auto work = [&]
  {
    const std::string what = "the file cannot be finished";
    const Handle access = access_properties();
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose, what);
    for (const StoredVariable& stored : field.variables)
    {
      const Handle group = open_group(file, "variables/" + link_name(stored.variable.name));
      change(group, "component_ranges", stored.ranges.components.data()->data());
      change(group, "magnitude_range", stored.ranges.magnitude.data());
      if (field.version != kPlainVersion)
      {
        change(group, "largest_error", &stored.largest_error);
      }
      seal_tables(group, "brick_ranges", stored.brick_ranges, stored.brick_range_checksums);
      seal_tables(group, "brick_places", stored.brick_places, stored.brick_places_checksums);
    }
    need(H5Fflush(file, H5F_SCOPE_LOCAL), what);
    const std::uint8_t complete = 1;
    change(file, "complete", &complete);
    file.close(what);
  };
  return guarded(path, Access::Write, work);
}

} // namespace rivulet::hdf5
