// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Geometry of one uniform or rectilinear grid. Turns places and displacements in the world into positions in cells,
/// and back.
///
///     const GridGeometry geometry = *GridGeometry::create(grid);
///     if (const std::optional<CellPosition> at = geometry.locate({ 0.1, 0.2, 0.3 })) ...
///
/// Immutable; may be shared by threads. Units: world.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "Trace/Mesh/CellPosition.h"

#include <optional>

namespace rivulet
{

class GridGeometry
{
public:
  /// Distance outside the grid, in cells, at which a point still counts as on its boundary: vtkImageData's tolerance.
  static constexpr double kTolerance = 1e-6;

  /// More cells than any grid may have. Displacements are limited to this number, so that cell numbers never overflow.
  static constexpr double kFarAway = 1e9;

  /// Fails with BadArgument for zero or non-finite spacing, a singular direction matrix, or axes that are not strictly
  /// monotonic.
  [[nodiscard]] static Result<GridGeometry> create(const Grid& grid);

  [[nodiscard]] const Int3& nodes() const { return grid_.nodes; }
  [[nodiscard]] const Int3& cells() const { return cells_; }
  [[nodiscard]] bool flat(int axis) const { return grid_.nodes[static_cast<std::size_t>(axis)] == 1; }
  [[nodiscard]] bool has_flat_axes() const { return flat(0) || flat(1) || flat(2); }
  /// Whether a position is on the grid's plane (or line, or point): its fractions along flat axes are 0.
  [[nodiscard]] bool on_plane(const CellPosition& at) const
  {
    return !(flat(0) && at.fraction[0] != 0.0) && !(flat(1) && at.fraction[1] != 0.0) &&
           !(flat(2) && at.fraction[2] != 0.0);
  }
  [[nodiscard]] bool uniform() const { return grid_.kind == Grid::Kind::Uniform; }
  [[nodiscard]] bool axis_aligned() const { return axis_aligned_; }

  /// The cell and fraction of a world position; empty outside the grid. A face between two cells belongs to the upper
  /// one, except on the grid's upper boundary.
  [[nodiscard]] std::optional<CellPosition> locate(const Vec3& world) const;

  [[nodiscard]] Vec3 world(const CellPosition& at) const;
  [[nodiscard]] Vec3 world_of_node(const Int3& node) const;

  /// Moves a position that is outside the grid by no more than kTolerance onto the boundary; false if it is farther
  /// out, or NaN. `at` may have any cell index; its fractions lie in [0, 1]. Along a flat axis the grid is a plane, and
  /// all other positions are outside.
  [[nodiscard]] bool clamp_to_grid(CellPosition& at) const;

  /// Length of the diagonal of a cell, in world units; flat axes add nothing.
  [[nodiscard]] double cell_length(const Int3& cell) const;

  /// Whether single precision resolves less than a hundredth of a cell at some place of the grid.
  [[nodiscard]] bool needs_doubles() const;

  /// Square root of the number of axes that are not flat: the diagonal of a cell of sides of length 1.
  [[nodiscard]] double unit_diagonal() const;
  /// Whether a cell has equal sides, up to rounding, along the axes that are not flat.
  [[nodiscard]] bool equal_sides(const Int3& cell) const;

  /// World displacement to index displacement, row-major. Constant on uniform grids, that of the given cell on
  /// rectilinear ones.
  [[nodiscard]] Mat3 index_from_world(const Int3& cell) const;

  /// Index displacement to world displacement, row-major. Uniform grids only.
  [[nodiscard]] const Mat3& world_from_index() const { return world_from_index_; }

  /// World position of index (0, 0, 0), and index of the grid's corner. Uniform grids only.
  [[nodiscard]] const Vec3& origin() const { return grid_.origin; }
  [[nodiscard]] const Int3& first() const { return grid_.first; }

  /// Node positions along an axis. Rectilinear grids only.
  [[nodiscard]] const std::vector<double>& axis(int number) const
  {
    return grid_.axes[static_cast<std::size_t>(number)];
  }

  /// `from` moved by a world displacement. Rectilinear grids only. Outside the grid the width of the boundary cell is
  /// continued.
  [[nodiscard]] CellPosition moved(const CellPosition& from, const Vec3& displacement) const;
  /// The same, but exactly `from` if the displacement is too small to move it: rounding must not.
  [[nodiscard]] CellPosition end_of_step(const CellPosition& from, const Vec3& displacement) const;

  /// `from` moved by a displacement in cells; on rectilinear grids as moved(), by one in world units.
  [[nodiscard]] CellPosition displaced(const CellPosition& from, const Vec3& displacement) const;
  /// The share of such a displacement after which a position inside the grid leaves it; infinite if it does not.
  [[nodiscard]] double share_to_border(const CellPosition& from, const Vec3& displacement) const;
  /// The largest number of cells along an axis that a displacement leads through, by the size of the cell at `from`.
  [[nodiscard]] double cells_along(const CellPosition& from, const Vec3& displacement) const;

private:
  explicit GridGeometry(const Grid& grid);
  [[nodiscard]] std::optional<CellPosition> locate_index(const Vec3& index) const;

  Grid grid_;
  Int3 cells_;
  bool axis_aligned_ = true;
  Mat3 world_from_index_{};
  Mat3 index_from_world_{};
  double uniform_cell_length_ = 0.0;
};

} // namespace rivulet
