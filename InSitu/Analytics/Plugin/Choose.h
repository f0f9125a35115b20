// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Choice among the sets of particles or the fields of a snapshot.
#pragma once

#include "Base/Result.h"

#include <span>
#include <string>

namespace rivulet
{

/// The one of this name; with an empty name the only one. `things` and `option` are for the error: "fields", "field".
template <class Named>
Result<const Named*> choose_by_name(
    std::span<const Named> all, const std::string& name, const std::string& things, const std::string& option)
{
  std::string there;
  for (const Named& one : all)
  {
    if (name == one.name || (name.empty() && all.size() == 1))
    {
      return &one;
    }
    there += (there.empty() ? "\"" : ", \"") + std::string(one.name) + "\"";
  }
  if (there.empty())
  {
    return fail(ErrorCode::BadArgument, "the simulation publishes no " + things, "switch this analytics off");
  }
  return fail(ErrorCode::BadArgument,
      name.empty() ? "the simulation publishes several " + things
                   : "the simulation publishes no " + things + " \"" + name + "\"",
      "set the option \"" + option + "\" to one of " + there);
}

} // namespace rivulet
