// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The mesh of a field: where positions lie, which bricks hold their values, and the kernel for its cells.
///
/// A mesh owns the meaning of its positions. They are opaque to all others, which copy them, ask the mesh about them,
/// and hand them to the kernel. All answers about a position depend on the place alone, on a mesh that moves also on
/// the moment, so that lines do not depend on bricks, threads or any order.
///
///     const Result<std::shared_ptr<const Mesh>> mesh = make_mesh(field);       // MakeMesh.h
///     if (const std::optional<Mesh::Place> found = (*mesh)->enter({ 0.1, 0.2, 0.3 }, {}))
///       const auto [position, brick] = *found;
///
/// Documentation/add-a-mesh.md says how to add one.
///
/// Immutable; may be shared by threads. The field, its sources and its ghost arrays must outlive it. Units: world.
#pragma once

#include "Store/Source/BrickSource.h"
#include "Trace/Contract/TimeInterpolation.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Mesh/Position.h"

#include <algorithm>
#include <optional>
#include <span>

namespace rivulet
{

class GridGeometry;
struct KernelCall;
struct SourceArray;

class Mesh
{
public:
  /// A position, and the brick with its cell.
  struct Place
  {
    Position at;
    std::int64_t brick = 0;
  };
  /// How often cells were searched for.
  struct SearchCounts
  {
    std::int64_t walks_parked = 0; ///< ways from cell to cell that waited for a brick
    std::int64_t seeks = 0;        ///< searches of all cells
    std::int64_t seeks_parked = 0; ///< bricks that particles went to for that
  };
  /// A particle's way in bricks: the place of its next sample, and how far that is from its last point, in numbers of
  /// bricks along each axis of the cut (BrickGrid).
  struct WayInBricks
  {
    Vec3 place{ 0, 0, 0 };
    Vec3 along{ 0, 0, 0 };
  };

  Mesh() = default;
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;
  virtual ~Mesh() = default;

  /// The position with which a particle begins at a place in the world: in its cell, or, where only bricks can tell
  /// that, on its way to the first of these, as in enter_brick(). Waits for nothing. Empty outside the mesh, and in
  /// cells that are hidden at all times, as far as this is known. Where the steps of the interval are not held, it says
  /// that the cell is sought.
  [[nodiscard]] virtual std::optional<Place> enter(const Vec3& world, const Moment& moment) const = 0;
  /// The positions of places, in their cells; empty outside the mesh, and in cells that are hidden at all times. Waits
  /// for bricks, of which many are requested together. Throws std::bad_alloc.
  virtual void locate(std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const
  {
    std::transform(
        places.begin(), places.end(), found.begin(), [&](const Vec3& place) { return enter(place, moment); });
  }
  [[nodiscard]] virtual Vec3 world(const Position& at) const = 0;
  /// Whether single precision resolves less than a hundredth of a cell at some place. Of a mesh that moves: true.
  [[nodiscard]] virtual bool needs_doubles() const = 0;

  /// Whether any cell is hidden at any time. This and the next two by default: hidden cells are none of the mesh.
  [[nodiscard]] virtual bool has_hidden_cells() const { return false; }
  /// Whether hidden cells may differ from time step to time step.
  [[nodiscard]] virtual bool hidden_in_time() const { return false; }
  /// Whether a position's cell is hidden, or uses a hidden point, at some of the time steps. The steps have no meaning
  /// unless hidden_in_time().
  [[nodiscard]] virtual bool hidden(const Position& at, const StepRange& steps) const
  {
    (void)at;
    (void)steps;
    return false;
  }

  /// Number of the cell, or of the cell's point that is nearest, as arrays of labels count them (of AMR meshes on the
  /// coarsest level). `world`: the same place. -1: none.
  [[nodiscard]] virtual std::int64_t label_number(
      const Vec3& world, const Position& at, const Moment& moment, Centering centering) const = 0;
  /// A number by which places can be sorted, so that neighbours often follow each other.
  [[nodiscard]] virtual std::int64_t sort_number(const Position& at) const = 0;

  /// Moves a particle's next sample to the cell that has its values. The particle's last point and slopes so far move
  /// with it. Returns the brick of that cell, or a brick that tells which cell it is; -1, and no change, if there is
  /// none. The last point of a particle that has not begun is the position from enter(). `moment`: in the sample's
  /// interval; its share has a meaning at the ends of steps alone.
  [[nodiscard]] virtual std::int64_t enter_brick(
      Position& sample, Position& last, std::span<double[3]> slopes, const Moment& moment) const = 0;
  /// The brick of a position in another array's cut.
  [[nodiscard]] virtual std::int64_t brick_in(const BrickGrid& cut, const Position& at) const = 0;
  /// The value at a position that has its cell in the brick: each component, as doubles. `step`: of the brick's values.
  virtual void interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
      const Moment& moment, double* values) const = 0;
  /// Empty if bricks of later samples cannot be told from the particle's motion. `interval`: of the sample.
  [[nodiscard]] virtual std::optional<WayInBricks> way_in_bricks(
      const Position& last, const Position& sample, std::int32_t interval) const
  {
    (void)last;
    (void)sample;
    (void)interval;
    return std::nullopt;
  }

  /// Where the nodes lie, if that is in bricks: of the brick with the velocity's number. nullptr: no brick is needed.
  [[nodiscard]] virtual const SourceArray* places() const { return nullptr; }
  /// Whether the nodes move from time step to time step: places() then has all steps of the field.
  [[nodiscard]] virtual bool moves() const { return false; }
  /// The first failure to read the mesh's own values since the last call; nullptr if there was none.
  [[nodiscard]] virtual std::shared_ptr<const Error> take_error() const { return nullptr; }

  [[nodiscard]] virtual SearchCounts searches() const { return {}; }

  /// The geometry, if the mesh is one uniform or rectilinear grid; else nullptr.
  [[nodiscard]] virtual const GridGeometry* grid() const { return nullptr; }

  /// Advances particles in a brick (Kernel/Kernel.h).
  virtual void advance(const KernelCall& call) const = 0;
};

/// Whether the mesh hides a position at these steps, and not at all times.
[[nodiscard]] inline bool hidden_at(const Mesh& mesh, const Position& at, const StepRange& steps)
{
  return mesh.hidden_in_time() && mesh.hidden(at, steps);
}

} // namespace rivulet
