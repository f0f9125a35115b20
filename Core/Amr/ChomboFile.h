// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Plot files of Chombo (.hdf5) and of AMReX in HDF5 (.h5). A file holds one time step. All patches of a level share
/// one dataset, or one dataset per component. Documentation/samrai.md lists the parts that are read.
///
///     Result<AmrDump> dump = read_chombo("plot.000100.3d.hdf5");
///     PatchReader().read(*dump, patches, variables, {});
///
/// All contents of the file are checked before use: boxes against each other, the domain of their level and the coarser
/// level, offsets in datasets against boxes and sizes. Uses libhdf5: only the thread of the pipeline may call it.
///
/// A mapped or curvilinear mesh is shown as the uniform mesh of its indices; AmrDump::notes says so.
///
/// Format: as Chombo's AMRIO and CH_HDF5 (version 3) and AMReX's WriteMultiLevelPlotfileHDF5 (2020 and later) write it.
#pragma once

#include "Amr/Dump.h"
#include "Amr/DumpIndex.h"

namespace rivulet
{

/// Description of the time step. Fails with NotFound, CannotRead, NotThisFormat (another kind of file), Unsupported
/// (values that are not cell-centred), or Corrupt with the name of the contradiction.
[[nodiscard]] Result<AmrDump> read_chombo(const std::string& path);

/// Time and cycle only. Fails as read_chombo().
[[nodiscard]] Result<DumpStep> read_chombo_time(const std::string& path);

/// Time steps of plot files or patterns of file names, in any order; see order_steps(). Files with the nodes of a
/// mapped mesh (`*.map.hdf5`) are left out.
[[nodiscard]] Result<DumpIndex> find_plot_files(std::span<const std::string> paths, bool only_complete);

/// True if the file has the contents of a plot file.
[[nodiscard]] bool is_chombo(const std::string& path);

} // namespace rivulet
