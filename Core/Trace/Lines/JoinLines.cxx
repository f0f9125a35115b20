// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/JoinLines.h"

#include "Trace/Lines/CutLines.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace rivulet
{

namespace
{

/// Whether a line ends for this reason as soon as it has a point, and not because the step after it failed.
bool is_of_point(Termination reason)
{
  return reason == Termination::OutOfLength || reason == Termination::OutOfSteps || reason == Termination::Stagnation ||
         reason == Termination::Crossed;
}

/// The part of a line, and of its crossings, up to the time of the frame.
struct Until
{
  std::int64_t points = 0;
  std::int64_t crossings_beyond = 0; ///< crossings of that time that come after it
};

/// Crossings, or the border of the domain, may be so close to the point before them that all have the same time: lines
/// up to that time end with the point before them, whether they were traced any further or not. `crossings`: of the
/// line, with the time of the frame.
Until part_until(const TracedLines& piece, const TracedLine& line, const LinePieces& from, std::int64_t crossings)
{
  const double* const times = piece.time.data() + line.first_point;
  const double* const beyond = from.backward ? std::upper_bound(times, times + line.points, from.time, std::greater<>())
                                             : std::upper_bound(times, times + line.points, from.time);
  const std::int64_t points = beyond - times;
  std::int64_t same_time = 0; // number of points after the first one of that time
  while (same_time + 1 < points && times[points - 2 - same_time] == from.time)
  {
    ++same_time;
  }
  const std::int64_t border = line.reason == Termination::OutOfDomain && points == line.points ? 1 : 0;
  const std::int64_t dropped = std::min(same_time, crossings + border);
  return { points - dropped, std::max<std::int64_t>(0, dropped - border) };
}

/// For each seed, the number of crossings with the time of the frame.
std::vector<std::int64_t> crossings_at_time(const TracedLines& piece, const LinePieces& from)
{
  std::vector<std::int64_t> counts(from.seeds.size(), 0);
  for (const LineCrossing& each : piece.crossings)
  {
    counts[static_cast<std::size_t>(each.seed)] += each.time == from.time ? 1 : 0;
  }
  return counts;
}

/// The parts of all lines, by seed. Adds the crossings up to the time to `crossings`, by piece.
std::vector<LineParts> parts_of(const LinePieces& from, std::vector<LineCrossing>& crossings)
{
  std::vector<LineParts> lines(from.seeds.size());
  for (std::size_t seed = 0; seed < lines.size(); ++seed)
  {
    lines[seed].seed = static_cast<std::int32_t>(seed);
    lines[seed].backward = from.backward;
  }
  for (const TracedLines* piece : from.pieces)
  {
    std::vector<std::int64_t> at_time = crossings_at_time(*piece, from);
    for (const TracedLine& line : piece->lines)
    {
      const auto seed = static_cast<std::size_t>(line.seed);
      LineParts& parts = lines[seed];
      const auto [points, crossings_beyond] = part_until(*piece, line, from, at_time[seed]);
      at_time[seed] -= crossings_beyond;
      const std::int64_t repeated = parts.points > 0 && !from.ends_only ? 1 : 0;
      parts.cut = parts.cut || points < line.points;
      parts.add({ piece, line.first_point + repeated, points - repeated });
    }
    std::copy_if(piece->crossings.begin(), piece->crossings.end(), std::back_inserter(crossings),
        [&](const LineCrossing& each)
        {
          const bool at = each.time == from.time; // the first ones of that time stay
          return at              ? at_time[static_cast<std::size_t>(each.seed)]-- > 0
                 : from.backward ? each.time > from.time
                                 : each.time < from.time;
        });
  }
  std::stable_sort(
      crossings.begin(), crossings.end(), [](const LineCrossing& a, const LineCrossing& b) { return a.seed < b.seed; });
  return lines;
}

/// Sets why the lines end.
void set_reasons(const LinePieces& from, std::vector<LineParts>& lines)
{
  const std::size_t way = from.backward ? 1 : 0;
  for (LineParts& line : lines)
  {
    const auto seed = static_cast<std::size_t>(line.seed);
    for (const TracedLines* piece : from.pieces)
    {
      const Termination reason = piece->seeds[seed].reason[way];
      line.reason = reason != Termination::None ? reason : line.reason;
    }
    const double start = from.seeds[seed].time;
    if (start < from.field_times[0] || start > from.field_times[1])
    {
      line.reason = Termination::SeedOutside;
    }
    else if (from.backward ? start < from.time : start > from.time)
    {
      line.reason = Termination::None;
    }
    else if (line.cut || (line.points > 0 && !is_of_point(line.reason) && line.last_time() == from.time))
    {
      line.reason = Termination::OutOfTime;
    }
  }
}

/// Length of a line by its points, in single or double precision.
template <class T>
double length_by(const LineParts& line, Buffer<T> TracedLines::*points)
{
  double length = 0.0;
  const T* before = nullptr;
  for (const LinePart& part : line.parts)
  {
    for (std::int64_t i = part.first; i < part.first + part.points; ++i)
    {
      const T* point = (part.piece->*points).data() + 3 * i;
      length += before == nullptr ? 0.0
                                  : std::sqrt(std::pow(double{ point[0] } - before[0], 2) +
                                              std::pow(double{ point[1] } - before[1], 2) +
                                              std::pow(double{ point[2] } - before[2], 2));
      before = point;
    }
  }
  return length;
}

double length_of(const LineParts& line)
{
  const bool in_doubles = !line.parts.empty() && !line.parts.front().piece->places.empty();
  return in_doubles ? length_by(line, &TracedLines::places) : length_by(line, &TracedLines::points);
}

/// The fate in the last piece that has one.
SeedFate last_fate(const LinePieces& from, std::size_t seed)
{
  const std::size_t way = from.backward ? 1 : 0;
  SeedFate fate;
  for (const TracedLines* piece : from.pieces)
  {
    fate = piece->seeds[seed].reason.at(way) != Termination::None ? piece->seeds[seed] : fate;
  }
  return fate;
}

std::vector<SeedFate> fates_of(const LinePieces& from, const std::vector<LineParts>& lines)
{
  const std::size_t way = from.backward ? 1 : 0;
  std::vector<SeedFate> fates(lines.size());
  for (std::size_t seed = 0; seed < lines.size() && from.ends_only; ++seed)
  {
    const bool released = lines[seed].reason != Termination::None;
    fates[seed] = released ? last_fate(from, seed) : SeedFate{}; // pieces may know of times after the frame
    fates[seed].reason.at(way) = lines[seed].reason;
  }
  if (from.ends_only)
  {
    return fates;
  }
  for (std::size_t seed = 0; seed < lines.size(); ++seed)
  {
    const LineParts& line = lines[seed];
    fates[seed].reason[way] = line.reason;
    fates[seed].length[way] = length_of(line);
    fates[seed].time[way] = line.points > 0 ? line.last_time() : from.seeds[seed].time;
    fates[seed].steps[way] = std::max<std::int64_t>(0, line.points - 1);
  }
  return fates;
}

/// Cuts off the points before the tail of a line, exactly at the tail's begin.
void keep_tail(const LinePieces& from, LineParts& line, LineCuts& cuts)
{
  const double begin = from.backward ? from.time + from.tail : from.time - from.tail;
  std::vector<LinePart> parts = std::exchange(line.parts, {});
  line.points = 0;
  PointOfLine before;
  for (LinePart part : parts)
  {
    const double* const times = part.piece->time.data();
    while (part.points > 0 && (from.backward ? times[part.first] > begin : times[part.first] < begin))
    {
      before = { part.piece, part.first };
      ++part.first;
      --part.points;
    }
    const bool cut = part.points > 0 && line.points == 0 && before.piece != nullptr && times[part.first] != begin;
    if (cut)
    {
      line.add(cuts.at(begin, before, { part.piece, part.first }));
    }
    line.add(part);
  }
}

void keep_last_point(LineParts& line)
{
  LinePart last = line.parts.back();
  last.first += last.points - 1;
  last.points = 1;
  line.parts.assign(1, last);
  line.points = 1;
}

/// A piece from which the arrays' names and types are known.
const TracedLines* one_with_points(std::span<const TracedLines* const> pieces)
{
  const auto found =
      std::find_if(pieces.begin(), pieces.end(), [](const TracedLines* piece) { return !piece->points.empty(); });
  return found != pieces.end() ? *found : pieces.empty() ? nullptr : pieces.front();
}

} // namespace

PathlineFrame join_lines(const LinePieces& from)
{
  const TracedLines none;
  const TracedLines* const found = one_with_points(from.pieces);
  const TracedLines& like = found != nullptr ? *found : none;
  std::vector<LineCrossing> crossings;
  std::vector<LineParts> lines = parts_of(from, crossings);
  set_reasons(from, lines);
  PathlineFrame frame;
  std::vector<SeedFate> fates = fates_of(from, lines);
  std::vector<LineParts> going = from.ends_only ? std::exchange(lines, {}) : lines;
  LineCuts cuts;
  if (from.tail > 0.0)
  {
    std::for_each(lines.begin(), lines.end(), [&](LineParts& line) { keep_tail(from, line, cuts); });
    cuts.fill(like);
  }
  std::erase_if(lines, [&](const LineParts& line) { return line.points < 2; });
  frame.lines = gather(lines, like);
  frame.lines.seeds = std::move(fates);
  frame.lines.crossings = std::move(crossings);
  lines.clear();
  std::erase_if(going, [&](const LineParts& line)
      { return line.points == 0 || line.reason != Termination::OutOfTime || line.last_time() != from.time; });
  std::for_each(going.begin(), going.end(), keep_last_point);
  frame.particles = gather(going, like);
  for (const TracedLines* piece : from.pieces)
  {
    frame.lines.cancelled = frame.lines.cancelled || piece->cancelled;
    frame.lines.data_error = frame.lines.data_error ? frame.lines.data_error : piece->data_error;
  }
  return frame;
}

} // namespace rivulet
