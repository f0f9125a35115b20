// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The summary of a SAMRAI "VisIt dump": one time step's levels, patches and variables. Format: SAMRAI's
/// VisItDataWriter, versions 2 and 3 of its summary; what is read is listed in Documentation/samrai.md.
///
/// Everything that comes from the file is checked before it is believed: sizes against each other, patches against
/// levels, boxes against each other. Uses the HDF5 library: call it from the pipeline's thread.
#pragma once

#include "Amr/Dump.h"
#include "Amr/DumpIndex.h"
#include "Amr/TableSource.h"

namespace rivulet
{

/// Reads all but the ranges. Fails with NotFound, CannotRead, NotThisFormat (an HDF5 file, but not such a summary), or
/// Corrupt naming what does not hold.
[[nodiscard]] Result<AmrDump> read_samrai_summary(const std::string& path, const DumpNames& names);

/// Only when it was: the time and the cycle. Fails as read_samrai_summary().
[[nodiscard]] Result<DumpStep> read_samrai_time(const std::string& path);

/// Fills the ranges of one variable; leaves those empty that the summary does not have.
[[nodiscard]] Result<void> read_samrai_ranges(AmrDump& dump, int variable);

/// The same three of tables that are already at hand.
[[nodiscard]] Result<AmrDump> read_samrai_summary(const TableSource& source, const DumpNames& names);
[[nodiscard]] Result<DumpStep> read_samrai_time(const TableSource& source);
[[nodiscard]] Result<void> read_samrai_ranges(const TableSource& source, AmrDump& dump, int variable);

} // namespace rivulet
