// SPDX-License-Identifier: BSD-3-Clause
#include "Extent.h"

#include <algorithm>

namespace rivulet::catalyst2
{

Result<void> agreed(MPI_Comm comm, Result<void> own)
{
  int fails = own ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, comm);
  return own && fails != 0 ? fail(ErrorCode::Cancelled, "another rank refuses it") : std::move(own);
}

Long3 cells_of_all(MPI_Comm comm, const std::vector<Domain>& domains, const std::vector<Long3>& begin)
{
  Long3 cells{};
  for (std::size_t i = 0; i < domains.size(); ++i)
  {
    for (std::size_t axis = 0; domains[i].level == 0 && axis < 3; ++axis)
    {
      cells[axis] = std::max(cells[axis], begin[i][axis] + domains[i].inner(axis));
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, cells.data(), 3, MPI_INT64_T, MPI_MAX, comm);
  return cells;
}

namespace
{

Result<Extent> extent_of_kind(MPI_Comm comm, GridKind kind, const std::vector<Domain>& domains)
{
  switch (kind)
  {
  case GridKind::Uniform:
    return extent_of_uniform(comm, domains);
  case GridKind::Rectilinear:
    return extent_of_rectilinear(comm, domains);
  case GridKind::Structured:
    return extent_of_structured(comm, domains);
  }
  return fail(ErrorCode::Unsupported, "there is no such grid");
}

Result<void> check_flat(const std::vector<Domain>& domains, const Extent& extent)
{
  for (const Domain& each : domains)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      if (each.grid.cells[axis] == 0 && extent.cells[axis] > 0)
      {
        return fail(ErrorCode::Unsupported,
            "it has no cells along axis " + std::to_string(axis) + ", but other domains have some",
            "publish flat domains as a mesh of their own", each.grid.path);
      }
    }
  }
  return {};
}

} // namespace

Result<Extent> extent_of(MPI_Comm comm, GridKind kind, const std::vector<Domain>& domains)
{
  Result<Extent> extent = extent_of_kind(comm, kind, domains);
  if (!extent)
  {
    return extent;
  }
  Result<void> flat = agreed(comm, check_flat(domains, *extent));
  return flat ? std::move(extent) : forward_error(flat);
}

} // namespace rivulet::catalyst2
