// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/SamraiSummary.h"

#include "Amr/BoxChecks.h"
#include "Hdf5/LibraryFile.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>

namespace rivulet
{

namespace
{

/// Tables of an HDF5 file.
class FileTables final : public TableSource
{
public:
  explicit FileTables(hdf5::LibraryFile&& file)
    : file_(std::move(file))
  {
  }

  [[nodiscard]] static Result<FileTables> open(const std::string& path)
  {
    Result<hdf5::LibraryFile> file = hdf5::LibraryFile::open(path);
    return file ? Result<FileTables>(FileTables(std::move(*file))) : forward_error(file);
  }

  [[nodiscard]] const std::string& path() const override { return file_.path(); }
  [[nodiscard]] bool has(const std::string& name) const override { return file_.has(name); }
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& name) const override
  {
    return file_.numbers(name);
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(const std::string& name) const override
  {
    return file_.integers(name);
  }
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& name) const override
  {
    return file_.texts(name);
  }
  [[nodiscard]] Result<std::vector<double>> member(const std::string& name, const std::string& member) const override
  {
    return file_.member(name, member);
  }

private:
  hdf5::LibraryFile file_;
};

constexpr std::int64_t kMostPatches = std::int64_t{ 1 } << 27;
constexpr std::size_t kMostComponents = std::size_t{ 1 } << 17; // components of all variables
constexpr std::size_t kLongestName = 4096;
constexpr const char* kInfo = "/BASIC_INFO/";

/// Reads tables of known sizes and keeps the first error, so that the caller can read many in a row.
class SummaryTables
{
public:
  explicit SummaryTables(const TableSource& source)
    : source_(source)
  {
  }

  [[nodiscard]] bool good() const { return !error_; }
  [[nodiscard]] tl::unexpected<Error> error() { return tl::unexpected<Error>(std::move(*error_)); }

  void complain(ErrorCode code, const std::string& what)
  {
    if (!error_)
    {
      error_ = Error{ code, what, "check the program that wrote the dump", source_.path() };
    }
  }

  /// `count` integers; any number of them if `count` is -1.
  std::vector<std::int64_t> integers(const std::string& name, std::int64_t count)
  {
    return checked(name, count, [&] { return source_.integers(kInfo + name); });
  }
  std::vector<double> numbers(const std::string& name, std::int64_t count)
  {
    return checked(name, count, [&] { return source_.numbers(kInfo + name); });
  }
  std::vector<std::string> texts(const std::string& name, std::int64_t count)
  {
    return checked(name, count, [&] { return source_.texts(kInfo + name); });
  }
  /// Member of `count` compounds with `each` numbers per compound.
  std::vector<double> member(const std::string& table, const std::string& name, std::int64_t count, std::int64_t each)
  {
    return checked(table + "." + name, count * each, [&] { return source_.member(table, name); });
  }
  std::int64_t integer(const std::string& name)
  {
    const std::vector<std::int64_t> one = integers(name, 1);
    return one.empty() ? 0 : one[0];
  }
  [[nodiscard]] bool has(const std::string& name) const { return source_.has(kInfo + name); }

private:
  template <class Read>
  auto checked(const std::string& name, std::int64_t count, const Read& read) -> typename decltype(read())::value_type
  {
    if (error_)
    {
      return {};
    }
    auto values = read();
    if (!values)
    {
      error_ = std::move(values.error());
      return {};
    }
    if (count >= 0 && static_cast<std::int64_t>(values->size()) != count)
    {
      complain(ErrorCode::Corrupt,
          "\"" + name + "\" has " + std::to_string(values->size()) + " values instead of " + std::to_string(count));
      return {};
    }
    return std::move(*values);
  }

