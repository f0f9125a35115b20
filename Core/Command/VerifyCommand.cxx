// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/Interrupt.h"
#include "Command/ProgressLine.h"
#include "Convert/Verifier.h"
#include "Io/Series/FieldSeries.h"

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

void print_bad(const FieldFile& file, const VerifyReport& report, const std::string& before)
{
  for (const BadBrick& bad : report.listed)
  {
    std::printf("%sbad brick: byte %lld, %s step %d brick %d,%d,%d: %s\n", before.c_str(),
        static_cast<long long>(bad.offset), file.info.variables[static_cast<std::size_t>(bad.id.variable)].name.c_str(),
        bad.id.step, bad.brick[0], bad.brick[1], bad.brick[2], bad.what.c_str());
  }
  if (report.bad > static_cast<std::int64_t>(report.listed.size()))
  {
    std::printf("%s... and %lld more\n", before.c_str(),
        static_cast<long long>(report.bad - static_cast<std::int64_t>(report.listed.size())));
  }
  for (const std::string& finding : report.findings)
  {
    std::printf("%s%s\n", before.c_str(), finding.c_str());
  }
}

/// Bad steps of a store, as findings.
std::vector<std::string> findings_of(const FieldSeries& series)
{
  std::vector<std::string> findings;
  for (const auto& [file, defect] : series.defects)
  {
    findings.push_back(defect.describe());
    std::printf("%s\n", findings.back().c_str());
  }
  return findings;
}

/// Checks the files one after the other. The findings of each are printed before the next is read.
Result<VerifyReport> verify_files(const FieldSeries& series, const Options& options)
{
  ProgressLine line("verifying", options.quiet);
  const ByteProgress progress = line.callback();
  const std::int64_t all_bytes = series.file_bytes();
  VerifyReport all;
  all.findings = findings_of(series);
  for (std::size_t number = 0; number < series.files.size(); ++number)
  {
    if (series.is_bad(static_cast<std::int32_t>(number)))
    {
      continue;
    }
    const FieldFile& file = series.files[number];
    VerifyOptions how;
    how.threads = options.threads;
    how.cancel = &interrupt_requested();
    how.progress = [&](std::int64_t done, std::int64_t total)
    {
      progress(all.bytes + done, series.is_store() ? all_bytes : total);
    };
    const Result<VerifyReport> one = verify(file, how);
    if (!one)
    {
      return tl::unexpected(one.error());
    }
    print_bad(file, *one, series.is_store() ? file.path + ": " : "");
    all.bricks += one->bricks;
    all.bytes += one->bytes;
    all.bad += one->bad;
    all.findings.insert(all.findings.end(), one->findings.begin(), one->findings.end());
  }
  return all;
}

ExitCode run(const Options& options)
{
  const Stopwatch watch;
  const Result<FieldSeries> series = FieldSeries::open({ options.path });
  if (!series)
  {
    return report(series.error());
  }
  const Result<VerifyReport> result = verify_files(*series, options);
  if (!result)
  {
    return report(concerning(result.error(), options.path));
  }
  if (!result->sound())
  {
    std::printf("%s: %lld of %lld bricks are bad", options.path.c_str(), static_cast<long long>(result->bad),
        static_cast<long long>(result->bricks));
    const std::size_t bad_steps = series->defects.size();
    if (bad_steps > 0)
    {
      std::printf(", and %zu of its steps cannot be read", bad_steps);
    }
    std::printf(result->findings.size() == bad_steps ? "\n" : ", and what the file says of them is wrong\n");
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
  const cli::Command command = program.add_command("verify", "Check every brick of a field file or a store");
  const auto options = std::make_shared<Options>();
  command.option("FILE", options->path, "The field file (.rvf) or store (.rvs)").required();
  add_threads(command, options->threads);
  add_quiet(command, options->quiet);
  command.set_footer("Bad bricks are listed with their byte offsets; the exit code is then 4.");
  command.on_run([options, &code] { code = run(*options); });
}

} // namespace rivulet::command
