// SPDX-License-Identifier: BSD-3-Clause
#include "CommandLine/CommandLine.h"

#include <CLI/CLI.hpp>

#include <cstdint>

namespace rivulet::cli
{

Option Option::required() const
{
  option_->required();
  return *this;
}

Option Option::needs(const Option& other) const
{
  option_->needs(other.option_);
  return *this;
}

Option Option::in_range(int least, int most) const
{
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::in_range(double least, double most) const
{
  option_->check(CLI::Range(least, most));
  return *this;
}

Option Option::non_negative() const
{
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

Option Option::positive() const
{
  // The library's own text names the smallest and the largest double.
  const auto message = [](std::string& text)
  {
    return CLI::PositiveNumber(text).empty() ? std::string() : "\"" + text + "\" is not a number above 0";
  };
  option_->check(CLI::Validator(message, "POSITIVE"));
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) const
{
  option_->check(CLI::IsMember(words));
  return *this;
}

Option Option::existing_folder() const
{
  option_->check(CLI::ExistingDirectory);
  return *this;
}

Option Option::values(int least, int most) const
{
  option_->expected(least, most);
  return *this;
}

Option Option::repeatable() const
{
  option_->take_all()->allow_extra_args(false);
  return *this;
}

Option Option::delimiter(char character) const
{
  option_->delimiter(character);
  return *this;
}

Option Option::group(const std::string& heading) const
{
  option_->group(heading);
  return *this;
}

Option Option::type_name(const std::string& name) const
{
  option_->type_name(name);
  return *this;
}

Option Option::show_default() const
{
  option_->capture_default_str();
  return *this;
}

template <class T>
Option Command::option(const std::string& names, T& into, const std::string& help) const
{
  return Option(app_->add_option(names, into, help));
}
template Option Command::option(const std::string&, std::string&, const std::string&) const;
template Option Command::option(const std::string&, int&, const std::string&) const;
template Option Command::option(const std::string&, std::int64_t&, const std::string&) const;
template Option Command::option(const std::string&, double&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&) const;
template Option Command::option(const std::string&, std::vector<int>&, const std::string&) const;

Option Command::flag(const std::string& names, bool& into, const std::string& help) const
{
  return Option(app_->add_flag(names, into, help));
}

Option Command::text_option(const std::string& names, const TextReader& read, const std::string& help) const
{
  const auto read_or_throw = [names, read](const std::string& text)
  {
    if (const std::string wrong = read(text); !wrong.empty())
    {
      throw CLI::ValidationError(names, wrong);
    }
  };
  return Option(app_->add_option_function<std::string>(names, read_or_throw, help));
}

Option Command::number_option(
    const std::string& names, const std::function<void(double)>& store, const std::string& help) const
{
  return Option(app_->add_option_function<double>(names, store, help));
}

Command Command::add_command(const std::string& name, const std::string& help) const
{
  return Command(app_->add_subcommand(name, help));
}

void Command::require_command() const
{
  app_->require_subcommand(1);
}

void Command::set_footer(const std::string& text) const
{
  app_->footer(text);
}

void Command::on_run(const std::function<void()>& action) const
{
  app_->callback(action);
}

std::string Command::name() const
{
  return app_->get_name();
}

std::vector<Command> Command::commands() const
{
  std::vector<Command> all;
  for (CLI::App* app : app_->get_subcommands([](CLI::App*) { return true; }))
  {
    all.emplace_back(app);
  }
  return all;
}

std::optional<Command> Command::given_command() const
{
  const std::vector<CLI::App*> given = app_->get_subcommands();
  return given.empty() ? std::nullopt : std::optional<Command>(given.front());
}

std::vector<std::string> Command::option_names() const
{
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options())
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

std::vector<std::string> Command::unexpected_words() const
{
  return app_->remaining();
}

Program::Program(const std::string& description, const std::string& name)
  : Command(nullptr)
  , root_(std::make_unique<CLI::App>(description, name))
{
  app_ = root_.get();
}

Program::~Program() = default;

void Program::set_version(const std::string& text)
{
  root_->set_version_flag("--version", text);
}

ParseResult Program::parse(int argc, const char* const* argv)
{
  try
  {
    root_->parse(argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    if (error.get_exit_code() == 0) // the help, or the version
    {
      (void)root_->exit(error);
      return { ParseStatus::Answered, {} };
    }
    const bool missing = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    return { missing ? ParseStatus::Missing : ParseStatus::Wrong, error.what() };
  }
  return {};
}

std::optional<int> Program::parse_or_report(int argc, const char* const* argv, bool prints)
{
  try
  {
    root_->parse(argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    return prints ? root_->exit(error) : error.get_exit_code();
  }
  return std::nullopt;
}

int Program::report_wrong(const std::string& option, const std::string& message) const
{
  return root_->exit(CLI::ValidationError(option, message));
}

} // namespace rivulet::cli
