// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One time step of a block-structured AMR simulation as its files describe it: levels, patches, variables, and where
/// the values of each patch are. What file format it came from no longer matters.
///
/// Values are in datasets of HDF5 files. Either each patch has its own, one for each component (SAMRAI), or patches
/// share them, and a patch's values are a run of a dataset (Chombo): component after component, each as long as the
/// patch.
///
/// Index boxes are in the index space of their own level, in cells, end exclusive, without ghosts; they may be
/// negative. Lengths and times are in the simulation's units. Patches are numbered level by level, coarsest first.
/// Plain values.
#pragma once

#include "Base/Box.h"
#include "Base/Field.h"

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet
{

/// A box in the cells of a level that is coarser by `ratio`: all that it touches.
[[nodiscard]] Box coarsen(const Box& fine, const Int3& ratio);
/// A box in the cells of a level that is finer by `ratio`.
[[nodiscard]] Box refine(const Box& coarse, const Int3& ratio);

struct AmrPatch
{
  std::int32_t level = 0;
  std::int32_t number = 0; ///< within its level
  std::int32_t file = 0;   ///< index into AmrDump::files
  std::string group;       ///< HDF5 group in that file whose datasets are the patch's
  std::int64_t first = 0;  ///< where its values begin in datasets that patches share
  Box cells;
  Int3 cut_lower{ 0, 0, 0 }; ///< layers of cells at its sides that are stored, beside ghosts, and left out
  Int3 cut_upper{ 0, 0, 0 };
  Vec3 lower{ 0, 0, 0 }; ///< corners; both 0 where the mesh is deformed
  Vec3 upper{ 0, 0, 0 };
};

struct AmrLevel
{
  std::int32_t first_patch = 0;
  std::int32_t patches = 0;
  Int3 ratio{ 1, 1, 1 }; ///< cells per cell of the next coarser level along each axis; 1 on the coarsest, and along
                         ///< axes there are not
  Vec3 spacing{ 0, 0, 0 };
};

/// Range of the stored values of one component in one patch, ghosts included.
struct AmrRange
{
  bool stored = false; ///< there are such values
  double minimum = 0.0;
  double maximum = 0.0;
};

/// One of a variable's components: a dataset for each patch, or a run of values in one that patches share.
struct AmrComponent
{
  std::string dataset;          ///< its name in the patch's group
  std::int32_t run = 0;         ///< where shared: so many runs of the patch come before this one
  std::vector<AmrRange> ranges; ///< one per patch; empty: not known
};

struct AmrVariable
{
  std::string name;
  Centering centering = Centering::Cell;
  Int3 ghosts{ 0, 0, 0 }; ///< layers stored around each patch
  std::vector<AmrComponent> components;

  /// Values along each axis stored for a patch of these cells.
  [[nodiscard]] Int3 stored_size(const Box& cells, int dimensions) const;
  [[nodiscard]] Int3 stored_size(const AmrPatch& patch, int dimensions) const;
  /// Values along each axis of a patch itself.
  [[nodiscard]] Int3 own_size(const AmrPatch& patch, int dimensions) const;
};

struct AmrDump
{
  std::string path; ///< of the file that describes it
  std::vector<std::string> files;
  std::int32_t dimensions = 3; ///< 2 or 3
  bool shared = false;         ///< patches share datasets: see AmrPatch::first and AmrComponent::run
  bool deformed = false;       ///< node positions are in variable `coordinates`, spacing and corners are 0
  std::int32_t coordinates = -1;
  double time = 0.0;
  std::int64_t cycle = 0;
  Vec3 origin{ 0, 0, 0 }; ///< position of index 0
  std::vector<AmrLevel> levels;
  std::vector<AmrPatch> patches;
  std::vector<AmrVariable> variables;
  std::vector<std::vector<std::int32_t>> children; ///< of each patch; patches of the next finer level that it touches
  std::vector<std::string> notes;                  ///< what is in the files and not shown

  [[nodiscard]] int variable_of(const std::string& name) const; ///< -1: none
};

} // namespace rivulet