  const TableSource& source_;
  std::optional<Error> error_;
};

/// Cells per coarser cell along each axis of level `i`.
Int3 ratio_of(SummaryTables& tables, const AmrDump& dump, const std::vector<std::int64_t>& ratios, std::size_t i)
{
  Int3 ratio{ 1, 1, 1 };
  for (std::size_t axis = 0; i > 0 && axis < static_cast<std::size_t>(dump.dimensions); ++axis)
  {
    const std::int64_t stored = ratios[3 * i + axis];
    if (stored < 1 || stored > 1024)
    {
      tables.complain(ErrorCode::Corrupt,
          "level " + std::to_string(i) + " is refined by " + std::to_string(stored) + " along an axis");
      return ratio;
    }
    ratio[axis] = static_cast<std::int32_t>(stored);
  }
  return ratio;
}

/// Levels with the numbers of their patches.
void read_levels(SummaryTables& tables, AmrDump& dump)
{
  const std::int64_t levels = tables.integer("number_levels");
  const std::int64_t patches = tables.integer("number_global_patches");
  if (!tables.good())
  {
    return;
  }
  if (levels < 1 || levels > 100 || patches < 1 || patches > kMostPatches)
  {
    tables.complain(ErrorCode::Corrupt,
        "the summary has " + std::to_string(levels) + " levels and " + std::to_string(patches) + " patches");
    return;
  }
  const std::vector<std::int64_t> at_level = tables.integers("number_patches_at_level", levels);
  const std::vector<std::int64_t> ratios = tables.integers("ratios_to_coarser_levels", 3 * levels);
  const std::vector<double> spacing = tables.numbers("dx", 3 * levels);
  if (!tables.good())
  {
    return;
  }
  std::int64_t first = 0;
  for (std::size_t i = 0; i < at_level.size() && at_level[i] >= 0 && at_level[i] <= patches - first; ++i)
  {
    AmrLevel level;
    level.first_patch = static_cast<std::int32_t>(first);
    level.patches = static_cast<std::int32_t>(at_level[i]);
    level.ratio = ratio_of(tables, dump, ratios, i);
    level.spacing = { spacing[3 * i], spacing[3 * i + 1], spacing[3 * i + 2] };
    first += at_level[i];
    dump.levels.push_back(level);
  }
  if (first != patches || dump.levels.size() != at_level.size())
  {
    tables.complain(ErrorCode::Corrupt, "the numbers of patches at the levels do not add up");
  }
}

void read_boxes(SummaryTables& tables, AmrDump& dump)
{
  const auto count = static_cast<std::int64_t>(dump.levels.back().first_patch) + dump.levels.back().patches;
  const std::vector<double> lower = tables.member("/extents/patch_extents", "lower", count, 3);
  const std::vector<double> upper = tables.member("/extents/patch_extents", "upper", count, 3);
  if (!tables.good())
  {
    return;
  }
  dump.patches.resize(static_cast<std::size_t>(count));
  std::size_t level = 0;
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    while (static_cast<std::int64_t>(i) >= dump.levels[level].first_patch + dump.levels[level].patches)
    {
      ++level;
    }
    AmrPatch& patch = dump.patches[i];
    patch.level = static_cast<std::int32_t>(level);
    patch.number = static_cast<std::int32_t>(i) - dump.levels[level].first_patch;
    Vec3 first{ 0, 0, 0 };
    Vec3 last{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump.dimensions); ++axis)
    {
      first[axis] = lower[3 * i + axis];
      last[axis] = upper[3 * i + axis];
    }
    const std::optional<Box> cells = box_of(first, last);
    if (!cells)
    {
      tables.complain(
          ErrorCode::Corrupt, "patch " + std::to_string(i) + " has no cells, or its box is beyond all bounds");
      return;
    }
    patch.cells = *cells;
    for (std::size_t axis = 0; axis < 3 && !dump.deformed; ++axis)
    {
      const bool used = axis < static_cast<std::size_t>(dump.dimensions);
      patch.lower[axis] = dump.origin[axis] + dump.levels[level].spacing[axis] * first[axis];
      patch.upper[axis] = dump.origin[axis] + dump.levels[level].spacing[axis] * (last[axis] + (used ? 1 : 0));
    }
  }
}

/// Paths of the files with the numbers in `used`. The number of files in the summary is not used, because a damaged
/// file may have any number there.
void list_files(std::vector<std::int32_t>&& used, const FilePattern& cluster, AmrDump& dump)
{
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  const std::filesystem::path folder = std::filesystem::path(dump.path).parent_path();
  for (const std::int32_t number : used)
  {
    dump.files.push_back((folder / cluster.path(number)).string());
  }
  for (AmrPatch& patch : dump.patches)
  {
    patch.file = static_cast<std::int32_t>(std::lower_bound(used.begin(), used.end(), patch.file) - used.begin());
  }
}

