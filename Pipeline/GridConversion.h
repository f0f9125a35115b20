// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Grids as VTK and as Core see them: vtkImageData and vtkRectilinearGrid to rivulet::Grid and back, ghosts included.
///
///     Result<Grid> grid = grid_of(dataset);            // the dataset at hand, its own extent
///     set_geometry(*image, info.grid, nodes);          // the box `nodes` of a field, counted from its corner
///
/// VTK's inclusive extents end here: extent_of() and nodes_of() are the only translations.
/// Threads: plain functions; the caller owns the objects.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "vtkRivuletPipelineModule.h"

class vtkAbstractArray;
class vtkDataSet;
class vtkImageData;
class vtkRectilinearGrid;

namespace rivulet
{

/// The VTK extent of a box of nodes of `grid`.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<int, 6> extent_of(const Grid& grid, const Box& nodes);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<int, 6> whole_extent_of(const Grid& grid);
/// The box of nodes, counted from the grid's corner and cut to the grid, of a VTK extent.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Box nodes_of(const Grid& grid, const int extent[6]);
/// The lattice points that a dataset of the box `nodes` needs: the nodes, or the cells between them.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Box lattice_of(const Grid& grid, const Box& nodes, Centering centering);

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Grid grid_of(vtkImageData& image);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Grid grid_of(vtkRectilinearGrid& rectilinear);
/// BadArgument for an empty dataset and for a geometry that is not one (coordinates that are missing, not finite or not
/// monotonic), Unsupported for any other kind of grid.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<Grid> grid_of(vtkDataSet* dataset);

/// Gives the (empty) dataset the extent, origin, spacing and direction, or the coordinates, of the box `nodes`.
VTKRIVULETPIPELINE_EXPORT void set_geometry(vtkImageData& image, const Grid& grid, const Box& nodes);
VTKRIVULETPIPELINE_EXPORT void set_geometry(vtkRectilinearGrid& rectilinear, const Grid& grid, const Box& nodes);

/// As VTK computes them of such a dataset: low and high along each axis.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<double, 6> bounds_of(const Grid& grid);

/// BadArgument, with the array's name and both lengths, unless it has one tuple per node (or cell) of `grid`.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<void> check_length(
    vtkAbstractArray& array, const Grid& grid, Centering centering);

/// The values of the dataset's vtkGhostType array, or nullptr if it has none; valid as long as the dataset. BadArgument
/// unless there is one unsigned char for each node (or cell) of `grid`, which is the dataset's.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<const std::uint8_t*> ghosts_of(
    vtkDataSet& dataset, const Grid& grid, Centering centering);

} // namespace rivulet
