// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The options of the analytics "catalyst". Apart from VTK: newer releases bring a copy of the JSON library in a
/// namespace of its own, with the same macros, and one file cannot include both.
#pragma once

#include <string>
#include <vector>

namespace rivulet::insitu
{

struct ScriptOptions
{
  std::vector<std::string> scripts; ///< files that exist
  bool renders = true;
};

/// Of a text in JSON. Throws std::runtime_error with a text for users, or nlohmann's own exception.
[[nodiscard]] ScriptOptions script_options_of(const std::string& text);

} // namespace rivulet::insitu
