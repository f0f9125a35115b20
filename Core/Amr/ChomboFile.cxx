// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ChomboFile.h"

#include "Amr/BoxChecks.h"
#include "Amr/ChomboLevel.h"
#include "Amr/DumpSeries.h"
#include "Amr/OtherCodes.h"
#include "Amr/PlaceValues.h"
#include "Amr/VectorNames.h"

#include <cmath>
#include <filesystem>

namespace rivulet
{

namespace
{

using hdf5::LibraryFile;

constexpr std::int64_t kMostLevels = 100;
constexpr std::int64_t kMostComponents = 100000;
constexpr std::size_t kMostPatches = std::size_t{ 1 } << 27;
constexpr std::int64_t kMostCycles = std::int64_t{ 1 } << 53;
constexpr double kMostRatio = 1024;
constexpr double kSpacingError = 1e-5; // relative; some programs write single precision
const std::string kData = "data:datatype=";
const std::string kPlot = ".hdf5";
const std::string kMap = ".map.hdf5"; // file with the nodes of a mapped mesh, beside the plot file

/// True if a file exists whose name has the ending `of_other` in place of `ending`: the map of a plot file, or the
/// reverse.
bool has_other(const std::string& path, const std::string& ending, const std::string& of_other)
{
  std::error_code error;
  return path.ends_with(ending) &&
         std::filesystem::exists(path.substr(0, path.size() - ending.size()) + of_other, error);
}

bool looks_like_chombo(const LibraryFile& file)
{
  return file.has_attribute("/", "num_levels") && file.has_attribute("/", "num_components") && file.has("level_0");
}

Result<LibraryFile> open_chombo(const std::string& path)
{
  Result<LibraryFile> file = LibraryFile::open(path);
  if (file && !looks_like_chombo(*file))
  {
    const std::optional<OtherCode> other = other_code(*file);
    return fail(ErrorCode::NotThisFormat,
        "this HDF5 file is not a plot file of Chombo or AMReX" + (other ? ", but one of " + other->name : ""),
        other ? other->way : "", path);
  }
  return file;
}

/// Builds a dump from a file in steps, until the first error.
class ChomboReader
{
public:
  explicit ChomboReader(const LibraryFile& file)
    : attributes_(file)
  {
    dump_.path = file.path();
    dump_.files = { file.path() };
    dump_.shared = true;
  }

  Result<AmrDump> read()
  {
    read_time();
    read_basics();
    read_levels();
    choose_ghosts();
    check_places();
    make_levels();
    make_variables();
    check_mesh();
    if (!attributes_.good())
    {
      return attributes_.error();
    }
    note_what_is_left();
    return std::move(dump_);
  }

  Result<DumpStep> read_step()
  {
    read_time();
    return attributes_.good() ? Result<DumpStep>(DumpStep{ dump_.path, dump_.time, dump_.cycle }) : attributes_.error();
  }

private:
  void complain(const std::string& what) { attributes_.complain(ErrorCode::Corrupt, what); }

  void read_time();
  void read_basics();
  void read_levels();
  void choose_ghosts();
  void check_places();
  void check_datasets(std::size_t level);
  void make_levels();
  [[nodiscard]] Vec3 beginning();
  [[nodiscard]] Int3 ratio_to(std::size_t level);
  void make_patches(std::size_t level);
  [[nodiscard]] bool make_an_array(const NamedComponents& named) const;
  void add_variable(const std::string& name, const std::vector<std::int32_t>& numbers);
  void make_variables();
  void check_mesh();
  void note_what_is_left();

  /// Values per point of a patch in one dataset.
  [[nodiscard]] std::int64_t runs() const { return separate_ ? 1 : static_cast<std::int64_t>(names_.size()); }
  [[nodiscard]] std::int64_t stored(const Box& box, const Int3& ghosts) const
  {
    AmrVariable variable;
    variable.ghosts = ghosts;
    return volume(variable.stored_size(box, dump_.dimensions));
  }

