// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/ScriptOptions.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace rivulet::insitu
{

ScriptOptions script_options_of(const std::string& text)
{
  const nlohmann::json json = nlohmann::json::parse(text);
  ScriptOptions options;
  for (const auto& [key, value] : json.items())
  {
    if (key == "scripts" && value.is_array())
    {
      options.scripts = value.get<std::vector<std::string>>();
    }
    else if (key == "renders" && value.is_boolean())
    {
      options.renders = value.get<bool>();
    }
    else
    {
      throw std::runtime_error(
          "the option \"" + key + "\" is not \"scripts\": [\"FILE.py\", ...] or \"renders\": true");
    }
  }
  if (options.scripts.empty())
  {
    throw std::runtime_error("there is no script: set \"scripts\": [\"FILE.py\"]");
  }
  for (const std::string& script : options.scripts)
  {
    if (!std::filesystem::is_regular_file(script))
    {
      throw std::runtime_error("the script " + std::filesystem::absolute(script).string() + " does not exist");
    }
  }
  return options;
}

} // namespace rivulet::insitu
