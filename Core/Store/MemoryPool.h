// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The one account of memory that all of Rivulet's caches, reads in flight, windows and mapped residents in this
/// process draw on. Field limits are checked by their owners; this pool adds up and caps the process
/// (RIVULET_MEMORY_LIMIT).
///
///     if (MemoryPool::process().try_take(bytes)) { ...; MemoryPool::process().give_back(bytes); }
///
/// Any thread. Whoever takes gives back; nothing is owned here. Bytes.
#pragma once

#include <atomic>
#include <cstdint>

namespace rivulet
{

class MemoryPool
{
public:
  [[nodiscard]] static MemoryPool& process();

  /// Takes `bytes` if the cap allows; lock-free.
  [[nodiscard]] bool try_take(std::int64_t bytes);
  /// Takes `bytes` whatever the cap says (residents the kernel already brought in); reported in peak().
  void take(std::int64_t bytes);
  void give_back(std::int64_t bytes);

  [[nodiscard]] std::int64_t used() const { return used_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t cap() const { return cap_; } ///< bytes; RIVULET_MEMORY_LIMIT or no limit

private:
  MemoryPool();
  void note_peak(std::int64_t used);

  std::int64_t cap_;
  std::atomic<std::int64_t> used_{ 0 };
  std::atomic<std::int64_t> peak_{ 0 };
};

/// min(2 GiB, a quarter of what is free under physical memory and the memory cgroup) / ranks on this node, at least 16
/// MiB. Ranks on the node are read from the launcher's environment (OMPI_COMM_WORLD_LOCAL_SIZE, MPI_LOCALNRANKS,
/// SLURM's).
[[nodiscard]] std::int64_t default_memory_budget();

} // namespace rivulet
