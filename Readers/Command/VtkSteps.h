// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// VTK's files that are the steps of a field: files as they are named, and files that collections (.pvd) and series
/// (.vti.series) list, with their times.
///
///     Result<VtkSteps> steps = list_steps({ "flow.pvd" });      // steps->files[3].path, .time
#pragma once

#include "Base/Result.h"

#include <optional>
#include <vector>

namespace rivulet
{

struct VtkSteps
{
  struct File
  {
    std::string path;
    std::optional<double> time; ///< where a list says so
  };
  std::vector<File> files;
  std::vector<std::string> lists; ///< the collections and series themselves
};

/// Fails as format_of(), with Corrupt (a list that is none, or empty), or Unsupported (several parts of one step).
[[nodiscard]] Result<VtkSteps> list_steps(const std::vector<std::string>& paths);

} // namespace rivulet
