// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the process has mapped of files, for those who keep a part of it under a budget: Residency, whose bricks arrive
/// one by one, and MappingWatch, whose readers touch pages without a word. One count of the pages, one thread.
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

/// Is told of the memory that files take of the process.
class PageWatcher
{
public:
  /// On the thread of MappedPages: every 2 ms while `file_backed` bytes grow, every 50 ms while they do not.
  virtual void look_at(std::int64_t file_backed) = 0;

protected:
  ~PageWatcher() = default;
};

class MappedPages
{
public:
  [[nodiscard]] static MappedPages& process();

  /// Calls look_at() from now on. Does nothing where the system gives no thread.
  void watch(PageWatcher& watcher);
  /// Waits for a call under way.
  void unwatch(PageWatcher& watcher);

  /// Counts bytes that came or went with the knowledge of their owner: a change of the process's pages that these
  /// explain is nobody's surplus.
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
  std::int64_t stopped_ = 0; ///< threads so far
  std::condition_variable changed_;
  std::thread thread_; ///< runs as long as there are watchers
};

/// File-backed memory of this process, in bytes; 0 where the system does not tell.
[[nodiscard]] std::int64_t file_backed_memory();

/// How much of [begin, begin + bytes) this process has mapped in, of whole mappings.
[[nodiscard]] std::int64_t resident_memory(const void* begin, std::int64_t bytes);

} // namespace rivulet
