// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds at centres of cells whose vorticity magnitude lies in a range, thinned to a number.
///
///     Result<VortexSeeds> found = find_vortex_seeds(field, { .minimum = 5.0, .count = 1000 }, {});
///
/// The vorticity of a cell is the curl of the interpolated velocity at its centre: with g_a the gradient of the index
/// along axis a and d_a v the change of the velocity per index, curl v = sum over a of g_a x d_a v. From node values,
/// d_a v is the mean of the differences along the cell's four edges. From cell values, it is the central difference of
/// the neighbours' values, one-sided at the boundary. Flat axes add nothing. On curvilinear grids the gradients are the
/// inverse of the changes of place per index, which are taken in the same way. Seeds/SpinOfCells.h says it for
/// unstructured cells.
///
/// Thinning keeps the cells with the smallest hashes of (random_seed, cell number): a uniform choice that does not
/// depend on bricks, threads or ranks. Parts of the field may be searched separately (see `part`); thin() joins their
/// results.
///
/// The field is searched in boxes of tiles (Seeds/Tiling.h), the bricks of a box in storage order, one pinned per
/// thread at a time. Memory: the values of a few bricks per thread, and the seeds. Threads: one call at a time per
/// field. Units: vorticity per unit of time.
#pragma once

#include "Trace/Streamlines.h"

namespace rivulet
{

struct VortexSeedOptions
{
  double minimum = 0.0;
  double maximum = 0.0;     ///< inclusive; 0 = no upper limit
  std::int64_t count = 100; ///< largest number of seeds
  std::uint64_t random_seed = 0;

  /// Smallest and largest speed per brick of the velocity's BrickGrid; empty if not known. Bricks whose speeds rule out
  /// enough vorticity are not read.
  std::span<const std::array<float, 2>> speed_ranges{};

  /// Index of the part of the field to search; the parts do not overlap and depend on the field alone.
  std::int32_t part = 0;
  std::int32_t parts = 1;
};

struct VortexSeed
{
  std::uint64_t hash = 0;
  std::int64_t cell = 0; ///< row-major number in the dataset's cells
  Vec3 position{ 0, 0, 0 };
  double vorticity = 0.0; ///< magnitude
};

struct VortexSeeds
{
  std::vector<VortexSeed> seeds;   ///< by cell number
  std::int64_t cells_in_range = 0; ///< before thinning
  std::int64_t cells_culled = 0;   ///< in bricks that were not read
  bool cancelled = false;
  std::shared_ptr<const Error> data_error; ///< first brick that could not be read; its cells give no seeds
};

/// Uses only the velocity, the geometry and the ghosts of `field`. Fails with BadArgument for bad arguments.
[[nodiscard]] Result<VortexSeeds> find_vortex_seeds(
    const TraceField& field, const VortexSeedOptions& options, const RunOptions& run);

/// The `count` seeds with the smallest hashes, by cell number.
[[nodiscard]] std::vector<VortexSeed> thin(std::vector<VortexSeed> seeds, std::int64_t count);

} // namespace rivulet
