// SPDX-License-Identifier: BSD-3-Clause
#include "Channel.h"

#include "Mesh.h"

namespace rivulet::catalyst2
{

namespace
{

void tell_of_unread(const Place& channel, Teller& teller)
{
  if (const auto state = channel.find("state"))
  {
    teller.warn_once(state->refuse("a state of a single channel is not read", "use catalyst/state").value());
  }
  if (const auto assembly = channel.find("assembly"))
  {
    teller.warn_once(assembly->refuse("it is not translated", "name the meshes that analytics need").value());
  }
}

} // namespace

Result<std::vector<Part>> parts_of(const Place& channel, Teller& teller)
{
  Result<std::string> type = channel.need_text("type");
  if (!type)
  {
    return forward_error(type);
  }
  if (Result<void> named = channel.check_name(); !named)
  {
    return forward_error(named);
  }
  tell_of_unread(channel, teller);
  std::vector<Part> parts;
  const std::optional<Place> data = channel.find("data"); // none, or empty: this rank has no domain
  if (*type == "mesh" || *type == "amrmesh")
  {
    Result<void> added = data ? add_mesh(*data, channel.name(), *type == "amrmesh", parts, teller) : Result<void>();
    return added ? Result<std::vector<Part>>(std::move(parts)) : forward_error(added);
  }
  if (*type != "multimesh")
  {
    return channel.refuse(
        "channels of type \"" + *type + "\" are not translated", "use \"mesh\", \"multimesh\" or \"amrmesh\"");
  }
  for (const Place& mesh : data ? data->children() : std::vector<Place>())
  {
    Result<void> added = mesh.check_name();
    added = added ? add_mesh(mesh, channel.name() + "/" + mesh.name(), false, parts, teller) : std::move(added);
    if (!added)
    {
      return forward_error(added);
    }
  }
  return parts;
}

} // namespace rivulet::catalyst2
