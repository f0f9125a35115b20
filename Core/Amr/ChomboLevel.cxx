// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ChomboLevel.h"

#include "Amr/BoxChecks.h"

#include <cmath>

namespace rivulet
{

namespace
{

constexpr std::array<const char*, 3> kAxes{ "i", "j", "k" };
constexpr std::array<const char*, 3> kIntegers{ "intvecti", "intvectj", "intvectk" };
constexpr std::array<const char*, 3> kReals{ "x", "y", "z" };
constexpr double kMostGhosts = 1000;

bool positive(const Vec3& numbers, int dimensions)
{
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    if (!std::isfinite(numbers[axis]) || numbers[axis] <= 0.0)
    {
      return false;
    }
  }
  return true;
}

void read_spacing(ChomboAttributes& attributes, const std::string& group, int dimensions, ChomboLevel& level)
{
  // "dx" is the spacing along x if there are several spacings.
  std::optional<Vec3> spacing = attributes.axes(group, "vec_dx", dimensions);
  spacing = spacing ? spacing : attributes.axes(group, "Vec_dx", dimensions);
  spacing = spacing ? spacing : attributes.axes(group, "dx", dimensions);
  if (!spacing || !positive(*spacing, dimensions))
  {
    attributes.complain(ErrorCode::Corrupt, "\"" + group + "\" has no cell sizes, or none that can be");
    return;
  }
  level.spacing = *spacing;
  // PLUTO's "dx" is the spacing along x; these are the ratios of the others to it.
  for (std::size_t axis = 1; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    level.spacing[axis] *= attributes.number_or(group, "g_x" + std::to_string(axis + 1) + "stretch", 1.0);
  }
  if (!positive(level.spacing, dimensions))
  {
    attributes.complain(ErrorCode::Corrupt, "\"" + group + "\" has cells that are stretched to nothing");
  }
}

void read_domain(ChomboAttributes& attributes, const std::string& group, int dimensions, ChomboLevel& level)
{
  const std::string name = "prob_domain";
  if (!attributes.has(group, name))
  {
    return;
  }
  Vec3 first{ 0, 0, 0 };
  Vec3 last{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    const auto side = [&](const std::string& member)
    {
      const std::vector<double> one = attributes.take(attributes.file().attribute_member(group, name, member));
      return one.size() == 1 ? one[0] : std::nan("");
    };
    first[axis] = side(std::string("lo_") + kAxes[axis]);
    last[axis] = side(std::string("hi_") + kAxes[axis]);
  }
  // Each axis by itself, because the domain of a fine level may have more cells than a patch may have.
  Box domain;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::optional<Box> side = box_of({ first[axis], 0, 0 }, { last[axis], 0, 0 });
    if (!side)
    {
      return attributes.complain(ErrorCode::Corrupt, "the domain of \"" + group + "\" has no cells");
    }
    domain.begin[axis] = side->begin[0];
    domain.end[axis] = side->end[0];
  }
  level.domain = domain;
}

/// Fails for data that is not cell-centred. Chombo stores the centring of its data, AMReX that of its boxes.
void refuse_what_is_not_of_cells(ChomboAttributes& attributes, const std::string& group, int dimensions)
{
  const std::string remedy = "write a plot file with values of cells";
  if (attributes.has(group + "/data_attributes", "objectType"))
  {
    const std::string kind = attributes.text(group + "/data_attributes", "objectType");
    if (attributes.good() && kind != "FArrayBox")
    {
      attributes.complain(ErrorCode::Unsupported,
          "the data of \"" + group + "\" are of type \"" + kind + "\", not values of cells (FArrayBox)", remedy);
    }
  }
  std::optional<Vec3> nodes = attributes.axes(group, "domain_type", dimensions);
  bool of_nodes = nodes && *nodes != Vec3{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions) && attributes.file().has(group + "/boxcenter");
       ++axis)
  {
    for (const double one : attributes.take(attributes.file().member(group + "/boxcenter", kAxes[axis])))
    {
      of_nodes = of_nodes || one != 0.0;
    }
  }
  if (of_nodes)
  {
    attributes.complain(ErrorCode::Unsupported, "the values of \"" + group + "\" belong to nodes or faces", remedy);
  }
}

void read_boxes(ChomboAttributes& attributes, const std::string& group, int dimensions, ChomboLevel& level)
{
  const hdf5::LibraryFile& file = attributes.file();
  const std::vector<std::int64_t> size = attributes.take(file.dimensions(group + "/boxes"));
  if (!attributes.good() || size.empty() || size[0] == 0)
  {
    return; // a level without data
  }
  std::array<std::vector<double>, 6> sides;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    sides[axis] = attributes.take(file.member(group + "/boxes", std::string("lo_") + kAxes[axis]));
    sides[axis + 3] = attributes.take(file.member(group + "/boxes", std::string("hi_") + kAxes[axis]));
  }
  if (!attributes.good())
  {
    return;
  }
  level.boxes.reserve(sides[0].size());
  for (std::size_t i = 0; i < sides[0].size(); ++i)
  {
    Vec3 first{ 0, 0, 0 };
    Vec3 last{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
    {
      first[axis] = sides[axis][i];
      last[axis] = sides[axis + 3][i];
    }
    const std::optional<Box> box = box_of(first, last);
    if (!box)
    {
      attributes.complain(ErrorCode::Corrupt,
          "box " + std::to_string(i) + " of \"" + group + "\" has no cells, or is beyond all bounds");
      return;
    }
    level.boxes.push_back(*box);
  }
}

