// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/SamraiWriter.h"

#include "Amr/BoxChecks.h"
#include "Amr/DumpNames.h"
#include "Hdf5/TableWriter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

namespace rivulet
{

namespace
{

using hdf5::RecordMember;
using hdf5::TableWriter;
using Type = RecordMember::Type;

constexpr std::int32_t kNoMaterial = 2; ///< SAMRAI's flag of plain variables

struct MapRecord
{
  std::int32_t file;
  std::int32_t processor;
  std::int32_t level;
  std::int32_t patch;
};
constexpr std::array<RecordMember, 4> kMapMembers{ {
    { "processor_number", offsetof(MapRecord, processor), Type::Int32 },
    { "file_cluster_number", offsetof(MapRecord, file), Type::Int32 },
    { "level_number", offsetof(MapRecord, level), Type::Int32 },
    { "patch_number", offsetof(MapRecord, patch), Type::Int32 },
} };

struct BoxRecord
{
  Int3 lower;
  Int3 upper;
  Vec3 lower_corner;
  Vec3 upper_corner;
};
constexpr std::array<RecordMember, 4> kBoxMembers{ {
    { "lower", offsetof(BoxRecord, lower), Type::Int32, 3 },
    { "upper", offsetof(BoxRecord, upper), Type::Int32, 3 },
    { "xlo", offsetof(BoxRecord, lower_corner), Type::Float64, 3 },
    { "xup", offsetof(BoxRecord, upper_corner), Type::Float64, 3 },
} };

struct RangeRecord
{
  double minimum;
  double maximum;
  std::int32_t materials;
  std::int32_t species;
  std::int8_t stored;
};
constexpr std::array<RecordMember, 5> kRangeMembers{ {
    { "data_is_defined", offsetof(RangeRecord, stored), Type::Int8 },
    { "material_composition_flag", offsetof(RangeRecord, materials), Type::Int32 },
    { "species_composition_flag", offsetof(RangeRecord, species), Type::Int32 },
    { "min", offsetof(RangeRecord, minimum), Type::Float64 },
    { "max", offsetof(RangeRecord, maximum), Type::Float64 },
} };

struct FamilyRecord
{
  std::int32_t offset;
  std::int32_t number;
};

const DumpNames& names()
{
  return built_in_names().front();
}

std::string path_in(const std::string& folder, const std::string& name)
{
  return (std::filesystem::path(folder) / name).string();
}

template <class Record, std::size_t Members>
void put_records(TableWriter& to, const std::string& name, const std::array<RecordMember, Members>& members,
    const std::vector<Record>& records)
{
  to.records(name, members, std::as_bytes(std::span(records)), records.size());
}

void put_integer(TableWriter& to, const std::string& name, std::int64_t value)
{
  to.integers("BASIC_INFO/" + name, std::array{ static_cast<std::int32_t>(value) });
}

void put_text(TableWriter& to, const std::string& name, const std::string& text)
{
  to.texts("BASIC_INFO/" + name, std::array{ text });
}

void put_run(TableWriter& to, const AmrDump& dump)
{
  to.floats("BASIC_INFO/VDR_version_number", std::array{ 2.0F });
  put_text(to, "grid_type", "CARTESIAN");
  to.numbers("BASIC_INFO/time", std::array{ dump.time });
  put_integer(to, "time_step_number", dump.cycle);
  put_text(to, "time_of_dump", "Thu Jan 01 00:00:00 UTC 1970"); // the same step has the same bytes
  put_integer(to, "number_processors", static_cast<std::int64_t>(dump.files.size()));
  put_integer(to, "number_file_clusters", static_cast<std::int64_t>(dump.files.size()));
  put_integer(to, "number_dimensions_of_problem", dump.dimensions);
  to.numbers("BASIC_INFO/XLO", dump.origin);
  put_text(to, "patch_names_printf", "f%F R%P B%B L%02L P%05T");
}

void put_levels(TableWriter& to, const AmrDump& dump)
{
  std::vector<std::int32_t> patches;
  std::vector<std::int32_t> ratios;
  std::vector<double> spacings;
  for (const AmrLevel& level : dump.levels)
  {
    patches.push_back(level.patches);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const bool used = axis < static_cast<std::size_t>(dump.dimensions);
      ratios.push_back(!used ? 0 : patches.size() == 1 ? -1 : level.ratio[axis]);
      spacings.push_back(used ? level.spacing[axis] : 0.0);
    }
  }
  put_integer(to, "number_levels", static_cast<std::int64_t>(dump.levels.size()));
  to.integers("BASIC_INFO/number_patches_at_level", patches);
  put_integer(to, "number_global_patches", static_cast<std::int64_t>(dump.patches.size()));
  to.integers("BASIC_INFO/ratios_to_coarser_levels", ratios, 3);
  to.numbers("BASIC_INFO/dx", spacings, 3);
}

void put_variables(TableWriter& to, const AmrDump& dump)
{
  std::vector<std::string> all;
  std::vector<std::int32_t> centred;
  std::vector<std::int32_t> components;
  std::vector<std::int32_t> ghosts;
  for (const AmrVariable& variable : dump.variables)
  {
    all.push_back(variable.name);
    centred.push_back(variable.centering == Centering::Cell ? 1 : 0);
    components.push_back(static_cast<std::int32_t>(variable.components.size()));
    ghosts.insert(ghosts.end(), variable.ghosts.begin(), variable.ghosts.end());
  }
  put_integer(to, "number_visit_variables", static_cast<std::int64_t>(all.size()));
  to.texts("BASIC_INFO/var_names", all);
  to.integers("BASIC_INFO/var_cell_centered", centred);
  to.integers("BASIC_INFO/var_number_components", components);
  to.integers("BASIC_INFO/var_number_ghosts", ghosts, 3);
  to.integers("BASIC_INFO/material_state_variable", std::vector<std::int32_t>(all.size(), 0));
  to.numbers("BASIC_INFO/scaling", std::vector<double>(all.size(), 1.0));
}

/// Children or parents of all patches.
void put_family(TableWriter& to, const std::string& name, const std::vector<std::vector<std::int32_t>>& relatives)
{
  std::vector<std::int32_t> all;
  std::vector<FamilyRecord> records;
  for (const std::vector<std::int32_t>& family : relatives)
  {
    records.push_back(
        { family.empty() ? -1 : static_cast<std::int32_t>(all.size()), static_cast<std::int32_t>(family.size()) });
    all.insert(all.end(), family.begin(), family.end());
  }
  put_integer(to, name + "_array_length", static_cast<std::int64_t>(all.size()));
  if (all.empty())
  {
    return;
  }
  const std::string counted = name == "child" ? "number_children" : "number_parents";
  const std::array<RecordMember, 2> members{ { { "offset", offsetof(FamilyRecord, offset), Type::Int32 },
      { counted.c_str(), offsetof(FamilyRecord, number), Type::Int32 } } };
  to.integers("BASIC_INFO/" + name + "_array", all);
  put_records(to, "BASIC_INFO/" + name + "_pointer_array", members, records);
}

void put_families(TableWriter& to, const AmrDump& dump)
{
  const std::vector<std::vector<std::int32_t>> children = find_children(dump);
  std::vector<std::vector<std::int32_t>> parents(dump.patches.size());
  for (std::size_t patch = 0; patch < children.size(); ++patch)
  {
    for (const std::int32_t child : children[patch])
    {
      parents[static_cast<std::size_t>(child)].push_back(static_cast<std::int32_t>(patch));
    }
  }
  put_family(to, "child", children);
  put_family(to, "parent", parents);
}

void put_patches(TableWriter& to, const AmrDump& dump)
{
  std::vector<MapRecord> places;
  std::vector<BoxRecord> boxes;
  for (const AmrPatch& patch : dump.patches)
  {
    places.push_back({ patch.file, patch.file, patch.level, patch.number });
    BoxRecord box{ patch.cells.begin, {}, patch.lower, patch.upper };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.upper[axis] = patch.cells.end[axis] - 1;
    }
    boxes.push_back(box);
  }
  put_records(to, "extents/patch_map", kMapMembers, places);
  put_records(to, "extents/patch_extents", kBoxMembers, boxes);
}

