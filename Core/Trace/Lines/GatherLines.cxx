// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/GatherLines.h"

#include <algorithm>
#include <type_traits>

namespace rivulet
{

namespace
{

/// Copies the values of one array; `values(lines)` has `components` of them for each point.
template <class T, class Values>
void copy_values(const std::vector<LineParts>& lines, std::size_t components, const Values& values, Buffer<T>& to)
{
  T* next = to.data();
  for (const LineParts& line : lines)
  {
    for (const LinePart& part : line.parts)
    {
      const T* from = values(*part.piece).data() + static_cast<std::size_t>(part.first) * components;
      next = std::copy_n(from, static_cast<std::size_t>(part.points) * components, next);
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
  join(&TracedLines::places, 3);
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

} // namespace

void keep_attributes(TracedLines& lines, std::span<const AttributeRequest> asked)
{
  std::erase_if(lines.attributes,
      [&](const AttributeValues& values)
      {
        return std::none_of(
            asked.begin(), asked.end(), [&](const AttributeRequest& each) { return each.name == values.name; });
      });
}

TracedLines gather(const std::vector<LineParts>& lines, const TracedLines& like)
{
  TracedLines out;
  std::int64_t points = 0;
  for (const LineParts& line : lines)
  {
    out.lines.push_back({ .seed = line.seed,
        .backward = line.backward,
        .reason = line.reason,
        .first_point = points,
        .points = line.points });
    points += line.points;
  }
  for (const AttributeValues& attribute : like.attributes)
  {
    out.attributes.push_back({ attribute.name, attribute.type, attribute.components, {} });
  }
  if (points > 0)
  {
    join_arrays(lines, static_cast<std::size_t>(points), like, out);
  }
  return out;
}

} // namespace rivulet
