// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/Interrupt.h"
#include "Command/ProgressLine.h"
#include "Command/SourceNames.h"
#include "Store/Field/OpenField.h"
#include "Store/Field/StageField.h"

#include <cstdio>

namespace rivulet::command
{

namespace
{

struct Options
{
  std::vector<std::string> paths;
  LocalCacheOptions cache{ .folder = {}, .limit = 0, .keep_all = true };
  std::int64_t memory = 256 * kMiB;
  bool quiet = false;
};

Result<StageReport> stage(const Options& options)
{
  Result<std::shared_ptr<FileBricks>> field = open_field(expand_patterns(options.paths),
      { .strategy = AccessStrategy::Asynchronous, .memory_budget = options.memory, .local_cache = options.cache });
  if (!field)
  {
    return forward_error(field);
  }
  ProgressLine line("staging", options.quiet);
  return stage_field(**field, { .cancel = &interrupt_requested(), .progress = line.callback() });
}

ExitCode run(const Options& options)
{
  const Stopwatch watch;
  const Result<StageReport> staged = stage(options);
  if (!staged)
  {
    return report(staged.error());
  }
  if (!options.quiet)
  {
    std::printf("%s: %lld bricks are in the local cache (%s read in %.1f s, %s were there)\n",
        options.paths.front().c_str(), static_cast<long long>(staged->bricks - staged->bad),
        format_bytes(staged->bytes_read).c_str(), watch.seconds(), format_bytes(staged->bytes_present).c_str());
  }
  if (staged->bad > 0)
  {
    std::printf("%lld bricks cannot be read\n", static_cast<long long>(staged->bad));
    return report(*staged->error);
  }
  if (staged->left_out > 0)
  {
    return report({ ErrorCode::CannotWrite,
        std::to_string(staged->left_out) + " values are not in the local cache. " +
            (staged->trouble.empty() ? "Their file was written just now, or their pieces are too small or too large."
                                     : staged->trouble),
        "stage again; what is there stays", options.paths.front() });
  }
  return ExitCode::Ok;
}

} // namespace

void add_stage(const cli::Command& program, ExitCode& code)
{
  const cli::Command command =
      program.add_command("stage", "Copy a field to the local cache, for readers of this machine");
  const auto options = std::make_shared<Options>();
  command.option("FILE", options->paths, "The field file (.rvf), store (.rvs), or BOV headers (.bov)").required();
  command.option("--cache", options->cache.folder, "Folder on a local disk; by default RIVULET_CACHE_DIRECTORY");
  add_bytes(command, "--limit", options->cache.limit,
      "Size of the cache on its disk; by default RIVULET_CACHE_LIMIT, else as it is, else half of the free space");
  add_bytes(command, "--memory", options->memory, "Memory for bricks on their way");
  add_quiet(command, options->quiet);
  command.set_footer(
      "Readers with the same folder find all bricks there. A staging that was stopped goes on where it was.");
  command.on_run([options, &code] { code = run(*options); });
}

} // namespace rivulet::command
