// SPDX-License-Identifier: BSD-3-Clause
#include "Extent.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// The least side of a cell along axes with extent; 1 if there is none.
double least_side(const Extent& extent)
{
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& along = extent.coordinates[axis];
    for (std::size_t i = 1; i < along.size(); ++i)
    {
      least = std::min(least, along[i] - along[i - 1]);
    }
    least = along.empty() && extent.cells[axis] > 0 ? std::min(least, extent.spacing[axis]) : least;
  }
  return std::isfinite(least) ? least : 1;
}

/// The thickness of a flat grid: the simulation's number, or else the least side of a cell.
void set_thickness(MPI_Comm comm, const std::vector<Domain>& domains, Extent& extent)
{
  Real3 given{};
  given.fill(std::numeric_limits<double>::infinity());
  for (const Domain& each : domains)
  {
    for (std::size_t axis = 0; axis < 3 && each.level == 0; ++axis)
    {
      const double along = each.grid.thickness[axis];
      given[axis] = along > 0 ? std::min(given[axis], along) : given[axis];
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, given.data(), 3, MPI_DOUBLE, MPI_MIN, comm);
  const double least = least_side(extent);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    extent.thickness[axis] = std::isfinite(given[axis]) ? given[axis] : least;
  }
}

} // namespace

Result<Extent> extent_of(MPI_Comm comm, GridKind kind, const std::vector<Domain>& domains)
{
  Result<Extent> extent = extent_of_kind(comm, kind, domains);
  if (!extent)
  {
    return extent;
  }
  set_thickness(comm, domains, *extent);
  Result<void> fits = agreed(comm, check_domains(*extent, domains));
  return fits ? std::move(extent) : forward_error(fits);
}

} // namespace rivulet::catalyst2
