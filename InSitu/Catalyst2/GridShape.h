// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The shape of a topology of Mesh Blueprint: a box of cells, or cells of any shape.
#pragma once

#include "Domain.h"

namespace rivulet::catalyst2
{

/// Cells of a box, or its nodes if one is added along each axis; -1 if a 64-bit number cannot hold the product.
[[nodiscard]] std::int64_t size_of(const Long3& sides, std::int64_t more);

/// `mesh`: the node with coordsets and topologies. A grid without points has a kind and a path alone.
[[nodiscard]] Result<GridShape> shape_of(const Place& mesh, const Place& topology);

} // namespace rivulet::catalyst2
