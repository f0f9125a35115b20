// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Any data array of a structured dataset as a BrickSource: a lazily paged array hands out its open field, an ordinary
/// one serves from memory without a copy, anything else is copied to float or double first.
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
  std::shared_ptr<BrickSource> source; ///< owns or keeps the values
  SourceArray array;                   ///< points at `source`
  Int3 lattice_offset{ 0, 0, 0 };      ///< the lattice point of the source that is the array's tuple 0
  std::shared_ptr<LazyField> field;    ///< lazily paged arrays only: for budget and errors
};

/// The lattice point of its field that is tuple 0 of a lazily paged array; (0, 0, 0) for any other.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Int3 lattice_offset_of(vtkDataArray* array);

/// The type that an array is read as: its own if that is float or double, else float where a float holds every value
/// of its type, else double.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT ScalarType plain_type_of(vtkDataArray& array);

/// `grid` is that of the dataset that holds the array. Fails if the array has not one tuple per node (or cell), or has
/// 0 or more than 9 components.
/// A dataset's arrays must agree in their lattice_offset to be traced together: pass that of the lazily paged one, and
/// arrays in memory will count from it, too. A lazily paged array with another offset is copied to memory.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<PipelineArray> make_source(
    vtkDataArray* array, const Grid& grid, Centering centering);
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT Result<PipelineArray> make_source(
    vtkDataArray* array, const Grid& grid, Centering centering, const Int3& lattice_offset);

} // namespace rivulet
