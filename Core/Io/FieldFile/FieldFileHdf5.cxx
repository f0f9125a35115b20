// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/FieldFileHdf5.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Hdf5Attributes.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet::hdf5
{

namespace
{

constexpr const char* kFormatName = "rivulet-field";
constexpr const char* kCurveName = "hilbert-box";
constexpr const char* kPlainName = "plain";
constexpr const char* kFixed16Name = "fixed16";
constexpr const char* kWholeNumbers = "whole_numbers"; // an attribute that other versions pass over
constexpr std::array<const char*, 3> kAxisNames{ "x", "y", "z" };
constexpr std::array<const char*, 2> kHiddenNames{ "points", "cells" }; // by centring

std::uint64_t checksum_of(const void* values, std::size_t bytes)
{
  return XXH3_64bits(values, bytes);
}

Handle access_properties()
{
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "libhdf5 has no access properties");
  // A finished file never changes, and only its writer knows an unfinished one. So locks protect nothing, and they
  // would exclude file systems without locks.
  H5Pset_file_locking(access, false, true);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

// ---------------------------------------------------------------------------------------------------------- writing

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

StoredRows rows_of(hid_t dataset, const std::vector<hsize_t>& dims, std::int64_t element_bytes)
{
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF)
  {
    corrupt("a dataset has no place in the file");
  }
  return { static_cast<std::int64_t>(offset), static_cast<std::int64_t>(dims[0]),
    static_cast<std::int64_t>(dims[1]) * element_bytes };
}

void put_grid(hid_t file, const Grid& grid)
{
  const Handle group = create_group(file, "grid");
  const bool uniform = grid.kind == Grid::Kind::Uniform;
  put_text(group, "kind", uniform ? "uniform" : "rectilinear");
  put(group, "nodes", grid.nodes);
  put(group, "first", grid.first);
  if (uniform)
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

void put_steps(hid_t group, StoredVariable& stored, std::size_t steps)
{
  const Handle brick_group = create_group(group, "bricks");
  const Handle range_group = create_group(group, "brick_ranges");
  const std::vector<hsize_t> brick_dims{ static_cast<hsize_t>(stored.brick_count),
    static_cast<hsize_t>(stored.stride) };
  const std::vector<hsize_t> range_dims{ static_cast<hsize_t>(stored.brick_count), 2 };
  for (std::size_t step = 0; step < steps; ++step)
  {
    const std::string name = std::to_string(step);
    const Handle dataset = create_dataset(brick_group, name, H5T_STD_U8LE, brick_dims);
    stored.bricks.push_back(rows_of(dataset, brick_dims, 1));
    const Handle ranges = create_dataset(range_group, name, H5T_IEEE_F32LE, range_dims);
    put(ranges, "xxh3", std::uint64_t{ 0 });
    stored.brick_ranges.push_back(rows_of(ranges, range_dims, 4));
  }
}

void put_variable(hid_t variables, StoredVariable& stored, std::int32_t index, std::size_t steps, std::int32_t version)
{
  const Variable& variable = stored.variable;
  const Handle group = create_group(variables, link_name(variable.name));
  put_text(group, "name", variable.name);
  put(group, "index", index);
  put_text(group, "type", variable.type == ScalarType::Float32 ? "float32" : "float64");
  if (variable.whole != WholeType::None)
  {
    put_text(group, kWholeNumbers, std::string(name_of(variable.whole)));
  }
  put(group, "components", variable.components);
  put_text(group, "centering", variable.centering == Centering::Node ? "node" : "cell");
  put_text(group, "curve", kCurveName);
  if (version != kPlainVersion)
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
  put_steps(group, stored, steps);
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

// ---------------------------------------------------------------------------------------------------------- reading

/// Whether an attribute holds the first of two words.
bool is_first(hid_t group, const char* name, const char* first, const char* second)
{
  const std::string word = get_text(group, name);
  if (word != first && word != second)
  {
    throw Failure{ ErrorCode::Unsupported, std::string("the ") + name + " \"" + word + "\" is unknown" };
  }
  return word == first;
}

/// Opens the target of a hard link of this file only: a field file needs no links to other files.
void require_hard_link(hid_t parent, const std::string& name)
{
  H5L_info_t link;
  need(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), name + " is missing");
  if (link.type != H5L_TYPE_HARD)
  {
    corrupt(name + " is a link to somewhere else");
  }
}

Handle open_group(hid_t parent, const std::string& name)
{
  require_hard_link(parent, name);
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "group " + name + " cannot be opened");
}

struct OpenDataset
{
  Handle dataset;
  std::vector<hsize_t> dims;
};

/// Opens a contiguous dataset of the given type in this file.
OpenDataset open_dataset(hid_t parent, const std::string& name, hid_t type, int rank)
{
  const std::string what = "dataset " + name + " cannot be opened";
  require_hard_link(parent, name);
  OpenDataset opened{ Handle(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, what), {} };
  const Handle stored(H5Dget_type(opened.dataset), H5Tclose, what);
  const Handle space(H5Dget_space(opened.dataset), H5Sclose, what);
  const Handle properties(H5Dget_create_plist(opened.dataset), H5Pclose, what);
  if (H5Tequal(stored, type) <= 0 || H5Sget_simple_extent_ndims(space) != rank ||
      H5Pget_layout(properties) != H5D_CONTIGUOUS || H5Pget_external_count(properties) != 0)
  {
    corrupt("dataset " + name + " has the wrong type or shape, or does not lie in one piece");
  }
  opened.dims.resize(static_cast<std::size_t>(rank));
  need(H5Sget_simple_extent_dims(space, opened.dims.data(), nullptr), what);
  return opened;
}

/// Strictly monotonic numbers; false at the first that is not. They are read and checked in pieces: a file that claims
/// more than was written gives zeros, which are not monotonic, and no memory is taken for the rest.
bool get_numbers(const OpenDataset& opened, const std::string& name, std::vector<double>& values)
{
  constexpr hsize_t kPiece = 1 << 16;
  const std::string what = "dataset " + name + " cannot be read";
  const Handle space(H5Dget_space(opened.dataset), H5Sclose, what);
  while (values.size() < opened.dims[0])
  {
    const hsize_t start = values.size();
    const hsize_t count = std::min(kPiece, opened.dims[0] - start);
    values.resize(start + count);
    const Handle piece(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
    need(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr), what);
    need(H5Dread(opened.dataset, H5T_IEEE_F64LE, piece, space, H5P_DEFAULT, values.data() + start), what);
    if (!go_one_way(values, start))
    {
      return false;
    }
  }
  if (get<std::uint64_t>(opened.dataset, "xxh3") != checksum_of(values.data(), values.size() * sizeof(double)))
  {
    corrupt("the checksum of dataset " + name + " does not match");
  }
  return true;
}

std::vector<double> get_times(hid_t file)
{
  const OpenDataset opened = open_dataset(file, "times", H5T_IEEE_F64LE, 1);
  if (opened.dims[0] > kMostSteps)
  {
    corrupt("the file claims to have " + std::to_string(opened.dims[0]) + " time steps");
  }
  std::vector<double> times;
  if (!get_numbers(opened, "times", times))
  {
    corrupt(defect_of(times));
  }
  return times;
}

std::vector<double> get_axis(hid_t grid, const std::string& axis, std::int32_t nodes)
{
  const OpenDataset opened = open_dataset(grid, axis, H5T_IEEE_F64LE, 1);
  if (nodes < 1 || opened.dims[0] != static_cast<hsize_t>(nodes))
  {
    corrupt("the " + axis + " axis has " + std::to_string(opened.dims[0]) + " positions for " + std::to_string(nodes) +
            " nodes");
  }
  std::vector<double> positions;
  if (!get_numbers(opened, axis, positions))
  {
    corrupt("the positions along the " + axis + " axis do not go one way");
  }
  return positions;
}

Grid get_grid(hid_t file)
{
  const Handle group = open_group(file, "grid");
  Grid grid;
  const bool uniform = is_first(group, "kind", "uniform", "rectilinear");
  get(group, "nodes", grid.nodes.data(), 3);
  get(group, "first", grid.first.data(), 3);
  if (uniform)
  {
    get(group, "origin", grid.origin.data(), 3);
    get(group, "spacing", grid.spacing.data(), 3);
    get(group, "direction", grid.direction.data(), 9);
    return grid;
  }
  grid.kind = Grid::Kind::Rectilinear;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.axes[axis] = get_axis(group, kAxisNames[axis], grid.nodes[axis]);
  }
  return grid;
}

