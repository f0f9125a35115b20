// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Shapes of the cells of an unstructured topology, one or several:
///
///     elements/shape "tet"      connectivity                                 each 4 points are a cell
///     elements/shape "mixed"    connectivity, shapes, sizes, shape_map       numbers of shapes have names in the map
///     elements/shape "polygonal" connectivity, sizes
///
/// Polyhedra, and polygons that are given by lines, are refused by name.
#pragma once

#include "Domain.h"

namespace rivulet::catalyst2
{

/// Of an unstructured topology. Sets the number of elements, too. Numbers in arrays are not read here.
[[nodiscard]] Result<void> read_cell_shapes(const Place& topology, GridShape& grid);

} // namespace rivulet::catalyst2
