// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Several BOV headers as one field: the steps of a series, and the variables of a grid.
///
///     Result<BlockField> field = bov_field({ "u_0000.bov", "u_0001.bov", "p_0000.bov", "p_0001.bov" });
///
/// Headers that name the same variable are its steps, in order of TIME. Of several with one TIME, as a run leaves that
/// was restarted from an earlier step, the one that is named last counts, and a warning names the others. If TIME is
/// missing in one of them, or the same in all, they are in order of the last number in the file names, and that number
/// is the time. Without numbers they are in the given order, with the times 0, 1, 2 ... All variables need the same
/// times, and all headers the same grid.
#pragma once

#include "Io/Blocks/BlockField.h"
#include "Io/Blocks/BovHeader.h"

namespace rivulet
{

/// Reads the headers and no values. Fails as BovHeader::read() does, or with BadArgument if headers do not belong
/// together.
[[nodiscard]] Result<BlockField> bov_field(const std::vector<std::string>& headers);
[[nodiscard]] Result<BlockField> bov_field(std::vector<BovHeader> headers);

} // namespace rivulet
