// SPDX-License-Identifier: BSD-3-Clause
// Rectilinear grids: the coordinates of all ranks along an axis, each once, are those of the grid.
#include "Extent.h"

#include "Gather.h"

#include <algorithm>
#include <span>

namespace rivulet::catalyst2
{

namespace
{

/// Coordinates of a domain without its ghost layers.
std::span<const double> own_coordinates(const Domain& domain, std::size_t axis)
{
  return std::span(domain.grid.coordinates[axis])
      .subspan(static_cast<std::size_t>(domain.below[axis]), static_cast<std::size_t>(domain.inner(axis)) + 1);
}

void sort_once(std::vector<double>& values)
{
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::vector<double> gather_axis(MPI_Comm comm, const std::vector<Domain>& domains, std::size_t axis)
{
  std::vector<double> own;
  for (const Domain& each : domains)
  {
    const std::span<const double> some = own_coordinates(each, axis);
    own.insert(own.end(), some.begin(), some.end());
  }
  sort_once(own);
  std::vector<double> all;
  for (const std::vector<double>& some : gather(comm, own))
  {
    all.insert(all.end(), some.begin(), some.end());
  }
  sort_once(all);
  return all;
}

Result<std::int64_t> begin_of(const Domain& domain, std::size_t axis, const std::vector<double>& all)
{
  const std::span<const double> own = own_coordinates(domain, axis);
  const auto first = std::lower_bound(all.begin(), all.end(), own.front());
  const bool room = all.end() - first >= static_cast<std::ptrdiff_t>(own.size());
  if (!room || !std::equal(own.begin(), own.end(), first))
  {
    return fail(ErrorCode::Unsupported,
        "coordinates of another domain lie between its own along axis " + std::to_string(axis),
        "give domains that share a plane the same coordinates, to the last bit", domain.grid.path);
  }
  return first - all.begin();
}

Result<void> add_begin(const Domain& domain, Extent& extent)
{
  Long3 begin{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    Result<std::int64_t> along = begin_of(domain, axis, extent.coordinates[axis]);
    if (!along)
    {
      return forward_error(along);
    }
    begin[axis] = *along;
  }
  extent.begin.push_back(begin);
  return {};
}

} // namespace

Result<Extent> extent_of_rectilinear(MPI_Comm comm, const std::vector<Domain>& domains)
{
  Extent extent;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& all = extent.coordinates[axis] = gather_axis(comm, domains, axis);
    extent.cells[axis] = static_cast<std::int64_t>(all.size()) - 1;
    extent.origin[axis] = all.front();
    extent.spacing[axis] =
        extent.cells[axis] == 0 ? 1 : (all.back() - all.front()) / static_cast<double>(extent.cells[axis]);
  }
  Result<void> fits;
  for (const Domain& each : domains)
  {
    fits = fits ? add_begin(each, extent) : std::move(fits);
  }
  fits = agreed(comm, std::move(fits));
  return fits ? Result<Extent>(std::move(extent)) : forward_error(fits);
}

} // namespace rivulet::catalyst2
