// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Patches as VTK data: overlapping AMR of uniform grids, or, where the mesh is deformed or refined by different ratios
/// along the axes, a multiblock of levels. Private to the module.
#pragma once

#include "Amr/PatchReader.h"
#include "vtkSmartPointer.h"

class vtkDataArray;
class vtkDataSet;
class vtkMultiBlockDataSet;
class vtkOverlappingAMR;

namespace rivulet
{

/// Whether a dump can be vtkOverlappingAMR: cell sizes by one ratio per level, a mesh that is not deformed.
[[nodiscard]] bool is_overlapping_amr(const AmrDump& dump);

/// What grids of patches get: their arrays, and their nodes where the mesh is deformed.
class PatchArrays
{
public:
  PatchArrays() = default;
  PatchArrays(const PatchArrays&) = delete;
  PatchArrays& operator=(const PatchArrays&) = delete;
  virtual ~PatchArrays() = default;

  [[nodiscard]] virtual const std::vector<std::int32_t>& patches() const = 0;
  /// `position` among the patches.
  virtual void add_to(std::size_t position, vtkDataSet& grid) = 0;
  /// Deformed meshes: the patch's nodes, or nullptr if they were not read.
  [[nodiscard]] virtual PatchVariable* nodes(std::size_t position)
  {
    (void)position;
    return nullptr;
  }
};

/// The boxes of levels up to `finest`, of all ranks, without grids: what filters that choose among patches look at.
void set_boxes(const AmrDump& dump, int finest, vtkOverlappingAMR& output);

/// These boxes, and grids with arrays for the patches. Cells that a finer level covers are marked as refined
/// (vtkGhostType), whether or not this rank has the finer patches. Patches of `shown` have the ghost layers that those
/// of `dump` have not (with_ghosts()), or are the same; cells and points of the layers are marked as duplicates.
void fill_amr(const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkOverlappingAMR& output);

/// A block for each level up to `finest` with a block for each of its patches; structured grids where the mesh is
/// deformed. Blocks of other patches are empty. Marks are as above.
void fill_multiblock(
    const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkMultiBlockDataSet& output);

/// The values' memory changes hands. Vectors in the plane get a third component.
[[nodiscard]] vtkSmartPointer<vtkDataArray> take_array(PatchVariable& values, const std::string& name, int dimensions);

/// Adds an array to a grid's points or cells.
void add_array(vtkDataSet& grid, Centering centering, vtkDataArray& array);

} // namespace rivulet
