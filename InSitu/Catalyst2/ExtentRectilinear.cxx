// SPDX-License-Identifier: BSD-3-Clause
// Rectilinear grids: along an axis, the grid has the coordinates of all ranks, each once.
#include "Extent.h"

#include "Gather.h"

#include "Base/Times.h"

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

Result<std::vector<double>> gather_axis(MPI_Comm comm, const std::vector<Domain>& domains, std::size_t axis)
{
  std::vector<double> own;
  for (const Domain& each : domains)
  {
    const std::span<const double> some = own_coordinates(each, axis);
    own.insert(own.end(), some.begin(), some.end());
  }
  sort_once(own);
  Result<std::vector<std::vector<double>>> gathered = gather(comm, own);
  if (!gathered)
  {
    return forward_error(gathered);
  }
  std::vector<double> all;
  for (const std::vector<double>& some : *gathered)
  {
    all.insert(all.end(), some.begin(), some.end());
  }
  sort_once(all);
  return all;
}

constexpr const char* kRemedy = "give domains that share a plane the same coordinate, to the last bit";

/// "axis 1 from 0.30000000000000004 to 0.4"
std::string interval_text(std::size_t axis, double from, double to)
{
  return "axis " + std::to_string(axis) + " from " + format_time(from) + " to " + format_time(to);
}

Result<std::int64_t> begin_of(const Domain& domain, std::size_t axis, const std::vector<double>& all)
{
  const std::span<const double> own = own_coordinates(domain, axis);
  const auto first = std::lower_bound(all.begin(), all.end(), own.front());
  for (std::size_t i = 0; i < own.size(); ++i)
  {
    const double other = *(first + static_cast<std::ptrdiff_t>(i)); // not behind the end: `all` has the own ones
    if (other != own[i])
    {
      return fail(ErrorCode::Unsupported,
          "another domain has the coordinate " + format_time(other) + " in its interval along " +
              interval_text(axis, own[i - 1], own[i]),
          kRemedy, domain.grid.path);
    }
  }
  return first - all.begin();
}

/// Collective, with the same result on all ranks. Coordinates that differ by rounding leave intervals that no domain
/// has, as gaps between domains do.
Result<void> check_intervals(MPI_Comm comm, const std::vector<Domain>& domains, const Extent& extent)
{
  Result<void> fits;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& all = extent.coordinates[axis];
    std::vector<std::uint8_t> covered(all.size() - 1, 0);
    for (std::size_t i = 0; i < domains.size(); ++i)
    {
      std::fill_n(covered.begin() + extent.begin[i][axis], domains[i].inner(axis), std::uint8_t{ 1 });
    }
    MPI_Allreduce(MPI_IN_PLACE, covered.data(), static_cast<int>(covered.size()), MPI_UINT8_T, MPI_MAX, comm);
    const auto gap = std::find(covered.begin(), covered.end(), std::uint8_t{ 0 });
    if (fits && gap != covered.end())
    {
      const auto at = static_cast<std::size_t>(gap - covered.begin());
      fits = fail(ErrorCode::Unsupported,
          "no domain has the interval along " + interval_text(axis, all[at], all[at + 1]) +
              ", where others begin and end",
          kRemedy, domains.empty() ? "" : domains.front().grid.path);
    }
  }
  return fits;
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
    Result<std::vector<double>> gathered = gather_axis(comm, domains, axis);
    if (!gathered)
    {
      return forward_error(gathered);
    }
    const std::vector<double>& all = extent.coordinates[axis] = std::move(*gathered);
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
  fits = fits ? check_intervals(comm, domains, extent) : std::move(fits);
  return fits ? Result<Extent>(std::move(extent)) : forward_error(fits);
}

} // namespace rivulet::catalyst2
