// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Unstructured cells in memory: tetrahedra, pyramids, wedges, hexahedra, and the triangles and quadrilaterals of
/// planar flows, in any mixture.
///
///     Result<std::shared_ptr<const UnstructuredCells>> cells = UnstructuredCells::create({ arrays, points }, {});
///     field.foreign = *cells;                               // make_mesh() sees what they are
///     Result<...> later = (*cells)->moved(points_later);     // the same cells at the next time step
///     auto between = UnstructuredCells::between(...);        // during the interval: ask with the share that has gone
///
/// A place is sought from the cell of the last one, over faces (FaceWalk.h). Where that way ends, at faces that do not
/// match too, all cells are searched: of all that have the place within kOnFace the one with the lowest number
/// counts. Cells without a volume are left out there. Another library has the cells of other types, and is asked if
/// none of these has the place.
///
/// Memory beside the arrays: 4 bytes for each face; for each cell 1 byte, 4 for its place in the order of the search,
/// 7 for boxes around each four, 4 if there are several shapes, and 1 if they are compared. Counts in the process's
/// account. The same cells elsewhere share all but the boxes, which are made when a place is first searched in all
/// cells: particles that stay in the mesh are never sought.
///
/// Threads: as ForeignCells; many of them make the boxes. Units: world; tolerances: share of the cell. `share`: of the
/// interval that has gone; it has a meaning only for cells made by between().
#pragma once

