// SPDX-License-Identifier: BSD-3-Clause
#include "NeighbourList.h"

#include "Lanes.h"

#include <algorithm>
#include <cstring>

namespace molecular_dynamics
{

namespace
{

constexpr std::int32_t kWidth = 2 * kLayers + 1;

/// Runs of particles that may be neighbours of those of one cell.
struct Candidates
{
  std::array<CellList::Span, static_cast<std::size_t>(kWidth* kWidth* kWidth)> runs;
  std::size_t number = 0;
  std::int32_t particles = 0;

  void add(const CellList::Span& span)
  {
    if (number > 0 && runs[number - 1].end == span.begin)
    {
      runs[number - 1].end = span.end;
    }
    else if (span.begin < span.end)
    {
      runs[number++] = span;
    }
    particles += span.end - span.begin;
  }
};

Candidates candidates_of(const CellList& cells, const Int3& cell)
{
  Candidates found;
  for (std::int32_t z = cell[2] - kLayers; z <= cell[2] + kLayers; ++z)
  {
    for (std::int32_t y = cell[1] - kLayers; y <= cell[1] + kLayers; ++y)
    {
      for (std::int32_t x = cell[0] - kLayers; x <= cell[0] + kLayers; ++x)
      {
        found.add(cells.span({ x, y, z }));
      }
    }
  }
  return found;
}

struct Positions
{
  const double *x, *y, *z;
};

MD_INLINE Lanes load(const double* from)
{
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes); // unaligned
  return lanes;
}

/// Appends to `into` the candidates nearer to particle i than the reach. Returns the new end.
MD_WIDE std::int32_t* find_near(
    const Positions& at, const Candidates& candidates, std::int32_t i, double square_of_reach, std::int32_t* into)
{
  const double x = at.x[i];
  const double y = at.y[i];
  const double z = at.z[i];
  for (std::size_t number = 0; number < candidates.number; ++number)
  {
    const CellList::Span run = candidates.runs[number];
    for (std::int32_t j = run.begin; j < run.end; j += kLanes)
    {
      const Lanes dx = x - load(at.x + j);
      const Lanes dy = y - load(at.y + j);
      const Lanes dz = z - load(at.z + j);
      const LaneMask near = dx * dx + dy * dy + dz * dz < square_of_reach;
      const std::int32_t lanes = std::min(kLanes, run.end - j);
      for (std::int32_t lane = 0; lane < lanes; ++lane)
      {
        // No branch: a third of the candidates are near.
        *into = j + lane;
        into += static_cast<int>(near[lane] != 0) & static_cast<int>(j + lane != i);
      }
    }
  }
  return into;
}

} // namespace

void NeighbourList::build(Particles& particles, const CellList& cells, double reach, Parallel& parallel)
{
  const auto count = static_cast<std::size_t>(particles.count);
  first_.resize(count);
  last_.resize(count);
  const std::int64_t rows = std::int64_t{ cells.own()[1] } * cells.own()[2];
  rows_.resize(static_cast<std::size_t>(rows));
  parallel.for_each(rows, 1,
      [&](std::int64_t begin, std::int64_t end)
      {
        Scratch& scratch = scratch_.local();
        for (std::int64_t number = begin; number < end; ++number)
        {
          build_row(particles, cells, reach, number, scratch);
          const Row& row = rows_[static_cast<std::size_t>(number)];
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            std::copy(particles.position[axis].begin() + row.begin, particles.position[axis].begin() + row.end,
                particles.listed[axis].begin() + row.begin);
          }
        }
      });
}

void NeighbourList::build_row(
    const Particles& particles, const CellList& cells, double reach, std::int64_t number, Scratch& scratch)
{
  const auto y = static_cast<std::int32_t>(number % cells.own()[1]);
  const auto z = static_cast<std::int32_t>(number / cells.own()[1]);
  const Positions at{ particles.position[0].data(), particles.position[1].data(), particles.position[2].data() };
  const auto spare = static_cast<std::int32_t>(particles.spare());
  Row& row = rows_[static_cast<std::size_t>(number)];
  row.begin = cells.row(y, z).begin;
  row.end = cells.row(y, z).end;
  std::size_t used = 0;
  for (std::int32_t x = 0; x < cells.own()[0]; ++x)
  {
    const Candidates candidates = candidates_of(cells, { x, y, z });
    const CellList::Span span = cells.span({ x, y, z });
    for (std::int32_t i = span.begin; i < span.end; ++i)
    {
      const std::size_t most = used + static_cast<std::size_t>(candidates.particles + kLanes);
      if (scratch.size() < most)
      {
        scratch.resize(2 * most);
      }
      first_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(used);
      std::int32_t* const begin = scratch.data() + used;
      std::int32_t* end = find_near(at, candidates, i, reach * reach, begin);
      for (; (end - begin) % kLanes != 0; ++end)
      {
        *end = spare;
      }
      used = static_cast<std::size_t>(end - scratch.data());
      last_[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(used);
    }
  }
  row.neighbours.assign(scratch.begin(), scratch.begin() + static_cast<std::ptrdiff_t>(used));
}

} // namespace molecular_dynamics
