// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/FieldRules.h"

#include "Base/Bytes.h"
#include "Io/FieldFile/Fixed16.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace rivulet
{

namespace
{

constexpr std::int64_t kTooMuch = std::int64_t{ 1 } << 62;
constexpr std::array<const char*, 3> kAxisNames{ "x", "y", "z" };

template <class Values>
bool all_finite(const Values& values)
{
  for (const double value : values)
  {
    if (!std::isfinite(value))
    {
      return false;
    }
  }
  return true;
}

double determinant(const Mat3& m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

std::string defect_of_counts(const Grid& grid)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (grid.nodes[axis] < 1 || grid.nodes[axis] > kMostNodes)
    {
      return "the grid has " + std::to_string(grid.nodes[axis]) + " nodes along " + kAxisNames[axis];
    }
    if (grid.first[axis] < -kMostNodes || grid.first[axis] > kMostNodes)
    {
      return std::string("the grid's first index along ") + kAxisNames[axis] + " is out of range";
    }
  }
  const std::int64_t plane = checked_product(grid.nodes[0], grid.nodes[1]);
  return checked_product(plane, grid.nodes[2]) < 0 ? "the grid has too many nodes" : "";
}

std::string defect_of_uniform(const Grid& grid)
{
  if (!all_finite(grid.origin) || !all_finite(grid.spacing) || !all_finite(grid.direction))
  {
    return "the grid's origin, spacing or direction is not finite";
  }
  if (grid.spacing[0] == 0.0 || grid.spacing[1] == 0.0 || grid.spacing[2] == 0.0)
  {
    return "the grid's spacing is zero";
  }
  const double value = determinant(grid.direction); // not finite where products of huge numbers overflow
  return value == 0.0 || !std::isfinite(value) ? "the grid's direction matrix is singular" : "";
}

std::string defect_of_axes(const Grid& grid)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& values = grid.axes[axis];
    if (values.size() != static_cast<std::size_t>(grid.nodes[axis]))
    {
      return "the " + std::string(kAxisNames[axis]) + " axis has " + std::to_string(values.size()) + " positions for " +
             std::to_string(grid.nodes[axis]) + " nodes";
    }
    if (!go_one_way(values))
    {
      return "the positions along the " + std::string(kAxisNames[axis]) + " axis do not go one way";
    }
  }
  return "";
}

std::string defect_of(const Variable& variable)
{
  if (variable.name.empty() || variable.name.size() > kMostNameBytes || variable.name.find('\0') != std::string::npos)
  {
    return "a variable's name is empty, longer than 255 bytes or holds a zero byte";
  }
  if (variable.components < 1 || variable.components > 9)
  {
    return "variable \"" + variable.name + "\" has " + std::to_string(variable.components) + " components, not 1 to 9";
  }
  return "";
}

/// About the places of a curvilinear grid's nodes. Without them the grid's are in another file.
std::string defect_of_points(const FieldInfo& info)
{
  if (info.points < 0)
  {
    return "";
  }
  if (info.grid.kind != Grid::Kind::Curvilinear || static_cast<std::size_t>(info.points) + 1 != info.variables.size())
  {
    return "the places of the nodes are not the last variable of a curvilinear grid";
  }
  const Variable& places = info.variables.back();
  if (places.components != 3 || places.centering != Centering::Node || places.whole != WholeType::None)
  {
    return "variable \"" + places.name + "\" is no place of nodes: it has not three floating-point numbers at each";
  }
  bool sound = info.points_steps.empty() || info.points_steps.size() == info.times.size();
  for (std::size_t step = 0; step < info.points_steps.size(); ++step)
  {
    const std::int32_t stored = info.points_steps[step];
    sound = sound && (static_cast<std::size_t>(stored) == step || (step > 0 && stored == info.points_steps[step - 1]));
  }
  return sound ? "" : "the steps with places of nodes are in no order";
}

} // namespace

bool go_one_way(const std::vector<double>& values, std::size_t from)
{
  const double sign = values.size() > 1 && values[1] < values[0] ? -1.0 : 1.0;
  for (std::size_t i = from; i < values.size(); ++i)
  {
    if (!std::isfinite(values[i]) || (i > 0 && !(sign * values[i] > sign * values[i - 1])))
    {
      return false;
    }
  }
  return true;
}

std::int64_t checked_product(std::int64_t a, std::int64_t b)
{
  std::int64_t product = 0;
  const bool overflows = __builtin_mul_overflow(a, b, &product);
  return a < 0 || b < 0 || overflows || product >= kTooMuch ? -1 : product;
}

std::string defect_of(const Grid& grid)
{
  if (std::string defect = defect_of_counts(grid); !defect.empty())
  {
    return defect;
  }
  switch (grid.kind)
  {
  case Grid::Kind::Uniform:
    return defect_of_uniform(grid);
  case Grid::Kind::Rectilinear:
    return defect_of_axes(grid);
  case Grid::Kind::Curvilinear:
    break;
  }
  return "";
}

