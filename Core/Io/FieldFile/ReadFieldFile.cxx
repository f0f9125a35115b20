// SPDX-License-Identifier: BSD-3-Clause
#include "Base/WholeType.h"
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Hdf5Objects.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace rivulet::hdf5
{

namespace
{

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

Grid::Kind get_kind(hid_t group)
{
  const std::string word = get_text(group, "kind");
  const auto* const known = std::find(kKindNames.begin(), kKindNames.end(), word);
  if (known == kKindNames.end())
  {
    throw Failure{ ErrorCode::Unsupported, "the kind \"" + word + "\" is unknown" };
  }
  return static_cast<Grid::Kind>(known - kKindNames.begin());
}

/// The name of the variable with the places of a curvilinear grid's nodes, empty where another file has it.
std::string get_grid(hid_t file, StoredField& field)
{
  const Handle group = open_group(file, "grid");
  Grid& grid = field.grid;
  grid.kind = get_kind(group);
  get(group, "nodes", grid.nodes.data(), 3);
  get(group, "first", grid.first.data(), 3);
  std::string points;
  if (grid.kind == Grid::Kind::Curvilinear)
  {
    const bool own = need(H5Aexists(group, kPoints), "attributes cannot be read") > 0;
    (own ? points : field.points_in) = get_text(group, own ? kPoints : kPointsIn);
    if (own ? points.empty() : field.points_in.size() != field.uuid.size())
    {
      corrupt(own ? "the grid's points have no name" : "the file with the places of the grid's nodes has no name");
    }
    if (field.version != kSealedVersion)
    {
      corrupt("the file has a curvilinear grid, which its version " + std::to_string(field.version) + " cannot have");
    }
  }
  else if (grid.kind == Grid::Kind::Uniform)
  {
    get(group, "origin", grid.origin.data(), 3);
    get(group, "spacing", grid.spacing.data(), 3);
    get(group, "direction", grid.direction.data(), 9);
  }
  for (std::size_t axis = 0; grid.kind == Grid::Kind::Rectilinear && axis < 3; ++axis)
  {
    grid.axes[axis] = get_axis(group, kAxisNames[axis], grid.nodes[axis]);
  }
  return points;
}

/// Finds the variable with the places of the nodes.
void find_points(const std::string& name, StoredField& field)
{
  if (field.grid.kind != Grid::Kind::Curvilinear || name.empty())
  {
    return;
  }
  if (field.variables.back().variable.name != name)
  {
    corrupt("the last variable is not \"" + name + "\", which has the places of the nodes");
  }
  field.points = static_cast<std::int32_t>(field.variables.size()) - 1;
  std::vector<StoredRows>& bricks = field.variables.back().bricks;
  for (std::size_t step = 0; step < bricks.size(); ++step)
  {
    const bool own = bricks[step].rows > 0;
    if (!own && step == 0)
    {
      corrupt("the places of the nodes at the first step are missing");
    }
    field.points_steps.push_back(own ? static_cast<std::int32_t>(step) : field.points_steps.back());
    bricks[step] = own ? bricks[step] : bricks[step - 1];
  }
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

/// `places`: of nodes, which may stay from step to step: steps without bricks have no rows.
void get_steps(hid_t group, StoredVariable& stored, std::size_t steps, bool places)
{
  const Handle bricks = open_group(group, "bricks");
  std::size_t found = 0;
  for (std::size_t step = 0; places && step < steps && found < links_in(bricks); ++step)
  {
    const std::string name = std::to_string(step);
    const bool own = need(H5Lexists(bricks, name.c_str(), H5P_DEFAULT), "links cannot be read") > 0;
    stored.bricks.push_back(own ? get_rows(bricks, name) : StoredRows{});
    found += own ? 1 : 0;
  }
  if (places && found == links_in(bricks))
  {
    stored.bricks.resize(steps);
    return;
  }
  if (places)
  {
    corrupt("variable \"" + stored.variable.name + "\" has bricks of a time step that is none: one of " +
            std::to_string(links_in(bricks)) + " names in its group is not the number of one of " +
            std::to_string(steps) + " steps");
  }
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

StoredVariable get_variable(hid_t group, const std::string& link, const StoredField& field, const std::string& points)
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
  if (field.version != kPlainVersion)
  {
    stored.fixed16 = is_first(group, "encoding", kFixed16Name, kPlainName);
    stored.largest_error = get<double>(group, "largest_error");
  }
  get(group, "brick_cells", stored.brick_cells.data(), 3);
  get(group, "brick_nodes", stored.brick_nodes.data(), 3);
  stored.payload = get<std::int64_t>(group, "payload_bytes");
  stored.stride = get<std::int64_t>(group, "stride_bytes");
  stored.ranges = get_ranges(group, stored.variable.components);
  get_steps(group, stored, field.times.size(), stored.variable.name == points);
  return stored;
}

/// Variables in the order of their `index` attributes, which must count from 0.
std::vector<StoredVariable> get_variables(hid_t file, const StoredField& field, const std::string& points)
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
    variables[index] = get_variable(variable, link, field, points);
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

Result<StoredField> read_file(const std::string& path)
{
  const auto work = [&]
  {
    const Handle file = open_for_reading(path);
    StoredField field;
    field.version = check_root(file);
    field.uuid = get_text(file, "uuid");
    const std::string points = get_grid(file, field);
    field.times = get_times(file);
    field.variables = get_variables(file, field, points);
    find_points(points, field);
    get_hidden(file, field);
    return field;
  };
  return guarded(path, Access::Read, work);
}

namespace
{

/// `numbers` of a type for each brick.
struct TableShape
{
  const char* name;
  hid_t type;
  hsize_t numbers;
};

Result<RangeTable> find_table(
    const std::string& path, const std::string& variable, int step, const TableShape& shape, const TableLimits& limits)
{
  const auto work = [&]
  {
    const Handle file = open_for_reading(path);
    static_cast<void>(check_root(file));
    const Handle group = open_group(file, "variables/" + link_name(variable) + "/" + shape.name);
    const OpenDataset opened = open_dataset(group, std::to_string(step), shape.type, 2);
    if (opened.dims[0] != static_cast<hsize_t>(limits.bricks) || opened.dims[1] != shape.numbers)
    {
      corrupt(std::string("the table ") + shape.name + " has not " + std::to_string(shape.numbers) +
              " numbers for each brick");
    }
    const haddr_t offset = H5Dget_offset(opened.dataset);
    const auto bytes = static_cast<haddr_t>(limits.bricks) * shape.numbers * H5Tget_size(shape.type);
    const auto most = static_cast<haddr_t>(limits.file_bytes);
    if (offset > most || bytes > most - offset)
    {
      corrupt(std::string("the table ") + shape.name + " lies outside the file");
    }
    return RangeTable{ static_cast<std::int64_t>(offset), get<std::uint64_t>(opened.dataset, "xxh3") };
  };
  return guarded(path, Access::Read, work);
}

} // namespace

Result<RangeTable> find_brick_ranges(
    const std::string& path, const std::string& variable, int step, const TableLimits& limits)
{
  return find_table(path, variable, step, { "brick_ranges", H5T_IEEE_F32LE, 2 }, limits);
}

Result<RangeTable> find_brick_places(
    const std::string& path, const std::string& points, int step, const TableLimits& limits)
{
  return find_table(path, points, step, { "brick_places", H5T_IEEE_F64LE, kPlacesNumbers }, limits);
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
