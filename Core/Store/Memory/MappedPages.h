// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// File-backed memory of the process, for owners that keep a part of it under a budget: Residency, which is told of
/// each brick, and MappingWatch, which is told nothing. One count of the pages and one thread serve all.
///
///     struct Files : PageWatcher { void look_at(std::int64_t file_backed) override; };
///     MappedPages::process().watch(files);           // until unwatch(files)
///
/// Threads: any. Bytes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace rivulet
{

/// Gets the count of the process's file-backed memory.
class PageWatcher
{
public:
  /// Called on the thread of MappedPages: every 2 ms while `file_backed` grows, every 50 ms while it does not.
  virtual void look_at(std::int64_t file_backed) = 0;

protected:
  ~PageWatcher() = default;
};

class MappedPages
{
public:
  [[nodiscard]] static MappedPages& process();

  /// Calls look_at() from now on. Does nothing if the system gives no thread.
  void watch(PageWatcher& watcher);
  /// Waits for a call under way.
  void unwatch(PageWatcher& watcher);

  /// Counts bytes that came or went through their owner: a change of the process's pages that these explain is no
  /// surplus.
  void note_arrived(std::int64_t bytes) { arrived_.fetch_add(bytes, std::memory_order_relaxed); }
  void note_freed(std::int64_t bytes) { freed_.fetch_add(bytes, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t arrived() const { return arrived_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t freed() const { return freed_.load(std::memory_order_relaxed); }

private:
  MappedPages() = default;
  void run(std::int64_t number);

  std::atomic<std::int64_t> arrived_{ 0 };
  std::atomic<std::int64_t> freed_{ 0 };

  std::mutex mutex_; ///< guards the members below
  std::vector<PageWatcher*> watchers_;
  std::int64_t stopped_ = 0; ///< number of threads stopped so far
  std::condition_variable changed_;
  std::thread thread_; ///< exists while there are watchers
};

/// File-backed memory of this process, in bytes; 0 if the system does not tell.
[[nodiscard]] std::int64_t file_backed_memory();

/// Resident bytes of whole mappings of this process in [begin, begin + bytes).
[[nodiscard]] std::int64_t resident_memory(const void* begin, std::int64_t bytes);

} // namespace rivulet
