// SPDX-License-Identifier: BSD-3-Clause
#include "Fields/FieldChoice.h"

#include "Io/FieldFile/FieldRules.h"
#include "Plugin/Choose.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <span>

namespace rivulet
{

namespace
{

std::string called(const rivulet_field& field)
{
  return "the field \"" + std::string(field.name) + "\"";
}

tl::unexpected<Error> refuse(const std::string& what, const std::string& remedy = {})
{
  return fail(ErrorCode::BadArgument, what, remedy);
}

std::span<const rivulet_block> blocks_of(const rivulet_field& field)
{
  return { field.block, static_cast<std::size_t>(field.blocks) };
}

std::span<const rivulet_variable> variables_of(const rivulet_field& field)
{
  return { field.variable, static_cast<std::size_t>(field.variables) };
}

constexpr std::int32_t kMostLevels = 100; ///< as readers of dumps allow
constexpr std::int32_t kMostRatio = 1024;

bool too_many_cells(std::int64_t cells)
{
  return cells >= std::numeric_limits<std::int32_t>::max();
}

/// Refuses numbers of levels, and centrings and coordinates that several levels cannot have.
Result<void> check_level_count(const rivulet_field& field, const FieldSelection& wish)
{
  const std::string levels = called(field) + " has " + std::to_string(field.levels) + " levels";
  if (field.levels < 1 || field.levels > kMostLevels)
  {
    return refuse(levels, "publish 1 to " + std::to_string(kMostLevels));
  }
  if (field.levels > 1 && !wish.levels)
  {
    return refuse(levels, "choose a field on a uniform grid, or write this one by the analytics store");
  }
  if (field.levels > 1 && field.centring != RIVULET_CELLS)
  {
    return refuse(levels + ", and its values are at nodes", "publish values of cells");
  }
  const bool uneven = std::any_of(
      std::begin(field.coordinates), std::end(field.coordinates), [](const double* along) { return along != nullptr; });
  return field.levels > 1 && uneven ? refuse(levels + ", and is rectilinear", "publish evenly spaced cells")
                                    : Result<void>();
}

/// Ratios of a field with levels, and the cells that follow from them.
Result<void> check_ratios(const rivulet_field& field)
{
  if (field.levels > 1 && field.ratio == nullptr)
  {
    return refuse(called(field) + " has " + std::to_string(field.levels) + " levels, and no ratios",
        "set the member \"ratio\": three numbers for each finer level");
  }
  for (std::int32_t level = 1; level < field.levels; ++level)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::int32_t ratio = field.ratio[3 * static_cast<std::size_t>(level - 1) + axis];
      const std::string of = "level " + std::to_string(level) + " of " + called(field);
      if (ratio < 1 || ratio > kMostRatio)
      {
        return refuse(of + " has " + std::to_string(ratio) + " cells along " + "xyz"[axis] + " in a cell of level " +
                          std::to_string(level - 1),
            "publish ratios from 1 to " + std::to_string(kMostRatio));
      }
      if (too_many_cells(cells_of_level(field, level, axis)))
      {
        return refuse(of + " has too many cells along " + "xyz"[axis], "publish fewer levels");
      }
    }
  }
  return {};
}

/// Cells along each axis; of a grid without points of its own also where it lies.
Result<void> check_axes(const rivulet_field& field)
{
  const std::int64_t least = field.centring == RIVULET_NODES ? 0 : 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (field.cells[axis] < least || too_many_cells(field.cells[axis]))
    {
      return refuse(called(field) + " has " + std::to_string(field.cells[axis]) + " cells along " + "xyz"[axis]);
    }
    const double spacing = field.spacing[axis];
    const bool sound = std::isfinite(field.origin[axis]) && std::isfinite(spacing) && spacing != 0.0 &&
                       (field.levels == 1 || spacing > 0.0);
    if (field.points == nullptr && !sound)
    {
      return refuse(called(field) + " has no sound origin and spacing along " + "xyz"[axis]);
    }
  }
  return {};
}

