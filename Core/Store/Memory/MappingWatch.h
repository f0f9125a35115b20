// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Keeps mappings under a budget whose readers ask nobody before they touch a page: whole arrays, as plain memory.
///
///     MappingWatch watch(budget);
///     watch.add(file);              // from now on its pages are counted, and dropped when there are too many
///
/// The thread of MappedPages compares how much file-backed memory the process has with what it had. When the mappings
/// may have outgrown the budget it asks the kernel how much they hold (Rss in /proc/self/smaps, exact) and drops
/// stretch after stretch, going round, until half the budget is left. In between the budget may be passed by what can
/// be mapped in 2 ms. Dropping pages never disturbs readers: the kernel brings them in again.
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

  /// Counts now, and drops what is over the budget; `always` even if it cannot have grown beyond it.
  void look(bool always = false);

  [[nodiscard]] std::int64_t budget() const { return budget_.load(std::memory_order_relaxed); }
  void set_budget(std::int64_t bytes);

  /// The most that was held at once, as far as it was counted.
  [[nodiscard]] std::int64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  /// What was brought in, all told, as far as it was counted.
  [[nodiscard]] std::int64_t arrived() const { return arrived_.load(std::memory_order_relaxed); }

private:
  void look_at(std::int64_t file_backed) override;
  /// The functions below are called with the mutex locked.
  void look_locked(std::int64_t file_backed, bool always);
  void count();
  /// Drops pages if there are too many: down to half the budget.
  void drop();
  /// Drops stretches of files until `most` bytes are left, once round at most.
  void drop_until(std::int64_t most);
  void drop_stretch();
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);

  std::atomic<std::int64_t> budget_;
  std::atomic<std::int64_t> peak_{ 0 };
  std::atomic<std::int64_t> arrived_{ 0 };

  std::mutex mutex_; // guards what follows
  std::vector<const MappedFile*> files_;
  std::int64_t held_ = 0;    // when last counted
  std::int64_t process_ = 0; // file-backed bytes of the process then
  std::int64_t seen_ = 0;    // and when last looked at
  std::size_t hand_file_ = 0;
  std::int64_t hand_ = 0; // where dropping goes on
  bool watching_ = false;
  MemoryLease lease_;
};

} // namespace rivulet
