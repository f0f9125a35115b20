// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Conversion between vtkImageData or vtkRectilinearGrid and rivulet::Grid, ghosts included.
///
///     Result<Grid> grid = grid_of(dataset);            // the dataset at hand, its own extent
///     set_geometry(*image, info.grid, nodes);          // the box `nodes` of a field, counted from its corner
///
/// VTK's inclusive extents are used on the VTK side only: extent_of() and nodes_of() are the only conversions. Threads:
/// plain functions; the caller owns the objects.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "vtkRivuletPipelineModule.h"

class vtkAbstractArray;
class vtkDataSet;
class vtkImageData;
class vtkDataArray;
class vtkRectilinearGrid;
class vtkStructuredGrid;

namespace rivulet
{

/// The VTK extent of a box of nodes of `grid`.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<int, 6> extent_of(const Grid& grid, const Box& nodes);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<int, 6> whole_extent_of(const Grid& grid);
/// The box of nodes, counted from the grid's corner and cut to the grid, of a VTK extent.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Box nodes_of(const Grid& grid, const int extent[6]);
/// Lattice points for a dataset with the nodes `nodes`: these nodes, or the cells between them.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Box lattice_of(const Grid& grid, const Box& nodes, Centering centering);

[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Grid grid_of(vtkImageData& image);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Grid grid_of(vtkRectilinearGrid& rectilinear);
/// Fails with BadArgument for an empty dataset and for an invalid geometry (coordinates that are missing, not finite or
/// not monotonic), with Unsupported for any other kind of grid.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<Grid> grid_of(vtkDataSet* dataset);

/// Without the places of the nodes, which are its points.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Grid grid_of(vtkStructuredGrid& curvilinear);
/// The grid of a dataset that a field file can hold: as grid_of(), and curvilinear grids. Fails as it does, and with
/// BadArgument if a curvilinear grid has another number of points than its extent.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<Grid> stored_grid_of(vtkDataSet* dataset);
/// The places of the nodes of a curvilinear grid; nullptr of any other dataset.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT vtkDataArray* places_of(vtkDataSet& dataset);

/// Gives the (empty) dataset the extent, origin, spacing and direction, or the coordinates, of the box `nodes`.
VTKRIVULETPIPELINE_EXPORT void set_geometry(vtkImageData& image, const Grid& grid, const Box& nodes);
VTKRIVULETPIPELINE_EXPORT void set_geometry(vtkRectilinearGrid& rectilinear, const Grid& grid, const Box& nodes);

/// Bounds that VTK computes for such a dataset: low and high along each axis.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::array<double, 6> bounds_of(const Grid& grid);

/// Fails with BadArgument, naming the array and both lengths, unless it has one tuple per node (or cell) of `grid`.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<void> check_length(
    vtkAbstractArray& array, const Grid& grid, Centering centering);

/// The values of the dataset's vtkGhostType array, valid as long as the dataset; nullptr if it has none. `grid` is the
/// grid of the dataset. Fails with BadArgument unless there is one unsigned char for each node (or cell).
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<const std::uint8_t*> ghosts_of(
    vtkDataSet& dataset, const Grid& grid, Centering centering);

} // namespace rivulet