/// File and group of each patch.
void read_places(SummaryTables& tables, const DumpNames& names, AmrDump& dump)
{
  const auto count = static_cast<std::int64_t>(dump.patches.size());
  const std::string table = "/extents/patch_map";
  const std::vector<double> processor = tables.member(table, "processor_number", count, 1);
  const std::vector<double> cluster = tables.member(table, "file_cluster_number", count, 1);
  const std::vector<double> level = tables.member(table, "level_number", count, 1);
  const std::vector<double> patch = tables.member(table, "patch_number", count, 1);
  const std::int64_t clusters = tables.integer("number_file_clusters");
  if (!tables.good())
  {
    return;
  }
  if (clusters < 1 || clusters > kMostPatches)
  {
    tables.complain(ErrorCode::Corrupt, "the summary has " + std::to_string(clusters) + " data files");
    return;
  }
  std::vector<std::int32_t> used;
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    AmrPatch& to = dump.patches[i];
    const bool there = cluster[i] >= 0 && cluster[i] < static_cast<double>(clusters); // false for NaN
    if (level[i] != to.level || patch[i] != to.number || !there || !(processor[i] >= 0) ||
        processor[i] > std::numeric_limits<std::int32_t>::max())
    {
      tables.complain(ErrorCode::Corrupt,
          "the patch map puts patch " + std::to_string(i) + " into a file, level or place that there is not");
      return;
    }
    to.file = static_cast<std::int32_t>(cluster[i]);
    to.group = names.groups[0].path(static_cast<std::int64_t>(processor[i])) + "/" + names.groups[1].path(to.level) +
               "/" + names.groups[2].path(to.number);
    used.push_back(to.file);
  }
  list_files(std::move(used), names.cluster, dump);
}

/// Description of one variable.
struct VariableEntry
{
  std::string name;
  std::int64_t centred;
  std::int64_t components;
  std::array<std::int64_t, 3> ghosts;
};

std::optional<AmrVariable> make_variable(const VariableEntry& entry, const DumpNames& names, int dimensions)
{
  AmrVariable variable;
  variable.name = entry.name;
  variable.centering = entry.centred != 0 ? Centering::Cell : Centering::Node;
  bool good =
      !entry.name.empty() && entry.name.size() <= kLongestName && entry.components >= 1 && entry.components <= 1000;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    good = good && entry.ghosts[axis] >= 0 && entry.ghosts[axis] <= 1000;
    variable.ghosts[axis] = static_cast<std::int32_t>(entry.ghosts[axis]);
  }
  for (std::int64_t c = 0; good && c < entry.components; ++c)
  {
    variable.components.push_back({ variable.name + (entry.components > 1 ? names.component.path(c) : ""), 0, {} });
  }
  return good ? std::optional(std::move(variable)) : std::nullopt;
}

void read_variables(SummaryTables& tables, const DumpNames& names, AmrDump& dump)
{
  const std::int64_t count = tables.integer("number_visit_variables");
  if (count < 0 || count > 100000)
  {
    tables.complain(ErrorCode::Corrupt, "the summary has " + std::to_string(count) + " variables");
  }
  if (count == 0 || !tables.good())
  {
    return;
  }
  const std::vector<std::string> variables = tables.texts("var_names", count);
  const std::vector<std::int64_t> centred = tables.integers("var_cell_centered", count);
  const std::vector<std::int64_t> components = tables.integers("var_number_components", count);
  const std::vector<std::int64_t> ghosts = tables.has("var_number_ghosts")
                                               ? tables.integers("var_number_ghosts", 3 * count)
                                               : std::vector<std::int64_t>(static_cast<std::size_t>(3 * count), 0);
  std::size_t all_components = 0;
  for (std::size_t i = 0; tables.good() && i < variables.size(); ++i)
  {
    std::optional<AmrVariable> variable = make_variable(
        { variables[i], centred[i], components[i], { ghosts[3 * i], ghosts[3 * i + 1], ghosts[3 * i + 2] } }, names,
        dump.dimensions);
    all_components += variable ? variable->components.size() : 0;
    if (!variable || all_components > kMostComponents)
    {
      tables.complain(ErrorCode::Corrupt, "variable " + std::to_string(i) + " (\"" + variables[i].substr(0, 100) +
                                              "\") has " + std::to_string(components[i]) +
                                              " components, or a name or a number of ghost layers that cannot be");
      return;
    }
    dump.variables.push_back(std::move(*variable));
  }
}

