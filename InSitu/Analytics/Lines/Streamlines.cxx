// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `streamlines`: streamlines of a field on a uniform grid, for ParaView, while the simulation runs.
///
/// Options (lengths in the simulation's unit):
///     "field"       name of the field; needed if there are several
///     "velocity"    variable of three components; "velocity" by default
///     "attributes"  names of further variables to interpolate along the lines
///     "cells"       values in the middle of cells: "nodes" (default) become nodes (FieldChoice.h), "cells" stay
///     "points"      seeds: [[x, y, z], ...]; or
///     "line"        [from, to], with "resolution" seeds, both ends included; or
///     "plane"       [corner, corner along one side, corner along the other], with "resolution" seeds along each side
///     "resolution"  10 by default
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
#include "Fields/SpreadField.h"
#include "Lines/FileSeries.h"
#include "Lines/LineSet.h"
#include "Parallel/ArenaExecutor.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/StepFiles.h"
#include "Store/Source/ArrayBricks.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

namespace
{

using namespace rivulet;

struct SeedRange
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

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
  [[nodiscard]] Result<ChosenField> choose(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] SeedRange seeds_of(int rank) const;
  [[nodiscard]] Result<std::vector<SpreadField::Values>> fetch(const SpreadField& spread) const;
  [[nodiscard]] Result<LineSet> trace(const FieldInfo& info, std::vector<SpreadField::Values> values) const;

  Host host_;
  StepFiles files_;
  FileSeries series_;
  FieldWish wish_; ///< the velocity first
  std::vector<Vec3> seeds_;
  StreamlineOptions options_;
  std::optional<double> length_;
  std::int64_t limit_ = 0; ///< bytes
};

Vec3 between(const Vec3& from, const Vec3& to, double share)
{
  return { from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
    from[2] + share * (to[2] - from[2]) };
}

std::vector<Vec3> seeds_on_line(const Vec3& from, const Vec3& to, std::int64_t count)
{
  std::vector<Vec3> seeds;
  for (std::int64_t i = 0; i < count; ++i)
  {
    seeds.push_back(between(from, to, count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5));
  }
  return seeds;
}

std::vector<Vec3> seeds_on_plane(const std::vector<Vec3>& corners, std::int64_t count)
{
  std::vector<Vec3> seeds;
  for (const Vec3& side : seeds_on_line(corners[0], corners[2], count))
  {
    const Vec3 other{ side[0] + corners[1][0] - corners[0][0], side[1] + corners[1][1] - corners[0][1],
      side[2] + corners[1][2] - corners[0][2] };
    const std::vector<Vec3> row = seeds_on_line(side, other, count);
    seeds.insert(seeds.end(), row.begin(), row.end());
  }
  return seeds;
}

std::vector<Vec3> read_seeds(OptionReader& read)
{
  const std::vector<Vec3> points = read.points("points");
  const std::vector<Vec3> line = read.points("line");
  const std::vector<Vec3> plane = read.points("plane");
  const std::int64_t resolution = read.integer("resolution", 10, { 1, plane.empty() ? 1'000'000 : 1000 });
  if (read.has("points") + read.has("line") + read.has("plane") != 1)
  {
    read.refuse("points", "set, or one of \"line\" and \"plane\", and no other of the three");
  }
  if (read.has("line") && line.size() != 2)
  {
    read.refuse("line", "a list of 2 points of 3 numbers each");
  }
  if (read.has("plane") && plane.size() != 3)
  {
    read.refuse("plane", "a list of 3 points of 3 numbers each");
  }
  return line.size() == 2    ? seeds_on_line(line[0], line[1], resolution)
         : plane.size() == 3 ? seeds_on_plane(plane, resolution)
                             : points;
}

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

/// The field, if it is a flow and within the limit.
Result<ChosenField> Streamlines::choose(const rivulet_snapshot& snapshot) const
{
  Result<ChosenField> chosen = choose_field(snapshot, wish_);
  if (!chosen)
  {
    return chosen;
  }
  const std::string& velocity = wish_.variables.front();
  if (chosen->info.variables.front().components != 3)
  {
    return fail(ErrorCode::BadArgument, "the variable \"" + velocity + "\" has not three components",
        "choose another \"velocity\"");
  }
  double bytes = 0;
  for (const Variable& variable : chosen->info.variables)
  {
    const Int3 lattice = chosen->lattice();
    bytes += static_cast<double>(variable.tuple_bytes()) * lattice[0] * lattice[1] * lattice[2];
  }
  if (bytes > static_cast<double>(limit_))
  {
    return fail(ErrorCode::BadArgument,
        "the field \"" + std::string(chosen->field->name) + "\" takes " +
            std::to_string(static_cast<std::int64_t>(bytes) / kMiB + 1) + " MiB on each rank, and " + host_.name() +
            " may take " + std::to_string(limit_ / kMiB),
        "raise \"limit_mib\", or write it by the analytics store and trace there");
  }
  return chosen;
}

/// The range of the seeds that a rank traces.
SeedRange Streamlines::seeds_of(int rank) const
{
  const auto count = static_cast<std::int64_t>(seeds_.size());
  return { count * rank / host_.size(), count * (rank + 1) / host_.size() };
}

Result<std::vector<SpreadField::Values>> Streamlines::fetch(const SpreadField& spread) const
{
  const auto whole_if_used = [&](int rank)
  {
    const SeedRange seeds = seeds_of(rank);
    return std::vector<Box>(seeds.begin < seeds.end ? 1 : 0, Box{ { 0, 0, 0 }, spread.chosen().lattice() });
  };
  std::vector<SpreadField::Values> values;
  Result<void> room;
  try
  {
    for (std::size_t variable = 0; variable < spread.chosen().numbers.size(); ++variable)
    {
      values.push_back(spread.room_for(variable, whole_if_used(host_.rank())));
    }
  }
  catch (const std::bad_alloc&)
  {
    room = fail(ErrorCode::BadArgument, "there is no memory for the field of " + host_.name());
  }
  Result<void> done = agree(host_, room);
  done = done ? spread.fetch(whole_if_used, values) : done;
  if (!done)
  {
    return forward_error(done);
  }
  return values;
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
Result<LineSet> Streamlines::trace(const FieldInfo& info, std::vector<SpreadField::Values> values) const
{
  const SeedRange range = seeds_of(host_.rank());
  if (range.begin == range.end)
  {
    return no_lines(info.variables);
  }
  std::vector<MemoryArray> arrays;
  TraceField field;
  for (std::size_t number = 0; number < info.variables.size(); ++number)
  {
    arrays.push_back({ info.variables[number], values[number].front().data(), {} });
  }
  ArrayBricks source(info.grid, std::move(arrays));
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
  if (traced->statistics.seeds_outside > 0)
  {
    host_.note(std::to_string(traced->statistics.seeds_outside) + " seeds lie outside of the field");
  }
  return lines_of(*traced, range.begin);
}

Result<void> Streamlines::execute(const rivulet_snapshot& snapshot)
{
  const Result<ChosenField> chosen = choose(snapshot);
  Result<SpreadField> spread = SpreadField::gather(host_, chosen);
  Result<std::vector<SpreadField::Values>> values = spread ? fetch(*spread) : forward_error(spread);
  if (!values)
  {
    return forward_error(values);
  }
  Result<LineSet> lines;
  try
  {
    lines = trace(chosen->info, std::move(*values));
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
