// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A domain of Mesh Blueprint, as far as it can be translated: a box of cells with values. Several domains, on all
/// ranks, make a part: what becomes a field of the runtime, or two where there are values of cells and of nodes.
///
/// Along an axis without extent there are no cells and one layer of nodes.
#pragma once

#include "Values.h"

#include <array>

namespace rivulet::catalyst2
{

using Long3 = std::array<std::int64_t, 3>;
using Real3 = std::array<double, 3>;

enum class GridKind
{
  Uniform,     ///< origin and spacing; also the levels of an AMR mesh
  Rectilinear, ///< coordinates along each axis
  Structured,  ///< coordinates of each node
};

/// What a grid is, without its values.
struct GridShape
{
  GridKind kind = GridKind::Uniform;
  std::string path;                               ///< of the topology, for messages
  Long3 cells{};                                  ///< ghost layers included
  Real3 origin{};                                 ///< of a uniform grid: the lower corner, ghost layers included
  Real3 spacing{};                                ///< of a uniform grid; 1 along an axis without extent
  std::array<std::vector<double>, 3> coordinates; ///< of a rectilinear grid
  Values points;                                  ///< of a structured grid
  std::optional<Long3> first_cell;                ///< its number in the whole grid, where the simulation says so
};

struct Domain
{
  GridShape grid;
  int level = 0;
  Long3 below{}; ///< ghost layers on the lower side of each axis
  Long3 above{}; ///< and on the upper one
  std::vector<Values> at_cells;
  std::vector<Values> at_nodes;

  [[nodiscard]] std::int64_t inner(std::size_t axis) const { return grid.cells[axis] - below[axis] - above[axis]; }
};

struct Part
{
  std::string name;
  std::vector<Domain> domains; ///< of this rank
};

} // namespace rivulet::catalyst2
