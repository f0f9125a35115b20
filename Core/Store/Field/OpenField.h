// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Opens any field on disk: from path, strategy and budget to a BrickSource.
///
///     const OpenOptions options{ .strategy = AccessStrategy::Automatic };
///     Result<std::shared_ptr<FileBricks>> field = open_field({ "flow.rvf" }, options);
///     Lookup found = (*field)->try_get({ variable, step, brick });
#pragma once

#include "Store/Field/FileBricks.h"

namespace rivulet
{

/// Opens a Rivulet field (.rvf) or a BOV header (.bov; several paths are the steps of one series).
/// Reads metadata only: the time it takes does not depend on the size of the values.
[[nodiscard]] Result<std::shared_ptr<FileBricks>> open_field(
    const std::vector<std::string>& paths, const OpenOptions& options = {});

} // namespace rivulet
