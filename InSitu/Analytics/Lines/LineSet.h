// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Traced lines in the order of their seeds, gathered from all ranks, and written for ParaView.
///
///     LineSet lines = lines_of(traced, first_seed);       // of this rank's seeds
///     gather_lines(host, lines);                          // all, on the first rank
///     write_lines(path, lines, time);                     // VTK's polydata in XML
///
/// Forward comes before backward where a seed has both. The order does not depend on ranks, if each has a range of the
/// seeds and ranges are in the order of ranks.
#pragma once

#include "Plugin/Host.h"
#include "Trace/Contract/TracedLines.h"

namespace rivulet
{

/// Names of the array with the time of each point: since the seed along the line, or of the simulation.
inline constexpr const char* kTimeAlongLine = "IntegrationTime";
inline constexpr const char* kTimeOfSimulation = "SimulationTime";

struct LineSet
{
  /// Values of each point.
  struct Array
  {
    std::string name;
    ScalarType type = ScalarType::Float32;
    std::int32_t components = 1;
    std::vector<std::byte> values;
  };

  std::vector<float> points;  ///< x y z
  std::vector<double> places; ///< the same in doubles; empty where floats resolve a hundredth of a cell
  std::vector<Array> arrays;
  std::vector<std::int64_t> lengths; ///< points of each line
  std::vector<std::int32_t> seeds;   ///< of each line
  std::vector<std::int32_t> reasons; ///< of each line: Termination; None: its particle is on its way
};

/// Without lines, but with the arrays that lines with these attributes have.
[[nodiscard]] LineSet no_lines(const std::vector<Variable>& attributes, const char* time);

/// `first_seed`: number of the first seed that was traced.
[[nodiscard]] LineSet lines_of(const TracedLines& traced, std::int64_t first_seed, const char* time);

/// Collective. Adds the lines of the other ranks to the lines of the first rank. All sets have the same arrays. Fails
/// on all ranks if the first has no memory.
[[nodiscard]] Result<void> gather_lines(const Host& host, LineSet& lines);

/// Writes a file in the format .vtp, with the places if there are any, the arrays, that of the time among them, and
/// with SeedIds and ReasonForTermination of each cell, as vtkStreamTracer names them. Cells are vertices, at the ends
/// of lines whose particles are on their way, and then lines of two points or more. Fails with CannotWrite.
[[nodiscard]] Result<void> write_lines(const std::string& path, const LineSet& lines, double time);

} // namespace rivulet
