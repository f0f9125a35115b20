// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How much memory this process may still use, as the kernel tells it. Linux: /proc/meminfo and the memory cgroup of
/// either version, every group above it included.
///
///     std::int64_t bytes = free_memory();
///
/// Any thread; nothing is kept. Bytes.
#pragma once

#include <cstdint>
#include <string>

namespace rivulet
{

/// Bytes that can be had without swapping: the least of what is available in the machine and what each memory cgroup
/// leaves (its page cache counts as free, because the kernel gives it up first). 0 if nothing is known.
/// `root` is put before every path that is read.
[[nodiscard]] std::int64_t free_memory(const std::string& root = {});

/// Ranks of this job that share the node, from the launcher's environment; 1 without a launcher.
[[nodiscard]] int ranks_on_node();

} // namespace rivulet
