// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/LineRun.h"

#include "Parallel/ArenaExecutor.h"
#include "Plugin/Agree.h"

#include <new>

namespace rivulet
{

Result<TracedLines> LineRun::trace(const std::function<Result<TracedLines>(const RunOptions& run)>& trace) const
{
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
    return fail(ErrorCode::Cancelled, host_.name() + " was stopped before its lines had ended");
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
  done = done ? gather_lines(host_, *mine) : done;
  return done ? std::move(mine) : forward_error(done);
}

Result<void> LineRun::write(const rivulet_snapshot& snapshot, const LineSet& lines)
{
  if (!host_.first())
  {
    return {};
  }
  return files_.write(snapshot,
      [&](const std::string& path)
      {
        Result<void> written = write_lines(path, lines, snapshot.time);
        return written ? series_.add(snapshot, path) : written;
      });
}

} // namespace rivulet
