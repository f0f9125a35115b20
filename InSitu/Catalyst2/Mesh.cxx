// SPDX-License-Identifier: BSD-3-Clause
#include "Mesh.h"

#include "GhostMarks.h"
#include "GridShape.h"

#include <algorithm>

namespace rivulet::catalyst2
{

namespace
{

/// A part of this mesh and topology, which is made if there is none.
Part& part_of(std::vector<Part>& parts, const std::string& mesh, const std::string& topology)
{
  const auto found = std::find_if(
      parts.begin(), parts.end(), [&](const Part& each) { return each.mesh == mesh && each.topology == topology; });
  return found != parts.end() ? *found : parts.emplace_back(Part{ mesh, topology, {} });
}

/// True if a field belongs to a topology; an error if it names none.
Result<bool> is_on(const Place& field, const std::string& topology)
{
  Result<std::string> name = field.need_text("topology");
  return name ? Result<bool>(*name == topology) : forward_error(name);
}

/// Places in a mesh that nothing is made of. Levels need no nest sets: spacings say their ratios. `where`: the same for
/// all domains, which have the same places.
void tell_of_other_parts(const Place& mesh, const std::string& where, bool levels, Teller& teller)
{
  for (const char* const name : { "matsets", "specsets", "adjsets", "nestsets", "state/fields" })
  {
    const auto found = mesh.find(name);
    if (found && !(levels && found->name() == "nestsets"))
    {
      teller.warn_once(Error{ ErrorCode::Unsupported, "it is not translated", "publish what analytics need as fields",
          where + "/" + name });
    }
  }
}

bool is_flat(const GridShape& grid)
{
  return std::find(grid.cells.begin(), grid.cells.end(), 0) != grid.cells.end();
}

/// True for cells that become one layer above the plane of x and y.
bool lies_in_plane(const GridShape& grid)
{
  return grid.points.components == 2 && grid.cells[0] > 0 && grid.cells[1] > 0;
}

/// Values along each axis of a box; all values of a mesh along the first one.
Long3 sides_of(const GridShape& grid, bool of_cells)
{
  Long3 sides{ of_cells ? grid.elements : grid.vertices, 1, 1 };
  for (std::size_t axis = 0; grid.kind != GridKind::Mesh && axis < 3; ++axis)
  {
    sides[axis] = of_cells ? std::max<std::int64_t>(grid.cells[axis], 1) : grid.cells[axis] + 1;
  }
  return sides;
}

/// Values follow one another, the first axis fastest, and the first one is the first: `offsets` and `strides` of a
/// field say no more than that.
Result<void> check_layout(const Place& field, const Long3& sides)
{
  const Long3 usual{ 1, sides[0], sides[0] * sides[1] };
  for (const char* const name : { "offsets", "strides" })
  {
    const std::optional<Place> place = field.find(name);
    Result<std::vector<std::int64_t>> read =
        place ? place->integers() : Result<std::vector<std::int64_t>>(std::vector<std::int64_t>());
    if (!read)
    {
      return forward_error(read);
    }
    bool fits = read->size() <= 3;
    for (std::size_t axis = 0; fits && axis < read->size(); ++axis)
    {
      const std::int64_t wanted = *name == 'o' ? 0 : usual[axis];
      fits = (*read)[axis] == wanted || (*name == 's' && sides[axis] == 1);
    }
    if (!fits)
    {
      return place->refuse("values do not follow one another, the first axis fastest",
          "publish all values from the first one on, without gaps");
    }
  }
  return {};
}

/// True for values of cells; false for values of nodes.
Result<bool> is_of_cells(const Place& field)
{
  Result<std::string> at = field.need_text("association");
  if (at && *at != "element" && *at != "vertex")
  {
    return field.refuse("the association \"" + *at + "\" is unknown", "publish values of \"element\" or \"vertex\"");
  }
  return at ? Result<bool>(*at == "element") : forward_error(at);
}

/// One field's values, to cells or to nodes.
Result<void> add_values(const Place& field, bool of_cells, Domain& domain)
{
  Result<Place> place = field.need("values");
  Result<Values> values = place ? values_at(*place, field.name()) : forward_error(place);
  if (!values)
  {
    return forward_error(values);
  }
  if (of_cells && domain.grid.kind == GridKind::Structured && is_flat(domain.grid) && !lies_in_plane(domain.grid))
  {
    return field.refuse("values of cells of a structured grid that is flat, but has more or less than x and y, are not "
                        "translated",
        "publish values of its nodes; or, if it lies in a plane, x and y alone");
  }
  const std::int64_t wanted = of_cells ? domain.grid.elements : domain.grid.vertices;
  if (values->count != wanted)
  {
    return place->refuse("there are " + std::to_string(values->count) + " values, but the topology has " +
                             std::to_string(wanted) + " of " + (of_cells ? "element" : "vertex") + " association",
        "publish one for each");
  }
  (of_cells ? domain.at_cells : domain.at_nodes).push_back(std::move(*values));
  return {};
}

/// Of a field on the topology: values, or ghost layers. `refused`: the error is one of the mesh, not of the field.
Result<void> add_field(const Place& mesh, const Place& field, Domain& domain, bool& refused, Teller& teller)
{
  Result<void> named = field.check_name();
  Result<bool> of_cells = named ? is_of_cells(field) : forward_error(named);
  if (!of_cells)
  {
    return forward_error(of_cells);
  }
  const bool marks = marks_ghosts(mesh, field);
  refused = marks && *of_cells;
  Result<void> usual = check_layout(field, sides_of(domain.grid, *of_cells));
  if (!usual)
  {
    return usual;
  }
  if (marks && !*of_cells)
  {
    return field.refuse("marks of ghost nodes are not translated", "mark ghost cells");
  }
  return marks ? apply_ghost_marks(field, domain, teller) : add_values(field, *of_cells, domain);
}

/// Values and ghost layers. A field that cannot be translated is told of, and left out.
Result<void> add_fields(const Place& mesh, const std::string& topology, Domain& domain, Teller& teller)
{
  const std::optional<Place> fields = mesh.find("fields");
  for (const Place& field : fields ? fields->children() : std::vector<Place>())
  {
    bool refused = false;
    Result<bool> here = is_on(field, topology);
    if (here && !*here)
    {
      continue;
    }
    Result<void> added = here ? add_field(mesh, field, domain, refused, teller) : forward_error(here);
    if (!added && domain.grid.elements > 0)
    {
      if (refused)
      {
        return added;
      }
      teller.warn(added.error());
    }
  }
  return {};
}

/// The level of an AMR mesh.
Result<int> level_of(const Place& mesh, const Place& topology, GridKind kind)
{
  Result<std::int64_t> level = mesh.need_integer("state/level");
  if (!level)
  {
    return forward_error(level);
  }
  if (*level < 0 || *level > 100 || kind != GridKind::Uniform)
  {
    return topology.refuse("it is not uniform, or its level is not in [0, 100]",
        "publish uniform topologies as levels, and number them from 0");
  }
  return static_cast<int>(*level);
}

/// A domain of boxes without elements is none: it has no place among others.
Result<std::optional<Domain>> domain_of(const Place& mesh, const Place& topology, bool levels, Teller& teller)
{
  Result<GridShape> grid = shape_of(mesh, topology);
  if (!grid)
  {
    return forward_error(grid);
  }
  Domain domain;
  domain.grid = std::move(*grid);
  const bool box = domain.grid.kind != GridKind::Mesh;
  if (box && domain.grid.elements == 0)
  {
    return std::optional<Domain>();
  }
  if (levels)
  {
    Result<int> level = level_of(mesh, topology, domain.grid.kind);
    if (!level)
    {
      return forward_error(level);
    }
    domain.level = *level;
  }
  Result<void> added = add_fields(mesh, topology.name(), domain, teller);
  if (!added)
  {
    return forward_error(added);
  }
  const bool only_ghosts = box && domain.grid.elements == 0;
  return only_ghosts ? std::optional<Domain>() : std::optional<Domain>(std::move(domain));
}

/// True for a node that says nothing of a grid.
bool is_void(const Place& mesh)
{
  const std::vector<Place> children = mesh.children();
  return !mesh.is_leaf() &&
         std::all_of(children.begin(), children.end(), [](const Place& each) { return each.name() == "state"; });
}

Result<void> add_domain(
    const Place& mesh, const std::string& name, bool levels, std::vector<Part>& parts, Teller& teller)
{
  Result<Place> topologies = mesh.need("topologies");
  if (!topologies)
  {
    return forward_error(topologies);
  }
  for (const Place& topology : topologies->children())
  {
    Result<void> named = topology.check_name();
    Result<std::optional<Domain>> domain = named ? domain_of(mesh, topology, levels, teller) : forward_error(named);
    if (!domain)
    {
      return forward_error(domain);
    }
    Part& part = part_of(parts, name, topology.name());
    if (*domain)
    {
      part.domains.push_back(std::move(**domain));
    }
  }
  return {};
}

} // namespace

Result<void> add_mesh(const Place& mesh, const std::string& name, bool levels, std::vector<Part>& parts, Teller& teller)
{
  tell_of_other_parts(mesh, mesh.path(), levels, teller);
  if (mesh.find("coordsets"))
  {
    return add_domain(mesh, name, levels, parts, teller);
  }
  for (const Place& domain : mesh.children())
  {
    if (is_void(domain) || (domain.name() == "state" && !domain.find("coordsets")))
    {
      continue;
    }
    tell_of_other_parts(domain, mesh.path() + "/*", levels, teller);
    if (Result<void> added = add_domain(domain, name, levels, parts, teller); !added)
    {
      return added;
    }
  }
  return {};
}

} // namespace rivulet::catalyst2