void put_ranges(TableWriter& to, const AmrDump& dump)
{
  for (const AmrVariable& variable : dump.variables)
  {
    for (const AmrComponent& component : variable.components)
    {
      std::vector<RangeRecord> records(component.ranges.size());
      for (std::size_t i = 0; i < records.size(); ++i)
      {
        std::memset(&records[i], 0, sizeof(RangeRecord)); // the bytes between members, too
        const AmrRange& range = component.ranges[i];
        records[i].minimum = range.minimum;
        records[i].maximum = range.maximum;
        records[i].materials = records[i].species = kNoMaterial;
        records[i].stored = range.stored ? 1 : 0;
      }
      if (!records.empty())
      {
        put_records(to, "extents/" + component.dataset + "-Extents", kRangeMembers, records);
      }
    }
  }
}

std::string group_of(const AmrPatch& patch)
{
  return names().groups[0].path(patch.file) + "/" + names().groups[1].path(patch.level) + "/" +
         names().groups[2].path(patch.number);
}

constexpr std::int64_t kTableBytes = 4096; ///< more than a table takes beside its values, in any file of a dump

/// Makes an empty file after a look for room, before libhdf5 needs it.
Result<void> make_room(const std::string& path, std::int64_t bytes)
{
  Result<File> file = File::create(path);
  Result<void> done = file ? file->check_size_limit(bytes) : forward_error(file);
  done = done ? file->reserve(bytes) : done;
  return done ? file->close() : done;
}

