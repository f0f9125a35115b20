// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Core's results as vtkPolyData, array by array what vtkStreamTracer makes. Values change hands without a copy.
///
///     fill_lines(lines, flow, { .velocity = "velocity", .rotation = true }, *poly_data);
///     fill_seeds(lines.seeds, seeds, 0, *other);
///
/// Threads: the one that called RequestData; normals are computed on `threads` more.
#pragma once

#include "Filters/FlowInput.h"

#include <set>
#include <span>
#include <string>

class vtkPolyData;

namespace rivulet
{

struct LineOutputOptions
{
  std::string velocity;        ///< name of the vectors followed
  bool rotation = true;        ///< Vorticity, Rotation, AngularVelocity and Normals
  std::int64_t first_seed = 0; ///< number of the seed that lines.seeds[0] stands for
  int threads = 1;
  std::set<std::string> left_out{}; ///< of the input's arrays
};

/// Lines, point arrays, ReasonForTermination and SeedIds; takes the values out of `lines`.
void fill_lines(TracedLines& lines, const FlowInput& flow, const LineOutputOptions& options, vtkPolyData& output);

/// One vertex per seed with what became of it.
void fill_seeds(
    std::span<const SeedFate> fates, std::span<const Vec3> seeds, std::int64_t first_seed, vtkPolyData& output);

} // namespace rivulet
