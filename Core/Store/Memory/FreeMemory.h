// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that this process may still use, from the kernel. Linux: /proc/meminfo, and the memory cgroup of either
/// version with all groups above it.
///
///     std::int64_t bytes = free_memory();
///
/// Any thread; no state. Bytes.
#pragma once

#include <cstdint>
#include <string>

namespace rivulet
{

/// Bytes available without swapping: the smallest of the machine's available memory and the free memory of each memory
/// cgroup (its page cache counts as free, because the kernel reclaims it first). 0 if unknown. `root` is prefixed to
/// every path that is read, for tests.
[[nodiscard]] std::int64_t free_memory(const std::string& root = {});

/// Ranks of this job that share the node, from the launcher's environment; 1 without a launcher.
[[nodiscard]] int ranks_on_node();

} // namespace rivulet