  ChomboAttributes attributes_;
  AmrDump dump_;
  std::vector<std::string> names_; ///< names of the components
  std::vector<ChomboLevel> levels_;
  bool separate_ = false; ///< each component has its own dataset
  Int3 ghosts_{ 0, 0, 0 };
};

void ChomboReader::read_time()
{
  dump_.time =
      attributes_.has("/", "time") ? attributes_.number("/", "time") : attributes_.number_or("level_0", "time", 0.0);
  const bool chombo = attributes_.has("/", "iteration");
  if (chombo || attributes_.has("level_0", "steps"))
  {
    dump_.cycle = attributes_.count(chombo ? "/" : "level_0", chombo ? "iteration" : "steps", 0, kMostCycles);
  }
}

void ChomboReader::read_basics()
{
  const bool global = attributes_.file().has("Chombo_global") && attributes_.has("Chombo_global", "SpaceDim");
  const std::int64_t dimensions =
      global ? attributes_.count("Chombo_global", "SpaceDim", 1, 6) : attributes_.count("/", "dim", 1, 6);
  const std::int64_t levels = attributes_.count("/", "num_levels", 1, kMostLevels);
  const std::int64_t components = attributes_.count("/", "num_components", 1, kMostComponents);
  if (dimensions != 2 && dimensions != 3)
  {
    attributes_.complain(
        ErrorCode::Unsupported, "the problem has " + std::to_string(dimensions) + " dimensions", "open one of 2 or 3");
  }
  dump_.dimensions = static_cast<std::int32_t>(dimensions);
  for (std::int64_t i = 0; attributes_.good() && i < components; ++i)
  {
    const std::string name = "component_" + std::to_string(i);
    names_.push_back(attributes_.text("/", name));
    if (names_.back().empty())
    {
      complain("\"" + name + "\" is empty");
    }
  }
  if (attributes_.good())
  {
    names_ = distinct_names(names_, dump_.notes);
    levels_.resize(static_cast<std::size_t>(levels));
  }
}

void ChomboReader::read_levels()
{
  std::size_t patches = 0;
  for (std::size_t i = 0; attributes_.good() && i < levels_.size(); ++i)
  {
    levels_[i] = read_chombo_level(attributes_, static_cast<std::int64_t>(i), dump_.dimensions);
    patches += levels_[i].boxes.size();
    if (patches > kMostPatches)
    {
      complain("the file has more than " + std::to_string(kMostPatches) + " boxes");
    }
  }
  if (!attributes_.good())
  {
    return;
  }
  while (!levels_.empty() && levels_.back().boxes.empty())
  {
    levels_.pop_back(); // a level without boxes shows nothing
  }
  if (levels_.empty())
  {
    return complain("the file has no boxes");
  }
  for (std::size_t i = 0; i < levels_.size(); ++i)
  {
    if (levels_[i].boxes.empty())
    {
      complain("\"" + chombo_level_name(static_cast<std::int64_t>(i)) + "\" has no boxes, but a finer level has");
    }
  }
  separate_ = names_.size() > 1 && attributes_.file().has("level_0/" + kData + "1");
}

/// First candidate that agrees with the size of the first box.
void ChomboReader::choose_ghosts()
{
  if (!attributes_.good())
  {
    return;
  }
  const ChomboLevel& first = levels_[0];
  ghosts_ = first.ghosts.back();
  for (const Int3& ghosts : first.ghosts)
  {
    if (first.offsets[1] - first.offsets[0] == runs() * stored(first.boxes[0], ghosts))
    {
      ghosts_ = ghosts;
      break;
    }
  }
  for (const ChomboLevel& level : levels_)
  {
    if (std::find(level.ghosts.begin(), level.ghosts.end(), ghosts_) == level.ghosts.end())
    {
      attributes_.complain(ErrorCode::Unsupported, "levels have different numbers of ghost layers",
          "write the plot file without ghost layers");
    }
  }
}

/// Checks that the runs of the boxes follow each other, have the lengths that the boxes need, and lie in their
/// datasets.
void ChomboReader::check_places()
{
  for (std::size_t l = 0; attributes_.good() && l < levels_.size(); ++l)
  {
    const ChomboLevel& level = levels_[l];
    const std::string group = chombo_level_name(static_cast<std::int64_t>(l));
    if (level.offsets[0] < 0)
    {
      return complain("the values of \"" + group + "\" begin before their dataset does");
    }
    for (std::size_t i = 0; i < level.boxes.size(); ++i)
    {
      if (level.offsets[i + 1] < level.offsets[i])
      {
        return complain("the values of box " + std::to_string(i + 1) + " of \"" + group +
                        "\" begin before those of the box before it");
      }
      const std::int64_t there = level.offsets[i + 1] - level.offsets[i];
      const std::int64_t wanted = stored(level.boxes[i], ghosts_);
      if (there % runs() != 0 || there / runs() != wanted)
      {
        return complain("box " + std::to_string(i) + " of \"" + group + "\" has " + std::to_string(there) +
                        " values instead of " + std::to_string(wanted) + " for each of " + std::to_string(runs()) +
                        " components");
      }
    }
    check_datasets(l);
  }
}

void ChomboReader::check_datasets(std::size_t l)
{
  const std::string group = chombo_level_name(static_cast<std::int64_t>(l));
  const std::size_t datasets = separate_ ? names_.size() : 1;
  for (std::size_t i = 0; attributes_.good() && i < datasets; ++i)
  {
    const std::string name = std::string(group).append("/").append(kData).append(std::to_string(i));
    if (!attributes_.file().has(name))
    {
      attributes_.complain(ErrorCode::NotFound, "there is no \"" + name + "\"", "open a plot file, not a checkpoint");
      return;
    }
    const std::vector<std::int64_t> size = attributes_.take(attributes_.file().dimensions(name));
    const std::int64_t end = levels_[l].offsets.back();
    if (attributes_.good() && (size.size() != 1 || size[0] < end))
    {
      complain(
          "\"" + name + "\" does not have the " + std::to_string(end) + " values of the boxes, one after the other");
    }
  }
}

/// Cells of a level per cell of the next coarser level. AMReX stores one ratio even if the ratios of the axes differ.
Int3 ChomboReader::ratio_to(std::size_t l)
{
  Int3 ratio{ 1, 1, 1 };
  const ChomboLevel& coarse = levels_[l - 1];
  const bool told = coarse.ratio.has_value();
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump_.dimensions); ++axis)
  {
    const double by_spacing = coarse.spacing[axis] / levels_[l].spacing[axis];
    const double whole = std::round(by_spacing);
    if (!(whole >= 1 && whole <= kMostRatio && std::fabs(by_spacing - whole) <= kSpacingError * whole) ||
        (told && axis == 0 && (*coarse.ratio)[0] != whole))
    {
      complain(
          "the cells of level " + std::to_string(l) + " are not those of the level below divided by \"ref_ratio\"");
      return ratio;
    }
    ratio[axis] = static_cast<std::int32_t>(whole);
  }
  return ratio;
}

