// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Byte counts as text.
#pragma once

#include "Base/Result.h"

#include <string_view>

namespace rivulet
{

inline constexpr std::int64_t kPage = 4096;
inline constexpr std::int64_t kKiB = 1024;
inline constexpr std::int64_t kMiB = 1024 * kKiB;
inline constexpr std::int64_t kGiB = 1024 * kMiB;

[[nodiscard]] constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit)
{
  return (value + unit - 1) / unit * unit;
}

/// "1.5 GiB", "128 MiB", "12 B".
[[nodiscard]] std::string format_bytes(std::int64_t bytes);

/// "1.5GiB", "128M", "128 MiB", "4096": K, M, G, T (and KiB...) are powers of 1024; kB, MB, GB, TB powers of 1000.
[[nodiscard]] Result<std::int64_t> parse_bytes(std::string_view text);

} // namespace rivulet
