// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/PairCounts.h"

#include "Particles/CellLists.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int64_t kPairsInSlice = std::int64_t{ 1 } << 20; ///< about 2 ms
constexpr std::int64_t kChunk = 256;                            ///< squared distances held at a time

/// Counts of one slot, on cache lines of their own.
using Counts = std::vector<std::int64_t>;

/// Counts the pairs of one particle with ranges of others.
class PairCounter
{
public:
  PairCounter(const SortedPositions& positions, const PairSpace& space, const DistanceBins& bins)
    : x_(positions.x.data())
    , y_(positions.y.data())
    , z_(positions.z.data())
    , limit_(bins.limit * bins.limit)
    , per_bin_(static_cast<double>(bins.count) / bins.limit)
    , last_(bins.count - 1)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      period_[axis] = space.wraps[axis] ? space.extent[axis] : 0.0;
      half_[axis] = space.wraps[axis] ? space.extent[axis] / 2 : std::numeric_limits<double>::infinity();
    }
  }

  void count(std::int64_t one, std::int64_t begin, std::int64_t end, std::int64_t* counts) const
  {
    std::array<double, kChunk> squares;
    // Copies, so that no branch guards a load and the loop over the chunk becomes one of vectors.
    const Vec3 period = period_;
    const Vec3 half = half_;
    for (; begin < end; begin += kChunk)
    {
      const std::int64_t some = std::min(kChunk, end - begin);
      const double x = x_[one];
      const double y = y_[one];
      const double z = z_[one];
      for (std::int64_t i = 0; i < some; ++i)
      {
        const double dx = nearest(x_[begin + i] - x, period[0], half[0]);
        const double dy = nearest(y_[begin + i] - y, period[1], half[1]);
        const double dz = nearest(z_[begin + i] - z, period[2], half[2]);
        squares[static_cast<std::size_t>(i)] = dx * dx + dy * dy + dz * dz;
      }
      for (std::int64_t i = 0; i < some; ++i)
      {
        const double square = squares[static_cast<std::size_t>(i)];
        if (square < limit_)
        {
          ++counts[std::min(last_, static_cast<std::int64_t>(std::sqrt(square) * per_bin_))];
        }
      }
    }
  }

private:
  /// The shortest image of a difference of two places in the domain.
  [[nodiscard]] static double nearest(double off, double period, double half)
  {
    off -= off > half ? period : 0.0;
    off += off < -half ? period : 0.0;
    return off;
  }

  const double* x_;
  const double* y_;
  const double* z_;
  double limit_;
  double per_bin_;
  std::int64_t last_;
  Vec3 period_{};
  Vec3 half_{};
};

/// Calls row(i, counts) for i in [0, rows), and adds up the counts. A row has about `pairs` pairs.
template <class Row>
Result<Counts> count_rows(
    const Host& host, const DistanceBins& bins, std::int64_t rows, std::int64_t pairs, const Row& row)
{
  constexpr std::int64_t kPadding = 16; // so that slots do not share a cache line
  std::vector<Counts> slots(
      static_cast<std::size_t>(host.slots()), Counts(static_cast<std::size_t>(bins.count + kPadding), 0));
  std::atomic<bool> stopped{ false };
  host.for_ranges(rows, std::max<std::int64_t>(1, kPairsInSlice / std::max<std::int64_t>(1, pairs)),
      [&](std::int64_t begin, std::int64_t end, int slot) noexcept
      {
        if (host.stopped())
        {
          stopped = true;
          return;
        }
        std::int64_t* const counts = slots[static_cast<std::size_t>(slot)].data();
        for (std::int64_t i = begin; i < end; ++i)
        {
          row(i, counts);
        }
      });
  if (stopped)
  {
    return fail(ErrorCode::Cancelled, host.name() + " was stopped before it had counted all pairs",
        "choose a smaller \"cutoff\", or a longer limit of time");
  }
  Counts all(static_cast<std::size_t>(bins.count), 0);
  for (const Counts& counts : slots)
  {
    std::transform(all.begin(), all.end(), counts.begin(), all.begin(), std::plus<>());
  }
  return all;
}

} // namespace

Result<std::vector<std::int64_t>> count_close_pairs(const Host& host, const rivulet_particles& particles,
    const Positions& positions, const PairSpace& space, const DistanceBins& bins)
{
  const CellLists cells(host, particles, positions, space, bins.limit);
  const PairCounter counter(cells.positions(), space, bins);
  return count_rows(host, bins, cells.size(), cells.usual_neighbours(),
      [&](std::int64_t i, std::int64_t* counts) {
        cells.for_neighbours(i, [&](std::int64_t begin, std::int64_t end) { counter.count(i, begin, end, counts); });
      });
}

Result<std::vector<std::int64_t>> count_all_pairs(const Host& host, const rivulet_particles& particles,
    const Positions& positions, const PairSpace& space, const DistanceBins& bins)
{
  const SortedPositions all = finite_positions(particles, positions, space);
  const PairCounter counter(all, space, bins);
  const std::int64_t count = positions.count;
  // The first particle has count - 1 later ones, the last none: row i takes both ends, so that rows are equally long.
  return count_rows(host, bins, (count + 1) / 2, count,
      [&](std::int64_t i, std::int64_t* counts)
      {
        counter.count(i, i + 1, count, counts);
        const std::int64_t other = count - 1 - i;
        if (other != i)
        {
          counter.count(other, other + 1, count, counts);
        }
      });
}

} // namespace rivulet
