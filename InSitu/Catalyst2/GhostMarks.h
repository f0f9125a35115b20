// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ghost layers of a domain from a mark for each cell: 0 of a cell of its own, another number of a ghost cell. In a box
/// its own cells must be a box, too. In a mesh any cell may be a ghost.
///
///     1 1 1 1
///     1 0 0 1     below { 1, 0 }, above { 1, 1 }
///     1 0 0 1
#pragma once

#include "Domain.h"

namespace rivulet::catalyst2
{

/// True for a field that marks ghost cells: by its name, `vtkGhostType` or `ascent_ghosts`, or because the mesh says so
/// (state/metadata/vtk_fields/NAME/attribute_type "Ghosts").
[[nodiscard]] bool marks_ghosts(const Place& mesh, const Place& field);

/// True if any byte of a mark is not 0, whatever integer it is.
[[nodiscard]] bool is_ghost(const Numbers& marks, std::int64_t cell);

/// Sets below and above; or, of a mesh, ghosts.
[[nodiscard]] Result<void> apply_ghost_marks(const Place& field, Domain& domain);

} // namespace rivulet::catalyst2
