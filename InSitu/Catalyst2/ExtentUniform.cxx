// SPDX-License-Identifier: BSD-3-Clause
// Uniform grids, and levels of AMR meshes: positions are multiples of spacings.
#include "Extent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

constexpr double kMisfit = 1e-3; // of a cell: error of a position among 10 000 cells in single precision
constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kMostCells = 9e15; // integers are exact as doubles up to here

/// The least spacing and corner of all domains of a level, on all ranks.
struct Level
{
  Real3 spacing{ kNone, kNone, kNone };
  Real3 low{ kNone, kNone, kNone };
};
static_assert(sizeof(Level) == 6 * sizeof(double), "levels are reduced as an array of numbers");

/// Of a domain without its ghost layers.
double corner(const Domain& domain, std::size_t axis)
{
  return domain.grid.origin[axis] + static_cast<double>(domain.below[axis]) * domain.grid.spacing[axis];
}

std::vector<Level> reduce_levels(MPI_Comm comm, const std::vector<Domain>& domains)
{
  int finest = 0;
  for (const Domain& each : domains)
  {
    finest = std::max(finest, each.level);
  }
  MPI_Allreduce(MPI_IN_PLACE, &finest, 1, MPI_INT, MPI_MAX, comm);
  std::vector<Level> levels(static_cast<std::size_t>(finest) + 1);
  for (const Domain& each : domains)
  {
    Level& level = levels[static_cast<std::size_t>(each.level)];
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      level.spacing[axis] = std::min(level.spacing[axis], each.grid.spacing[axis]);
      level.low[axis] = std::min(level.low[axis], corner(each, axis));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, levels.data(), static_cast<int>(levels.size()) * 6, MPI_DOUBLE, MPI_MIN, comm);
  return levels;
}

Result<std::vector<std::int32_t>> ratios_of(const std::vector<Level>& levels)
{
  std::vector<std::int32_t> ratio;
  for (std::size_t fine = 1; fine < levels.size(); ++fine)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double exact = levels[fine - 1].spacing[axis] / levels[fine].spacing[axis];
      const double whole = std::round(exact);
      if (!(whole >= 1 && whole < 1e6 && std::abs(exact - whole) <= kMisfit))
      {
        return fail(ErrorCode::Unsupported,
            "spacings of the levels " + std::to_string(fine - 1) + " and " + std::to_string(fine) +
                " are no integer ratio, or one of these levels has no domain",
            "publish all levels, each an integer times finer than the one before");
      }
      ratio.push_back(static_cast<std::int32_t>(whole));
    }
  }
  if (!std::isfinite(levels.front().spacing[0]))
  {
    return fail(ErrorCode::Unsupported, "level 0 has no domain", "publish all levels");
  }
  return ratio;
}

/// Where a domain begins on its level, in cells from the corner of the whole grid.
Result<Long3> begin_of(const Domain& domain, const Level& level, const Real3& low)
{
  Long3 begin{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double length = static_cast<double>(domain.inner(axis));
    const double first = (corner(domain, axis) - low[axis]) / level.spacing[axis];
    const double last = first + length * domain.grid.spacing[axis] / level.spacing[axis];
    const double whole = std::round(first);
    if (!(std::abs(first) < kMostCells && std::abs(first - whole) <= kMisfit &&
            std::abs(last - whole - length) <= kMisfit))
    {
      return fail(ErrorCode::Unsupported,
          "its corners are not on the lattice that begins at " + std::to_string(low[axis]) + " with cells of " +
              std::to_string(level.spacing[axis]) + " along axis " + std::to_string(axis),
          "give all domains the same spacing, and origins that are whole cells apart", domain.grid.path);
    }
    begin[axis] = static_cast<std::int64_t>(whole);
  }
  return begin;
}

Result<std::vector<Long3>> begins_of(const std::vector<Domain>& domains, const std::vector<Level>& levels)
{
  std::vector<Long3> begins;
  for (const Domain& each : domains)
  {
    Result<Long3> begin = begin_of(each, levels[static_cast<std::size_t>(each.level)], levels.front().low);
    if (!begin)
    {
      return forward_error(begin);
    }
    begins.push_back(*begin);
  }
  return begins;
}

} // namespace

Result<Extent> extent_of_uniform(MPI_Comm comm, const std::vector<Domain>& domains)
{
  const std::vector<Level> levels = reduce_levels(comm, domains);
  Result<std::vector<std::int32_t>> ratio = ratios_of(levels); // the same on all ranks
  if (!ratio)
  {
    return forward_error(ratio);
  }
  Result<std::vector<Long3>> begin = begins_of(domains, levels);
  Result<void> fits = agreed(comm, begin ? Result<void>() : forward_error(begin));
  if (!fits)
  {
    return forward_error(fits);
  }
  Extent extent;
  extent.origin = levels.front().low;
  extent.spacing = levels.front().spacing;
  extent.ratio = std::move(*ratio);
  extent.begin = std::move(*begin);
  extent.cells = cells_of_all(comm, domains, extent.begin);
  return extent;
}

} // namespace rivulet::catalyst2
