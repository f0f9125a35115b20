// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Plan of the converter's regions: boxes of bricks. One worker reads, packs and writes a region at a time.
///
///     const RegionPlan plan = *plan_regions(layout, tuple_bytes, reader.preferred_box(), { .memory = kGiB });
///     const Box first = lattice_of(layout, plan.brick_box(layout, 0));     // of plan.size() regions
///
/// Three aims decide a region's shape. Reads should be long: whole rows, then whole planes of a row-major source. Runs
/// on the Hilbert curve should be long, too: thick regions, or cubes for sources without a preferred shape. Each worker
/// should have several regions, so that reads and writes of different workers overlap. Plain values; sizes in bytes.
#pragma once

#include "Base/Bytes.h"
#include "Io/FieldFile/WriteBox.h"

namespace rivulet
{

struct RegionLimits
{
  std::int64_t memory = kGiB;       ///< bytes that all workers may hold together
  int workers = 1;                  ///< number of threads; the plan has fewer if memory is short
  std::int64_t target = 128 * kMiB; ///< bytes that regions grow to; only whole rows and planes go beyond
  std::int64_t most = 1024 * kGiB;  ///< largest bytes of a region of more than one brick
};

struct RegionPlan
{
  Int3 bricks{ 1, 1, 1 };        ///< bricks along each side of a (full) region
  Int3 count{ 1, 1, 1 };         ///< regions along each axis
  int workers = 1;               ///< number of threads within the memory limit
  std::int64_t region_bytes = 0; ///< bytes of values of the largest region, with shared layers
  std::int64_t batch_bytes = 0;  ///< bytes of brick records for one write; a multiple of the stride
  std::int64_t brick_bytes = 0;  ///< bytes of values of one brick before encoding; 0 for plain records
  std::int64_t worker_bytes = 0; ///< bytes that one worker holds: region, records, brick and CurvePlaces

  [[nodiscard]] std::int64_t size() const { return volume(count); }
  /// The bricks of region number `region`, x fastest.
  [[nodiscard]] Box brick_box(const BrickLayout& layout, std::int64_t region) const;
};

/// Lattice points of all bricks in `bricks`, clipped to the lattice.
[[nodiscard]] Box lattice_of(const BrickLayout& layout, const Box& bricks);

/// Number of lattice points that a brick owns: one for each cell, and the last layer of the lattice for the last brick
/// along an axis. The sum over all bricks is the lattice.
[[nodiscard]] std::int64_t owned_points(const BrickLayout& layout, const Int3& brick);

/// Fails with BudgetTooSmall if one worker cannot hold one brick. The error names the least sufficient limit.
[[nodiscard]] Result<RegionPlan> plan_regions(
    const BrickLayout& layout, std::size_t tuple_bytes, const Int3& preferred, const RegionLimits& limits);

} // namespace rivulet
