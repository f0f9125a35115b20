// SPDX-License-Identifier: BSD-3-Clause
#include "Command/SourceNames.h"

#include <algorithm>
#include <filesystem>
#include <glob.h>

namespace rivulet::command
{

namespace
{

constexpr std::size_t kMostNames = 4;

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// Removes the digits at the front of `text` and returns them without leading zeros.
std::string_view take_number(std::string_view& text)
{
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool natural_less(std::string_view a, std::string_view b)
{
  while (!a.empty() && !b.empty())
  {
    if (is_digit(a.front()) && is_digit(b.front()))
    {
      const std::string_view x = take_number(a);
      const std::string_view y = take_number(b);
      if (x != y)
      {
        return x.size() != y.size() ? x.size() < y.size() : x < y;
      }
      continue;
    }
    if (a.front() != b.front())
    {
      return a.front() < b.front();
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return a.size() < b.size();
}

// The name without its digits.
std::string without_numbers(std::string name)
{
  name.erase(std::remove_if(name.begin(), name.end(), is_digit), name.end());
  return name;
}

bool differ_in_numbers_only(const std::vector<std::string>& names)
{
  return std::all_of(names.begin(), names.end(),
      [&](const std::string& name) { return without_numbers(name) == without_numbers(names.front()); });
}

std::string list(const std::vector<std::string>& names, const char* between = ", ")
{
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    if (names.size() > kMostNames && i == 2)
    {
      return text + " ... " + names.back();
    }
    text += (i == 0 ? "" : between) + names[i];
  }
  return text;
}

std::string kind_of(const Variable& variable)
{
  switch (variable.components)
  {
  case 1:
    return "a scalar";
  case 3:
    return "a vector";
  default:
    return "values of " + std::to_string(variable.components) + " components";
  }
}

std::string files_of(const SourceChoice& choice)
{
  if (choice.vectors.empty())
  {
    return list(choice.raw ? in_order(choice.paths) : choice.paths);
  }
  return list(choice.vectors.front()) +
         (choice.vectors.size() > 1 ? " ... " + list(choice.vectors.back()) : std::string());
}

} // namespace

std::vector<std::string> in_order(std::vector<std::string> names)
{
  if (std::is_sorted(names.begin(), names.end()))
  {
    std::stable_sort(names.begin(), names.end(), natural_less);
  }
  return names;
}

std::vector<std::string> expand_patterns(const std::vector<std::string>& names)
{
  std::vector<std::string> files;
  for (const std::string& name : names)
  {
    std::error_code none;
    glob_t found{};
    const bool pattern = name.find_first_of("*?") != std::string::npos && !std::filesystem::exists(name, none);
    if (pattern && ::glob(name.c_str(), 0, nullptr, &found) == 0)
    {
      const std::vector<std::string> matches = in_order({ found.gl_pathv, found.gl_pathv + found.gl_pathc });
      files.insert(files.end(), matches.begin(), matches.end());
    }
    else
    {
      files.push_back(name);
    }
    ::globfree(&found);
  }
  return files;
}

std::string meaning_of(const SourceChoice& choice, const FieldInfo& info)
{
  const std::size_t steps = info.times.size();
  const Int3& nodes = info.grid.nodes;
  std::string text;
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    if (static_cast<std::int32_t>(number) == info.points)
    {
      continue;
    }
    const Variable& variable = info.variables[number];
    const std::string many = steps == 1 ? "" : std::to_string(steps) + " steps of ";
    text += (text.empty() ? "" : "; ") + variable.name + ": " + many + kind_of(variable);
  }
  text += ", " + std::to_string(nodes[0]) + " x " + std::to_string(nodes[1]) + " x " + std::to_string(nodes[2]) +
          (info.points >= 0 ? " nodes of a curvilinear grid, of " : " nodes, of ") + files_of(choice);
  const bool perhaps_components = choice.raw && choice.vectors.empty() && choice.raw->components == 1 && steps > 1 &&
                                  steps <= 3 && !differ_in_numbers_only(choice.paths);
  return text + (perhaps_components ? " (for one step of a vector: --vector " + list(choice.paths, ",") + ")" : "");
}

} // namespace rivulet::command
