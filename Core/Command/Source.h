// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Opens whatever `rivulet convert` is given: BOV headers, raw files, field files, and what it is told how to open.
#pragma once

#include "Io/LatticeReader.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace rivulet::command
{

/// What a raw file does not say about itself.
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
  bool cells = false; ///< values are at the cells' centres
};

struct SourceChoice
{
  std::vector<std::string> paths; ///< several are the steps of one field
  /// Instead, for each step the files of a vector's components: raw files or BOV headers.
  std::vector<std::vector<std::string>> vectors;
  std::vector<std::string> components; ///< scalars of the source that become one vector
  std::string variable; ///< raw, vectors and components: the name to give; else the one to take, all if empty
  std::optional<RawDescription> raw;
};

struct Source
{
  std::unique_ptr<LatticeReader> reader;
  std::vector<std::string> notes; ///< what was ignored or assumed, a sentence each
  std::string meaning;            ///< what is made of which files, in a line
};

using SourceOpener = std::function<Result<Source>(const SourceChoice&)>;

/// `open_vtk` is asked to open the paths where the first is one of VTK's files.
[[nodiscard]] Result<Source> open_source(const SourceChoice& choice, const SourceOpener& open_vtk);

} // namespace rivulet::command
