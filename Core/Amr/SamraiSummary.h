// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Summary of a SAMRAI "VisIt dump": levels, patches and variables of one time step. Format: versions 2 and 3 of the
/// summary of SAMRAI's VisItDataWriter; Documentation/samrai.md lists the tables that are read.
///
/// All contents of the file are checked before use: sizes against each other, patches against levels, boxes against
/// each other. Uses libhdf5: only the thread of the pipeline may call it.
#pragma once

#include "Amr/Dump.h"
#include "Amr/DumpIndex.h"
#include "Amr/TableSource.h"

namespace rivulet
{

/// Description of the time step without ranges. Fails with NotFound, CannotRead, NotThisFormat (an HDF5 file, but no
/// such summary), or Corrupt with the name of the contradiction.
[[nodiscard]] Result<AmrDump> read_samrai_summary(const std::string& path, const DumpNames& names);

/// Time and cycle only. Fails as read_samrai_summary().
[[nodiscard]] Result<DumpStep> read_samrai_time(const std::string& path);

/// Fills the ranges of one variable. Ranges that the summary does not have stay empty.
[[nodiscard]] Result<void> read_samrai_ranges(AmrDump& dump, int variable);

/// The same three functions for any source of tables.
[[nodiscard]] Result<AmrDump> read_samrai_summary(const TableSource& source, const DumpNames& names);
[[nodiscard]] Result<DumpStep> read_samrai_time(const TableSource& source);
[[nodiscard]] Result<void> read_samrai_ranges(const TableSource& source, AmrDump& dump, int variable);

} // namespace rivulet
