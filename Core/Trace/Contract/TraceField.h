// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The field to trace through: where its values and its places come from.
#pragma once

#include "Base/Field.h"
#include "Store/Source/BrickSource.h"

#include <memory>
#include <string>
#include <vector>

namespace rivulet
{

class CurvilinearGrid;
class ForeignCells;
class HiddenCells;

/// An array to read at the particles: one variable at one step of a source.
struct SourceArray
{
  BrickSource* source = nullptr;
  std::int32_t variable = 0;
  std::int32_t step = 0;
  /// Velocities only: index of the component x of the variable; y and z follow it. -1: the variable has three.
  std::int32_t first_component = -1;
};

/// Nodes of a curvilinear grid that move.
struct MovingNodes
{
  /// The grid of each time step, nullptr where a step is not held; all have the same leaves. Empty: the nodes stay.
  std::vector<std::shared_ptr<const CurvilinearGrid>> steps;
  SourceArray places{}; ///< where the nodes lie, of all steps
};

/// An array to interpolate along the lines.
struct AttributeRequest
{
  std::string name;
  SourceArray array;
};

/// The field to trace through. All objects it points to must outlive the call.
struct TraceField
{
  SourceArray velocity; ///< 3 components. Pathlines: its step has no meaning

  /// Cells of a mesh that is no grid; nullptr: the next members say where the values lie. Sources then have their
  /// values in one row: value i is that of node i, or of cell i.
  std::shared_ptr<const ForeignCells> foreign;
  /// The cells of each time step, nullptr where a step is not held; pathlines only. Empty: they are `foreign`, and
  /// stay.
  std::vector<std::shared_ptr<const ForeignCells>> foreign_steps{};

  /// Where the nodes lie, if they do so anywhere, in bricks; nullptr: `grid` says it. `grid` then has their number.
  std::shared_ptr<const CurvilinearGrid> curvilinear;
  /// The same of nodes that move; pathlines only.
  MovingNodes moving{};

  /// Geometry of the current dataset. Its node (0, 0, 0) is the lattice point `lattice_offset` of every source.
  Grid grid;
  Int3 lattice_offset{ 0, 0, 0 };

  /// vtkGhostType arrays, row-major, or nullptr. Hidden points (bit 2) and hidden cells (bit 32) are outside the
  /// domain, and so is every cell with a hidden point. Duplicate cells (bit 1) are not hidden.
  const std::uint8_t* point_ghosts = nullptr;
  const std::uint8_t* cell_ghosts = nullptr;
  /// Pathlines: hidden cells of each time step, nullptr where a step has none; the two arrays above then do not count.
  /// Between two steps a cell is hidden that is hidden at any of the steps whose values are interpolated there; at the
  /// time of a step that step alone counts. Empty: the same cells are hidden at all times. Steps without bricks
  /// (AdvectionContext::set_intervals()) are not asked for.
  std::vector<std::shared_ptr<const HiddenCells>> hidden{};

  /// Interpolated linearly (node-centred) or taken from the cell (cell-centred). Pathlines: in time by
  /// TraceOptions::time_interpolation, and their steps have no meaning.
  std::vector<AttributeRequest> attributes;
};

} // namespace rivulet
