// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The arrays of a vtkUnstructuredGrid, where they lie, for the cells that the kernel knows (UnstructuredCells.h).
///
///     Result<std::shared_ptr<const UnstructuredCells>> cells = unstructured_cells(*grid, left_out, 3);
///
/// Arrays that do not lie in memory as plain floats, doubles or whole numbers of 32 or 64 bits are copied.
///
/// Lifetime: keeps the arrays, which must not change. Threads: the one that called RequestData.
#pragma once

#include "Trace/Mesh/UnstructuredCells.h"

#include <memory>

class vtkUnstructuredGrid;

namespace rivulet
{

/// `left_out`: cells that are never found; empty: none. `dimension`: of the mesh. Cells of shapes that the kernel does
/// not know are VtkCells. Fails as UnstructuredCells::create(). nullptr: no cell is of a shape that the kernel knows.
[[nodiscard]] Result<std::shared_ptr<const UnstructuredCells>> unstructured_cells(
    vtkUnstructuredGrid& grid, const std::vector<bool>& left_out, int dimension);

/// The same cells, with their points as they lie in another grid. Fails as UnstructuredCells::moved().
[[nodiscard]] Result<std::shared_ptr<const UnstructuredCells>> moved_cells(
    const UnstructuredCells& cells, vtkUnstructuredGrid& grid);

} // namespace rivulet
