// SPDX-License-Identifier: BSD-3-Clause
#include "Outline.h"

#include <algorithm>
#include <iterator>

namespace rivulet::catalyst2
{

namespace
{

using Fields = std::vector<Values> Domain::*;

/// Domains of a part that have most, and how much they have.
struct Considered
{
  Content content = Content::None;
  std::vector<const Domain*> domains;
};

Considered considered_of(const Part& part)
{
  Considered made;
  for (const Domain& each : part.domains)
  {
    const Content content = each.grid.elements > 0 ? Content::Cells : Content::Empty;
    if (content > made.content)
    {
      made = { content, {} };
    }
    if (content == made.content)
    {
      made.domains.push_back(&each);
    }
  }
  return made;
}

std::vector<VariableOutline> variables_of(const std::vector<Values>& values)
{
  std::vector<VariableOutline> all;
  std::transform(values.begin(), values.end(), std::back_inserter(all),
      [](const Values& each) {
        return VariableOutline{ each.name, each.type, each.components };
      });
  std::sort(all.begin(), all.end());
  return all;
}

const Values* find(const std::vector<Values>& values, const std::string& name)
{
  const auto found = std::find_if(values.begin(), values.end(), [&](const Values& each) { return each.name == name; });
  return found == values.end() ? nullptr : &*found;
}

/// A field of boxes has one stride in all domains of a rank. Fields of meshes are joined.
bool same_strides(const std::vector<const Domain*>& domains, Fields fields, const std::string& name)
{
  const Values* const first = find(domains.front()->*fields, name);
  return std::all_of(domains.begin(), domains.end(),
      [&](const Domain* each) { return find(each->*fields, name)->looks_like(*first); });
}

std::vector<VariableOutline> common_variables(
    const std::vector<const Domain*>& domains, Fields fields, std::vector<std::string>& left)
{
  std::vector<VariableOutline> common = variables_of(domains.front()->*fields);
  for (const Domain* const each : domains)
  {
    keep_common(common, variables_of(each->*fields), left);
  }
  if (domains.front()->grid.kind != GridKind::Mesh)
  {
    std::erase_if(common,
        [&](const VariableOutline& each)
        {
          const bool differs = !same_strides(domains, fields, each.name);
          left.insert(left.end(), differs ? 1 : 0, each.name);
          return differs;
        });
  }
  return common;
}

/// Points of boxes are described once for a rank. Points of meshes are joined, and must have one type.
bool alike(const GridShape& one, const GridShape& other)
{
  return one.kind == other.kind &&
         (one.kind == GridKind::Mesh ? one.points.type == other.points.type : one.points.looks_like(other.points));
}

} // namespace

Result<Outline> outline_of(const std::string& channel, const Part& part, Teller& teller)
{
  const Considered considered = considered_of(part);
  Outline made{ channel, part.mesh, part.topology, considered.content, {}, {}, {}, {} };
  if (considered.domains.empty())
  {
    return made;
  }
  const GridShape& first = considered.domains.front()->grid;
  made.kind = first.kind;
  for (const Domain* const each : considered.domains)
  {
    if (considered.content == Content::Cells && !alike(first, each->grid))
    {
      return fail(ErrorCode::Unsupported, "its type or the layout of its points is not that of the first domain",
          "describe all domains of a mesh alike", each->grid.path);
    }
  }
  std::vector<std::string> left;
  made.cells = common_variables(considered.domains, &Domain::at_cells, left);
  made.nodes = common_variables(considered.domains, &Domain::at_nodes, left);
  for (const std::string& each : left)
  {
    teller.warn(left_out(channel, each, "in all domains"));
  }
  return made;
}

void select(const Outline& outline, std::vector<Domain>& domains)
{
  std::erase_if(domains, [](const Domain& each) { return each.grid.elements == 0; });
  const auto keep = [](const std::vector<VariableOutline>& variables, std::vector<Values>& values)
  {
    std::vector<Values> kept;
    std::transform(variables.begin(), variables.end(), std::back_inserter(kept),
        [&](const VariableOutline& each) { return *find(values, each.name); });
    values = std::move(kept);
  };
  for (Domain& each : domains)
  {
    keep(outline.cells, each.at_cells);
    keep(outline.nodes, each.at_nodes);
  }
}

void keep_common(
    std::vector<VariableOutline>& known, const std::vector<VariableOutline>& other, std::vector<std::string>& left_out)
{
  std::vector<VariableOutline> common;
  std::set_intersection(known.begin(), known.end(), other.begin(), other.end(), std::back_inserter(common));
  std::vector<VariableOutline> differing;
  std::set_symmetric_difference(known.begin(), known.end(), other.begin(), other.end(), std::back_inserter(differing));
  for (const VariableOutline& each : differing)
  {
    if (std::find(left_out.begin(), left_out.end(), each.name) == left_out.end())
    {
      left_out.push_back(each.name);
    }
  }
  known = std::move(common);
}

Error left_out(const std::string& channel, const std::string& field, const std::string& where)
{
  return { ErrorCode::Unsupported, "its type, components or layout are not the same " + where + ", or it is not there",
    "describe it alike " + where, "catalyst/channels/" + channel + ", field \"" + field + "\"" };
}

} // namespace rivulet::catalyst2
