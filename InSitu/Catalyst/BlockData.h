// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One block of a field as image data.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkImageData.h"

namespace rivulet::insitu
{

enum class Ghosts
{
  Pass, ///< those within the domain
  Drop
};

/// Sets geometry and arrays of an image to those of a block.
void fill_block(const rivulet_field& field, const rivulet_block& block, Ghosts ghosts, vtkImageData& image);

/// Cells along one axis of the domain, on a level.
[[nodiscard]] std::int64_t domain_cells(const rivulet_field& field, std::int32_t level, int axis);
/// Spacing along one axis, on a level.
[[nodiscard]] double spacing_of(const rivulet_field& field, std::int32_t level, int axis);

} // namespace rivulet::insitu
