// SPDX-License-Identifier: BSD-3-Clause
#include "PublishedMesh.h"

namespace rivulet::catalyst2
{

PublishedMesh::PublishedMesh(Outline outline, const std::vector<Domain>& domains, JoinedCells cells, const Wants& wants)
  : outline_(std::move(outline))
  , cells_(std::move(cells))
{
  mesh_.name = outline_.name.c_str();
  set_points(domains);
  cells_.describe(mesh_);
  at_points_ = arrays_of(outline_.nodes, domains, &Domain::at_nodes, wants);
  mesh_.point_arrays = static_cast<std::int32_t>(at_points_.size());
  mesh_.at_point = at_points_.data();
  at_cells_ = arrays_of(outline_.cells, domains, &Domain::at_cells, wants);
  mesh_.cell_arrays = static_cast<std::int32_t>(at_cells_.size());
  mesh_.at_cell = at_cells_.data();
}

void PublishedMesh::set_points(const std::vector<Domain>& domains)
{
  std::vector<const Values*> parts;
  for (const Domain& each : domains)
  {
    parts.push_back(&each.grid.points);
    mesh_.points += each.grid.vertices;
    mesh_.real = each.grid.points.type;
  }
  points_ = JoinedValues(parts, 3, true);
  mesh_.point = points_.data();
}

std::vector<rivulet_array> PublishedMesh::arrays_of(const std::vector<VariableOutline>& variables,
    const std::vector<Domain>& domains, std::vector<Values> Domain::*values, const Wants& wants)
{
  std::vector<rivulet_array> arrays;
  for (std::size_t i = 0; i < variables.size(); ++i)
  {
    const VariableOutline& variable = variables[i];
    if (!wants(variable.name))
    {
      continue;
    }
    std::vector<const Values*> parts;
    for (const Domain& each : domains)
    {
      parts.push_back(&(each.*values)[i]);
    }
    const JoinedValues& joined = joined_.emplace_back(parts, variable.components, false);
    arrays.push_back({ variable.name.c_str(), variable.type, variable.components, joined.data(), joined.stride(), 0 });
  }
  return arrays;
}

} // namespace rivulet::catalyst2
