// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/PathlineMarch.h"

#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Lines/AssembleLines.h"
#include "Trace/Lines/TraceLines.h"

#include <algorithm>
#include <new>
#include <type_traits>

namespace rivulet
{

namespace
{

/// The parts of one line, in order.
struct LineParts
{
  struct Part
  {
    const TracedLines* piece;
    const TracedLine* line;
  };
  std::vector<Part> parts;
  std::int64_t points = 0;
  Termination reason = Termination::None;

  void add(const TracedLines& piece, const TracedLine& line)
  {
    parts.push_back({ &piece, &line });
    points += line.points;
    reason = line.reason != Termination::None ? line.reason : reason;
  }
};

/// Parts of all lines, in output order: all forward ones by seed, then all backward ones.
std::vector<LineParts> parts_of(std::span<const TracedLines* const> pieces, std::size_t seeds)
{
  std::vector<LineParts> lines(2 * seeds);
  for (const TracedLines* piece : pieces)
  {
    for (const TracedLine& line : piece->lines)
    {
      lines[static_cast<std::size_t>(line.seed) + (line.backward ? seeds : 0)].add(*piece, line);
    }
  }
  return lines;
}

/// Joins the fates: a seed has one in the last piece in which it moved.
void join_fates(std::span<const TracedLines* const> pieces, std::vector<SeedFate>& fates)
{
  for (const TracedLines* piece : pieces)
  {
    for (std::size_t seed = 0; seed < fates.size(); ++seed)
    {
      const SeedFate& fate = piece->seeds[seed];
      for (const std::size_t way : { std::size_t{ 0 }, std::size_t{ 1 } })
      {
        if (fate.reason[way] != Termination::None || fate.steps[way] > fates[seed].steps[way])
        {
          fates[seed].reason[way] = fate.reason[way];
          fates[seed].length[way] = fate.length[way];
          fates[seed].time[way] = fate.time[way];
          fates[seed].steps[way] = fate.steps[way];
        }
      }
    }
  }
}

/// Copies the values of one array; `values(lines)` has `components` of them for each point.
template <class T, class Values>
void copy_values(const std::vector<LineParts>& lines, std::size_t components, const Values& values, Buffer<T>& to)
{
  T* next = to.data();
  for (const LineParts& line : lines)
  {
    for (const LineParts::Part& part : line.parts)
    {
      const T* from = values(*part.piece).data() + static_cast<std::size_t>(part.line->first_point) * components;
      next = std::copy_n(from, static_cast<std::size_t>(part.line->points) * components, next);
    }
  }
}

/// `like`: a piece with points.
void join_arrays(const std::vector<LineParts>& lines, std::size_t points, const TracedLines& like, TracedLines& out)
{
  const auto join = [&](auto TracedLines::*array, std::size_t components)
  {
    if ((like.*array).empty())
    {
      return; // not asked for
    }
    out.*array = std::remove_reference_t<decltype(out.*array)>(points * components);
    copy_values(
        lines, components, [array](const TracedLines& piece) -> const auto& { return piece.*array; }, out.*array);
  };
  join(&TracedLines::points, 3);
  join(&TracedLines::time, 1);
  join(&TracedLines::vorticity, 3);
  join(&TracedLines::rotation, 1);
  join(&TracedLines::angular_velocity, 1);
  join(&TracedLines::cell_velocity, 3);
  for (std::size_t i = 0; i < like.attributes.size(); ++i)
  {
    const std::size_t bytes = like.attributes[i].values.size() / (like.points.size() / 3);
    out.attributes[i].values = Buffer<std::byte>(points * bytes);
    copy_values(
        lines, bytes, [i](const TracedLines& piece) -> const auto& { return piece.attributes[i].values; },
        out.attributes[i].values);
  }
}

/// Lists the lines of two points or more, and removes the others from `parts`.
void list_joined(std::vector<LineParts>& parts, TracedLines& out)
{
  const std::size_t seeds = parts.size() / 2;
  std::int64_t points = 0;
  for (std::size_t task = 0; task < parts.size(); ++task)
  {
    const LineParts& line = parts[task];
    if (line.points < 2)
    {
      continue;
    }
    out.lines.push_back({ .seed = static_cast<std::int32_t>(task % seeds),
        .backward = task >= seeds,
        .reason = line.reason,
        .first_point = points,
        .points = line.points });
    points += line.points;
  }
  std::erase_if(parts, [](const LineParts& line) { return line.points < 2; });
}

void join_run(const TracedLines& piece, TracedLines& out)
{
  out.statistics.integration_steps += piece.statistics.integration_steps;
  out.statistics.seeds_outside += piece.statistics.seeds_outside;
  out.statistics.trace_seconds += piece.statistics.trace_seconds;
  out.statistics.stall_seconds += piece.statistics.stall_seconds;
  out.statistics.parked += piece.statistics.parked;
  out.cancelled = out.cancelled || piece.cancelled;
  out.data_error = piece.data_error ? piece.data_error : out.data_error;
}

} // namespace

TracedLines join_lines(std::span<const TracedLines* const> pieces)
{
  TracedLines out;
  const TracedLines* like = pieces.front();
  for (const TracedLines* piece : pieces)
  {
    join_run(*piece, out);
    like = like->points.empty() ? piece : like;
  }
  out.seeds.resize(like->seeds.size());
  join_fates(pieces, out.seeds);
  for (const AttributeValues& attribute : like->attributes)
  {
    out.attributes.push_back({ attribute.name, attribute.type, attribute.components, {} });
  }
  std::vector<LineParts> parts = parts_of(pieces, out.seeds.size());
  list_joined(parts, out);
  if (!out.lines.empty())
  {
    const auto points = static_cast<std::size_t>(out.lines.back().first_point + out.lines.back().points);
    join_arrays(parts, points, *like, out);
  }
  return out;
}

PathlineMarch::PathlineMarch(std::size_t seeds)
  : march_(2 * seeds)
  , seeds_(seeds)
{
}

Result<void> PathlineMarch::begin(
    const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run)
{
  std::int64_t outside = 0;
  const auto advect_seeds = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    FixedSeeds source(context, seeds);
    const AdvectionSummary summary = march_.begin(context, source, recorder, watched);
    mark_outside(context, source, recorder.paths());
    outside = static_cast<std::int64_t>(source.outside().size());
    return summary;
  };
  Result<TracedLines> piece = trace_lines(context, { 2 * seeds_, advect_seeds, 1 }, run);
  if (piece)
  {
    piece->statistics.seeds_outside = outside;
  }
  return keep(std::move(piece));
}

