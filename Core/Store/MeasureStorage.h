// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds out what the storage does with a field's bricks: what is known of the device, or else a short probe; and how
/// much of the file the page cache holds.
///
///     MeasuredStorage measured = measure_storage({ .path = "flow.rvf", .begin = ..., .end = ..., .request = 12288 },
///     offsets, true);
///
/// Never fails: what cannot be found out is left out. Any thread; a device is probed by one at a time.
#pragma once

#include "Io/KnownStorage.h"
#include "Store/ChooseStrategy.h"

namespace rivulet
{

/// `bricks`: offsets of some that will be wanted, to see whether they are in the page cache.
[[nodiscard]] MeasuredStorage measure_storage(const ProbeArea& area, const std::vector<std::int64_t>& bricks,
    bool io_uring, KnownStorage& known = KnownStorage::process());

} // namespace rivulet
