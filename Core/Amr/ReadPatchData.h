// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The paper's entry: variables of patches, by the name of the file that describes the dump, without VTK.
///
///     const std::array<std::int32_t, 2> patches{ 0, 17 };
///     const std::array<std::string, 1> variables{ "density" };
///     Result<PatchData> data = read_patch_data("visit_dump.00010/summary.samrai", patches, variables, {});
///
/// Opens the dump anew each time; to read from one dump again and again keep an AmrDump and a PatchReader.
#pragma once

#include "Amr/PatchReader.h"

#include <string>

namespace rivulet
{

/// A dump of whichever format the file is of: a SAMRAI summary, or a plot file of Chombo or AMReX. Fails as
/// read_samrai_summary() and read_chombo() do. Calls the HDF5 library on the calling thread.
[[nodiscard]] Result<AmrDump> open_dump(const std::string& path);

/// No patches: all of them. No variables: all of them. Fails as open_dump() and PatchReader::read() do, and with
/// NotFound, listing what there is, if there is no such variable. Calls the HDF5 library on the calling thread.
[[nodiscard]] Result<PatchData> read_patch_data(const std::string& summary, std::span<const std::int32_t> patches,
    std::span<const std::string> variables, const PatchReadOptions& options);

} // namespace rivulet
