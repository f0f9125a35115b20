// SPDX-License-Identifier: BSD-3-Clause
#include "Mesh.h"

#include "GhostMarks.h"
#include "GridShape.h"

#include <algorithm>

namespace rivulet::catalyst2
{

namespace
{

/// A part with this name, which is made if there is none.
Part& part_of(std::vector<Part>& parts, const std::string& name)
{
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.name == name; });
  return found != parts.end() ? *found : parts.emplace_back(Part{ name, {} });
}

/// True if a field belongs to a topology; an error if it names none.
Result<bool> is_on(const Place& field, const std::string& topology)
{
  Result<std::string> name = field.need_text("topology");
  return name ? Result<bool>(*name == topology) : forward_error(name);
}

/// Places in a mesh that nothing is made of.
void tell_of_other_parts(const Place& mesh, Teller& teller)
{
  for (const char* const name : { "matsets", "specsets", "adjsets" })
  {
    if (const auto found = mesh.find(name))
    {
      teller.warn(found->refuse("it is not translated", "publish what analytics need as fields").value());
    }
  }
}

bool is_flat(const GridShape& grid)
{
  return std::find(grid.cells.begin(), grid.cells.end(), 0) != grid.cells.end();
}

/// One field's values, to cells or to nodes.
Result<void> add_values(const Place& field, Domain& domain)
{
  Result<std::string> at = field.need_text("association");
  Result<Place> place = field.need("values");
  Result<Values> values = place ? values_at(*place, field.name()) : forward_error(place);
  if (!at || !values)
  {
    return !at ? forward_error(at) : forward_error(values);
  }
  const bool of_cells = *at == "element";
  if (!of_cells && *at != "vertex")
  {
    return field.refuse("the association \"" + *at + "\" is unknown", "publish values of \"element\" or \"vertex\"");
  }
  if (of_cells && domain.grid.kind == GridKind::Structured && is_flat(domain.grid))
  {
    return field.refuse("values of cells of a flat structured grid are not translated", "publish values of its nodes");
  }
  const std::int64_t wanted = of_cells ? domain.grid.elements : domain.grid.vertices;
  if (values->count != wanted)
  {
    return place->refuse("there are " + std::to_string(values->count) + " values, but the topology has " +
                             std::to_string(wanted) + " of " + *at + " association",
        "publish one for each");
  }
  (of_cells ? domain.at_cells : domain.at_nodes).push_back(std::move(*values));
  return {};
}

/// Values and ghost layers. A field that cannot be translated is told of, and left out.
Result<void> add_fields(const Place& mesh, const std::string& topology, Domain& domain, Teller& teller)
{
  const std::optional<Place> fields = mesh.find("fields");
  for (const Place& field : fields ? fields->children() : std::vector<Place>())
  {
    Result<bool> here = is_on(field, topology);
    if (here && !*here)
    {
      continue;
    }
    if (here && marks_ghosts(mesh, field))
    {
      if (Result<void> applied = apply_ghost_marks(field, domain); !applied)
      {
        return applied;
      }
      continue;
    }
    const Result<void> added = here ? add_values(field, domain) : forward_error(here);
    if (!added)
    {
      teller.warn(added.error());
    }
  }
  return {};
}

Result<Domain> domain_of(const Place& mesh, const Place& topology, bool levels, Teller& teller)
{
  Domain domain;
  Result<GridShape> grid = shape_of(mesh, topology);
  if (!grid)
  {
    return forward_error(grid);
  }
  domain.grid = std::move(*grid);
  if (levels)
  {
    Result<std::int64_t> level = mesh.need_integer("state/level");
    if (!level)
    {
      return forward_error(level);
    }
    if (*level < 0 || *level > 100 || domain.grid.kind != GridKind::Uniform)
    {
      return topology.refuse("it is not uniform, or its level is not in [0, 100]",
          "publish uniform topologies as levels, and number them from 0");
    }
    domain.level = static_cast<int>(*level);
  }
  Result<void> added = add_fields(mesh, topology.name(), domain, teller);
  return added ? Result<Domain>(std::move(domain)) : forward_error(added);
}

Result<void> add_domain(
    const Place& mesh, const std::string& name, bool levels, std::vector<Part>& parts, Teller& teller)
{
  Result<Place> topologies = mesh.need("topologies");
  if (!topologies)
  {
    return forward_error(topologies);
  }
  tell_of_other_parts(mesh, teller);
  const std::vector<Place> all = topologies->children();
  for (const Place& topology : all)
  {
    Result<Domain> domain = domain_of(mesh, topology, levels, teller);
    if (!domain)
    {
      return forward_error(domain);
    }
    part_of(parts, all.size() == 1 ? name : name + "/" + topology.name()).domains.push_back(std::move(*domain));
  }
  return {};
}

} // namespace

Result<void> add_mesh(const Place& mesh, const std::string& name, bool levels, std::vector<Part>& parts, Teller& teller)
{
  if (mesh.find("coordsets"))
  {
    return add_domain(mesh, name, levels, parts, teller);
  }
  for (const Place& domain : mesh.children())
  {
    if (Result<void> added = add_domain(domain, name, levels, parts, teller); !added)
    {
      return added;
    }
  }
  return {};
}

} // namespace rivulet::catalyst2
