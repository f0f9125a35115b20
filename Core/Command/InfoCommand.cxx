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
  const Result<FieldSeries> series = FieldSeries::open({ options.path });
  if (!series)
  {
    return report(series.error());
  }
  const std::string text = options.json ? describe_as_json(*series) : describe_as_text(*series);
  std::fputs(text.c_str(), stdout);
  return report_defects(*series);
}

} // namespace

void add_info(const cli::Command& program, ExitCode& code)
{
  const cli::Command command =
      program.add_command("info", "Describe a field file or a store without reading its values");
  const auto options = std::make_shared<Options>();
  command.option("FILE", options->path, "The field file (.rvf) or store (.rvs)").required();
  command.flag("--json", options->json, "As JSON, for programs");
  command.on_run([options, &code] { code = run(*options); });
}

} // namespace rivulet::command
