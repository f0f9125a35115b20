// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/StreakLines.h"

#include "Trace/Lines/GatherLines.h"

#include <limits>

namespace rivulet
{

namespace
{

/// The streak lines so far, of which the last one grows.
class Connection
{
public:
  /// Adds a point to the line, or begins another one if the point does not follow the last.
  void add(const TracedLines& from, const TracedLine& particle, std::int64_t seed, std::int64_t release)
  {
    if (lines_.empty() || lines_.back().seed != seed || release != last_ + 1)
    {
      lines_.push_back({});
      lines_.back().seed = static_cast<std::int32_t>(seed);
      lines_.back().reason = Termination::OutOfTime;
    }
    LineParts& line = lines_.back();
    ++line.points;
    last_ = release;
    if (!line.parts.empty() && line.parts.back().piece == &from &&
        line.parts.back().first + line.parts.back().points == particle.first_point)
    {
      ++line.parts.back().points;
      return;
    }
    line.parts.push_back({ &from, particle.first_point, 1 });
  }
  [[nodiscard]] std::vector<LineParts>& lines() { return lines_; }

private:
  std::vector<LineParts> lines_;
  std::int64_t last_ = 0; ///< release of the last point
};

/// Particle of each point of the lines; the particles' lines have one point each, in this order.
std::vector<std::int64_t> particles_of(const std::vector<LineParts>& lines, const TracedLines& heads)
{
  std::vector<std::int64_t> particles;
  for (const LineParts& line : lines)
  {
    for (const LinePart& part : line.parts)
    {
      for (std::int64_t i = part.first; i < part.first + part.points; ++i)
      {
        particles.push_back(part.piece == &heads ? -1 : part.piece->lines[static_cast<std::size_t>(i)].seed);
      }
    }
  }
  return particles;
}

} // namespace

Streaks connect_streaks(
    const TracedLines& particles, const TracedLines& heads, std::int64_t releases, std::int64_t last)
{
  Connection connection;
  std::size_t head = 0;
  const auto add_heads = [&](std::int64_t before)
  {
    for (; head < heads.lines.size() && heads.lines[head].seed < before; ++head)
    {
      connection.add(heads, heads.lines[head], heads.lines[head].seed, last + 1);
    }
  };
  for (const TracedLine& particle : particles.lines)
  {
    const std::int64_t seed = particle.seed / releases;
    add_heads(seed);
    connection.add(particles, particle, seed, particle.seed % releases);
  }
  add_heads(std::numeric_limits<std::int64_t>::max());
  std::erase_if(connection.lines(), [](const LineParts& line) { return line.points < 2; });
  const TracedLines& like = particles.points.empty() ? heads : particles;
  return { gather(connection.lines(), like), particles_of(connection.lines(), heads) };
}

} // namespace rivulet
