// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that is handed out to be read, to users who have a pointer that lets them write: notices the first write, and
/// lets it happen.
///
///     std::unique_ptr<WriteGuard> guard = WriteGuard::over(begin, bytes);     // of pages that are private and
///     read-only
///     ...
///     if (guard->written()) { ... these are not the values any more that were handed out ... }
///
/// The first write raises SIGSEGV; the handler (FaultSignals.h) notes it and makes all the pages writable. Writes by
/// the system on a user's behalf, read() into such memory for one, fail with EFAULT instead.
///
/// Threads: everything from any thread. The pages must outlive the guard.
#pragma once

#include <cstdint>
#include <memory>

namespace rivulet
{

class GuardedPages;

class WriteGuard
{
public:
  /// `begin` is the start of a page. nullptr where the system refuses a handler.
  [[nodiscard]] static std::unique_ptr<WriteGuard> over(void* begin, std::int64_t bytes);
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;
  ~WriteGuard();

  [[nodiscard]] bool written() const;

  /// Gives these pages back to the kernel, unless there was a write: then they are all there is of it. No write comes
  /// between.
  void drop(void* begin, std::int64_t bytes) const;

private:
  explicit WriteGuard(GuardedPages& pages)
    : pages_(pages)
  {
  }

  GuardedPages& pages_;
};

} // namespace rivulet
