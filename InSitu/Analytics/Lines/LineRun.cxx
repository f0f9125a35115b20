// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/LineRun.h"

#include "Parallel/ArenaExecutor.h"
#include "Plugin/Agree.h"

#include <filesystem>
#include <new>

namespace rivulet
{

namespace
{

tl::unexpected<Error> stopped(const Host& host)
{
  return fail(ErrorCode::Cancelled, host.name() + " was stopped before its lines had ended");
}

} // namespace

Result<TracedLines> LineRun::trace(const std::function<Result<TracedLines>(const RunOptions& run)>& trace) const
{
  if (host_.stopped())
  {
    return stopped(host_);
  }
  ArenaExecutor executor; // the arena of analytics is the caller's
  RunOptions run;
  run.threads = host_.slots();
  run.executor = &executor;
  run.progress = [this](double)
  {
    return !host_.stopped();
  };
  Result<TracedLines> traced = trace(run);
  if (traced && traced->data_error)
  {
    return tl::unexpected(*traced->data_error);
  }
  if (traced && traced->cancelled)
  {
    return stopped(host_);
  }
  return traced;
}

Result<LineSet> LineRun::gather(const std::function<Result<LineSet>()>& lines) const
{
  Result<LineSet> mine;
  try
  {
    mine = lines();
  }
  catch (const std::bad_alloc&)
  {
    mine = fail(ErrorCode::BadArgument, "there is no memory for the lines of " + host_.name(), "choose fewer seeds");
  }
  Result<void> done = agree(host_, mine ? Result<void>() : tl::unexpected(mine.error()));
  done = done ? agree(host_, gather_lines(host_, *mine)) : done;
  return done ? std::move(mine) : forward_error(done);
}

Result<void> LineRun::write(const rivulet_snapshot& snapshot, const LineSet& lines)
{
  return add(snapshot, [&](const std::string& path) { return write_lines(path, lines, snapshot.time); });
}

Result<void> LineRun::keep(const rivulet_snapshot& snapshot)
{
  return add(snapshot, [](const std::string&) { return Result<void>(); });
}

/// Makes the step's file and adds it to the list.
Result<void> LineRun::add(
    const rivulet_snapshot& snapshot, const std::function<Result<void>(const std::string& path)>& make)
{
  has_file_ = true;
  if (!host_.first())
  {
    return {};
  }
  std::string file; // stays empty where the step is left out
  Result<void> done = files_.write(snapshot,
      [&](const std::string& path)
      {
        file = path;
        return make(path);
      });
  has_file_ = done.has_value();
  std::error_code none;
  return done && std::filesystem::exists(file, none) ? series_.add(snapshot, file) : done;
}

} // namespace rivulet
