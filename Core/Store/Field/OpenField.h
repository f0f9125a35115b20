// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One door to every field on disk: names the file, the strategy and the budget, gets a BrickSource.
///
///     const OpenOptions options{ .strategy = AccessStrategy::Automatic };
///     Result<std::shared_ptr<FileBricks>> field = open_field({ "flow.rvf" }, options);
///     streamlines(**field, ...);
#pragma once

#include "Store/Field/FileBricks.h"

namespace rivulet
{

/// Opens a Rivulet field (.rvf) or a BOV header (.bov; several paths are the steps of one series).
/// Reads metadata only: the time it takes does not depend on the size of the values.
[[nodiscard]] Result<std::shared_ptr<FileBricks>> open_field(
    const std::vector<std::string>& paths, const OpenOptions& options = {});

} // namespace rivulet
