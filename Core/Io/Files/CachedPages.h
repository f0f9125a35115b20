// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How much of a file is in the page cache, without reading any of it.
///
///     std::optional<double> there = cached_share("flow.rvf", offsets);      // 0.25: a quarter
///
/// No state; any thread. Bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

/// The share of the pages at some offsets of a file that are in the page cache; nothing where the system does not say
/// (to those who neither own the file nor may write to it), or where no offset lies in the file.
[[nodiscard]] std::optional<double> cached_share(const std::string& path, const std::vector<std::int64_t>& offsets);

} // namespace rivulet