ValueRanges get_ranges(hid_t group, std::int32_t components)
{
  ValueRanges ranges;
  ranges.components.resize(static_cast<std::size_t>(components));
  get(group, "component_ranges", ranges.components.data()->data(), 2 * ranges.components.size());
  get(group, "magnitude_range", ranges.magnitude.data(), 2);
  return ranges;
}

/// Place of rows of bytes; fails if no file can hold them.
StoredRows get_rows(hid_t group, const std::string& name)
{
  const OpenDataset opened = open_dataset(group, name, H5T_STD_U8LE, 2);
  const hsize_t most = std::numeric_limits<std::int64_t>::max();
  if (opened.dims[0] > most || opened.dims[1] > most || H5Dget_offset(opened.dataset) > most)
  {
    corrupt("dataset " + name + " lies beyond the end of any file");
  }
  return rows_of(opened.dataset, opened.dims, 1);
}

void get_steps(hid_t group, StoredVariable& stored, std::size_t steps)
{
  const Handle bricks = open_group(group, "bricks");
  if (links_in(bricks) != steps)
  {
    corrupt("variable \"" + stored.variable.name + "\" has bricks for " + std::to_string(links_in(bricks)) +
            " time steps, not for " + std::to_string(steps));
  }
  for (std::size_t step = 0; step < steps; ++step)
  {
    stored.bricks.push_back(get_rows(bricks, std::to_string(step)));
  }
}