std::string defect_of(const std::vector<double>& times)
{
  if (times.empty())
  {
    return "there are no time steps";
  }
  if (times.size() > kMostSteps)
  {
    return "there are " + std::to_string(times.size()) + " time steps, more than 2^24";
  }
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    if (!std::isfinite(times[step]) || (step > 0 && !(times[step] > times[step - 1])))
    {
      return "the time of step " + std::to_string(step) + " is not finite or not after the one before";
    }
  }
  return "";
}

std::string defect_of(const std::vector<Variable>& variables)
{
  std::set<std::string> names;
  for (const Variable& variable : variables)
  {
    if (std::string defect = defect_of(variable); !defect.empty())
    {
      return defect;
    }
    if (!names.insert(variable.name).second)
    {
      return "two variables are called \"" + variable.name + "\"";
    }
  }
  return variables.empty() ? "there are no variables" : "";
}

void add_points(FieldInfo& info, ScalarType type)
{
  const auto is_taken = [&](const std::string& name)
  {
    return std::any_of(
        info.variables.begin(), info.variables.end(), [&](const Variable& variable) { return variable.name == name; });
  };
  std::string name = "points";
  for (int number = 2; is_taken(name); ++number)
  {
    name = "points " + std::to_string(number);
  }
  Grid grid;
  grid.kind = Grid::Kind::Curvilinear;
  grid.nodes = info.grid.nodes;
  grid.first = info.grid.first;
  info.grid = grid;
  info.points = static_cast<std::int32_t>(info.variables.size());
  info.variables.push_back({ .name = name, .type = type, .components = 3 });
  info.points_steps.assign(info.times.size(), 0);
}

std::string defect_of(const FieldInfo& info)
{
  for (std::string defect :
      { defect_of(info.grid), defect_of(info.times), defect_of(info.variables), defect_of_points(info) })
  {
    if (!defect.empty())
    {
      return defect;
    }
  }
  return "";
}

std::int64_t BrickLayout::slot_bytes() const
{
  // Codes are two bytes each and are decoded in ascending order.
  const std::int64_t growth = encoding == Encoding::Plain ? 0 : values - payload;
  return stride + round_up(std::max<std::int64_t>(0, growth), kPage);
}

Int3 usual_brick_cells(Encoding encoding, const Int3& nodes)
{
  const bool plain = encoding == Encoding::Plain;
  const auto thick = std::count_if(nodes.begin(), nodes.end(), [](std::int32_t along) { return along > 2; });
  const std::int32_t side = thick == 3 ? (plain ? 9 : 10) : thick == 2 ? (plain ? 30 : 35) : (plain ? 999 : 1330);
  return { side, side, side };
}

Int3 brick_cells_or_usual(const Int3& wanted, Encoding encoding, const Int3& nodes)
{
  return wanted == kUsualBrick ? usual_brick_cells(encoding, nodes) : wanted;
}

Result<BrickLayout> make_layout(const Grid& grid, const Variable& variable, const Int3& wanted, Encoding encoding)
{
  const Int3 brick_cells = brick_cells_or_usual(wanted, encoding, grid.nodes);
  BrickLayout layout;
  layout.encoding = encoding;
  const Int3 cells = grid.cells();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (brick_cells[axis] < 1)
    {
      return fail(ErrorCode::BadArgument, "a brick needs at least one cell along each axis", "choose larger bricks");
    }
    // Cells do not share their values, so bricks of them have no shared layer.
    const std::int32_t shared = variable.centering == Centering::Node && grid.nodes[axis] > 1 ? 1 : 0;
    layout.cells[axis] = std::min(brick_cells[axis], cells[axis]);
    layout.nodes[axis] = layout.cells[axis] + shared;
    layout.grid.count[axis] = (cells[axis] - 1) / layout.cells[axis] + 1;
  }
  layout.grid.cells = layout.cells;
  layout.grid.lattice = grid.lattice(variable.centering);
  const std::int64_t plane = checked_product(layout.nodes[0], layout.nodes[1]);
  const std::int64_t points = plane < 0 ? -1 : checked_product(plane, layout.nodes[2]);
  layout.values = points < 0 ? -1 : checked_product(points, static_cast<std::int64_t>(variable.tuple_bytes()));
  if (layout.values < 0 || layout.values > kMostBrickBytes)
  {
    return fail(ErrorCode::BadArgument,
        "a brick of variable \"" + variable.name + "\" would be larger than " + format_bytes(kMostBrickBytes),
        "choose smaller bricks");
  }
  layout.payload = encoding == Encoding::Plain ? layout.values : fixed16_bytes(variable.components, points);
  layout.stride = round_up(layout.payload + static_cast<std::int64_t>(sizeof(BrickTrailer)), kPage);
  if (checked_product(layout.grid.size(), layout.stride) < 0)
  {
    return fail(ErrorCode::BadArgument, "variable \"" + variable.name + "\" has too many bricks", "choose larger ones");
  }
  return layout;
}

std::string link_name(const std::string& variable_name)
{
  static constexpr const char* digits = "0123456789ABCDEF";
  std::string link;
  for (const char letter : variable_name)
  {
    if (letter == '/' || letter == '%' || (letter == '.' && link.empty()))
    {
      const auto code = static_cast<unsigned char>(letter);
      link += { '%', digits[code / 16], digits[code % 16] };
    }
    else
    {
      link += letter;
    }
  }
  return link;
}

} // namespace rivulet
