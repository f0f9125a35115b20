// SPDX-License-Identifier: BSD-3-Clause
#include "Command/NearestWord.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace rivulet::command
{

namespace
{

// Levenshtein distance: number of letters to insert, remove or change.
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

std::string unknown_command(const cli::Command& program, const std::vector<std::string>& arguments)
{
  std::string above;
  std::vector<cli::Command> commands = program.commands();
  for (const std::string& word : arguments)
  {
    if (commands.empty() || word.empty() || word[0] == '-')
    {
      return {};
    }
    std::vector<std::string> names;
    std::transform(commands.begin(), commands.end(), std::back_inserter(names), std::mem_fn(&cli::Command::name));
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
    {
      const std::string what = above.empty() ? "command" : "kind to " + above;
      std::string message = "\"";
      message.append(word).append("\" is no ").append(what);
      return message.append("; the nearest is \"").append(nearest_word(word, names)).append("\"");
    }
    above = word;
    commands = commands[static_cast<std::size_t>(found - names.begin())].commands();
  }
  return {};
}

} // namespace rivulet::command
