// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Unstructured cells in memory: tetrahedra, pyramids, wedges, hexahedra, and the triangles and quadrilaterals of
/// planar flows, in any mixture.
///
///     Result<std::shared_ptr<const UnstructuredCells>> cells = UnstructuredCells::create({ arrays, points }, {});
///     field.foreign = *cells;                               // make_mesh() sees what they are
///
/// A place is sought from the cell of the last one, over faces (FaceWalk.h). Where that way ends, at faces that do not
/// match too, all cells are searched: of all that have the place within kOnFace the one with the lowest number
/// counts. Cells without a volume are left out there. Another library has the cells of other types, and is asked if
/// none of these has the place.
///
/// Memory beside the arrays: 4 bytes for each face; for each cell 1 byte, 4 for its place in the order of the search,
/// 7 for boxes around each four, and 4 if there are several shapes. Counts in the process's account.
///
/// Threads: as ForeignCells. Units: world; tolerances: share of the cell.
#pragma once

#include "Base/Field.h"
#include "Store/Memory/MemoryAccount.h"
#include "Trace/Mesh/CellLinks.h"
#include "Trace/Mesh/CellNodes.h"
#include "Trace/Mesh/ForeignCells.h"
#include "Trace/Mesh/ShapeCell.h"
#include "Trace/Mesh/WorldBoxTree.h"

#include <functional>
#include <memory>

namespace rivulet
{

/// Points in the world, x, y and z of each together.
struct PointArray
{
  const void* data = nullptr;
  ScalarType type = ScalarType::Float64;
  std::int64_t count = 0;
  std::shared_ptr<const void> owner; ///< keeps the points

  [[nodiscard]] Vec3 operator[](std::int64_t i) const
  {
    return type == ScalarType::Float32 ? three(static_cast<const float*>(data) + 3 * i)
                                       : three(static_cast<const double*>(data) + 3 * i);
  }

private:
  template <class Scalar>
  [[nodiscard]] static Vec3 three(const Scalar* x)
  {
    return { x[0], x[1], x[2] };
  }
};

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
    int threads = 1;
  };
  /// A place in a cell.
  struct Found
  {
    std::int64_t cell = -1; ///< -1: none
    Vec3 at{ 0, 0, 0 };     ///< parametric (ShapeCell.h)
  };

  /// Fails as CellNodes and CellLinks. The points have to be finite.
  [[nodiscard]] static Result<std::shared_ptr<const UnstructuredCells>> create(Arrays arrays, Options options);

  [[nodiscard]] std::int64_t cells() const override { return nodes_.cells(); }
  [[nodiscard]] std::int64_t nodes() const override { return points_.count; }
  [[nodiscard]] std::int64_t find(const Vec3& world, std::int64_t before, CellWeights& at) const override;
  void weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const override;
  [[nodiscard]] Vec3 cell_sides(std::int64_t cell) const override;
  [[nodiscard]] std::string kinds() const override;
  [[nodiscard]] bool needs_doubles() const override { return needs_doubles_; }

  /// For the kernel.
  [[nodiscard]] const CellNodes& table() const { return nodes_; }
  [[nodiscard]] const PointArray& points() const { return points_; }
  [[nodiscard]] const CellLinks& links() const { return links_; }
  [[nodiscard]] const std::shared_ptr<const ForeignCells>& others() const { return others_; }
  /// Whether a cell is one of these, and not of another library.
  [[nodiscard]] bool has(std::int64_t cell) const { return nodes_.has(cell); }
  [[nodiscard]] ShapeCorners corners(std::int64_t cell) const;
  /// The face of a cell by which a way from `before` comes.
  [[nodiscard]] int face_back(std::int64_t cell, std::int64_t before) const
  {
    return links_.face_to(cell, faces_of(nodes_.type(cell).shape).count, before);
  }
  [[nodiscard]] SeenPlace seen(CellShape shape, const HexCell::Place& place) const
  {
    return seen_from(shape, place, on_plane_);
  }
  /// From a cell that has a place nearby; else none: it is to be sought.
  [[nodiscard]] Found walk(const Vec3& world, std::int64_t before) const;
  /// Nodes and weights at parametric coordinates in one of these cells, without gradients, and then these.
  void weigh_at(std::int64_t cell, const Vec3& at, CellWeights& to) const;
  void add_gradients(std::int64_t cell, const Vec3& at, CellWeights& to) const;
  /// Of these cells alone.
  [[nodiscard]] Found seek(const Vec3& world) const;
  /// A number by which places can be sorted, so that neighbours often follow each other.
  [[nodiscard]] std::int64_t sort_number(const Vec3& world) const;
  /// Bytes beside the arrays.
  [[nodiscard]] std::int64_t bytes() const;

private:
  static constexpr std::int64_t kLeaf = 4; ///< cells of a leaf of the tree

  UnstructuredCells(PointArray points, CellNodes nodes, CellLinks links);
  void measure_box(int threads);
  void order_cells(int threads);
  void make_tree(int threads);
  [[nodiscard]] WorldBox widened_for_places(const WorldBox& box, int dimension) const;
  void look_at(std::int64_t cell, const Vec3& world, Found& best) const;

  PointArray points_;
  CellNodes nodes_;
  CellLinks links_;
  std::shared_ptr<const ForeignCells> others_;
  WorldBox box_ = WorldBox::nothing(); ///< of all points of cells
  std::vector<std::int32_t> order_;    ///< cells; neighbours together
  WorldBoxTree tree_;                  ///< of each kLeaf of them
  double on_plane_ = 0.0;              ///< distance from a planar cell at which a place is on it
  bool needs_doubles_ = false;
  MemoryPart memory_{ MemoryUse::Copies };
};

} // namespace rivulet
