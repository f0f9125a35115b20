// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One block of a field as a VTK dataset: image data, or a rectilinear or structured grid.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"

namespace rivulet::insitu
{

enum class Ghosts
{
  Pass, ///< ghost cells within the domain
  Drop
};

/// A block of a field of one level. Points of a curvilinear field lie in place where nothing is left out.
[[nodiscard]] vtkSmartPointer<vtkDataSet> block_data(const rivulet_field& field, const rivulet_block& block);

/// Without blocks: an empty dataset of the field's kind.
[[nodiscard]] vtkSmartPointer<vtkDataSet> empty_data(const rivulet_field& field);

/// Sets geometry and arrays of an image from a block.
void fill_block(const rivulet_field& field, const rivulet_block& block, Ghosts ghosts, vtkImageData& image);

/// Cells along one axis of the domain, on a level.
[[nodiscard]] std::int64_t domain_cells(const rivulet_field& field, std::int32_t level, int axis);
/// Spacing along one axis, on a level.
[[nodiscard]] double spacing_of(const rivulet_field& field, std::int32_t level, int axis);

} // namespace rivulet::insitu
