// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A domain of Mesh Blueprint, as far as it can be translated: a box of cells, or cells of any shape, with values.
/// Several domains, on all ranks, make a part. A part of boxes becomes a field of the runtime, or two where there are
/// values of cells and of nodes. A part of cells of any shape becomes a mesh of the runtime.
///
/// Along an axis without extent there are no cells and one layer of nodes.
#pragma once

#include "Values.h"

#include <array>
#include <map>

namespace rivulet::catalyst2
{

using Long3 = std::array<std::int64_t, 3>;
using Real3 = std::array<double, 3>;

enum class GridKind
{
  Uniform,     ///< origin and spacing; also the levels of an AMR mesh
  Rectilinear, ///< coordinates along each axis
  Structured,  ///< coordinates of each node
  Mesh,        ///< coordinates of each point, and cells of any shape
};

/// A shape of cells.
struct CellShape
{
  std::uint8_t type = 0;   ///< as VTK numbers them
  std::int64_t points = 0; ///< of each cell; 0: any number
};

/// Cells of any shape, as the tree has them.
struct Cells
{
  std::map<std::int64_t, CellShape> shapes;   ///< by their numbers in `shape`; a single one has number 0
  std::map<std::int64_t, std::string> others; ///< names of shapes that are not translated
  std::optional<Place> shape;                 ///< of each cell; none: there is a single one
  std::optional<Place> size;                  ///< points of each cell; none: the shape says so
  std::optional<Place> offset;                ///< of each cell in `connectivity`
  std::optional<Place> connectivity;          ///< points of the cells; none: each point is a cell
};

/// Description of a grid, without values of fields.
struct GridShape
{
  GridKind kind = GridKind::Uniform;
  std::string path;                               ///< of the topology, for messages
  std::int64_t elements = 0;                      ///< values of a field of elements; 0: there is no grid
  std::int64_t vertices = 0;                      ///< and of vertices
  Long3 cells{};                                  ///< of a box, ghost layers included
  Real3 origin{};                                 ///< of a uniform grid: the lower corner, ghost layers included
  Real3 spacing{};                                ///< of a uniform grid; 1 along an axis without extent
  Real3 thickness{};                              ///< along an axis without extent, where the simulation gives it
  std::array<std::vector<double>, 3> coordinates; ///< of a rectilinear grid
  Values points;                                  ///< of a structured grid or a mesh; z, or y and z, may be missing
  Cells shapes;                                   ///< of a mesh
  std::optional<Long3> first_cell;                ///< its number in the whole grid, where the simulation says so
};

/// A mark for each cell.
struct GhostMarks
{
  Numbers numbers;
  std::uint64_t bits = 0; ///< of a mark, that are set for another rank's cell
};

struct Domain
{
  GridShape grid;
  int level = 0;
  Long3 below{};                    ///< ghost layers on the lower side of each axis
  Long3 above{};                    ///< and on the upper one
  std::optional<GhostMarks> ghosts; ///< of a mesh: cells that another rank has
  std::vector<Values> at_cells;
  std::vector<Values> at_nodes;

  [[nodiscard]] std::int64_t inner(std::size_t axis) const { return grid.cells[axis] - below[axis] - above[axis]; }
};

struct Part
{
  std::string mesh; ///< the name of the channel, or of a multimesh "channel/mesh"
  std::string topology;
  std::vector<Domain> domains; ///< of this rank; none: it has the topology, but no cells of it
};

} // namespace rivulet::catalyst2