void read_offsets(ChomboAttributes& attributes, const std::string& group, ChomboLevel& level)
{
  if (level.boxes.empty())
  {
    return;
  }
  const std::string name = group + "/data:offsets=0";
  if (attributes.good() && !attributes.file().has(name))
  {
    attributes.complain(ErrorCode::NotFound,
        "there is no \"" + name +
            "\": this is a checkpoint, from which the program restarts, or another file than a plot",
        "open a plot file of the run (often plot.*.hdf5)");
  }
  level.offsets = attributes.take(attributes.file().integers(name));
  if (attributes.good() && level.offsets.size() != level.boxes.size() + 1)
  {
    attributes.complain(ErrorCode::Corrupt, "\"" + name + "\" has " + std::to_string(level.offsets.size()) +
                                                " places for " + std::to_string(level.boxes.size()) + " boxes");
  }
}

/// Reads the number of ghost layers that are stored. Several candidates if the file only has their number in memory.
void read_ghosts(ChomboAttributes& attributes, const std::string& group, int dimensions, ChomboLevel& level)
{
  const auto layers = [&](const std::string& object, const std::string& name)
  {
    const std::optional<Vec3> numbers = attributes.axes(object, name, dimensions);
    if (!numbers)
    {
      return false;
    }
    Int3 ghosts{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double number = (*numbers)[axis];
      if (!(number >= 0 && number <= kMostGhosts && number == std::floor(number)))
      {
        attributes.complain(ErrorCode::Corrupt, "\"" + object + "\" has a number of ghost layers that cannot be");
        return true;
      }
      ghosts[axis] = static_cast<std::int32_t>(number);
    }
    level.ghosts.push_back(ghosts);
    return true;
  };
  const std::string data = group + "/data_attributes";
  if (attributes.file().has(data) && layers(data, "outputGhost"))
  {
    return;
  }
  level.ghosts.push_back({ 0, 0, 0 });
  if (!(attributes.file().has(data) && layers(data, "ghost")))
  {
    layers(group, "ngrow");
  }
}

} // namespace

void ChomboAttributes::complain(ErrorCode code, const std::string& what, const std::string& remedy)
{
  if (!error_)
  {
    error_ = Error{ code, what, remedy, file_.path() };
  }
}

double ChomboAttributes::number(const std::string& object, const std::string& name)
{
  const std::vector<double> numbers = take(file_.attribute_numbers(object, name));
  if (good() && (numbers.size() != 1 || !std::isfinite(numbers[0])))
  {
    complain(ErrorCode::Corrupt, "\"" + name + "\" of \"" + object + "\" is not one number");
  }
  return good() ? numbers[0] : 0.0;
}

std::int64_t ChomboAttributes::count(
    const std::string& object, const std::string& name, std::int64_t least, std::int64_t most)
{
  const double value = number(object, name);
  if (good() && !(value >= static_cast<double>(least) && value <= static_cast<double>(most)))
  {
    complain(ErrorCode::Corrupt, "\"" + name + "\" of \"" + object + "\" is " + std::to_string(value));
  }
  return good() ? static_cast<std::int64_t>(value) : least;
}

std::optional<Vec3> ChomboAttributes::axes(const std::string& object, const std::string& name, int dimensions)
{
  if (!good() || !has(object, name))
  {
    return std::nullopt;
  }
  const auto used = static_cast<std::size_t>(dimensions);
  std::vector<double> numbers;
  if (Result<std::vector<double>> plain = file_.attribute_numbers(object, name))
  {
    numbers = std::move(*plain);
  }
  else
  {
    for (std::size_t axis = 0; axis < used; ++axis)
    {
      Result<std::vector<double>> one = file_.attribute_member(object, name, kIntegers[axis]);
      one = one ? std::move(one) : file_.attribute_member(object, name, kReals[axis]);
      const std::vector<double> values = take(std::move(one));
      numbers.insert(numbers.end(), values.begin(), values.end());
    }
  }
  if (numbers.size() == 1)
  {
    numbers.resize(used, numbers[0]);
  }
  if (numbers.size() < used)
  {
    complain(ErrorCode::Corrupt, "\"" + name + "\" of \"" + object + "\" has not one number for each of " +
                                     std::to_string(dimensions) + " axes");
    return std::nullopt;
  }
  Vec3 vector{ 0, 0, 0 };
  std::copy_n(numbers.begin(), used, vector.begin());
  return vector;
}

std::string ChomboAttributes::text(const std::string& object, const std::string& name)
{
  const std::vector<std::string> texts = take(file_.attribute_texts(object, name));
  if (texts.empty())
  {
    complain(ErrorCode::Corrupt, "\"" + name + "\" of \"" + object + "\" is empty");
    return {};
  }
  const std::size_t begin = texts[0].find_first_not_of(' ');
  return begin == std::string::npos ? std::string()
                                    : texts[0].substr(begin, texts[0].find_last_not_of(' ') + 1 - begin);
}

std::string chombo_level_name(std::int64_t level)
{
  return "level_" + std::to_string(level);
}

ChomboLevel read_chombo_level(ChomboAttributes& attributes, std::int64_t number, int dimensions)
{
  const std::string group = chombo_level_name(number);
  ChomboLevel level;
  if (!attributes.file().has(group))
  {
    attributes.complain(ErrorCode::Corrupt, "there is no \"" + group + "\", though the file says that there is");
    return level;
  }
  refuse_what_is_not_of_cells(attributes, group, dimensions);
  read_spacing(attributes, group, dimensions, level);
  level.ratio = attributes.axes(group, "vec_ref_ratio", dimensions);
  level.ratio = level.ratio ? level.ratio : attributes.axes(group, "ref_ratio", dimensions);
  read_domain(attributes, group, dimensions, level);
  read_ghosts(attributes, group, dimensions, level);
  if (attributes.good())
  {
    read_boxes(attributes, group, dimensions, level);
  }
  if (attributes.good())
  {
    read_offsets(attributes, group, level);
  }
  return level;
}

} // namespace rivulet