/// Refuses curvilinear fields that the wish cannot have.
Result<void> check_points(const rivulet_field& field, const FieldSelection& wish)
{
  if (field.points != nullptr && !wish.curvilinear)
  {
    return refuse(called(field) + " is curvilinear",
        "write it by the analytics store, show it by the analytics catalyst, or choose another field");
  }
  return field.points != nullptr && wish.cells_as_nodes && field.centring == RIVULET_CELLS
             ? refuse(called(field) + " is curvilinear, and the middles of its cells are no grid",
                   "leave out the option \"cells\"")
             : Result<void>();
}

Result<void> check_grid(const rivulet_field& field, const FieldSelection& wish)
{
  Result<void> sound = check_level_count(field, wish);
  sound = sound ? check_points(field, wish) : std::move(sound);
  if (!sound)
  {
    return sound;
  }
  if (field.centring != RIVULET_CELLS && field.centring != RIVULET_NODES)
  {
    return refuse(called(field) + " has no known centring");
  }
  sound = check_axes(field);
  return sound ? check_ratios(field) : sound;
}

/// A block outside of the domain.
tl::unexpected<Error> refuse_place(const rivulet_field& field, std::int32_t number, std::size_t axis)
{
  if (field.levels == 1)
  {
    return refuse("a block of " + called(field) + " does not lie in the domain along " + "xyz"[axis]);
  }
  const rivulet_block& block = field.block[number];
  return refuse("patch " + std::to_string(number) + " of this rank, of level " + std::to_string(block.level) + " of " +
                    called(field) + ", does not lie in the domain along " + "xyz"[axis] + ": it has cells " +
                    std::to_string(block.begin[axis]) + " to " + std::to_string(block.begin[axis] + block.cells[axis]) +
                    " of " + std::to_string(cells_of_level(field, block.level, axis)),
      "publish patches by the cells of their own level, counted from the corner of the domain");
}

Result<void> check_block(const rivulet_field& field, std::int32_t number)
{
  const rivulet_block& block = field.block[number];
  if (block.level < 0 || block.level >= field.levels)
  {
    return refuse("patch " + std::to_string(number) + " of this rank is of level " + std::to_string(block.level) +
                      ", and " + called(field) + " has " + std::to_string(field.levels) + " levels",
        "publish levels from 0 to " + std::to_string(field.levels - 1));
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t cells = cells_of_level(field, block.level, axis);
    const bool inside = block.begin[axis] >= 0 && block.begin[axis] <= cells &&
                        block.cells[axis] >= std::min<std::int64_t>(1, cells) &&
                        block.cells[axis] <= cells - block.begin[axis];
    if (!inside || block.ghosts[axis] < 0)
    {
      return refuse_place(field, number, axis);
    }
  }
  return {};
}

Result<Variable> variable_of(const rivulet_field& field, int number, const FieldSelection& wish, Centering centring)
{
  const rivulet_variable& published = field.variable[number];
  const std::string name = published.name;
  const bool floats = published.type == RIVULET_FLOAT32 || published.type == RIVULET_FLOAT64;
  if (!floats && (!wish.type || published.type < RIVULET_FLOAT32 || published.type > RIVULET_UINT8))
  {
    return refuse("the variable \"" + name + "\" of " + called(field) + " has values of integers",
        "leave it out by the option \"variables\", or set a \"type\"");
  }
  if (published.components < 1 || published.components > 9)
  {
    return refuse("the variable \"" + name + "\" of " + called(field) + " has " + std::to_string(published.components) +
                  " components");
  }
  for (const rivulet_block& block : blocks_of(field))
  {
    if (block.data == nullptr || block.data[number] == nullptr)
    {
      return refuse("a block of " + called(field) + " has no values of \"" + name + "\"");
    }
  }
  const ScalarType own = published.type == RIVULET_FLOAT64 ? ScalarType::Float64 : ScalarType::Float32;
  return Variable{ name, wish.type.value_or(own), published.components, centring };
}

/// Positions of the nodes along an axis; `moved`: of the middles of cells.
std::vector<double> axis_of(const rivulet_field& field, std::size_t axis, bool moved)
{
  const double* const given = field.coordinates[axis];
  const auto node = [&](std::int64_t i)
  {
    return given != nullptr ? given[i] : field.origin[axis] + field.spacing[axis] * static_cast<double>(i);
  };
  std::vector<double> places;
  for (std::int64_t i = 0; i < field.cells[axis] + (moved ? 0 : 1); ++i)
  {
    places.push_back(moved ? (node(i) + node(i + 1)) / 2 : node(i));
  }
  return places;
}

