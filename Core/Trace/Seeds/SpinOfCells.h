// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Vorticity of unstructured cells, at their centres.
///
///     SpinOfCells spin(context, cells);
///     if (spin.error() == nullptr && spin.has(cell)) use(spin.vorticity(cell), spin.centre(cell));
///
/// Of values at points it is the curl of the interpolated velocity. Of values of cells it is that of the linear field
/// that is nearest to the values at the centres of the cells beyond the faces, and beyond the faces of these; so linear
/// fields are exact. Where these centres do not span all directions it is not a number. In planar cells nothing changes
/// across the plane.
///
/// Holds the velocity's brick. Threads: any, after the constructor. Units: 1 / time, world.
#pragma once

#include "Store/Source/BrickSource.h"
#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/Mesh/UnstructuredCells.h"

namespace rivulet
{

class SpinOfCells
{
public:
  /// Waits for the velocities. Both must outlive this.
  SpinOfCells(const AdvectionContext& context, const UnstructuredCells& cells);

  /// nullptr: the velocities are there.
  [[nodiscard]] const std::shared_ptr<const Error>& error() const { return error_; }
  [[nodiscard]] bool has(std::int64_t cell) const { return cells_.has(cell); }
  [[nodiscard]] double vorticity(std::int64_t cell) const; ///< magnitude
  [[nodiscard]] Vec3 centre(std::int64_t cell) const;

private:
  [[nodiscard]] Vec3 velocity(std::int64_t number) const;
  [[nodiscard]] Vec3 curl_of_points(std::int64_t cell) const;
  [[nodiscard]] Vec3 curl_of_cells(std::int64_t cell) const;
  [[nodiscard]] std::vector<std::int64_t> cells_around(std::int64_t cell) const;

  const UnstructuredCells& cells_;
  std::int64_t first_component_;
  bool of_cells_;
  std::shared_ptr<const Error> error_;
  BrickPin pin_;
};

} // namespace rivulet
