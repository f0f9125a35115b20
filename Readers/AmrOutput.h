// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Patches as VTK data: overlapping AMR of uniform grids, or a multiblock of levels if the mesh is deformed or its
/// ratios differ between the axes. Private to the module.
#pragma once

#include "Amr/PatchReader.h"
#include "vtkSmartPointer.h"

class vtkDataArray;
class vtkDataSet;
class vtkMultiBlockDataSet;
class vtkOverlappingAMR;

namespace rivulet
{

/// Whether a dump can be vtkOverlappingAMR: one ratio per level for all axes, and a mesh that is not deformed.
[[nodiscard]] bool is_overlapping_amr(const AmrDump& dump);

/// Source of the arrays of patches, and of their nodes if the mesh is deformed.
class PatchArrays
{
public:
  PatchArrays() = default;
  PatchArrays(const PatchArrays&) = delete;
  PatchArrays& operator=(const PatchArrays&) = delete;
  virtual ~PatchArrays() = default;

  [[nodiscard]] virtual const std::vector<std::int32_t>& patches() const = 0;
  /// Adds the arrays of a patch to its grid. `position` is the index in patches().
  virtual void add_to(std::size_t position, vtkDataSet& grid) = 0;
  /// Nodes of a patch of a deformed mesh; nullptr if they were not read.
  [[nodiscard]] virtual PatchVariable* nodes(std::size_t position)
  {
    (void)position;
    return nullptr;
  }
};

/// Sets the boxes of levels up to `finest` for all ranks, without grids. Filters that select patches use them.
void set_boxes(const AmrDump& dump, int finest, vtkOverlappingAMR& output);

/// Sets boxes and adds the grids of patches with their arrays. Cells that a finer level covers are marked as refined
/// (vtkGhostType), also if the finer patches are on other ranks. `shown` is `dump` itself or the dump with ghost layers
/// (with_ghosts()); cells and points of the layers are marked as duplicates.
void fill_amr(const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkOverlappingAMR& output);

/// Makes a block for each level up to `finest` with a block for each of its patches. Grids are structured if the mesh
/// is deformed. Blocks of patches on other ranks are empty. Marks are as above.
void fill_multiblock(
    const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkMultiBlockDataSet& output);

/// Array that takes over the memory of the values. Vectors in two dimensions get a third component of 0.
[[nodiscard]] vtkSmartPointer<vtkDataArray> take_array(PatchVariable& values, const std::string& name, int dimensions);

/// Adds an array to a grid's points or cells.
void add_array(vtkDataSet& grid, Centering centering, vtkDataArray& array);

} // namespace rivulet
