// SPDX-License-Identifier: BSD-3-Clause
// Structured grids: the simulation says where a domain is, since coordinates do not.
#include "Extent.h"

#include <algorithm>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

Result<void> check_first_cells(const std::vector<Domain>& domains, std::int64_t domains_of_all)
{
  for (const Domain& each : domains)
  {
    if (!each.grid.first_cell && domains_of_all > 1)
    {
      return fail(ErrorCode::Unsupported, "there is no elements/origin, and there are several domains",
          "set i0, j0 and k0 of elements/origin: the number of its first cell in the whole grid", each.grid.path);
    }
  }
  return {};
}

} // namespace

Result<Extent> extent_of_structured(MPI_Comm comm, const std::vector<Domain>& domains)
{
  auto count = static_cast<std::int64_t>(domains.size());
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, comm);
  Result<void> fits = agreed(comm, check_first_cells(domains, count));
  if (!fits)
  {
    return forward_error(fits);
  }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Long3 low{ most, most, most };
  Extent extent;
  for (const Domain& each : domains)
  {
    Long3 begin = each.grid.first_cell.value_or(Long3{});
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      begin[axis] += each.below[axis];
      low[axis] = std::min(low[axis], begin[axis]);
    }
    extent.begin.push_back(begin);
  }
  MPI_Allreduce(MPI_IN_PLACE, low.data(), 3, MPI_INT64_T, MPI_MIN, comm);
  for (Long3& begin : extent.begin)
  {
    std::transform(begin.begin(), begin.end(), low.begin(), begin.begin(), std::minus<>());
  }
  extent.cells = cells_of_all(comm, domains, extent.begin);
  return extent;
}

} // namespace rivulet::catalyst2