/// The grid of the whole domain. Its nodes are the nodes of the field, or the middles of its cells if `moved`.
Grid grid_of(const rivulet_field& field, bool moved)
{
  Grid grid;
  const bool uneven = std::any_of(
      std::begin(field.coordinates), std::end(field.coordinates), [](const double* along) { return along != nullptr; });
  grid.kind = uneven ? Grid::Kind::Rectilinear : Grid::Kind::Uniform;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.nodes[axis] = static_cast<std::int32_t>(field.cells[axis] + (moved ? 0 : 1));
    if (uneven)
    {
      grid.axes[axis] = axis_of(field, axis, moved);
      continue;
    }
    grid.origin[axis] = field.origin[axis] + (moved ? field.spacing[axis] / 2 : 0.0);
    grid.spacing[axis] = field.spacing[axis];
  }
  return grid;
}

/// Numbers of the variables that are wanted.
Result<std::vector<int>> numbers_of(const rivulet_field& field, const std::vector<std::string>& wanted)
{
  std::vector<std::string> there;
  for (const rivulet_variable& variable : variables_of(field))
  {
    there.emplace_back(variable.name);
  }
  std::vector<int> numbers;
  for (const std::string& name : wanted.empty() ? there : wanted)
  {
    const auto found = std::find(there.begin(), there.end(), name);
    if (found == there.end())
    {
      std::string all;
      for (const std::string& each : there)
      {
        all += (all.empty() ? "\"" : ", \"") + each + "\"";
      }
      return refuse(called(field).append(" has no variable \"").append(name).append("\"; it has ").append(all),
          "name one of these");
    }
    numbers.push_back(static_cast<int>(found - there.begin()));
  }
  if (numbers.empty())
  {
    return refuse(called(field) + " has no variables");
  }
  return numbers;
}

} // namespace

std::int64_t cells_per_coarsest(const rivulet_field& field, std::int32_t level, std::size_t axis)
{
  std::int64_t cells = 1;
  for (std::int32_t finer = 1; finer <= level; ++finer)
  {
    cells *= field.ratio[3 * static_cast<std::size_t>(finer - 1) + axis];
  }
  return cells;
}

std::int64_t cells_of_level(const rivulet_field& field, std::int32_t level, std::size_t axis)
{
  return field.cells[axis] * cells_per_coarsest(field, level, axis);
}

Result<ChosenField> choose_field(const rivulet_snapshot& snapshot, const FieldSelection& wish)
{
  const std::span<const rivulet_field> fields(snapshot.field, static_cast<std::size_t>(snapshot.fields));
  Result<const rivulet_field*> found = choose_by_name(fields, wish.field, "fields", "field");
  Result<void> sound = found ? check_grid(**found, wish) : forward_error(found);
  if (!sound)
  {
    return forward_error(sound);
  }
  const rivulet_field& field = **found;
  for (std::int32_t number = 0; number < field.blocks; ++number)
  {
    if (sound = check_block(field, number); !sound)
    {
      return forward_error(sound);
    }
  }
  Result<std::vector<int>> numbers = numbers_of(field, wish.variables);
  if (!numbers)
  {
    return forward_error(numbers);
  }
  ChosenField chosen{ &field, std::move(*numbers), {} };
  const bool cells = field.centring == RIVULET_CELLS;
  const bool moved = cells && wish.cells_as_nodes && field.levels == 1;
  chosen.info.grid = grid_of(field, moved);
  for (const int number : chosen.numbers)
  {
    Result<Variable> variable = variable_of(field, number, wish, cells && !moved ? Centering::Cell : Centering::Node);
    if (!variable)
    {
      return forward_error(variable);
    }
    chosen.info.variables.push_back(*variable);
  }
  if (field.points != nullptr)
  {
    const bool doubles = field.points->type == RIVULET_FLOAT64;
    add_points(chosen.info, doubles ? ScalarType::Float64 : ScalarType::Float32);
    chosen.numbers.push_back(ChosenField::kPoints);
  }
  chosen.info.ranges.resize(chosen.info.variables.size());
  return chosen;
}

} // namespace rivulet
