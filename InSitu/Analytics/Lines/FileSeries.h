// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A list of files and their times that ParaView opens as one series: NAME.vtp.series.
///
///     { "file-series-version": "1.0", "files": [ { "name": "lines-00000000.vtp", "time": 0.0 }, ... ] }
///
/// A list that is there goes on; entries at or after a new time are dropped, as after the restart of a simulation.
#pragma once

#include "Base/Result.h"

#include <string>

namespace rivulet
{

/// Adds a file to the list. Fails with CannotWrite, and with BadArgument if another file has the list's name.
[[nodiscard]] Result<void> add_to_series(const std::string& list, const std::string& file, double time);

} // namespace rivulet