/// Lower corner of the domain, which some programs such as PLUTO store; 0 in other files.
Vec3 ChomboReader::beginning()
{
  Vec3 at{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump_.dimensions); ++axis)
  {
    at[axis] = attributes_.number_or("level_0", "domBeg" + std::to_string(axis + 1), 0.0);
  }
  return at;
}

void ChomboReader::make_levels()
{
  if (!attributes_.good())
  {
    return;
  }
  std::optional<Vec3> origin = attributes_.axes("level_0", "prob_lo", dump_.dimensions);
  origin = origin ? origin : attributes_.axes("/", "prob_lo", dump_.dimensions);
  dump_.origin = origin ? *origin : beginning();
  for (const double at : dump_.origin)
  {
    if (!std::isfinite(at))
    {
      complain("\"prob_lo\" is not a place");
    }
  }
  for (std::size_t l = 0; attributes_.good() && l < levels_.size(); ++l)
  {
    AmrLevel level;
    level.first_patch = static_cast<std::int32_t>(dump_.patches.size());
    level.patches = static_cast<std::int32_t>(levels_[l].boxes.size());
    level.spacing = levels_[l].spacing;
    level.ratio = l == 0 ? Int3{ 1, 1, 1 } : ratio_to(l);
    dump_.levels.push_back(level);
    make_patches(l);
  }
}

void ChomboReader::make_patches(std::size_t l)
{
  const ChomboLevel& level = levels_[l];
  for (std::size_t i = 0; i < level.boxes.size(); ++i)
  {
    AmrPatch patch;
    patch.level = static_cast<std::int32_t>(l);
    patch.number = static_cast<std::int32_t>(i);
    patch.group = chombo_level_name(static_cast<std::int64_t>(l));
    patch.first = level.offsets[i];
    patch.cells = level.boxes[i];
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump_.dimensions); ++axis)
    {
      patch.lower[axis] = dump_.origin[axis] + level.spacing[axis] * patch.cells.begin[axis];
      patch.upper[axis] = dump_.origin[axis] + level.spacing[axis] * patch.cells.end[axis];
    }
    if (level.domain && intersect(*level.domain, patch.cells) != patch.cells)
    {
      return complain("box " + std::to_string(i) + " of \"" + patch.group + "\" reaches beyond the domain");
    }
    dump_.patches.push_back(std::move(patch));
  }
}

