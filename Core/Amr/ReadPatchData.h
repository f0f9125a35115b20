// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The paper's entry: variables of patches, by the name of the file that describes the dump, without VTK.
///
///     const std::array<std::int32_t, 2> patches{ 0, 17 };
///     const std::array<std::string, 1> variables{ "density" };
///     Result<PatchData> data = read_patch_data("visit_dump.00010/summary.samrai", patches, variables, {});
///
/// Each call opens the dump again. For several reads of one dump keep an AmrDump and a PatchReader. The functions call
/// libhdf5 on the calling thread.
#pragma once

#include "Amr/PatchReader.h"

#include <string>

namespace rivulet
{

/// Description of a dump of any supported format: a SAMRAI summary, or a plot file of Chombo or AMReX. Fails as
/// read_samrai_summary() and read_chombo().
[[nodiscard]] Result<AmrDump> open_dump(const std::string& path);

/// Values of patches by number and of variables by name. Without patches, or without variables, all of them are read.
/// Fails as open_dump() and PatchReader::read(), and with NotFound and a list of the variables if a name is unknown.
[[nodiscard]] Result<PatchData> read_patch_data(const std::string& summary, std::span<const std::int32_t> patches,
    std::span<const std::string> variables, const PatchReadOptions& options);

} // namespace rivulet
