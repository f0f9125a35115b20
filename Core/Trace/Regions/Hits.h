// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Hits of a source-destination query: which particles of which source region arrived in which destination, when and
/// where; counts and histograms of them, and their seeds.
///
///     std::vector<std::int64_t> bins = *arrival_histograms(result, edges, ArrivalTime::SinceRelease);
///     std::vector<PathSeed> seeds = seeds_of(result.hits);       // lines that end where the particles arrived
///     TracedLines lines = *trace_pathlines(field, {}, seeds, options, run);
///
/// Times are field times. Results of ranks or of parts of a query are joined with join_hits().
#pragma once

#include "Base/Result.h"
#include "Trace/Contract/PathSeed.h"

#include <memory>
#include <span>
#include <vector>

namespace rivulet
{

/// The first arrival of a particle in a destination. A particle of several source regions has a hit for each.
struct Hit
{
  std::int64_t seed = 0;         ///< number of the seed (Regions/SeedSets.h)
  Vec3 release_point{ 0, 0, 0 }; ///< world
  double release_time = 0.0;
  std::int32_t source = 0;
  std::int32_t destination = 0;
  double arrival_time = 0.0;
  Vec3 arrival_point{ 0, 0, 0 }; ///< world
  double length = 0.0;           ///< length of the path from the release, in world units
};

static_assert(sizeof(Hit) == 88, "SourceDestination.h says how much memory a hit takes");

struct SourceDestinationResult
{
  std::vector<Hit> hits{};                ///< by seed, release time, destination and source
  std::vector<std::int64_t> released{};   ///< number of particles of each source region
  std::vector<std::int64_t> hit_counts{}; ///< number of hits of each pair, sources by destinations, row-major
  std::int64_t particles = 0; ///< number of particles; less than the sum of `released` where source regions overlap
  std::int64_t outside = 0;   ///< number of releases in a source region but outside the field
  /// Number of particles that ended for each reason, by Termination. Crossed: at a hit.
  std::array<std::int64_t, 13> ends{};
  std::int64_t steps = 0;
  double seconds = 0.0;                      ///< wall time
  double stall_seconds = 0.0;                ///< summed over workers: time spent waiting for bricks
  bool cancelled = false;                    ///< only the hits before the stop are there
  std::shared_ptr<const Error> data_error{}; ///< the first error that ended particles early; nullptr if there is none

  [[nodiscard]] std::size_t sources() const { return released.size(); }
  [[nodiscard]] std::size_t destinations() const { return released.empty() ? 0 : hit_counts.size() / released.size(); }
};

/// Adds the result of another part of the same query, or of the same part of it on another rank. Throws std::bad_alloc.
void join_hits(SourceDestinationResult& to, const SourceDestinationResult& more);

/// Adds hits in any order to others in their order. Throws std::bad_alloc.
void add_hits(std::vector<Hit>& to, std::vector<Hit> more);

enum class ArrivalTime : std::int32_t
{
  SinceRelease = 0, ///< duration, positive in both directions of time
  OfField = 1
};

/// Histograms of the arrival times of each pair, row-major: pair, then bin. `edges`: increasing, n + 1 for n bins; the
/// lower edge belongs to a bin, and to the last bin its upper one, too. Two more bins, before the first and after the
/// last, have the hits below and above all edges, so that the n + 2 numbers of a pair sum up to its hits. Fails with
/// BadArgument for fewer than two edges, or if they do not increase. Throws std::bad_alloc.
[[nodiscard]] Result<std::vector<std::int64_t>> arrival_histograms(
    const SourceDestinationResult& result, std::span<const double> edges, ArrivalTime time);

/// The release of each particle with a hit, once, with PathSeed::end at its last hit; `hits`: all or some of a result,
/// in order. With the options of the query their pathlines are the paths of the query's particles, within the error of
/// the integrator: a path of the query has a point at each hit, and chooses its next steps from there. A particle that
/// was inside at its release has a line of one point, which is left out of lines. Throws std::bad_alloc.
[[nodiscard]] std::vector<PathSeed> seeds_of(std::span<const Hit> hits);

} // namespace rivulet
