// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results of source-destination queries as VTK's data.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Trace/Regions/Hits.h"

#include <span>
#include <string>
#include <vector>

class vtkCellData;
class vtkPolyData;
class vtkTable;

namespace rivulet
{

/// Hits `first` to `first + count` - 1 of a result belong to one particle.
struct HitGroup
{
  std::size_t first = 0;
  std::size_t count = 0;
};

/// The hits of each particle, in order; a hit of each source region that it belongs to.
[[nodiscard]] std::vector<HitGroup> groups_of(std::span<const Hit> hits);

/// A vertex for each hit where it arrived, with the arrays of vtkRivuletSourceDestination's output 1.
void fill_hits(const SourceDestinationResult& result, vtkPolyData& output);

/// A row for each pair of regions: Source, Destination, Released, Hits, Share.
void fill_counts(const SourceDestinationResult& result, const std::vector<std::string>& sources,
    const std::vector<std::string>& destinations, vtkTable& output);

/// A row for each bin of durations from 0 to the longest: From, To, and a column of counts for each pair.
void fill_histograms(const SourceDestinationResult& result, const std::vector<std::string>& sources,
    const std::vector<std::string>& destinations, int bins, vtkTable& output);

/// Cell arrays SeedId, ReleaseTime, Source, Destination and Hits of lines; `groups`: that of each line.
void fill_line_hits(std::span<const Hit> hits, std::span<const HitGroup> groups, vtkCellData& output);

} // namespace rivulet
