// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/WaitingLines.h"

#include "Base/Bytes.h"

#include <map>
#include <new>
#include <utility>

namespace rivulet
{

namespace
{

std::int64_t bytes_of(const LineSet& lines)
{
  std::size_t bytes = lines.points.size() * sizeof(float) + lines.places.size() * sizeof(double) +
                      lines.lengths.size() * sizeof(std::int64_t) +
                      (lines.seeds.size() + lines.reasons.size()) * sizeof(std::int32_t);
  for (const LineSet::Array& array : lines.arrays)
  {
    bytes += array.values.size();
  }
  return static_cast<std::int64_t>(bytes);
}

/// A line of one of the sets.
struct Piece
{
  const LineSet* set = nullptr;
  std::size_t number = 0;
  std::int64_t first_point = 0;
};

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from, std::int64_t first, std::int64_t count)
{
  to.insert(to.end(), from.begin() + first, from.begin() + first + count);
}

/// Adds the points of a line from `skip` on.
void append_points(LineSet& to, const Piece& piece, std::int64_t skip)
{
  const LineSet& from = *piece.set;
  const std::int64_t first = piece.first_point + skip;
  const std::int64_t count = from.lengths[piece.number] - skip;
  append(to.points, from.points, 3 * first, 3 * count);
  if (!from.places.empty())
  {
    append(to.places, from.places, 3 * first, 3 * count);
  }
  for (std::size_t i = 0; i < to.arrays.size(); ++i)
  {
    const LineSet::Array& array = from.arrays[i];
    const auto tuple = static_cast<std::int64_t>(size_of(array.type)) * array.components;
    append(to.arrays[i].values, array.values, tuple * first, tuple * count);
  }
  to.lengths.back() += count;
  to.reasons.back() = from.reasons[piece.number];
}

/// Sets of the same arrays, in the order of time. A line begins with the last point of the line before.
LineSet joined(const std::vector<const LineSet*>& sets)
{
  std::map<std::int32_t, std::vector<Piece>> by_seed;
  for (const LineSet* const set : sets)
  {
    std::int64_t point = 0;
    for (std::size_t number = 0; number < set->seeds.size(); point += set->lengths[number], ++number)
    {
      by_seed[set->seeds[number]].push_back({ set, number, point });
    }
  }
  LineSet all;
  for (const LineSet::Array& array : sets.back()->arrays)
  {
    all.arrays.push_back({ array.name, array.type, array.components, {} });
  }
  for (const auto& [seed, pieces] : by_seed)
  {
    all.seeds.push_back(seed);
    all.lengths.push_back(0);
    all.reasons.push_back(0);
    for (const Piece& piece : pieces)
    {
      append_points(all, piece, all.lengths.back() > 0 ? 1 : 0);
    }
  }
  return all;
}

} // namespace

WaitingLines::~WaitingLines()
{
  tell_missing(dropped_ + static_cast<std::int64_t>(steps_.size()));
}

Result<LineSet> WaitingLines::join(const LineSet& present) const
{
  try
  {
    std::vector<const LineSet*> sets;
    for (const LineSet& step : steps_)
    {
      sets.push_back(&step);
    }
    sets.push_back(&present);
    return joined(sets);
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BadArgument, "there is no memory to join lines of steps that could not be written",
        "choose fewer seeds");
  }
}

void WaitingLines::keep(LineSet lines)
{
  bytes_ += bytes_of(lines);
  steps_.push_back(std::move(lines));
  while (bytes_ > limit_)
  {
    bytes_ -= bytes_of(steps_.front());
    steps_.pop_front();
    if (dropped_++ == 0)
    {
      host_.warn("lines that could not be written take more than " + std::to_string(limit_ / kMiB) +
                 " MiB, and those of the oldest steps are dropped. The limit is \"limit_mib\"");
    }
  }
}

void WaitingLines::clear()
{
  tell_missing(dropped_);
  steps_.clear();
  bytes_ = 0;
  dropped_ = 0;
}

void WaitingLines::tell_missing(std::int64_t steps) const
{
  if (steps > 0)
  {
    host_.warn("lines that could not be written are missing, those of " + std::to_string(steps) +
               (steps == 1 ? " step" : " steps"));
  }
}

} // namespace rivulet
