// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A call of the kernel for a uniform or rectilinear grid, or a level of an AMR mesh, with its bricks.
#pragma once

#include "Trace/Kernel/Kernel.h"
#include "Trace/Mesh/GridMesh.h"

namespace rivulet
{

/// A pinned brick, described for the kernel.
struct BrickWindow
{
  const void* corner = nullptr;      ///< first component at the grid's lattice point (0, 0, 0), as if in this brick
  Long3 stride{ 0, 0, 0 };           ///< in scalars, between neighbouring lattice points
  Long3 upper{ 0, 0, 0 };            ///< in scalars, from a cell's lower to its upper lattice point; 0 along flat axes
  std::int64_t component_stride = 1; ///< in scalars
  Int3 first_cell{ 0, 0, 0 };        ///< one that may be read
};

/// A brick's values from component `first_component` on. `offset`: its lattice point at the grid's (0, 0, 0). `flat`:
/// of the grid, along each axis. `first_cell`: of the grid, in the brick.
[[nodiscard]] BrickWindow window_on(const BrickView& view, std::int64_t first_component, const Int3& offset,
    const std::array<bool, 3>& flat, const Int3& first_cell);

/// The call, with its mesh, level, cells and bricks.
struct GridCall
{
  const KernelCall& call;
  const GridMesh& mesh;
  std::int32_t level;       ///< of an AMR mesh; else 0
  const GridGeometry& grid; ///< of the level
  Box cells;                ///< cells of the level that the brick owns
  BrickWindow now{};
  BrickWindow later{};
  BrickWindow before{};
  BrickWindow after{};

  [[nodiscard]] static GridCall make(const KernelCall& call, const GridMesh& mesh);
};

} // namespace rivulet
