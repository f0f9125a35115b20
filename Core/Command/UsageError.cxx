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

/// A command, or kind, and what it is called by: "rivulet generate abc".
struct Level
{
  const CLI::App* app;
  std::string words;
};

/// Those that were named, the outermost first.
std::vector<Level> levels_of(const CLI::App& app)
{
  std::vector<Level> levels{ { &app, app.get_name() } };
  while (!levels.back().app->get_subcommands().empty())
  {
    const CLI::App* next = levels.back().app->get_subcommands().front();
    levels.push_back({ next, levels.back().words + " " + next->get_name() });
  }
  return levels;
}

std::vector<std::string> options_of(const CLI::App& app)
{
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
  {
    for (const std::string& name : option->get_lnames())
    {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames())
    {
      names.push_back("-" + name);
    }
  }
  return names;
}

/// `at`: where the words were met that nobody expected; `innermost`: the last command that was named.
std::string not_expected(const Level& at, const Level& innermost)
{
  const std::vector<std::string> extras = at.app->remaining();
  const auto option = std::find_if(extras.begin(), extras.end(), is_option);
  if (option == extras.end())
  {
    return "\"" + extras.front() + "\" is more than `" + at.words + "` takes";
  }
  const std::string name = option->substr(0, option->find('='));
  const std::vector<std::string> later = options_of(*innermost.app);
  if (at.app != innermost.app && std::find(later.begin(), later.end(), name) != later.end())
  {
    return "\"" + name + "\" is an option of `" + innermost.words + "`: write it behind these words";
  }
  return "\"" + name + "\" is no option of `" + at.words + "`; the nearest is \"" +
         nearest_word(name, options_of(*at.app)) + "\"";
}

std::string missing(const Level& at, const CLI::ParseError& error)
{
  std::string names;
  for (const CLI::App* child : at.app->get_subcommands([](const CLI::App*) { return true; }))
  {
    names += (names.empty() ? "" : ", ") + child->get_name();
  }
  const std::string what = error.what();
  return "`" + at.words + "` wants " + (names.empty() ? what.substr(0, what.find(" is required")) : "one of: " + names);
}

} // namespace

std::string describe_usage(const CLI::App& app, const CLI::ParseError& error)
{
  const std::vector<Level> levels = levels_of(app);
  const auto met =
      std::find_if(levels.begin(), levels.end(), [](const Level& level) { return !level.app->remaining().empty(); });
  std::string text = error.what();
  if (met != levels.end())
  {
    text = not_expected(*met, levels.back());
  }
  else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
  {
    text = missing(levels.back(), error);
  }
  text.erase(text.find_last_not_of(" .\n") + 1);
  return text + ". `" + levels.back().words + " --help` lists what there is.";
}

} // namespace rivulet::command
