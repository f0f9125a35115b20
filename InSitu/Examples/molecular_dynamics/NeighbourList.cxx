// SPDX-License-Identifier: BSD-3-Clause
#include "NeighbourList.h"

#include "Lanes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kGrain = 1 << 14;

MD_INLINE Lanes load(const double* from)
{
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes); // unaligned
  return lanes;
}

/// Candidates for neighbours, in whole groups of lanes, and a mark for each: -1 for a neighbour, or 0.
struct Candidates
{
  std::array<const double*, 3> position;
  const std::int32_t* index;
  std::int64_t* mark;
  std::ptrdiff_t number;
};

/// Marks the candidates nearer to candidate `self` than the reach.
MD_WIDE void mark_near(const Candidates& candidates, std::ptrdiff_t self, double square_of_reach)
{
  const double x = candidates.position[0][self];
  const double y = candidates.position[1][self];
  const double z = candidates.position[2][self];
  const auto reach = std::bit_cast<std::int64_t>(square_of_reach);
  for (std::ptrdiff_t next = 0; next < candidates.number; next += kLanes)
  {
    const Lanes dx = x - load(candidates.position[0] + next);
    const Lanes dy = y - load(candidates.position[1] + next);
    const Lanes dz = z - load(candidates.position[2] + next);
    const Lanes square = dx * dx + dy * dy + dz * dz;
    // Positive numbers compare as their bits do. GCC 12 would take a comparison of numbers apart.
    const LaneMask near = (std::bit_cast<LaneMask>(square) - reach) >> 63;
    std::memcpy(candidates.mark + next, &near, sizeof near);
  }
  candidates.mark[self] = 0;
}

/// Writes to `into` the indices of marked candidates. Returns how many there are.
std::ptrdiff_t take_marked(const Candidates& candidates, std::int32_t* into)
{
  std::ptrdiff_t found = 0;
  for (std::ptrdiff_t next = 0; next < candidates.number; ++next)
  {
    // No branch, because a third of the candidates are near.
    into[found] = candidates.index[next];
    found -= candidates.mark[next];
  }
  return found;
}

} // namespace

void NeighbourList::build(Particles& particles, const CellList& cells, double reach, examples::Parallel& parallel)
{
  const auto count = static_cast<std::size_t>(particles.count);
  first_.resize(count);
  last_.resize(count);
  const std::int64_t rows = std::int64_t{ cells.own()[1] } * cells.own()[2];
  rows_.resize(static_cast<std::size_t>(rows));
  parallel.for_each(rows, 1,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t number = begin; number < end; ++number)
        {
          build_row(particles, cells, reach, number, scratch_.local());
        }
      });
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    parallel.for_each(particles.count, kGrain,
        [&](std::int64_t begin, std::int64_t end)
        {
          const std::vector<double>& from = particles.position[axis];
          std::copy(from.begin() + begin, from.begin() + end, particles.listed[axis].begin() + begin);
        });
  }
}

/// Copies whole groups of lanes. Values behind the end of a run are overwritten by the next run.
void NeighbourList::Scratch::append(const Particles& particles, const CellList::Span& run)
{
  const std::size_t before = number;
  number += static_cast<std::size_t>(run.end - run.begin);
  if (index.size() < number + kLanes)
  {
    index.resize(2 * number + kLanes);
    mark.resize(index.size());
    for (std::vector<double>& axis : position)
    {
      axis.resize(index.size());
    }
  }
  std::size_t to = before;
  for (std::int32_t from = run.begin; from < run.end; from += kLanes, to += kLanes)
  {
    for (std::int32_t lane = 0; lane < kLanes; ++lane)
    {
      index[to + static_cast<std::size_t>(lane)] = from + lane;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::memcpy(position[axis].data() + to, particles.position[axis].data() + from, sizeof(Lanes));
    }
  }
}

/// Copies the particles of the cells around this one, so that the search runs over whole groups of lanes.
void NeighbourList::gather(const Particles& particles, const CellList& cells, const Int3& cell, Scratch& scratch)
{
  scratch.number = 0;
  CellList::Span run{ 0, 0 };
  const auto flush = [&]
  {
    scratch.append(particles, run);
  };
  for (std::int32_t z = cell[2] - kLayers; z <= cell[2] + kLayers; ++z)
  {
    for (std::int32_t y = cell[1] - kLayers; y <= cell[1] + kLayers; ++y)
    {
      for (std::int32_t x = cell[0] - kLayers; x <= cell[0] + kLayers; ++x)
      {
        const CellList::Span span = cells.span({ x, y, z });
        if (span.begin != run.end)
        {
          flush();
          run.begin = span.begin;
        }
        if (x == cell[0] && y == cell[1] && z == cell[2])
        {
          scratch.own = static_cast<std::ptrdiff_t>(scratch.number) + span.begin - run.begin;
        }
        run.end = span.end;
      }
    }
  }
  flush();
  // Whole groups of lanes are read.
  const auto spare = static_cast<std::int32_t>(particles.spare());
  while (scratch.number % kLanes != 0)
  {
    scratch.append(particles, { spare, spare + 1 });
  }
}

void NeighbourList::build_row(
    const Particles& particles, const CellList& cells, double reach, std::int64_t number, Scratch& scratch)
{
  const auto y = static_cast<std::int32_t>(number % cells.own()[1]);
  const auto z = static_cast<std::int32_t>(number / cells.own()[1]);
  const auto spare = static_cast<std::int32_t>(particles.spare());
  Row& row = rows_[static_cast<std::size_t>(number)];
  row.begin = cells.row(y, z).begin;
  row.end = cells.row(y, z).end;
  std::size_t used = 0;
  for (std::int32_t x = 0; x < cells.own()[0]; ++x)
  {
    const CellList::Span span = cells.span({ x, y, z });
    if (span.begin == span.end)
    {
      continue;
    }
    gather(particles, cells, { x, y, z }, scratch);
    const Candidates candidates{ { scratch.position[0].data(), scratch.position[1].data(), scratch.position[2].data() },
      scratch.index.data(), scratch.mark.data(), static_cast<std::ptrdiff_t>(scratch.number) };
    const std::size_t most = used + static_cast<std::size_t>(span.end - span.begin) * (scratch.number + kLanes);
    if (scratch.found.size() < most)
    {
      scratch.found.resize(2 * most);
    }
    for (std::int32_t i = span.begin; i < span.end; ++i)
    {
      first_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(used);
      std::int32_t* const begin = scratch.found.data() + used;
      mark_near(candidates, scratch.own + i - span.begin, reach * reach);
      std::int32_t* end = begin + take_marked(candidates, begin);
      for (; (end - begin) % kLanes != 0; ++end)
      {
        *end = spare;
      }
      used = static_cast<std::size_t>(end - scratch.found.data());
      last_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(used);
    }
  }
  row.neighbours.assign(scratch.found.begin(), scratch.found.begin() + static_cast<std::ptrdiff_t>(used));
}

} // namespace molecular_dynamics
