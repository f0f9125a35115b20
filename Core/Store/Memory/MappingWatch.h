// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Keeps mappings under a budget whose readers access pages without a call: whole arrays, as plain memory.
///
///     MappingWatch watch(budget);
///     watch.add(file);              // from now on its pages are counted, and dropped when there are too many
///
/// The thread of MappedPages compares the file-backed memory of the process with its previous value. If the mappings
/// may have outgrown the budget, the watch asks the kernel for their resident size (Rss in /proc/self/smaps, exact). It
/// then drops one stretch of a file after the other, in turn, until half the budget is left. Meanwhile memory may
/// exceed the budget by the pages that can be mapped in 2 ms. Dropping pages does not disturb readers: the kernel
/// brings them in again.
///
/// Threads: any. The files must outlive this. Bytes.
#pragma once

#include "Io/Files/MappedFile.h"
#include "Store/Memory/MappedPages.h"
#include "Store/Memory/MemoryAccount.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace rivulet
{

class MappingWatch final : private PageWatcher
{
public:
  explicit MappingWatch(std::int64_t budget);
  MappingWatch(const MappingWatch&) = delete;
  MappingWatch& operator=(const MappingWatch&) = delete;
  ~MappingWatch();

  void add(const MappedFile& file);
  void remove(const MappedFile& file);

  /// Counts now, and drops the excess. Skips the count if the budget cannot be exceeded, unless `always`.
  void look(bool always = false);

  [[nodiscard]] std::int64_t budget() const { return budget_.load(std::memory_order_relaxed); }
  void set_budget(std::int64_t bytes);

  /// The largest counted size.
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  /// Sum of all counted growth.
  [[nodiscard]] std::int64_t arrived() const { return arrived_.load(std::memory_order_relaxed); }

private:
  void look_at(std::int64_t file_backed) override;
  /// The functions below are called with the mutex locked.
  void look_locked(std::int64_t file_backed, bool always);
  void count();
  /// Drops pages if the budget is exceeded: down to half the budget.
  void drop();
  /// Drops stretches of files until `most` bytes are left, going round once at most.
  void drop_until(std::int64_t most);
  void drop_stretch();
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);

  std::atomic<std::int64_t> budget_;
  std::atomic<std::int64_t> peak_{ 0 };
  std::atomic<std::int64_t> arrived_{ 0 };

  std::mutex mutex_; // guards the members below
  std::vector<const MappedFile*> files_;
  std::int64_t held_ = 0;    // bytes at the last count
  std::int64_t process_ = 0; // file-backed bytes of the process at that time
  std::int64_t seen_ = 0;    // file-backed bytes at the last look
  std::size_t hand_file_ = 0;
  std::int64_t hand_ = 0; // where dropping continues
  bool watching_ = false;
  MemoryLease lease_;
};

} // namespace rivulet
