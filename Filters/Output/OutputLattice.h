// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The points of an output that has its own: a lattice in a box, or the points of the input.
#pragma once

#include "Base/Box.h"
#include "Base/Field.h"
#include "Base/Result.h"

#include <vector>

class vtkInformation;
class vtkStructuredGrid;
class vtkUnstructuredGrid;

namespace rivulet
{

/// False if all ends are in the wrong order, or all at 0: then the input's bounds are used. ParaView gives such values
/// for unknown bounds: 1e299 and -1e299, or 1 and -1 for image data; from 6.1 on 0.
[[nodiscard]] bool has_bounds(const double* bounds);

/// A lattice of so many points in a box. `bounds`: x min, x max, y min, ...; the unit box without has_bounds(). Fails
/// with BadArgument.
[[nodiscard]] Result<Grid> lattice_of_box(const double* bounds, const int* dimensions);

/// The points of the input, and more between them: `refinement` intervals for each of the input's. The geometry is that
/// of the data at hand: sources need not announce it. Before the input was executed, only the extent has a meaning.
/// Of a curvilinear grid it has the number of nodes alone: they lie where the grid's are. Fails with BadArgument if the
/// input is neither image data nor a curvilinear grid.
[[nodiscard]] Result<Grid> lattice_of_field(vtkInformation& input, int refinement);

/// Makes a curvilinear grid of a box of a lattice's nodes. `places`: of these nodes, row-major.
void set_nodes(vtkStructuredGrid& grid, const Grid& lattice, const Box& nodes, const std::vector<Vec3>& places);

/// Makes the points and cells of another grid, and which of them are ghosts.
void set_cells(vtkUnstructuredGrid& grid, vtkUnstructuredGrid& like);
/// Moves the points of a grid; no places: they stay.
void set_places(vtkUnstructuredGrid& grid, const std::vector<Vec3>& places);

} // namespace rivulet