Result<void> PathlineMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  const auto advect_paused = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    return march_.go_on(context, recorder, watched);
  };
  return keep(trace_lines(context, { 2 * seeds_, advect_paused, 1 }, run));
}

Result<void> PathlineMarch::keep(Result<TracedLines>&& piece)
{
  if (!piece)
  {
    return forward_error(piece);
  }
  if (piece->data_error && piece->data_error->code == ErrorCode::BudgetTooSmall)
  {
    return tl::unexpected(*piece->data_error); // lines would go on after a gap
  }
  pieces_.push_back(std::move(*piece));
  return {};
}

Result<TracedLines> PathlineMarch::lines_at(const AdvectionContext& context, const RunOptions& run) const
{
  const auto advect_ahead = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    return march_.look_ahead(context, recorder, watched);
  };
  Result<TracedLines> ahead = trace_lines(context, { 2 * seeds_, advect_ahead, 1 }, run);
  if (!ahead)
  {
    return ahead;
  }
  try
  {
    std::vector<const TracedLines*> pieces;
    pieces.reserve(pieces_.size() + 1);
    for (const TracedLines& piece : pieces_)
    {
      pieces.push_back(&piece);
    }
    pieces.push_back(&*ahead);
    return join_lines(pieces);
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("join the pieces of all lines"));
  }
}

} // namespace rivulet