#include "Store/Memory/MemoryAccount.h"
#include "Trace/Mesh/CellLinks.h"
#include "Trace/Mesh/CellNodes.h"
#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/MovingPoints.h"
#include "Trace/Mesh/ShapeCell.h"
#include "Trace/Mesh/WorldBoxTree.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace rivulet
{

class UnstructuredCells final : public ForeignCells
{
public:
  struct Arrays
  {
    CellArrays cells;
    PointArray points;
  };
  struct Options
  {
    std::vector<bool> left_out{}; ///< of each cell; empty: none is
    int dimension = 3;            ///< of the mesh; cells of a lower one are left out
    /// Makes the cells of all other types, with the same numbers, where there are some; empty: they are left out.
    std::function<std::shared_ptr<const ForeignCells>(std::vector<bool> left_out)> others{};
    int threads = 1; ///< of links, boxes and looks at all cells, here and at other steps
  };
  /// A place in a cell.
  struct Found
  {
    std::int64_t cell = -1; ///< -1: none
    Vec3 at{ 0, 0, 0 };     ///< parametric (ShapeCell.h)
  };

  /// Fails as CellNodes and CellLinks. The points have to be finite.
  [[nodiscard]] static Result<std::shared_ptr<const UnstructuredCells>> create(Arrays arrays, Options options);

  /// The same cells with their points elsewhere. Fails with BadArgument if there is another number of points, and with
  /// Unsupported if some cells are of another library.
  [[nodiscard]] Result<std::shared_ptr<const UnstructuredCells>> moved(PointArray points) const;
  /// Whether the others are these cells, maybe elsewhere, and none with a volume is turned inside out as compared with
  /// them: on the way from here to there it would fold.
  [[nodiscard]] bool same_cells(const UnstructuredCells& other) const;
  /// The cells at each step about an interval: same_cells() for all. The last two: nullptr if `cubic` has none.
  struct Steps
  {
    std::shared_ptr<const UnstructuredCells> now;
    std::shared_ptr<const UnstructuredCells> later;
    std::shared_ptr<const UnstructuredCells> before{};
    std::shared_ptr<const UnstructuredCells> after{};
    CubicWeights cubic{};
  };
  [[nodiscard]] static std::shared_ptr<const UnstructuredCells> between(const Steps& steps);

  [[nodiscard]] std::int64_t cells() const override { return topology_->nodes.cells(); }
  [[nodiscard]] std::int64_t nodes() const override { return points_.now.count; }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override
  {
    return find_at(0.0, world, before, at);
  }
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override { return cell_sides_at(0.0, cell); }
  [[nodiscard]] std::string kinds() const override;
  [[nodiscard]] bool needs_doubles() const override { return search().needs_doubles; }

  [[nodiscard]] std::int64_t find_at(double share, const Vec3& world, std::int64_t before, CellWeights& at) const;
  [[nodiscard]] Vec3 cell_sides_at(double share, std::int64_t cell) const;

  /// For the kernel.
  [[nodiscard]] const CellNodes& table() const { return topology_->nodes; }
  [[nodiscard]] const MovingPoints& points() const { return points_; }
  /// The cell beyond a face; CellLinks::kNone on the border.
  [[nodiscard]] std::int64_t beyond(std::int64_t cell, int face) const
  {
    const std::int64_t known = topology_->links.beyond(cell, face);
    return known != CellLinks::kUnknown ? known : find_beyond(cell, face);
  }
  [[nodiscard]] const std::shared_ptr<const ForeignCells>& others() const { return topology_->others; }
  /// Whether a cell is one of these, and not of another library.
  [[nodiscard]] bool has(std::int64_t cell) const { return table().has(cell); }
  [[nodiscard]] ShapeCorners corners(std::int64_t cell, double share = 0.0) const;
  /// The face of a cell by which a way from `before` comes, of which beyond() gave this cell.
  [[nodiscard]] int face_back(std::int64_t cell, std::int64_t before) const
  {
    const int count = faces_of(table().type(cell).shape).count;
    const int known = topology_->links.face_to(cell, count, before);
    return known >= 0 ? known : find_face_back(cell, count, before);
  }
  [[nodiscard]] SeenPlace seen(CellShape shape, const HexCell::Place& place) const
  {
    return seen_from(shape, place, faces_of(shape).dimension == 2 ? search().on_plane : 0.0);
  }
  /// From a cell that has a place nearby; else none: it is to be sought.
  [[nodiscard]] Found walk(const Vec3& world, std::int64_t before, double share = 0.0) const;
  /// Nodes and weights at parametric coordinates in one of these cells, without gradients, and then these.
  void weigh_at(std::int64_t cell, const Vec3& at, CellWeights& to) const;
  void add_gradients(std::int64_t cell, const Vec3& at, CellWeights& to, double share = 0.0) const;
  /// Of these cells alone.
  [[nodiscard]] Found seek(const Vec3& world, double share = 0.0) const;
  /// A number by which places can be sorted, so that neighbours often follow each other. The same at all steps.
  [[nodiscard]] std::int64_t sort_number(const Vec3& world) const;
  /// Bytes beside the arrays, with the boxes.
  [[nodiscard]] std::int64_t bytes() const;

private:
  static constexpr std::int64_t kLeaf = 4; ///< cells of a leaf of the tree

  /// What does not depend on the places of the points.
  struct Topology
  {
    Topology(CellNodes of_cells, CellLinks unknown)
      : nodes(std::move(of_cells))
      , links(std::move(unknown))
    {
    }

    CellNodes nodes;
    mutable CellLinks links;
    mutable std::atomic<std::int64_t> looked_at{ 0 }; ///< cells, for links of single faces
    mutable std::once_flag all_linked;
    std::shared_ptr<const ForeignCells> others{};
    WorldBox box{};                    ///< around most cells, at the step at which they were first seen
    std::vector<std::int32_t> order{}; ///< cells; neighbours together, at that step
    MemoryPart memory{ MemoryUse::Copies };
  };
  /// What a search in all cells needs. It depends on the places of the points.
  struct Search
  {
    WorldBoxTree tree{};   ///< of each kLeaf of the cells, at all moments
    double on_plane = 0.0; ///< distance from a planar cell at which a place is on it
    bool needs_doubles = false;
    MemoryPart memory{ MemoryUse::Copies };
  };

  UnstructuredCells(MovingPoints points, std::shared_ptr<const Topology> topology, int threads);
  [[nodiscard]] const std::vector<std::int32_t>& order() const { return topology_->order; }
  [[nodiscard]] std::int64_t leaves() const;
  [[nodiscard]] static std::shared_ptr<const ForeignCells> others_of(const CellNodes& nodes, Options options);
  [[nodiscard]] WorldBox reach(std::int64_t cell) const;
  [[nodiscard]] double fullness(std::int64_t cell, double share) const;
  [[nodiscard]] std::int8_t hand_of(std::int64_t cell) const;
  [[nodiscard]] const std::vector<std::int8_t>& hands() const;
  [[nodiscard]] WorldBox box_of_some() const;
  [[nodiscard]] std::vector<std::int32_t> ordered_cells(const WorldBox& box) const;
  [[nodiscard]] std::int64_t find_beyond(std::int64_t cell, int face) const;
  [[nodiscard]] int find_face_back(std::int64_t cell, int count, std::int64_t before) const;
  [[nodiscard]] Vec3 middle_of(std::int64_t cell, int face) const;
  [[nodiscard]] const Search& search() const;
  [[nodiscard]] Search make_search() const;
  [[nodiscard]] bool near_box(const WorldBox& box, CellShape shape, const Vec3& world) const;
  void look_at(std::int64_t cell, const Vec3& world, double share, Found& best) const;

  MovingPoints points_;
  std::shared_ptr<const Topology> topology_;
  int threads_; ///< of boxes and looks at all cells
  mutable std::once_flag search_made_;
  mutable Search search_;
  mutable std::once_flag hands_made_;
  mutable std::vector<std::int8_t> hands_;
  mutable MemoryPart memory_of_hands_{ MemoryUse::Copies };
};

} // namespace rivulet
