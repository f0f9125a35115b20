// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Description of one time step of a block-structured AMR simulation, independent of the file format: levels, patches,
/// variables, and the location of the values of each patch.
///
/// Values are in datasets of HDF5 files. In SAMRAI dumps each patch has its own datasets, one per component. In Chombo
/// files patches share datasets, and the values of a patch are a run of a dataset: component after component, each as
/// long as the patch.
///
/// Index boxes are in cells of their own level, end exclusive, without ghosts; indices may be negative. Lengths and
/// times are in the units of the simulation. Patches are numbered level by level, coarsest first. Plain values, which
/// threads may share for reading.
#pragma once

#include "Base/Box.h"
#include "Base/Field.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet
{

struct AmrPatch
{
  std::int32_t level = 0;
  std::int32_t number = 0; ///< index within its level
  std::int32_t file = 0;   ///< index into AmrDump::files
  std::string group;       ///< HDF5 group of the datasets in that file
  std::int64_t first = 0;  ///< index of its first value in a shared dataset
  Box cells;
  Int3 cut_lower{ 0, 0, 0 }; ///< layers of cells at the lower sides that are stored, beside ghosts, but not shown
  Int3 cut_upper{ 0, 0, 0 }; ///< the same at the upper sides
  Vec3 lower{ 0, 0, 0 };     ///< lower corner; 0 if the mesh is deformed
  Vec3 upper{ 0, 0, 0 };     ///< upper corner; 0 if the mesh is deformed
};

struct AmrLevel
{
  std::int32_t first_patch = 0; ///< index into AmrDump::patches
  std::int32_t patches = 0;     ///< number of patches
  Int3 ratio{ 1, 1, 1 };   ///< cells per cell of the next coarser level along each axis; 1 on the coarsest level and
                           ///< along the third axis in two dimensions
  Vec3 spacing{ 0, 0, 0 }; ///< size of a cell; 0 if the mesh is deformed
};

/// Range of the stored values of one component in one patch, ghosts included.
struct AmrRange
{
  bool stored = false; ///< the component has values in this patch
  double minimum = 0.0;
  double maximum = 0.0;
};

/// One component of a variable: one dataset per patch, or one run per patch of a shared dataset.
struct AmrComponent
{
  std::string dataset;          ///< name of its dataset in the group of the patch
  std::int32_t run = 0;         ///< shared datasets: number of runs of the patch before this one
  std::vector<AmrRange> ranges; ///< one per patch; empty if unknown
};

struct AmrVariable
{
  std::string name;
  Centering centering = Centering::Cell;
  Int3 ghosts{ 0, 0, 0 }; ///< layers stored around each patch
  std::vector<AmrComponent> components;

  /// Values along each axis that are stored for a patch of these cells, with ghosts.
  [[nodiscard]] Int3 stored_size(const Box& cells, int dimensions) const;
  /// The same for a patch, with the layers that are cut off.
  [[nodiscard]] Int3 stored_size(const AmrPatch& patch, int dimensions) const;
  /// Values along each axis of a patch without ghosts.
  [[nodiscard]] Int3 own_size(const AmrPatch& patch, int dimensions) const;
};

struct AmrDump
{
  std::string path;               ///< path of the file that describes the time step
  std::vector<std::string> files; ///< paths of the files with values
  std::int32_t dimensions = 3;    ///< 2 or 3
  bool shared = false;            ///< patches share datasets; see AmrPatch::first and AmrComponent::run
  bool deformed = false;          ///< the positions of nodes are variable `coordinates`
  std::int32_t coordinates = -1;  ///< index into `variables`; -1 if the mesh is not deformed
  double time = 0.0;
  std::int64_t cycle = 0; ///< number of the time step in the simulation
  Vec3 origin{ 0, 0, 0 }; ///< position of index 0
  std::vector<AmrLevel> levels;
  std::vector<AmrPatch> patches;
  std::vector<AmrVariable> variables;
  std::vector<std::vector<std::int32_t>> children; ///< for each patch, patches of the next finer level in its space
  std::vector<std::string> notes;                  ///< messages about contents of the files that are not shown

  [[nodiscard]] int variable_of(const std::string& name) const; ///< index; -1 if there is none
};

} // namespace rivulet
