// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The inner loop of the solver. A cell finds what arrives along direction i at from[i][x], and leaves what it sends
/// along i where it found the opposite of i. The nineteen places of a cell are its own: no other cell touches them in
/// the same step, so cells may be done in any order.
#pragma once

#include "Lattice.h"

namespace lattice_boltzmann
{

using CellPlaces = std::array<float*, kDirections>;

/// Collides and streams the cells begin ... end - 1; `from` points at x = 0.
void advance_cells(const CellPlaces& from, std::int32_t begin, std::int32_t end, const Rates& rates);

/// The same for the one cell that `from` points at.
void advance_cell(const CellPlaces& from, const Rates& rates);

/// Lets the cell send these populations instead of what collision would give.
void send(const CellPlaces& from, const std::array<float, kDirections>& populations);

/// Fetches what the cell has sent in the present step.
void receive_sent(const CellPlaces& from, float (&populations)[kDirections]);

} // namespace lattice_boltzmann
