// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The whole grid of which ranks have domains. Mesh Blueprint describes each domain by itself; the runtime wants the
/// grid of all ranks, and the place of each block in it.
///
///     rank 0: origin 0, 4 cells of 0.5      grid: origin 0, 8 cells of 0.5
///     rank 1: origin 2, 4 cells of 0.5      blocks: cells [0, 4) and [4, 8)
///
/// Domains that are not on one lattice are refused. All functions are collective, and an error of one rank is one of
/// all ranks: ErrorCode::Cancelled on ranks without an error of their own.
#pragma once

#include "Domain.h"

#include <mpi.h>

namespace rivulet::catalyst2
{

struct Extent
{
  Real3 origin{};
  Real3 spacing{ 1, 1, 1 };
  Real3 thickness{ 1, 1, 1 };                     ///< of the layer of cells along an axis without extent
  Long3 cells{};                                  ///< on level 0; 0 along an axis without extent
  std::vector<std::int32_t> ratio;                ///< 3 for each finer level
  std::array<std::vector<double>, 3> coordinates; ///< of a rectilinear grid
  std::vector<Long3> begin;                       ///< of each domain of this rank, ghost layers excluded
};

[[nodiscard]] Result<Extent> extent_of(MPI_Comm comm, GridKind kind, const std::vector<Domain>& domains);

/// Lower corners and spacings must be multiples, within a thousandth of a cell.
[[nodiscard]] Result<Extent> extent_of_uniform(MPI_Comm comm, const std::vector<Domain>& domains);

/// Coordinates of neighbours must be the same numbers: each interval between two of them is one of a domain.
[[nodiscard]] Result<Extent> extent_of_rectilinear(MPI_Comm comm, const std::vector<Domain>& domains);

/// elements/origin says where a domain is; a single domain needs none.
[[nodiscard]] Result<Extent> extent_of_structured(MPI_Comm comm, const std::vector<Domain>& domains);

/// Collective: the error of this rank, or that there is one elsewhere.
[[nodiscard]] Result<void> agreed(MPI_Comm comm, Result<void> own);

/// Collective: the largest upper ends of domains, level 0 only.
[[nodiscard]] Long3 cells_of_all(MPI_Comm comm, const std::vector<Domain>& domains, const std::vector<Long3>& begin);

} // namespace rivulet::catalyst2
