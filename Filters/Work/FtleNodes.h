// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Nodes from which vtkRivuletFTLE releases particles, and which its output has: of a lattice, of a curvilinear grid,
/// or all points of unstructured cells. Nodes of a mesh that moves are where the mesh has them at the time of release.
///
/// Ranks: the first has all points of unstructured cells. Threads: one caller. Owns what it holds.
#pragma once

#include "Base/Box.h"
#include "Base/Field.h"
#include "Trace/FlowMap/ReleaseLattice.h"
#include "Trace/Kernel/AdvectionContext.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

class vtkDataSet;
class vtkUnstructuredGrid;

namespace rivulet
{

class FlowInput;
class NodeCells;

class FtleNodes
{
public:
  enum class Kind : std::uint8_t
  {
    Lattice,
    OfGrid, ///< of a curvilinear grid
    OfCells ///< of unstructured cells, in one row
  };

  /// Bytes of a node beside its particle: its place and, of cells, the cells around it.
  [[nodiscard]] std::int64_t bytes() const;

  /// Chooses the lattice, and the nodes of it that are wanted. Points of cells are known with use_cells().
  void choose(Kind kind, Grid lattice, const Box& wanted);

  /// The same wanted nodes on another lattice.
  void set_lattice(Grid lattice) { lattice_ = std::move(lattice); }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const Grid& lattice() const { return lattice_; }
  [[nodiscard]] const Box& wanted() const { return wanted_; }

  /// Forgets the places of earlier particles, which are not known any more.
  void begin();

  /// Takes the points of the input's cells as they are at the time of release. Fails for cells at whose points
  /// derivatives are not known, and if all take more than so many bytes, `of_particle` of them for each particle.
  [[nodiscard]] Result<void> take_cells(const FlowInput& flow, std::int64_t of_particle, std::int64_t bytes);

  /// Turns to the points taken.
  void use_cells();

  /// The cells around the points at a moment, whose places are kept. `flow`: of that step, or the one before. Fails
  /// where no one mesh has the points.
  [[nodiscard]] Result<std::shared_ptr<const NodeCells>> cells_at(
      const AdvectionContext& context, const Moment& moment, const FlowInput& flow);

  /// Places of a box of nodes of a curvilinear grid at a moment, of which the wanted ones are kept; nullptr for a
  /// lattice. Waits for bricks.
  [[nodiscard]] Result<NodePlaces> places_at(
      const AdvectionContext& context, const Moment& moment, int refinement, const Box& nodes);

  /// Finds the places of wanted nodes whose particles were not released: there is no time left, or the run was stopped.
  [[nodiscard]] Result<void> find_places_left(const TraceField& field, int refinement);

  /// Gives the output its nodes, and its cells.
  void shape(vtkDataSet& output) const;

  /// Frees the places and cells.
  void clear();

private:
  void keep_cells(const FlowInput& flow);

  Kind kind_ = Kind::Lattice;
  Grid lattice_;
  Box wanted_;
  vtkSmartPointer<vtkUnstructuredGrid> cells_; ///< of the output, on the first rank
  std::vector<Vec3> places_;                   ///< of the wanted nodes; NaN: not known yet; empty: as cells_ has them
};

} // namespace rivulet
