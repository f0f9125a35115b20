// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ghost layers of a domain from a mark for each cell. In a box its own cells must be a box, too. In a mesh any cell
/// may be a ghost.
///
///     1 1 1 1
///     1 0 0 1     below { 1, 0 }, above { 1, 1 }
///     1 0 0 1
///
/// Marks of `ascent_ghosts` are 0 for a cell of its own. Others are VTK's bits, of which 1 marks another rank's cell.
/// Further bits are not used. Refined cells (8) are known from the finer level. Hidden cells (32) are shown, with a
/// warning, because the runtime cannot hide them.
#pragma once

#include "Domain.h"
#include "Teller.h"

namespace rivulet::catalyst2
{

/// True for a field that marks ghost cells: by its name, `vtkGhostType` or `ascent_ghosts`, or because the mesh says so
/// (state/metadata/vtk_fields/NAME/attribute_type "Ghosts").
[[nodiscard]] bool marks_ghosts(const Place& mesh, const Place& field);

[[nodiscard]] bool is_ghost(const GhostMarks& marks, std::int64_t cell);

/// `field`: of elements. Sets below and above; or, of a mesh, ghosts. A box of ghosts alone gets 0 elements.
[[nodiscard]] Result<void> apply_ghost_marks(const Place& field, Domain& domain, Teller& teller);

} // namespace rivulet::catalyst2
