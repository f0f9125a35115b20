// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The form of a binary grid file of PLOT3D, from its first numbers and its length, and whether a solution file has the
/// same: VTK's reader takes the solution's form for granted, and ends the program on some files that are no grids.
///
///     const Result<Plot3dShape> shape = shape_of_grid("wing.xyz");
///     if (shape) check_solution(*shape, "wing.q");
///
/// Plain values; any thread.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"

#include <string>
#include <vector>

namespace rivulet
{

struct Plot3dShape
{
  bool big_endian = false;
  bool marks = false;   ///< records begin and end with their length, as Fortran writes them
  bool several = false; ///< the number of zones comes first
  bool flat = false;    ///< two coordinates, and no third number of nodes
  bool doubles = false;
  bool blanks = false;       ///< a number for each node says whether it is hidden
  std::vector<Int3> zones{}; ///< nodes of each
};

/// Fails with CannotRead for a file whose length is that of no such form.
[[nodiscard]] Result<Plot3dShape> shape_of_grid(const std::string& path);

/// Fails with CannotRead unless the file is a solution on these zones, in the same form: four numbers, then density,
/// momentum and energy.
[[nodiscard]] Result<void> check_solution(const Plot3dShape& grid, const std::string& path);

} // namespace rivulet
