// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/CellLists.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace rivulet
{

namespace
{

constexpr std::int64_t kGrain = 16384; ///< particles in a slice: about 200 us

/// The image in the region of a position along an axis that wraps. The same in all modes, so that distances are.
double moved_inside(double at, std::size_t axis, const PairSpace& space)
{
  if (!space.wraps[axis])
  {
    return at;
  }
  const double inside = at - space.extent[axis] * std::floor((at - space.low[axis]) / space.extent[axis]);
  return std::clamp(inside, space.low[axis], space.low[axis] + space.extent[axis]);
}

Vec3 inside_of(const rivulet_particles& particles, std::int64_t i, const PairSpace& space)
{
  return { moved_inside(particles.x[i], 0, space), moved_inside(particles.y[i], 1, space),
    moved_inside(particles.z[i], 2, space) };
}

bool is_finite(const rivulet_particles& particles, std::int64_t i)
{
  return std::isfinite(particles.x[i]) && std::isfinite(particles.y[i]) && std::isfinite(particles.z[i]);
}

SortedPositions room_for(std::int64_t count)
{
  const auto size = static_cast<std::size_t>(count);
  return { Buffer<double>(size), Buffer<double>(size), Buffer<double>(size) };
}

void put(SortedPositions& positions, std::int64_t place, const Vec3& at)
{
  positions.x[static_cast<std::size_t>(place)] = at[0];
  positions.y[static_cast<std::size_t>(place)] = at[1];
  positions.z[static_cast<std::size_t>(place)] = at[2];
}

} // namespace

SortedPositions finite_positions(const rivulet_particles& particles, const Positions& positions, const PairSpace& space)
{
  SortedPositions finite = room_for(positions.count);
  std::int64_t place = 0;
  for (std::int64_t i = 0; i < particles.count; ++i)
  {
    if (is_finite(particles, i))
    {
      put(finite, place++, inside_of(particles, i, space));
    }
  }
  return finite;
}

CellLists::CellLists(const Host& host, const rivulet_particles& particles, const Positions& positions,
    const PairSpace& space, double width)
  : wraps_(space.wraps)
  , cell_of_(static_cast<std::size_t>(positions.count))
  , sorted_(room_for(positions.count))
{
  choose_cells(positions, space, width);
  sort(host, particles, space);
}

void CellLists::choose_cells(const Positions& positions, const PairSpace& space, double width)
{
  // Rounding must not bring two particles closer than the width into cells that do not touch.
  constexpr double kSlack = 1.0 + 1e-9;
  constexpr double kMost = 2e9;
  Vec3 count{};
  Vec3 extent{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double high = space.low[axis] + space.extent[axis];
    low_[axis] = space.low[axis];
    if (!wraps_[axis])
    {
      // Three standard deviations hold all of a uniform set. Of one with strays they leave the strays out.
      low_[axis] = std::max(positions.low[axis], positions.mean[axis] - 3 * positions.deviation[axis]);
      high = std::min(positions.high[axis], positions.mean[axis] + 3 * positions.deviation[axis]);
    }
    extent[axis] = std::max(0.0, high - low_[axis]);
    count[axis] = std::clamp(std::floor(extent[axis] / (width * kSlack)), 1.0, kMost);
  }
  // Wider cells, where there would be more of them than particles.
  const double most = std::max<double>(64.0, static_cast<double>(positions.count));
  while (count[0] * count[1] * count[2] > most)
  {
    double& largest = *std::max_element(count.begin(), count.end());
    largest = std::floor(largest / 2);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // With two cells that wrap, each would be the other's neighbour twice.
    const double cells = wraps_[axis] && count[axis] < 3.0 ? 1.0 : count[axis];
    cells_[axis] = static_cast<std::int32_t>(cells);
    per_cell_[axis] = extent[axis] > 0.0 ? cells / extent[axis] : 0.0;
  }
}

std::int32_t CellLists::cell_along(std::size_t axis, double at) const
{
  const double place = (at - low_[axis]) * per_cell_[axis];
  return static_cast<std::int32_t>(std::clamp(place, 0.0, static_cast<double>(cells_[axis] - 1)));
}

std::int32_t CellLists::cell_of(const Vec3& at) const
{
  const Int3 cell{ cell_along(0, at[0]), cell_along(1, at[1]), cell_along(2, at[2]) };
  return static_cast<std::int32_t>(row_major(cell, cells_));
}

std::int64_t CellLists::usual_neighbours() const
{
  constexpr double kCells = 13.5; // half of its own and of the 26 around it
  double squares = 0.0;
  for (std::size_t cell = 0; cell + 1 < begins_.size(); ++cell)
  {
    const auto count = static_cast<double>(begins_[cell + 1] - begins_[cell]);
    squares += count * count;
  }
  return size() > 0 ? static_cast<std::int64_t>(kCells * squares / static_cast<double>(size())) : 0;
}

void CellLists::sort(const Host& host, const rivulet_particles& particles, const PairSpace& space)
{
  std::vector<std::int64_t> counts(static_cast<std::size_t>(volume(cells_)), 0);
  Buffer<std::int32_t> cells(static_cast<std::size_t>(particles.count));
  host.for_ranges(particles.count, kGrain,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t i = begin; i < end; ++i)
        {
          const std::int32_t cell = is_finite(particles, i) ? cell_of(inside_of(particles, i, space)) : -1;
          cells[static_cast<std::size_t>(i)] = cell;
          if (cell >= 0)
          {
            std::atomic_ref(counts[static_cast<std::size_t>(cell)]).fetch_add(1, std::memory_order_relaxed);
          }
        }
      });
  begins_.assign(counts.size() + 1, 0);
  for (std::size_t cell = 0; cell < counts.size(); ++cell)
  {
    begins_[cell + 1] = begins_[cell] + counts[cell];
    counts[cell] = begins_[cell]; // the next free place
  }
  host.for_ranges(particles.count, kGrain,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t i = begin; i < end; ++i)
        {
          const std::int32_t cell = cells[static_cast<std::size_t>(i)];
          if (cell >= 0)
          {
            const std::int64_t place =
                std::atomic_ref(counts[static_cast<std::size_t>(cell)]).fetch_add(1, std::memory_order_relaxed);
            cell_of_[static_cast<std::size_t>(place)] = cell;
            put(sorted_, place, inside_of(particles, i, space));
          }
        }
      });
}

} // namespace rivulet
