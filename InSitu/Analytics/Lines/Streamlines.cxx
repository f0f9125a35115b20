// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `streamlines`: streamlines of a field on a uniform grid, for ParaView, while the simulation runs.
///
/// Options (lengths in the simulation's unit):
///     "field"       name of the field; needed if there are several
///     "velocity"    variable of three components; "velocity" by default
///     "attributes"  names of further variables to interpolate along the lines
///     "cells"       values in the middle of cells: "nodes" (default) become nodes (FieldChoice.h), "cells" stay
///     "points", "line", "plane", "resolution"   seeds (SeedOptions.h)
///     "direction"   "both" (default), "forward" or "backward"
///     "length"      of a line in each direction, at most; the diagonal of the domain by default
///     "steps"       of a line in each direction, at most; 2000 by default
///     "limit_mib"   mebibytes that the field may take on each rank; 1024 by default
///
/// Every rank that has seeds gets the whole field by messages, because a line may lead anywhere: a field above the
/// limit is refused. Ranks share the seeds in ranges. The lines do not depend on ranks and threads, to the last bit.
///
/// Files: NAME-STEP.vtp for each step, and NAME.vtp.series, which ParaView opens with the times of the simulation.
#include "Trace/Streamlines.h"
#include "Lines/FileSeries.h"
#include "Lines/LineSet.h"
#include "Lines/SeedOptions.h"
#include "Lines/WholeField.h"
#include "Parallel/ArenaExecutor.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/StepFiles.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

namespace
{

using namespace rivulet;

class Streamlines final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override
  {
    return wish_.wants(name, variable);
  }

private:
  explicit Streamlines(const Host& host)
    : host_(host)
    , files_(host, ".vtp")
    , series_(host, host.name() + ".vtp.series")
  {
  }
  [[nodiscard]] SeedRange seeds_of(int rank) const
  {
    return seeds_of_rank(static_cast<std::int64_t>(seeds_.size()), rank, host_.size());
  }
  [[nodiscard]] Result<LineSet> trace(const WholeField& whole);

  Host host_;
  StepFiles files_;
  FileSeries series_;
  FieldWish wish_; ///< the velocity first
  std::vector<Vec3> seeds_;
  StreamlineOptions options_;
  std::optional<double> length_;
  std::int64_t limit_ = 0; ///< bytes
  bool told_outside_ = false;
};

Result<std::unique_ptr<Analytics>> Streamlines::create(const Host& host)
{
  std::unique_ptr<Streamlines> made(new Streamlines(host));
  OptionReader read(host);
  made->wish_.field = read.text("field", "");
  made->wish_.variables = { read.text("velocity", "velocity") };
  for (const std::string& name : read.names("attributes"))
  {
    made->wish_.variables.push_back(name);
    if (name == made->wish_.variables.front())
    {
      read.refuse("attributes", "without the velocity, which is always there");
    }
  }
  made->wish_.cells_as_nodes = read.choice("cells", { "nodes", "cells" }) == 0;
  made->seeds_ = read_seeds(read);
  constexpr std::array kDirections{ TraceDirection::Both, TraceDirection::Forward, TraceDirection::Backward };
  made->options_.direction = kDirections.at(read.choice("direction", { "both", "forward", "backward" }));
  made->length_ = read.positive("length");
  made->options_.maximum_steps = read.integer("steps", 2000, { 1, 1'000'000'000 });
  made->options_.compute_vorticity = false;
  made->limit_ = read.integer("limit_mib", 1024, { 1, 1 << 30 }) * kMiB;
  Result<void> sound = read.finish();
  sound = sound && host.first() ? made->files_.check() : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  return made;
}

/// Of the domain. An axis without cells counts with one.
double diagonal_of(const Grid& grid)
{
  const Int3 cells = grid.cells();
  std::array<double, 3> sides{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& places = grid.axes[axis];
    sides[axis] = places.empty() ? cells[axis] * grid.spacing[axis] : places.back() - places.front();
  }
  return std::hypot(sides[0], sides[1], sides[2]);
}

/// The lines of this rank's seeds.
Result<LineSet> Streamlines::trace(const WholeField& whole)
{
  const FieldInfo& info = whole.info;
  const SeedRange range = seeds_of(host_.rank());
  if (range.begin == range.end)
  {
    return no_lines(info.variables, kTimeAlongLine);
  }
  TraceField field;
  ArrayBricks source(info.grid, whole.arrays());
  field.grid = info.grid;
  field.velocity = { &source, 0, 0 };
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    field.attributes.push_back({ info.variables[number].name, { &source, static_cast<std::int32_t>(number), 0 } });
  }
  const std::span<const Vec3> seeds(seeds_.data() + range.begin, static_cast<std::size_t>(range.end - range.begin));
  StreamlineOptions options = options_;
  options.maximum_length = length_.value_or(diagonal_of(info.grid));
  ArenaExecutor executor; // the arena of analytics is the caller's
  RunOptions run;
  run.threads = host_.slots();
  run.executor = &executor;
  run.progress = [&](double)
  {
    return !host_.stopped();
  };
  const Result<TracedLines> traced = trace_streamlines(field, seeds, options, run);
  if (!traced)
  {
    return tl::unexpected(traced.error());
  }
  if (traced->cancelled || traced->data_error)
  {
    return traced->data_error ? tl::unexpected(*traced->data_error)
                              : fail(ErrorCode::Cancelled, host_.name() + " was stopped before its lines had ended");
  }
  if (traced->statistics.seeds_outside > 0 && !std::exchange(told_outside_, true))
  {
    host_.note(std::to_string(traced->statistics.seeds_outside) + " seeds lie outside of the field");
  }
  return lines_of(*traced, range.begin, kTimeAlongLine);
}

Result<void> Streamlines::execute(const rivulet_snapshot& snapshot)
{
  const auto traces = [this](int rank)
  {
    const SeedRange seeds = seeds_of(rank);
    return seeds.begin < seeds.end;
  };
  Result<WholeField> whole = gather_whole(host_, snapshot, wish_, { limit_, 1, traces });
  if (!whole)
  {
    return forward_error(whole);
  }
  Result<LineSet> lines;
  try
  {
    lines = trace(*whole);
  }
  catch (const std::bad_alloc&)
  {
    lines = fail(ErrorCode::BadArgument, "there is no memory for the lines of " + host_.name(), "choose fewer seeds");
  }
  Result<void> done = agree(host_, lines ? Result<void>() : tl::unexpected(lines.error()));
  done = done ? gather_lines(host_, *lines) : done;
  if (!done || !host_.first())
  {
    return done;
  }
  return files_.write(snapshot,
      [&](const std::string& path)
      {
        Result<void> written = write_lines(path, *lines, snapshot.time);
        return written ? series_.add(snapshot, path) : written;
      });
}

} // namespace

RIVULET_ANALYTICS(Streamlines, 1)
