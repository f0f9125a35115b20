// SPDX-License-Identifier: BSD-3-Clause
#include "Catalogue.h"

#include "Gather.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace rivulet::catalyst2
{

namespace
{

using nlohmann::json;

std::vector<VariableOutline> outlines_of(const std::vector<Values>& values)
{
  std::vector<VariableOutline> all;
  for (const Values& each : values)
  {
    all.push_back({ each.name, each.type, each.components });
  }
  return all;
}

bool alike(const std::vector<Values>& one, const std::vector<Values>& other)
{
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
      [](const Values& a, const Values& b) { return a.looks_like(b); });
}

json list_of(const std::vector<VariableOutline>& variables)
{
  json list = json::array();
  for (const VariableOutline& each : variables)
  {
    list.push_back({ each.name, each.type, each.components });
  }
  return list;
}

std::vector<VariableOutline> variables_from(const json& list)
{
  std::vector<VariableOutline> all;
  for (const json& each : list)
  {
    all.push_back({ each[0].get<std::string>(), each[1].get<std::int32_t>(), each[2].get<std::int32_t>() });
  }
  return all;
}

std::string message_of(const std::vector<Outline>& own, const std::vector<std::string>& refused)
{
  json message = { { "refused", refused }, { "outlines", json::array() } };
  for (const Outline& each : own)
  {
    message["outlines"].push_back({ { "channel", each.channel }, { "name", each.name },
        { "kind", static_cast<int>(each.kind) }, { "cells", list_of(each.cells) }, { "nodes", list_of(each.nodes) } });
  }
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

Outline outline_from(const json& read)
{
  return { read["channel"].get<std::string>(), read["name"].get<std::string>(),
    static_cast<GridKind>(read["kind"].get<int>()), variables_from(read["cells"]), variables_from(read["nodes"]) };
}

} // namespace

Result<Outline> outline_of(const std::string& channel, const Part& part)
{
  const Domain& first = part.domains.front();
  for (const Domain& each : part.domains)
  {
    const bool same = each.grid.kind == first.grid.kind && alike(each.at_cells, first.at_cells) &&
                      alike(each.at_nodes, first.at_nodes) && each.grid.points.looks_like(first.grid.points);
    if (!same)
    {
      return fail(ErrorCode::Unsupported, "its type or fields are not those of the first domain",
          "describe all domains of a mesh alike, strides included", each.grid.path);
    }
  }
  return Outline{ channel, part.name, first.grid.kind, outlines_of(first.at_cells), outlines_of(first.at_nodes) };
}

std::vector<Outline> agree(
    MPI_Comm comm, const std::vector<Outline>& own, const std::vector<std::string>& refused, Teller& teller)
{
  std::vector<Outline> all;
  std::set<std::string> left_out;
  for (const std::string& message : gather(comm, message_of(own, refused)))
  {
    const json read = json::parse(message);
    for (const json& each : read["refused"])
    {
      left_out.insert(each.get<std::string>());
    }
    for (const json& each : read["outlines"])
    {
      const Outline outline = outline_from(each);
      const auto known =
          std::find_if(all.begin(), all.end(), [&](const Outline& other) { return other.name == outline.name; });
      if (known == all.end())
      {
        all.push_back(outline);
      }
      else if (*known != outline && left_out.insert(outline.channel).second)
      {
        teller.error(
            Error{ ErrorCode::Unsupported, "\"" + outline.name + "\" has other fields or another type on some ranks",
                "describe it alike on all ranks", "catalyst/channels/" + outline.channel });
      }
    }
  }
  std::erase_if(all, [&](const Outline& each) { return left_out.contains(each.channel); });
  return all;
}

} // namespace rivulet::catalyst2
