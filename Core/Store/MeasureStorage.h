// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds out what the storage does with a field's bricks: what is known of the device, or else a short probe; and how
/// much of the file the page cache holds.
///
///     MeasuredStorage measured = measure_storage({ .path = "flow.rvf", .begin = ..., .end = ..., .request = 12288 });
///
/// Never fails: what cannot be found out is left out. Any thread; a device is probed by one at a time.
#pragma once

#include "Io/KnownStorage.h"
#include "Store/ChooseStrategy.h"

namespace rivulet
{

[[nodiscard]] MeasuredStorage measure_storage(
    const ProbeArea& area, bool io_uring, KnownStorage& known = KnownStorage::process());

} // namespace rivulet
