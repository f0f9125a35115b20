// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results of Core as vtkPolyData with the arrays of vtkStreamTracer. Values are moved, not copied.
///
///     fill_lines(lines, flow, { .velocity = "velocity", .rotation = true }, *poly_data);
///     fill_seeds(lines.seeds, seeds, 0, *other);
///
/// Threads: the one that called RequestData; normals are computed by `threads` threads.
#pragma once

#include "Filters/Input/FlowInput.h"
#include "Trace/Contract/TracedLines.h"

#include <set>
#include <span>
#include <string>

class vtkPointData;
class vtkPolyData;

namespace rivulet
{

struct LineOutputOptions
{
  std::string velocity;        ///< name of the vectors
  bool rotation = true;        ///< whether to add Vorticity, Rotation, AngularVelocity and Normals
  std::int64_t first_seed = 0; ///< number of the seed of lines.seeds[0]
  int threads = 1;
  std::set<std::string> left_out{};     ///< names of input arrays without output
  const char* time = "IntegrationTime"; ///< name of the array of times
  bool normals = true;                  ///< whether to add Normals, if rotation is
};

/// Fills in lines, point arrays, ReasonForTermination and SeedIds. Moves the values out of `lines`.
void fill_lines(TracedLines& lines, const FlowInput& flow, const LineOutputOptions& options, vtkPolyData& output);

/// Adds interpolated values of `points` points as arrays like the input's. Moves the values.
void add_attributes(std::vector<AttributeValues>& values, std::int64_t points, const FlowInput& flow,
    const std::set<std::string>& left_out, vtkPointData& output);

/// Fills in one vertex per seed, with SeedId and the arrays of its SeedFate. `fates` and `seeds` are parallel.
void fill_seeds(
    std::span<const SeedFate> fates, std::span<const Vec3> seeds, std::int64_t first_seed, vtkPolyData& output);

} // namespace rivulet
