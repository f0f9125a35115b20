// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/JoinHalves.h"

#include "Trace/Lines/GatherLines.h"

#include <algorithm>

namespace rivulet
{

namespace
{

LineParts whole(const TracedLines& lines, const TracedLine& line)
{
  LineParts parts;
  parts.seed = line.seed;
  parts.backward = line.backward;
  parts.reason = line.reason;
  parts.add({ &lines, line.first_point, line.points });
  return parts;
}

/// The points of a line that goes back in time with times in the window.
void keep_shown(const TimeWindow& shown, LineParts& line)
{
  LinePart part = line.parts.front();
  const double* const times = part.piece->time.data() + part.first;
  const double* const first = std::find_if(times, times + part.points, [&](double t) { return t <= shown.last; });
  const double* const beyond = std::find_if(first, times + part.points, [&](double t) { return t < shown.first; });
  part = { part.piece, part.first + (first - times), beyond - first };
  line.parts.clear();
  line.points = 0;
  line.add(part);
}

} // namespace

TracedLines join_halves(const TracedLines& later, const TracedLines& earlier, const std::optional<TimeWindow>& shown)
{
  std::vector<LineParts> lines;
  lines.reserve(later.lines.size() + earlier.lines.size());
  auto next = earlier.lines.begin();
  const auto add_earlier_until = [&](std::int32_t seed)
  {
    for (; next != earlier.lines.end() && next->seed < seed; ++next)
    {
      lines.push_back(whole(earlier, *next));
      if (shown)
      {
        keep_shown(*shown, lines.back());
      }
    }
  };
  for (const TracedLine& line : later.lines)
  {
    add_earlier_until(line.seed);
    lines.push_back(whole(later, line));
  }
  add_earlier_until(static_cast<std::int32_t>(earlier.seeds.size()));
  std::erase_if(lines, [](const LineParts& line) { return line.points < 2; });
  TracedLines out = gather(lines, later.points.empty() ? earlier : later);
  out.seeds = later.seeds;
  for (std::size_t seed = 0; seed < out.seeds.size(); ++seed)
  {
    const SeedFate& before = earlier.seeds[seed];
    SeedFate& fate = out.seeds[seed];
    fate.reason[1] = before.reason[1];
    fate.length[1] = before.length[1];
    fate.time[1] = before.time[1];
    fate.steps[1] = before.steps[1];
  }
  out.cancelled = later.cancelled || earlier.cancelled;
  out.data_error = later.data_error ? later.data_error : earlier.data_error;
  return out;
}

} // namespace rivulet
