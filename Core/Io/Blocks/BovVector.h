// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A vector whose components are scalar BOV fields, as a source for the converter.
///
///     open_bov_vector_reader({ { "u_0.bov", "u_1.bov" }, { "v_0.bov", "v_1.bov" } }, "velocity")
#pragma once

#include "Io/Blocks/BlockReader.h"

namespace rivulet
{

/// `components`: for each component the headers of its steps. Fails as bov_field() and BlockReader::open() do, and with
/// BadArgument if components differ in grid, times, blocks or type, or if there are none or more than 9.
[[nodiscard]] Result<std::unique_ptr<BlockReader>> open_bov_vector_reader(
    const std::vector<std::vector<std::string>>& components, const std::string& name);

} // namespace rivulet
