// SPDX-License-Identifier: BSD-3-Clause
#include "Command/UsageError.h"

#include "Command/NearestWord.h"

#include <algorithm>

namespace rivulet::command
{

namespace
{

bool is_option(const std::string& word)
{
  return word.size() > 1 && word[0] == '-';
}

/// A command, and the words that call it, as in "rivulet generate abc".
struct Level
{
  cli::Command command;
  std::string words;
};

/// The program and the commands on the command line, the outermost first.
std::vector<Level> levels_of(const cli::Program& program)
{
  std::vector<Level> levels{ { program, program.name() } };
  while (const std::optional<cli::Command> next = levels.back().command.given_command())
  {
    levels.push_back({ *next, levels.back().words + " " + next->name() });
  }
  return levels;
}

/// `at`: command with unexpected words. `innermost`: last command on the command line.
std::string not_expected(const Level& at, const Level& innermost)
{
  const std::vector<std::string> extras = at.command.unexpected_words();
  const auto option = std::find_if(extras.begin(), extras.end(), is_option);
  if (option == extras.end())
  {
    return "\"" + extras.front() + "\" is more than `" + at.words + "` takes";
  }
  const std::string name = option->substr(0, option->find('='));
  const std::vector<std::string> later = innermost.command.option_names();
  if (&at != &innermost && std::find(later.begin(), later.end(), name) != later.end())
  {
    return "\"" + name + "\" is an option of `" + innermost.words + "`: write it behind these words";
  }
  return "\"" + name + "\" is no option of `" + at.words + "`; the nearest is \"" +
         nearest_word(name, at.command.option_names()) + "\"";
}

std::string missing(const Level& at, const std::string& message)
{
  std::string names;
  for (const cli::Command& child : at.command.commands())
  {
    names += (names.empty() ? "" : ", ") + child.name();
  }
  return "`" + at.words + "` wants " +
         (names.empty() ? message.substr(0, message.find(" is required")) : "one of: " + names);
}

} // namespace

std::string describe_usage(const cli::Program& program, const cli::ParseResult& parsed)
{
  const std::vector<Level> levels = levels_of(program);
  const auto met = std::find_if(
      levels.begin(), levels.end(), [](const Level& level) { return !level.command.unexpected_words().empty(); });
  std::string text = parsed.message;
  if (met != levels.end())
  {
    text = not_expected(*met, levels.back());
  }
  else if (parsed.status == cli::ParseStatus::Missing)
  {
    text = missing(levels.back(), parsed.message);
  }
  text.erase(text.find_last_not_of(" .\n") + 1);
  return text + ". `" + levels.back().words + " --help` lists what there is.";
}

} // namespace rivulet::command
