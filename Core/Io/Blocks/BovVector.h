// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A vector whose components lie in BOV fields of a scalar each, as something to convert from.
///
///     open_bov_vector_reader({ { "u_0.bov", "u_1.bov" }, { "v_0.bov", "v_1.bov" } }, "velocity")
#pragma once

#include "Io/Blocks/BlockReader.h"

namespace rivulet
{

/// `components`: of each component, the headers of its steps. Fails with what bov_field() and BlockReader::open() say,
/// and with BadArgument where components differ in grid, times, blocks or type.
[[nodiscard]] Result<std::unique_ptr<BlockReader>> open_bov_vector_reader(
    const std::vector<std::vector<std::string>>& components, const std::string& name);

} // namespace rivulet
