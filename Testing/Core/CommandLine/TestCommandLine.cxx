// SPDX-License-Identifier: BSD-3-Clause
#include "CommandLine/CommandLine.h"

#include <gmock/gmock.h>
#include <stdexcept>

namespace rivulet::cli
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

ParseResult parse(Program&& program, std::vector<const char*> words)
{
  words.insert(words.begin(), "tool");
  return program.parse(static_cast<int>(words.size()), words.data());
}

ParseResult parse(Program& program, std::vector<const char*> words)
{
  return parse(std::move(program), std::move(words));
}

struct Copying
{
  Program program{ "Copies things." };
  std::vector<std::string> paths;
  int threads = 2;
  double seconds = 0.5;
  bool quiet = false;

  Copying()
  {
    program.option("PATHS", paths).required();
    program.option("--threads", threads, "threads to work with").in_range(1, 8).show_default();
    program.option("--seconds", seconds).positive();
    program.flag("-q,--quiet", quiet, "print nothing");
  }
};

} // namespace

TEST(CommandLine, values_are_stored_in_their_variables)
{
  Copying tool;
  EXPECT_EQ(parse(tool.program, { "a", "--threads", "3", "b", "-q", "--seconds=2.5" }).status, ParseStatus::Done);
  EXPECT_THAT(tool.paths, ElementsAre("a", "b"));
  EXPECT_EQ(tool.threads, 3);
  EXPECT_EQ(tool.seconds, 2.5);
  EXPECT_TRUE(tool.quiet);
}

TEST(CommandLine, missing_and_wrong_words_are_told_apart)
{
  EXPECT_EQ(parse(Copying().program, {}).status, ParseStatus::Missing);
  EXPECT_EQ(parse(Copying().program, { "a", "--threads", "9" }).status, ParseStatus::Wrong);
  EXPECT_EQ(parse(Copying().program, { "a", "--seconds", "0" }).status, ParseStatus::Wrong);
  Copying tool;
  const ParseResult result = parse(tool.program, { "a", "--loud" });
  EXPECT_EQ(result.status, ParseStatus::Wrong);
  EXPECT_THAT(result.message, HasSubstr("--loud"));
  EXPECT_THAT(tool.program.unexpected_words(), ElementsAre("--loud"));
}

TEST(CommandLine, help_is_printed_and_ends_the_program)
{
  Copying tool;
  testing::internal::CaptureStdout();
  EXPECT_EQ(parse(tool.program, { "--help" }).status, ParseStatus::Answered);
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("threads to work with"));
}

TEST(CommandLine, tools_end_with_the_code_of_what_was_reported)
{
  Copying tool;
  const char* right[] = { "tool", "a" };
  EXPECT_EQ(tool.program.parse_or_report(2, right), std::nullopt);
  const char* wrong[] = { "tool", "a", "--threads" };
  testing::internal::CaptureStderr();
  EXPECT_GT(tool.program.parse_or_report(3, wrong).value_or(0), 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("--threads"));
  testing::internal::CaptureStderr();
  EXPECT_GT(tool.program.report_wrong("--count", "no such file"), 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("--count: no such file"));
}

TEST(CommandLine, the_command_that_is_named_runs)
{
  Program program("Does things.", "do");
  program.require_command();
  int ran = 0;
  const Command one = program.add_command("one", "the first");
  one.on_run([&ran] { ran = 1; });
  program.add_command("two", "the second").on_run([] { throw std::runtime_error("two"); });
  EXPECT_EQ(program.commands().size(), 2U);
  EXPECT_FALSE(program.given_command());
  EXPECT_EQ(parse(program, { "one" }).status, ParseStatus::Done);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(program.given_command().value_or(program).name(), "one");
  EXPECT_THROW((void)parse(program, { "two" }), std::runtime_error);
}

TEST(CommandLine, readers_of_text_may_refuse_it)
{
  Program program("Reads things.");
  std::string kept;
  const auto read = [&kept](const std::string& text)
  {
    kept = text;
    return text == "odd" ? std::string("it is odd") : std::string();
  };
  const Option option = program.text_option("--thing", read, "a thing");
  program
      .number_option(
          "--size", [](double) {}, "its size")
      .needs(option);
  EXPECT_EQ(parse(program, { "--thing", "even", "--size", "3" }).status, ParseStatus::Done);
  EXPECT_EQ(kept, "even");
  EXPECT_THAT(parse(program, { "--thing", "odd" }).message, HasSubstr("--thing: it is odd"));
  EXPECT_EQ(parse(program, { "--size", "3" }).status, ParseStatus::Wrong);
  EXPECT_THAT(program.option_names(), testing::IsSupersetOf({ "--thing", "--size", "--help", "-h" }));
}

} // namespace rivulet::cli