/// False if a child is not a patch of the next finer level.
bool take_children(AmrDump& dump, std::size_t patch, std::span<const std::int64_t> children)
{
  for (const std::int64_t child : children)
  {
    if (child < 0 || child >= static_cast<std::int64_t>(dump.patches.size()) ||
        dump.patches[static_cast<std::size_t>(child)].level != dump.patches[patch].level + 1)
    {
      return false;
    }
    dump.children[patch].push_back(static_cast<std::int32_t>(child));
  }
  return true;
}

/// Reads the table of children, if the summary has a valid one.
void read_children(SummaryTables& tables, AmrDump& dump)
{
  if (!tables.has("child_pointer_array") || !tables.has("child_array"))
  {
    return;
  }
  const auto count = static_cast<std::int64_t>(dump.patches.size());
  const std::vector<std::int64_t> children = tables.integers("child_array", -1);
  const std::vector<double> offset = tables.member("/BASIC_INFO/child_pointer_array", "offset", count, 1);
  const std::vector<double> number = tables.member("/BASIC_INFO/child_pointer_array", "number_children", count, 1);
  if (!tables.good())
  {
    return;
  }
  dump.children.resize(dump.patches.size());
  auto left = static_cast<double>(children.size()); // each entry belongs to one patch
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    if (!(number[i] > 0))
    {
      continue; // the offset has no meaning
    }
    const bool inside =
        number[i] <= left && offset[i] >= 0 && offset[i] <= static_cast<double>(children.size()) - number[i];
    left -= number[i];
    if (!inside ||
        !take_children(dump, i,
            std::span(children).subspan(static_cast<std::size_t>(offset[i]), static_cast<std::size_t>(number[i]))))
    {
      tables.complain(ErrorCode::Corrupt,
          "the table of children gives patch " + std::to_string(i) + " a child that is not one of the next level");
      return;
    }
  }
}

/// Checks the time, by which steps are sorted.
void need_time(SummaryTables& tables, double time)
{
  if (!std::isfinite(time))
  {
    tables.complain(ErrorCode::Corrupt, "the time of the dump is not a number");
  }
}

void read_basics(SummaryTables& tables, AmrDump& dump)
{
  if (!tables.has("number_levels") || !tables.has("VDR_version_number"))
  {
    tables.complain(ErrorCode::NotThisFormat, "this HDF5 file is not the summary of a SAMRAI dump");
    return;
  }
  const std::vector<double> version = tables.numbers("VDR_version_number", 1);
  const std::int64_t dimensions = tables.integer("number_dimensions_of_problem");
  const std::vector<std::string> kind = tables.texts("grid_type", 1);
  const std::vector<double> time = tables.numbers("time", 1);
  dump.cycle = tables.integer("time_step_number");
  const std::vector<double> origin = tables.numbers("XLO", 3);
  if (!tables.good())
  {
    return;
  }
  if (version[0] != 2.0 && version[0] != 3.0)
  {
    tables.complain(ErrorCode::OtherVersion, "the summary is of version " + std::to_string(version[0]));
  }
  if (dimensions != 2 && dimensions != 3)
  {
    tables.complain(ErrorCode::Corrupt, "the problem has " + std::to_string(dimensions) + " dimensions");
    return;
  }
  dump.dimensions = static_cast<std::int32_t>(dimensions);
  const bool cartesian = kind[0] == "CARTESIAN" || kind[0] == "RECTILINEAR";
  dump.deformed = kind[0] == "DEFORMED" || kind[0] == "ALE";
  if (!cartesian && !dump.deformed)
  {
    tables.complain(ErrorCode::Unsupported, "the mesh is of kind \"" + kind[0] + "\"");
  }
  need_time(tables, time[0]);
  dump.time = time[0];
  dump.origin = { origin[0], origin[1], origin[2] };
}

