// SPDX-License-Identifier: BSD-3-Clause
#include "PublishedField.h"

#include <algorithm>

namespace rivulet::catalyst2
{

namespace
{

/// Layers of ghosts above, in the way of rivulet_block: 0 means as many as below.
std::int32_t layers_above(std::int64_t below, std::int64_t above)
{
  if (above == below)
  {
    return 0;
  }
  return above == 0 ? RIVULET_NO_GHOSTS : static_cast<std::int32_t>(above);
}

rivulet_variable variable_of(const char* name, const Values& values)
{
  rivulet_variable made{};
  made.name = name;
  made.type = values.type;
  made.components = values.components;
  made.separate = values.separate ? 1 : 0;
  made.stride = values.stride;
  return made;
}

} // namespace

PublishedField::PublishedField(std::string name, std::int32_t centring, const std::vector<VariableOutline>& variables,
    const std::vector<Domain>& domains, const Extent& extent, GridKind kind, const std::vector<Values>& points)
  : name_(std::move(name))
  , centring_(centring)
  , domains_(domains)
{
  set_variables(variables);
  set_blocks(extent, points);
  set_grid(extent, kind);
  if (kind == GridKind::Structured)
  {
    set_points(points);
  }
}

const std::vector<Values>& PublishedField::values_of(const Domain& domain) const
{
  return centring_ == RIVULET_CELLS ? domain.at_cells : domain.at_nodes;
}

void PublishedField::set_variables(const std::vector<VariableOutline>& variables)
{
  std::transform(
      variables.begin(), variables.end(), std::back_inserter(names_), [](const auto& each) { return each.name; });
  for (std::size_t i = 0; i < variables.size(); ++i)
  {
    Values values;
    values.type = variables[i].type;
    values.components = variables[i].components;
    variables_.push_back(variable_of(names_[i].c_str(), domains_.empty() ? values : values_of(domains_.front())[i]));
  }
  field_.variables = static_cast<std::int32_t>(variables_.size());
  field_.variable = variables_.data();
}

void PublishedField::set_blocks(const Extent& extent, const std::vector<Values>& points)
{
  const std::int64_t least = centring_ == RIVULET_CELLS ? 1 : 0; // cells along an axis without extent
  for (std::size_t i = 0; i < domains_.size(); ++i)
  {
    const Domain& domain = domains_[i];
    std::vector<const void*>& data = data_.emplace_back();
    for (const Values& values : values_of(domain))
    {
      data.insert(data.end(), values.first.begin(), values.first.end());
    }
    rivulet_block block{};
    block.level = domain.level;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      block.begin[axis] = extent.begin[i][axis];
      block.cells[axis] = std::max(domain.inner(axis), least);
      block.ghosts[axis] = static_cast<std::int32_t>(domain.below[axis]);
      block.ghosts_above[axis] = layers_above(domain.below[axis], domain.above[axis]);
    }
    block.data = data.data();
    block.points = points.empty() ? nullptr : points[i].first.data();
    blocks_.push_back(block);
  }
  field_.blocks = static_cast<std::int32_t>(blocks_.size());
  field_.block = blocks_.data();
}

void PublishedField::set_grid(const Extent& extent, GridKind kind)
{
  field_.name = name_.c_str();
  field_.centring = centring_;
  field_.levels = static_cast<std::int32_t>(extent.ratio.size() / 3) + 1;
  field_.ratio = extent.ratio.empty() ? nullptr : extent.ratio.data();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    field_.origin[axis] = extent.origin[axis];
    const bool layer = centring_ == RIVULET_CELLS && extent.cells[axis] == 0;
    field_.spacing[axis] = layer ? extent.thickness[axis] : extent.spacing[axis];
    field_.cells[axis] = layer ? 1 : extent.cells[axis];
    if (kind == GridKind::Rectilinear)
    {
      coordinates_[axis] = extent.coordinates[axis];
      if (layer)
      {
        coordinates_[axis].push_back(coordinates_[axis].front() + extent.thickness[axis]);
      }
      field_.coordinates[axis] = coordinates_[axis].data();
    }
  }
}

void PublishedField::set_points(const std::vector<Values>& points)
{
  Values values;
  values.type = RIVULET_FLOAT64;
  values.components = 3;
  points_ = variable_of(nullptr, points.empty() ? values : points.front());
  field_.points = &points_;
}

} // namespace rivulet::catalyst2