/// True if the components, which have their own datasets, have a common type.
bool ChomboReader::make_an_array(const NamedComponents& named) const
{
  std::optional<StoredType> type;
  for (const std::int32_t number : named.components)
  {
    const Result<hdf5::LibraryValues> first =
        attributes_.file().values("level_0/" + kData + std::to_string(number), 0, 1);
    if (!first)
    {
      return true; // reading the values reports the error
    }
    type = type ? common_type(*type, first->type) : first->type;
    if (!type)
    {
      return false;
    }
  }
  return true;
}

void ChomboReader::add_variable(const std::string& name, const std::vector<std::int32_t>& numbers)
{
  AmrVariable variable;
  variable.name = name;
  variable.ghosts = ghosts_;
  for (const std::int32_t number : numbers)
  {
    variable.components.push_back({ kData + std::to_string(separate_ ? number : 0), separate_ ? 0 : number, {} });
  }
  dump_.variables.push_back(std::move(variable));
}

void ChomboReader::make_variables()
{
  for (const NamedComponents& named : group_components(names_, dump_.dimensions))
  {
    if (!separate_ || named.components.size() == 1 || make_an_array(named))
    {
      add_variable(named.name, named.components);
      continue;
    }
    dump_.notes.push_back("the components of \"" + named.name +
                          "\" are numbers of different types, so they are no vector but scalars: make one with "
                          "Calculator");
    for (const std::int32_t number : named.components)
    {
      add_variable(names_[static_cast<std::size_t>(number)], { number });
    }
  }
}

void ChomboReader::check_mesh()
{
  if (!attributes_.good())
  {
    return;
  }
  std::optional<std::string> wrong = overlap_within_levels(dump_);
  if (!wrong)
  {
    dump_.children = find_children(dump_);
    wrong = patch_beyond_coarser(dump_);
  }
  if (wrong)
  {
    complain(*wrong);
  }
}

void ChomboReader::note_what_is_left()
{
  std::string left;
  for (const std::string& name : attributes_.file().names("level_0").value_or(std::vector<std::string>()))
  {
    const bool known = name == "boxes" || name == "Processors" || name == "boxcenter" || name.starts_with("data:") ||
                       name == "data_attributes";
    left += known ? "" : (left.empty() ? "" : ", ") + name;
  }
  if (!left.empty())
  {
    dump_.notes.push_back("not read: " + left);
  }
  // PLUTO writes Chombo files and numbers Cartesian coordinates 1.
  if (attributes_.number_or("/", "coordinate_system", 0) != 0 || attributes_.number_or("level_0", "geometry", 1) != 1 ||
      attributes_.number_or("level_0", "logr", 0) != 0)
  {
    dump_.notes.emplace_back("coordinates are not Cartesian, but shown as if they were");
  }
  if (has_other(dump_.path, kPlot, kMap))
  {
    dump_.notes.emplace_back(
        "the mesh is mapped, but shown as it is in index space; where its nodes are is in the file " + kMap +
        " beside it, which is not read");
  }
}

} // namespace

Result<AmrDump> read_chombo(const std::string& path)
{
  Result<LibraryFile> file = open_chombo(path);
  return file ? ChomboReader(*file).read() : forward_error(file);
}

Result<DumpStep> read_chombo_time(const std::string& path)
{
  Result<LibraryFile> file = open_chombo(path);
  return file ? ChomboReader(*file).read_step() : forward_error(file);
}

Result<DumpIndex> find_plot_files(std::span<const std::string> paths, bool only_complete)
{
  const auto check = [](const std::string& path) -> Result<void>
  {
    Result<AmrDump> dump = read_chombo(path);
    return dump ? check_whole_file(path) : forward_error(dump);
  };
  std::set<std::string> files;
  for (const std::string& path : expand_patterns(paths))
  {
    if (!has_other(path, kMap, kPlot))
    {
      files.insert(path);
    }
  }
  return order_steps(files, { read_chombo_time, check }, {}, only_complete, paths.empty() ? "" : paths.front());
}

bool is_chombo(const std::string& path)
{
  return open_chombo(path).has_value();
}

} // namespace rivulet
