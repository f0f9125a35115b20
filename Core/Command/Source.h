// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Opens the sources of `rivulet convert`: BOV headers, raw files, field files, and VTK's files through a callback.
#pragma once

#include "Io/Blocks/LatticeReader.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace rivulet::command
{

/// Description of raw files from the command line.
struct RawDescription
{
  Int3 dims{ 1, 1, 1 }; ///< values along each axis
  std::string type = "float32";
  int components = 1;
  bool big_endian = false;
  std::int64_t offset = 0;   ///< bytes before the first value
  std::int64_t trailing = 0; ///< bytes after the last one
  Vec3 origin{ 0, 0, 0 };
  Vec3 spacing{ 1, 1, 1 };
  double first_time = 0;
  double time_step = 1;
  bool cells = false; ///< values at cells' centres, else at nodes
};

/// The grid of PLOT3D's solution files.
struct Plot3dGrid
{
  std::string path; ///< of the grid file (XYZ); empty: the sources are no solution files
  int zone = 0;     ///< from 1; 0: the only one
};

struct SourceChoice
{
  std::vector<std::string> paths; ///< one file, or one for each time step
  /// Files of a vector's components for each step, instead of `paths`: raw files or BOV headers.
  std::vector<std::vector<std::string>> vectors;
  std::vector<std::string> components; ///< names of scalars of the source to join to one vector
  std::string variable; ///< new name for raw files, vectors and components; else name to choose, empty for all
  std::optional<RawDescription> raw;
  Plot3dGrid plot3d{};
};

struct Source
{
  std::unique_ptr<LatticeReader> reader;
  std::vector<std::string> notes; ///< sentences about ignored parts and assumptions
  std::string meaning;            ///< one line that names the files and the resulting field
};

using SourceOpener = std::function<Result<Source>(const SourceChoice&)>;

/// Calls `open_vtk` if the first path is one of VTK's files, or if there is a grid of PLOT3D.
[[nodiscard]] Result<Source> open_source(const SourceChoice& choice, const SourceOpener& open_vtk);

} // namespace rivulet::command
