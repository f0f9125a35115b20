// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/JoinHalves.h"

#include "Trace/Lines/CutLines.h"

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

/// Cuts a line that goes back in time exactly at the ends of the window.
void keep_shown(const TimeWindow& shown, LineParts& line, LineCuts& cuts)
{
  const LinePart all = line.parts.front();
  const double* const times = all.piece->time.data() + all.first;
  const double* const end = times + all.points;
  const double* const first = std::find_if(times, end, [&](double t) { return t <= shown.last; });
  const double* const beyond = std::find_if(first, end, [&](double t) { return t < shown.first; });
  line.parts.clear();
  line.points = 0;
  const auto add_cut = [&](double time, const double* after)
  {
    const std::int64_t number = all.first + (after - times);
    line.add(cuts.at(time, { all.piece, number - 1 }, { all.piece, number }));
  };
  if (first != times && first != end && *first != shown.last)
  {
    add_cut(shown.last, first);
  }
  line.add({ all.piece, all.first + (first - times), beyond - first });
  if (beyond != times && beyond != end && *(beyond - 1) != shown.first)
  {
    add_cut(shown.first, beyond);
  }
}

} // namespace

TracedLines join_halves(const TracedLines& later, const TracedLines& earlier, const std::optional<TimeWindow>& shown)
{
  LineCuts cuts;
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
        keep_shown(*shown, lines.back(), cuts);
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
  const TracedLines& like = later.points.empty() ? earlier : later;
  cuts.fill(like);
  TracedLines out = gather(lines, like);
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
  out.crossings = later.crossings;
  out.crossings.insert(out.crossings.end(), earlier.crossings.begin(), earlier.crossings.end());
  out.cancelled = later.cancelled || earlier.cancelled;
  out.data_error = later.data_error ? later.data_error : earlier.data_error;
  return out;
}

} // namespace rivulet
