// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Any data array of a structured dataset as a BrickSource. A lazily paged array gives its open field, an array of
/// floats or doubles serves from memory without a copy, any other array is copied to float or double first.
///
///     auto velocity = make_source(array, grid, Centering::Node);
///     field.velocity = velocity->array;  field.lattice_offset = velocity->lattice_offset;
///     auto pressure = make_source(other, grid, Centering::Node, velocity->lattice_offset);
///
/// Lifetime: the source keeps the data array alive. Threads: make_source() on the thread that called RequestData.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "Store/Source/BrickSource.h"
#include "Trace/Streamlines.h"
#include "vtkRivuletPipelineModule.h"

#include <memory>

class vtkDataArray;

namespace rivulet
{

class LazyField;

struct PipelineArray
{
  std::shared_ptr<BrickSource> source; ///< owns or keeps alive the values
  SourceArray array;                   ///< points at `source`
  Int3 lattice_offset{ 0, 0, 0 };      ///< lattice point of the source for tuple 0 of the array
  std::shared_ptr<LazyField> field;    ///< lazily paged arrays only: for budget and errors
};

/// Lattice point of its field for tuple 0 of a lazily paged array; (0, 0, 0) for any other array.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Int3 lattice_offset_of(vtkDataArray* array);

/// Type that an array is read as: float and double stay; other types become float if a float holds all their values,
/// else double.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT ScalarType plain_type_of(vtkDataArray& array);

/// `grid` is the grid of the dataset that holds the array. Fails if the array has not one tuple per node (or cell), or
/// has 0 or more than 9 components.
/// A dataset's arrays must have the same lattice_offset to be traced together: pass the offset of the lazily paged
/// array, and arrays in memory count from it, too. A lazily paged array with another offset is copied to memory.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<PipelineArray> make_source(
    vtkDataArray* array, const Grid& grid, Centering centering);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<PipelineArray> make_source(
    vtkDataArray* array, const Grid& grid, Centering centering, const Int3& lattice_offset);

} // namespace rivulet
