// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Visits bricks in any order, with many requests under way.
///
///     visit_bricks(source, keys, [&](const BrickKey& key, const Lookup& found) { ... });
///
/// Threads: one visits; it waits only while it has no brick.
#pragma once

#include "Store/Source/BrickSource.h"

#include <functional>

namespace rivulet
{

/// Calls use() once for each key, which are all different: with the brick (Ready) or with an error (Failed). Keeps no
/// brick pinned after its use(). Throws std::bad_alloc.
void visit_bricks(BrickSource& source, std::span<const BrickKey> keys,
    const std::function<void(const BrickKey& key, const Lookup& found)>& use);

} // namespace rivulet
