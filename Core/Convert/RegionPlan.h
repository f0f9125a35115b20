// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How the converter cuts a variable into regions: boxes of bricks that one worker reads, packs and writes at a time.
///
///     const RegionPlan plan = *plan_regions(layout, tuple_bytes, reader.preferred_box(), { .memory = kGiB });
///     for (std::int64_t region = 0; region < plan.size(); ++region)  read(plan.lattice_box(layout, region)); ...
///
/// A region should be cheap to read (whole rows, then whole planes of a row-major source), should keep long stretches
/// of the Hilbert curve together (thick rather than thin, cubes where the source does not care), and a few of them per
/// worker must exist, so that reads and writes of different workers overlap. Plain values; sizes are in bytes.
#pragma once

#include "Base/Bytes.h"
#include "Io/FieldFile.h"

namespace rivulet
{

struct RegionLimits
{
  std::int64_t memory = kGiB;       ///< bytes all workers may hold together
  int workers = 1;                  ///< threads wanted; fewer are planned when memory is short
  std::int64_t target = 128 * kMiB; ///< size that regions grow to; only whole rows and planes go beyond
  std::int64_t most = 1024 * kGiB;  ///< size that no region of more than one brick goes beyond
};

/// What a worker notes down about each brick of its region.
struct CurvePlace
{
  std::int64_t hilbert = 0;
  Int3 brick{ 0, 0, 0 };
};

struct RegionPlan
{
  Int3 bricks{ 1, 1, 1 };        ///< bricks along each side of a (full) region
  Int3 count{ 1, 1, 1 };         ///< regions along each axis
  int workers = 1;               ///< threads that fit the memory
  std::int64_t region_bytes = 0; ///< values of the largest region, its shared layers included
  std::int64_t batch_bytes = 0;  ///< brick records packed before they are written; a multiple of the stride
  std::int64_t brick_bytes = 0;  ///< values of one brick on its way into an encoded record; 0 for plain ones
  std::int64_t worker_bytes = 0; ///< all that one worker holds: region, records, brick and notes

  [[nodiscard]] std::int64_t size() const { return volume(count); }
  /// The bricks of region number `region`, x fastest.
  [[nodiscard]] Box brick_box(const BrickLayout& layout, std::int64_t region) const;
};

/// The lattice points that the bricks of `bricks` hold, clipped to the lattice.
[[nodiscard]] Box lattice_of(const BrickLayout& layout, const Box& bricks);

/// Lattice points counted as this brick's when bytes are added up: its cells' points, and the last layer of the lattice
/// for the last brick along an axis. Adds up to the lattice over all bricks.
[[nodiscard]] std::int64_t owned_points(const BrickLayout& layout, const Int3& brick);

/// Fails with BudgetTooSmall, naming the least that would do, when one worker cannot hold one brick.
[[nodiscard]] Result<RegionPlan> plan_regions(
    const BrickLayout& layout, std::size_t tuple_bytes, const Int3& preferred, const RegionLimits& limits);

} // namespace rivulet