/// More than the values of a file take, and the tables around them.
std::int64_t bytes_of_values(
    const AmrDump& dump, std::span<const ScalarType> types, const std::vector<std::int32_t>& patches)
{
  std::int64_t bytes = static_cast<std::int64_t>(dump.levels.size() + 2) * kTableBytes;
  for (const std::int32_t number : patches)
  {
    const AmrPatch& patch = dump.patches[static_cast<std::size_t>(number)];
    for (std::size_t variable = 0; variable < types.size(); ++variable)
    {
      const AmrVariable& of = dump.variables[variable];
      const auto value = static_cast<std::int64_t>(size_of(types[variable]));
      bytes += static_cast<std::int64_t>(of.components.size()) *
               (volume(of.stored_size(patch, dump.dimensions)) * value + kTableBytes);
    }
    bytes += kTableBytes;
  }
  return bytes;
}

/// More than a summary takes.
std::int64_t bytes_of_summary(const AmrDump& dump)
{
  std::size_t components = 0;
  for (const AmrVariable& variable : dump.variables)
  {
    components += variable.components.size();
  }
  const auto tables = static_cast<std::int64_t>(components) + 40;
  const auto patches = static_cast<std::int64_t>(dump.patches.size());
  return tables * (kTableBytes + patches * static_cast<std::int64_t>(sizeof(RangeRecord)));
}

Result<void> sync_file(const std::string& path)
{
  Result<File> file = File::open(path, File::Mode::ReadWrite);
  return file ? file->sync() : Result<void>(forward_error(file));
}

} // namespace

AmrVariable samrai_variable(const std::string& name, std::int32_t components, Centering centering)
{
  AmrVariable variable;
  variable.name = name;
  variable.centering = centering;
  for (std::int32_t component = 0; component < components; ++component)
  {
    variable.components.push_back({ components > 1 ? name + names().component.path(component) : name, 0, {} });
  }
  return variable;
}

std::string samrai_values_path(const std::string& folder, std::int32_t file)
{
  return path_in(folder, names().cluster.path(file));
}

Result<SamraiValues> SamraiValues::create(
    const std::string& folder, const AmrDump& dump, std::span<const ScalarType> types, std::int32_t file)
{
  SamraiValues made(dump);
  const std::string path = samrai_values_path(folder, file);
  const auto fill = [&](TableWriter& to)
  {
    const std::string processor = names().groups[0].path(file);
    to.group(processor);
    for (std::size_t level = 0; level < dump.levels.size(); ++level)
    {
      to.group(processor + "/" + names().groups[1].path(static_cast<std::int64_t>(level)));
    }
    for (const std::int32_t number : made.patches_)
    {
      const AmrPatch& patch = dump.patches[static_cast<std::size_t>(number)];
      to.group(group_of(patch));
      for (std::size_t variable = 0; variable < types.size(); ++variable)
      {
        for (const AmrComponent& component : dump.variables[variable].components)
        {
          const Int3 size = dump.variables[variable].stored_size(patch, dump.dimensions);
          made.places_.push_back(to.room(group_of(patch) + "/" + component.dataset, types[variable], volume(size)));
        }
      }
    }
  };
  for (std::size_t patch = 0; patch < dump.patches.size(); ++patch)
  {
    if (dump.patches[patch].file == file)
    {
      made.patches_.push_back(static_cast<std::int32_t>(patch));
    }
  }
  Result<void> done = make_room(path, bytes_of_values(dump, types, made.patches_));
  done = done ? hdf5::write_tables(path, fill) : done;
  Result<File> opened = done ? File::open(path, File::Mode::ReadWrite) : Result<File>(forward_error(done));
  const Result<std::int64_t> size = opened ? opened->size() : Result<std::int64_t>(forward_error(opened));
  done = size ? opened->reserve(*size) : tl::unexpected<Error>(size.error());
  if (!done)
  {
    return forward_error(done);
  }
  made.file_ = std::move(*opened);
  return made;
}

Result<void> SamraiValues::write(const PatchComponent& what, std::span<const std::byte> values) const
{
  const auto patch = std::lower_bound(patches_.begin(), patches_.end(), what.patch);
  std::size_t before = 0;
  std::size_t of_patch = 0;
  for (std::size_t variable = 0; variable < dump_->variables.size(); ++variable)
  {
    before += variable < what.variable ? dump_->variables[variable].components.size() : 0;
    of_patch += dump_->variables[variable].components.size();
  }
  const auto number = static_cast<std::size_t>(patch - patches_.begin());
  return file_.pwrite_full(
      values.data(), static_cast<std::int64_t>(values.size()), places_[number * of_patch + before + what.component]);
}

Result<void> SamraiValues::finish(bool sync)
{
  Result<void> done = sync ? file_.sync() : Result<void>();
  return done ? file_.close() : done;
}

Result<void> write_samrai_summary(const std::string& folder, const AmrDump& dump, bool sync)
{
  const std::string path = path_in(folder, names().summary);
  const auto fill = [&](TableWriter& to)
  {
    to.group("BASIC_INFO");
    put_run(to, dump);
    put_levels(to, dump);
    put_variables(to, dump);
    put_families(to, dump);
    to.group("extents");
    put_patches(to, dump);
    put_ranges(to, dump);
  };
  Result<void> done = make_room(path, bytes_of_summary(dump));
  done = done ? hdf5::write_tables(path, fill) : done;
  return done && sync ? sync_file(path) : done;
}

} // namespace rivulet
