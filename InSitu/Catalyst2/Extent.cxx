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
  case GridKind::Mesh:
    break;
  }
  return fail(ErrorCode::Unsupported, "there is no such grid");
}

/// Cells of the grid along an axis on a level. They may be more than an integer can hold.
double cells_on(const Extent& extent, int level, std::size_t axis)
{
  auto cells = static_cast<double>(extent.cells[axis]);
  for (std::size_t finer = 0; finer < static_cast<std::size_t>(level); ++finer)
  {
    cells *= extent.ratio[3 * finer + axis];
  }
  return cells;
}

/// A domain lies in the grid, and is flat only where the grid is.
Result<void> check_domain(const Extent& extent, const Domain& domain, const Long3& begin)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (domain.grid.cells[axis] == 0 && extent.cells[axis] > 0)
    {
      return fail(ErrorCode::Unsupported,
          "it has no cells along axis " + std::to_string(axis) + ", but other domains have some",
          "publish flat domains as a mesh of their own", domain.grid.path);
    }
    const auto end = static_cast<double>(begin[axis] + domain.inner(axis));
    if (begin[axis] < 0 || end > cells_on(extent, domain.level, axis))
    {
      return fail(
          ErrorCode::Unsupported, "it is not all within level 0", "publish all domains of level 0", domain.grid.path);
    }
  }
  return {};
}

Result<void> check_domains(const Extent& extent, const std::vector<Domain>& domains)
{
  Result<void> fits;
  for (std::size_t i = 0; fits && i < domains.size(); ++i)
  {
    fits = check_domain(extent, domains[i], extent.begin[i]);
  }
  return fits;
}

} // namespace

Result<Extent> extent_of(MPI_Comm comm, GridKind kind, const std::vector<Domain>& domains)
{
  Result<Extent> extent = extent_of_kind(comm, kind, domains);
  if (!extent)
  {
    return extent;
  }
  Result<void> fits = agreed(comm, check_domains(*extent, domains));
  return fits ? std::move(extent) : forward_error(fits);
}

} // namespace rivulet::catalyst2
