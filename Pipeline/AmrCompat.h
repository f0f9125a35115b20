// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Functions of overlapping AMR that have other names before and after VTK 9.6 (ParaView 6.1).
#pragma once

#include "vtkOverlappingAMR.h"
#include "vtkStructuredData.h"
#include "vtkUniformGrid.h"
#include "vtkVersionMacros.h"

#include <vector>

#define RIVULET_AMR_HAS_BLOCKS (VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0))

namespace rivulet
{

/// `boxes`: number of boxes on each level.
inline void set_levels(vtkOverlappingAMR& amr, const std::vector<int>& boxes)
{
#if RIVULET_AMR_HAS_BLOCKS
  amr.Initialize(std::vector<unsigned int>(boxes.begin(), boxes.end()));
#else
  amr.Initialize(static_cast<int>(boxes.size()), boxes.data());
#endif
}

[[nodiscard]] inline unsigned int number_of_boxes(vtkOverlappingAMR& amr, unsigned int level)
{
#if RIVULET_AMR_HAS_BLOCKS
  return amr.GetNumberOfBlocks(level);
#else
  return amr.GetNumberOfDataSets(level);
#endif
}

/// nullptr where another rank has it.
[[nodiscard]] inline vtkImageData* block_of(vtkOverlappingAMR& amr, unsigned int level, unsigned int box)
{
#if RIVULET_AMR_HAS_BLOCKS
  return amr.GetDataSetAsImageData(level, box);
#else
  return amr.GetDataSet(level, box);
#endif
}

inline void set_dimensions(vtkOverlappingAMR& amr, int dimensions)
{
#if RIVULET_AMR_HAS_BLOCKS
  amr.SetGridDescription(
      dimensions == 3 ? vtkStructuredData::VTK_STRUCTURED_XYZ_GRID : vtkStructuredData::VTK_STRUCTURED_XY_PLANE);
#else
  amr.SetGridDescription(dimensions == 3 ? VTK_XYZ_GRID : VTK_XY_PLANE);
#endif
}

} // namespace rivulet