/// Reads the tables of hidden points and cells, if any.
void get_hidden(hid_t file, StoredField& field)
{
  const std::size_t steps = field.times.size();
  for (std::vector<StoredRows>& tables : field.hidden)
  {
    tables.resize(steps);
  }
  if (field.version != kSealedVersion || need(H5Lexists(file, "hidden", H5P_DEFAULT), "links cannot be read") == 0)
  {
    return;
  }
  const Handle group = open_group(file, "hidden");
  hsize_t kinds = 0;
  for (std::size_t kind = 0; kind < kHiddenNames.size(); ++kind)
  {
    if (need(H5Lexists(group, kHiddenNames[kind], H5P_DEFAULT), "links cannot be read") == 0)
    {
      continue;
    }
    const Handle tables = open_group(group, kHiddenNames[kind]);
    ++kinds;
    const hsize_t links = links_in(tables);
    for (hsize_t number = 0; number < links; ++number)
    {
      const std::string link = link_at(tables, number);
      const auto step = static_cast<std::size_t>(std::strtoul(link.c_str(), nullptr, 10));
      if (step >= steps || std::to_string(step) != link)
      {
        corrupt("what is hidden at step " + link + " is of no step of the file");
      }
      field.hidden[kind][step] = get_rows(tables, link);
    }
  }
  if (links_in(group) != kinds)
  {
    corrupt("something else than points and cells is hidden");
  }
}

/// The type of a variable of whole numbers; None where there is no such attribute.
WholeType get_whole(hid_t group, ScalarType type)
{
  if (need(H5Aexists(group, kWholeNumbers), "attributes cannot be read") == 0)
  {
    return WholeType::None;
  }
  const WholeType whole = whole_type_named(get_text(group, kWholeNumbers));
  if (whole == WholeType::None || scalar_for(whole) != type)
  {
    corrupt(std::string("the attribute ") + kWholeNumbers + " names no type of whole numbers that the variable holds");
  }
  return whole;
}

StoredVariable get_variable(hid_t group, const std::string& link, std::size_t steps, std::int32_t version)
{
  StoredVariable stored;
  stored.variable.name = get_text(group, "name");
  if (link_name(stored.variable.name) != link)
  {
    corrupt("the group /variables/" + link + " is not named after its variable");
  }
  static_cast<void>(is_first(group, "curve", kCurveName, kCurveName));
  stored.variable.type = is_first(group, "type", "float32", "float64") ? ScalarType::Float32 : ScalarType::Float64;
  stored.variable.whole = get_whole(group, stored.variable.type);
  stored.variable.components = get<std::int32_t>(group, "components");
  stored.variable.centering = is_first(group, "centering", "node", "cell") ? Centering::Node : Centering::Cell;
  if (stored.variable.components < 1 || stored.variable.components > 9)
  {
    corrupt("variable \"" + stored.variable.name + "\" has not 1 to 9 components");
  }
  if (version != kPlainVersion)
  {
    stored.fixed16 = is_first(group, "encoding", kFixed16Name, kPlainName);
    stored.largest_error = get<double>(group, "largest_error");
  }
  get(group, "brick_cells", stored.brick_cells.data(), 3);
  get(group, "brick_nodes", stored.brick_nodes.data(), 3);
  stored.payload = get<std::int64_t>(group, "payload_bytes");
  stored.stride = get<std::int64_t>(group, "stride_bytes");
  stored.ranges = get_ranges(group, stored.variable.components);
  get_steps(group, stored, steps);
  return stored;
}

