// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `streamlines`: streamlines of a field on a uniform or rectilinear grid, or of one with levels, for
/// ParaView, while the simulation runs.
///
/// Options (lengths in the simulation's unit):
///     "field"       name of the field; needed if there are several
///     "velocity"    variable of three components; "velocity" by default
///     "attributes"  names of further variables to interpolate along the lines
///     "cells"       values in the middle of cells: "nodes" (default) become nodes (FieldChoice.h), "cells" stay;
///     refused
///                   for a field with levels
///     "points", "line", "plane", "resolution"   seeds (SeedOptions.h)
///     "direction"   "both" (default), "forward" or "backward"
///     "length"      of a line in each direction, at most; the diagonal of the domain by default
///     "steps"       of a line in each direction, at most; 2000 by default
///     "limit_mib"   mebibytes that the field may take on each rank; 1024 by default. Of a field with levels: its
///     patches,
///                   and the values of nodes that are made of them in the room that is left
///
/// Every rank that has seeds gets the whole field by messages, because a line may lead anywhere: a field above the
/// limit is refused. Ranks share the seeds in ranges. The lines do not depend on ranks and threads, to the last bit.
///
/// A field with levels has values of cells. A line is where the finest patch is (AmrMesh/NodeValues.h), and it is the
/// line that *Rivulet Stream Tracer* traces through the same patches.
///
/// Files: NAME-STEP.vtp for each step, and NAME.vtp.series, which ParaView opens with the times of the simulation.
#include "Trace/Streamlines.h"
#include "Lines/LineOptions.h"
#include "Lines/LineRun.h"
#include "Plugin/Analytics.h"

#include <array>
#include <cmath>
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
    return lines_.wish.wants(name, variable);
  }

private:
  explicit Streamlines(const Host& host)
    : host_(host)
    , run_(host)
  {
  }
  [[nodiscard]] Result<LineSet> trace(const WholeField& whole);

  Host host_;
  LineRun run_;
  LineOptions lines_;
  StreamlineOptions options_;
  std::optional<double> length_;
  bool told_outside_ = false;
};

Result<std::unique_ptr<Analytics>> Streamlines::create(const Host& host)
{
  std::unique_ptr<Streamlines> made(new Streamlines(host));
  OptionReader read(host);
  made->lines_ = read_line_options(read);
  made->lines_.wish.levels = true;
  constexpr std::array kDirections{ TraceDirection::Both, TraceDirection::Forward, TraceDirection::Backward };
  made->options_.direction = kDirections.at(read.choice("direction", { "both", "forward", "backward" }));
  made->length_ = read.positive("length");
  made->options_.maximum_steps = read.integer("steps", 2000, { 1, 1'000'000'000 });
  made->options_.compute_vorticity = false;
  Result<void> sound = read.finish();
  sound = sound ? made->run_.check() : sound;
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
  const SeedRange range = lines_.seeds_of(host_);
  if (range.begin == range.end)
  {
    return no_lines(info.variables, kTimeAlongLine);
  }
  const FlowSources sources(whole);
  const std::span<const Vec3> seeds(
      lines_.seeds.data() + range.begin, static_cast<std::size_t>(range.end - range.begin));
  StreamlineOptions options = options_;
  options.maximum_length = length_.value_or(diagonal_of(info.grid));
  const Result<TracedLines> traced =
      run_.trace([&](const RunOptions& run) { return trace_streamlines(sources.field(), seeds, options, run); });
  if (!traced)
  {
    return tl::unexpected(traced.error());
  }
  if (traced->statistics.seeds_outside > 0 && !std::exchange(told_outside_, true))
  {
    host_.note(std::to_string(traced->statistics.seeds_outside) + " seeds lie outside of the field");
  }
  return lines_of(*traced, range.begin, kTimeAlongLine);
}

Result<void> Streamlines::execute(const rivulet_snapshot& snapshot)
{
  Result<WholeField> whole = gather_whole(host_, snapshot, lines_.wish, lines_.needs(host_, 1));
  if (!whole)
  {
    return forward_error(whole);
  }
  Result<LineSet> lines = run_.gather([&] { return trace(*whole); });
  return lines ? run_.write(snapshot, *lines) : forward_error(lines);
}

} // namespace

RIVULET_ANALYTICS(Streamlines, 1)
