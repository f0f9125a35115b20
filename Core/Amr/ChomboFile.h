// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Plot files of Chombo (.hdf5) and of AMReX in HDF5 (.h5): one time step in one file; all patches of a level share a
/// dataset, or one for each component. What is read is listed in Documentation/samrai.md.
///
///     Result<AmrDump> dump = read_chombo("plot.000100.3d.hdf5");
///     PatchReader().read(*dump, patches, variables, {});
///
/// Everything that comes from the file is checked before it is believed: boxes against each other, their level's domain
/// and the level below, places in datasets against boxes and sizes. Uses the HDF5 library: call it from the pipeline's
/// thread.
///
/// A mesh that the program maps or bends is shown as the uniform one that it is in memory; AmrDump::notes says so.
///
/// Format: as Chombo's AMRIO and CH_HDF5 (version 3) and AMReX's WriteMultiLevelPlotfileHDF5 (2020 and later) write it.
#pragma once

#include "Amr/Dump.h"
#include "Amr/DumpIndex.h"

namespace rivulet
{

/// Fails with NotFound, CannotRead, NotThisFormat (something else, HDF5 or not), Unsupported (values that do not belong
/// to cells), or Corrupt naming what does not hold.
[[nodiscard]] Result<AmrDump> read_chombo(const std::string& path);

/// Only when it was: the time and the cycle. Fails as read_chombo().
[[nodiscard]] Result<DumpStep> read_chombo_time(const std::string& path);

/// The steps of plot files, or of patterns for them, in any order; see order_steps(). Files that only say where the
/// nodes of a mapped mesh are (`*.map.hdf5`) are no steps.
[[nodiscard]] Result<DumpIndex> find_plot_files(std::span<const std::string> paths, bool only_complete);

/// Whether it is such a file, by its content.
[[nodiscard]] bool is_chombo(const std::string& path);

} // namespace rivulet