/// Variables in the order of their `index` attributes, which must count from 0.
std::vector<StoredVariable> get_variables(hid_t file, std::size_t steps, std::int32_t version)
{
  const Handle group = open_group(file, "variables");
  const hsize_t count = links_in(group);
  if (count == 0 || count > kMostVariables)
  {
    corrupt("there are " + std::to_string(count) + " variables");
  }
  std::vector<StoredVariable> variables(count);
  std::vector<bool> seen(count, false);
  for (hsize_t number = 0; number < count; ++number)
  {
    const std::string link = link_at(group, number);
    const Handle variable = open_group(group, link);
    const auto index = static_cast<std::size_t>(get<std::int32_t>(variable, "index"));
    if (index >= count || seen[index])
    {
      corrupt("the variables are not numbered from 0 on");
    }
    seen[index] = true;
    variables[index] = get_variable(variable, link, steps, version);
  }
  return variables;
}

Handle open_for_reading(const std::string& path)
{
  const Handle access = access_properties();
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "the HDF5 header cannot be read");
}

/// Returns the file's version.
std::int32_t check_root(hid_t file)
{
  if (need(H5Aexists(file, "format"), "the attributes cannot be read") == 0 || get_text(file, "format") != kFormatName)
  {
    throw Failure{ ErrorCode::NotThisFormat, "this is an HDF5 file, but not a Rivulet field" };
  }
  const auto version = get<std::int32_t>(file, "format_version");
  if (version < kPlainVersion || version > kSealedVersion)
  {
    throw Failure{ ErrorCode::OtherVersion, "the file has format version " + std::to_string(version) +
                                                ", this program reads version " + std::to_string(kPlainVersion) +
                                                " to version " + std::to_string(kSealedVersion) };
  }
  if (get<std::uint8_t>(file, "complete") != 1)
  {
    throw Failure{ ErrorCode::Unfinished, "the file was never finished by the program that wrote it" };
  }
  static_cast<void>(is_first(file, "byte_order", "little", "little"));
  return version;
}

} // namespace

Result<void> create_file(const std::string& path, StoredField& field)
{
  const auto work = [&]
  {
    const std::size_t steps = field.times.size();
    Handle file = create_empty(path, 2 * steps * field.variables.size());
    put_root(file, field);
    put_grid(file, field.grid);
    {
      const Handle group = create_group(file, "variables");
      for (std::size_t index = 0; index < field.variables.size(); ++index)
      {
        put_variable(group, field.variables[index], static_cast<std::int32_t>(index), steps, field.version);
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
      for (std::size_t step = 0; step < stored.brick_range_checksums.size(); ++step)
      {
        const std::string name = "brick_ranges/" + std::to_string(step);
        const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, what);
        change(dataset, "xxh3", &stored.brick_range_checksums[step]);
      }
    }
    need(H5Fflush(file, H5F_SCOPE_LOCAL), what);
    const std::uint8_t complete = 1;
    change(file, "complete", &complete);
    file.close(what);
  };
  return guarded(path, Access::Write, work);
}

Result<StoredField> read_file(const std::string& path)
{
  const auto work = [&]
  {
    const Handle file = open_for_reading(path);
    StoredField field;
    field.version = check_root(file);
    field.uuid = get_text(file, "uuid");
    field.grid = get_grid(file);
    field.times = get_times(file);
    field.variables = get_variables(file, field.times.size(), field.version);
    get_hidden(file, field);
    return field;
  };
  return guarded(path, Access::Read, work);
}

Result<RangeTable> find_brick_ranges(
    const std::string& path, const std::string& variable, int step, std::int64_t bricks, std::int64_t file_bytes)
{
  const auto work = [&]
  {
    const Handle file = open_for_reading(path);
    static_cast<void>(check_root(file));
    const std::string name = std::to_string(step);
    const Handle group = open_group(file, "variables/" + link_name(variable) + "/brick_ranges");
    const OpenDataset opened = open_dataset(group, name, H5T_IEEE_F32LE, 2);
    if (opened.dims[0] != static_cast<hsize_t>(bricks) || opened.dims[1] != 2)
    {
      corrupt("the ranges of the bricks are not one pair for each brick");
    }
    const haddr_t offset = H5Dget_offset(opened.dataset);
    const auto bytes = static_cast<haddr_t>(bricks) * sizeof(std::array<float, 2>);
    const auto most = static_cast<haddr_t>(file_bytes);
    if (offset > most || bytes > most - offset)
    {
      corrupt("the ranges of the bricks lie outside the file");
    }
    return RangeTable{ static_cast<std::int64_t>(offset), get<std::uint64_t>(opened.dataset, "xxh3") };
  };
  return guarded(path, Access::Read, work);
}

bool has_our_format(const std::string& path)
{
  const auto work = [&]
  {
    const Handle file = open_for_reading(path);
    return H5Aexists(file, "format") > 0 && get_text(file, "format") == kFormatName;
  };
  const Result<bool> found = guarded(path, Access::Read, work);
  return found.has_value() && *found;
}

} // namespace rivulet::hdf5
