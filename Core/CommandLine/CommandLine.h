// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Options, flags and subcommands of a program. CommandLine.cxx is the only source that includes CLI11, because each
/// source that does takes seconds to compile.
///
///     int threads = 2;
///     cli::Program program("Traces through a field.");
///     program.option("--threads", threads, "threads to work with").in_range(1, 64);
///     if (const std::optional<int> code = program.parse_or_report(argc, argv))
///     {
///       return *code;
///     }
///
/// One thread. Variables that options are bound to must outlive the parsing. Option and Command are handles: copies
/// refer to the same option or command, and are valid as long as their Program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace rivulet::cli
{

/// An option, a flag, or a positional argument. Each call changes it and returns the same handle.
class Option
{
public:
  explicit Option(CLI::Option* option)
    : option_(option)
  {
  }

  Option required() const;
  Option needs(const Option& other) const;
  Option in_range(int least, int most) const;
  Option in_range(double least, double most) const;
  Option non_negative() const;
  Option positive() const;
  Option one_of(const std::vector<std::string>& words) const;
  Option existing_folder() const;

  /// Number of values; -1 for `most` means any number.
  Option values(int least, int most) const;
  /// One value for each time that the option is given; all of them are kept.
  Option repeatable() const;
  /// Character between values in one word.
  Option delimiter(char character) const;

  /// Heading of the help that lists the option.
  Option group(const std::string& heading) const;
  /// Placeholder of the value in the help.
  Option type_name(const std::string& name) const;
  /// Adds the variable's present value to the help.
  Option show_default() const;

private:
  CLI::Option* option_;
};

/// A program, or one of its subcommands.
class Command
{
public:
  explicit Command(CLI::App* app)
    : app_(app)
  {
  }

  /// An option if the first name begins with a dash ("-q,--quiet"), else a positional argument. `T`: std::string, int,
  /// std::int64_t, double, std::vector<std::string> or std::vector<int>.
  template <class T>
  Option option(const std::string& names, T& into, const std::string& help = {}) const;
  Option flag(const std::string& names, bool& into, const std::string& help) const;

  /// `read` takes the text of the value. It returns a description of the error, or nothing.
  using TextReader = std::function<std::string(const std::string& text)>;
  Option text_option(const std::string& names, const TextReader& read, const std::string& help) const;
  Option number_option(
      const std::string& names, const std::function<void(double)>& store, const std::string& help) const;

  Command add_command(const std::string& name, const std::string& help) const;
  /// Exactly one subcommand must be given.
  void require_command() const;
  /// Text below the help.
  void set_footer(const std::string& text) const;
  /// Called by parse() where the command is given and its options are right.
  void on_run(const std::function<void()>& action) const;

  [[nodiscard]] std::string name() const;
  /// All subcommands, in the order of the help.
  [[nodiscard]] std::vector<Command> commands() const;
  /// The subcommand that the parsed words name, if any.
  [[nodiscard]] std::optional<Command> given_command() const;
  /// Names of all options, with their dashes.
  [[nodiscard]] std::vector<std::string> option_names() const;
  /// Parsed words that neither an option nor an argument took.
  [[nodiscard]] std::vector<std::string> unexpected_words() const;

protected:
  CLI::App* app_;
};

enum class ParseStatus
{
  Done,     ///< values are stored, and actions have run
  Answered, ///< the help or the version is printed
  Missing,  ///< a required option, argument or subcommand is not given
  Wrong,    ///< a word is unexpected, or a value is refused
};

struct ParseResult
{
  ParseStatus status = ParseStatus::Done;
  std::string message; ///< for Missing and Wrong
};

/// The command at the root.
class Program : public Command
{
public:
  explicit Program(const std::string& description, const std::string& name = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program();

  /// Text that --version prints.
  void set_version(const std::string& text);

  /// Exceptions that actions throw pass through.
  [[nodiscard]] ParseResult parse(int argc, const char* const* argv);

  /// Prints errors, too. Returns the exit code if the program is to end: 0 after the help. `prints`: false for all
  /// ranks of a job but one.
  [[nodiscard]] std::optional<int> parse_or_report(int argc, const char* const* argv, bool prints = true);
  /// Prints an error about an option as parse_or_report() does, and returns the exit code.
  [[nodiscard]] int report_wrong(const std::string& option, const std::string& message) const;

private:
  std::unique_ptr<CLI::App> root_;
};

} // namespace rivulet::cli
