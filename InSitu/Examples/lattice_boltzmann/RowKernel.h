// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Inner loop of the solver. A cell reads its population of direction i at from[i][x], and writes the one that it sends
/// along i to the place of the opposite direction. No other cell uses a cell's nineteen places in the same step, so the
/// order of cells does not matter.
#pragma once

#include "Lattice.h"

namespace lattice_boltzmann
{

using CellPlaces = std::array<float*, kDirections>;

/// Collides and streams the cells begin ... end - 1; `from` points at x = 0.
void advance_cells(const CellPlaces& from, std::int32_t begin, std::int32_t end, const Rates& rates);

/// The same for a single cell at `from`.
void advance_cell(const CellPlaces& from, const Rates& rates);

/// Writes given populations instead of the populations after collision.
void send(const CellPlaces& from, const std::array<float, kDirections>& populations);

/// Reads the populations that the cell has sent in this step.
void receive_sent(const CellPlaces& from, float (&populations)[kDirections]);

} // namespace lattice_boltzmann
