// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/Describe.h"

#include <cstdio>

namespace rivulet::command
{

namespace
{

struct Options
{
  std::string path;
  bool json = false;
};

ExitCode run(const Options& options)
{
  const Result<FieldFile> file = FieldFile::open(options.path);
  if (!file)
  {
    return report(file.error());
  }
  const std::string text = options.json ? describe_as_json(*file) : describe_as_text(*file);
  std::fputs(text.c_str(), stdout);
  return ExitCode::Ok;
}

} // namespace

void add_info(const cli::Command& program, ExitCode& code)
{
  const cli::Command command = program.add_command("info", "Describe a field file without reading its values");
  const auto options = std::make_shared<Options>();
  command.option("FILE", options->path, "The field file (.rvf)").required();
  command.flag("--json", options->json, "As JSON, for programs");
  command.on_run([options, &code] { code = run(*options); });
}

} // namespace rivulet::command
