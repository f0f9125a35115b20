// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cached share of a file, found without reading it.
///
///     std::optional<double> there = cached_share("flow.rvf", offsets);      // 0.25: a quarter
///
/// No state; any thread. Offsets in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

/// The share of the pages at `offsets` that are in the page cache. Empty if no offset lies in the file, or if the
/// system does not tell (a process that neither owns the file nor may write to it).
[[nodiscard]] std::optional<double> cached_share(const std::string& path, const std::vector<std::int64_t>& offsets);

} // namespace rivulet
