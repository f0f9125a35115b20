// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/Interrupt.h"
#include "Command/ProgressLine.h"
#include "Convert/Verifier.h"

#include <cstdio>

namespace rivulet::command
{

namespace
{

struct Options
{
  std::string path;
  int threads = 0;
  bool quiet = false;
};

void print_bad(const FieldFile& file, const VerifyReport& report)
{
  for (const BadBrick& bad : report.listed)
  {
    std::printf("bad brick: byte %lld, %s step %d brick %d,%d,%d: %s\n", static_cast<long long>(bad.offset),
        file.info.variables[static_cast<std::size_t>(bad.id.variable)].name.c_str(), bad.id.step, bad.brick[0],
        bad.brick[1], bad.brick[2], bad.what.c_str());
  }
  if (report.bad > static_cast<std::int64_t>(report.listed.size()))
  {
    std::printf(
        "... and %lld more\n", static_cast<long long>(report.bad - static_cast<std::int64_t>(report.listed.size())));
  }
  for (const std::string& finding : report.findings)
  {
    std::printf("%s\n", finding.c_str());
  }
}

Result<VerifyReport> verify_file(const FieldFile& file, const Options& options)
{
  ProgressLine line("verifying", options.quiet);
  VerifyOptions how;
  how.threads = options.threads;
  how.cancel = &interrupt_requested();
  how.progress = line.callback();
  return verify(file, how);
}

ExitCode run(const Options& options)
{
  const Stopwatch watch;
  const Result<FieldFile> file = FieldFile::open(options.path);
  if (!file)
  {
    return report(file.error());
  }
  const Result<VerifyReport> result = verify_file(*file, options);
  if (!result)
  {
    return report(concerning(result.error(), options.path));
  }
  if (!result->sound())
  {
    print_bad(*file, *result);
    std::printf("%s: %lld of %lld bricks are bad", options.path.c_str(), static_cast<long long>(result->bad),
        static_cast<long long>(result->bricks));
    std::printf(result->findings.empty() ? "\n" : ", and what the file says of them is wrong\n");
    return ExitCode::Corrupt;
  }
  if (!options.quiet)
  {
    std::printf("%s: all %lld bricks are sound (%s in %.1f s, %s)\n", options.path.c_str(),
        static_cast<long long>(result->bricks), format_bytes(result->bytes).c_str(), watch.seconds(),
        format_rate(result->bytes, watch.seconds()).c_str());
  }
  return ExitCode::Ok;
}

} // namespace

void add_verify(const cli::Command& program, ExitCode& code)
{
  const cli::Command command = program.add_command("verify", "Check every brick of a field file");
  const auto options = std::make_shared<Options>();
  command.option("FILE", options->path, "The field file (.rvf)").required();
  add_threads(command, options->threads);
  add_quiet(command, options->quiet);
  command.set_footer("Bad bricks are listed with their byte offsets; the exit code is then 4.");
  command.on_run([options, &code] { code = run(*options); });
}

} // namespace rivulet::command
