// SPDX-License-Identifier: BSD-3-Clause
#include "Command/NearestWord.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rivulet::command
{

namespace
{

// Levenshtein's distance: letters to insert, remove or change.
std::size_t distance(const std::string& a, const std::string& b)
{
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{ 0 });
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j)
    {
      const std::size_t changed = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({ changed, corner + 1, row[j] + 1 });
    }
  }
  return row.back();
}

} // namespace

std::string nearest_word(const std::string& typed, const std::vector<std::string>& words)
{
  const auto nearest = std::min_element(words.begin(), words.end(),
      [&](const std::string& a, const std::string& b) { return distance(typed, a) < distance(typed, b); });
  return nearest == words.end() ? std::string() : *nearest;
}

std::string unknown_command(const CLI::App& app, const std::vector<std::string>& arguments)
{
  const CLI::App* parent = &app;
  for (const std::string& word : arguments)
  {
    std::vector<std::string> names;
    for (const CLI::App* child : parent->get_subcommands([](const CLI::App*) { return true; }))
    {
      names.push_back(child->get_name());
    }
    if (names.empty() || word.empty() || word[0] == '-')
    {
      return {};
    }
    if (std::find(names.begin(), names.end(), word) == names.end())
    {
      const std::string what = parent == &app ? "command" : "kind to " + parent->get_name();
      std::string message = "\"";
      message.append(word).append("\" is no ").append(what);
      return message.append("; the nearest is \"").append(nearest_word(word, names)).append("\"");
    }
    parent = parent->get_subcommand(word);
  }
  return {};
}

} // namespace rivulet::command