/// Computes children from the boxes, so that an incomplete table does no harm. The blocks of a deformed mesh share one
/// index space, so that only the table has their children.
void relate_boxes(AmrDump& dump)
{
  dump.children = find_children(dump);
  if (const std::optional<std::string> beyond = patch_beyond_coarser(dump))
  {
    dump.notes.push_back(*beyond + ": cells of coarser levels under it are not hidden");
  }
}

} // namespace

Result<AmrDump> read_samrai_summary(const TableSource& source, const DumpNames& names)
{
  SummaryTables tables(source);
  AmrDump dump;
  dump.path = source.path();
  read_basics(tables, dump);
  const auto then = [&](const auto& read)
  {
    if (tables.good())
    {
      read();
    }
  };
  then([&] { read_levels(tables, dump); });
  then([&] { read_boxes(tables, dump); });
  then([&] { read_places(tables, names, dump); });
  then([&] { read_variables(tables, names, dump); });
  then([&] { read_children(tables, dump); });
  if (!tables.good())
  {
    return tables.error();
  }
  if (dump.deformed)
  {
    dump.coordinates = dump.variable_of("Coords");
    const bool usable = dump.coordinates >= 0 &&
                        dump.variables[static_cast<std::size_t>(dump.coordinates)].centering == Centering::Node;
    if (!usable)
    {
      return fail(ErrorCode::Corrupt, "the mesh is deformed, but there is no node variable \"Coords\"",
          "check the program that wrote the dump", source.path());
    }
  }
  else if (const std::optional<std::string> overlap = overlap_within_levels(dump))
  {
    return fail(ErrorCode::Corrupt, *overlap, "check the program that wrote the dump", source.path());
  }
  else
  {
    relate_boxes(dump);
  }
  if (source.has("/materials"))
  {
    dump.notes.emplace_back("materials and species are not read");
  }
  return dump;
}

Result<AmrDump> read_samrai_summary(const std::string& path, const DumpNames& names)
{
  Result<FileTables> file = FileTables::open(path);
  return file ? read_samrai_summary(*file, names) : Result<AmrDump>(forward_error(file));
}

Result<DumpStep> read_samrai_time(const TableSource& source)
{
  SummaryTables tables(source);
  if (!tables.has("VDR_version_number"))
  {
    return fail(ErrorCode::NotThisFormat, "this HDF5 file is not the summary of a SAMRAI dump", "", source.path());
  }
  const std::vector<double> time = tables.numbers("time", 1);
  const std::int64_t cycle = tables.integer("time_step_number");
  if (tables.good())
  {
    need_time(tables, time[0]);
  }
  if (!tables.good())
  {
    return tables.error();
  }
  return DumpStep{ source.path(), time[0], cycle };
}

Result<DumpStep> read_samrai_time(const std::string& path)
{
  Result<FileTables> file = FileTables::open(path);
  return file ? read_samrai_time(*file) : Result<DumpStep>(forward_error(file));
}

Result<void> read_samrai_ranges(const TableSource& source, AmrDump& dump, int variable)
{
  for (AmrComponent& component : dump.variables[static_cast<std::size_t>(variable)].components)
  {
    const std::string table = "/extents/" + component.dataset + "-Extents";
    if (!source.has(table))
    {
      continue;
    }
    SummaryTables tables(source);
    const auto count = static_cast<std::int64_t>(dump.patches.size());
    const std::vector<double> stored = tables.member(table, "data_is_defined", count, 1);
    const std::vector<double> minimum = tables.member(table, "min", count, 1);
    const std::vector<double> maximum = tables.member(table, "max", count, 1);
    if (!tables.good())
    {
      return tables.error();
    }
    component.ranges.resize(dump.patches.size());
    for (std::size_t i = 0; i < component.ranges.size(); ++i)
    {
      component.ranges[i] = { stored[i] != 0.0, minimum[i], maximum[i] };
    }
  }
  return {};
}

Result<void> read_samrai_ranges(AmrDump& dump, int variable)
{
  Result<FileTables> file = FileTables::open(dump.path);
  return file ? read_samrai_ranges(*file, dump, variable) : Result<void>(forward_error(file));
}

} // namespace rivulet
