// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Detects the first write to memory that users should only read but have a writable pointer to. The write succeeds.
///
///     std::unique_ptr<WriteGuard> guard = WriteGuard::over(begin, bytes);     // pages: private and read-only
///     ...
///     if (guard->written()) { ... these are not the values any more that were handed out ... }
///
/// The first write raises SIGSEGV; the handler (FaultSignals.h) notes it and makes all the pages writable. Writes by
/// the system on behalf of a user, such as read() into such memory, fail with EFAULT instead.
///
/// Threads: any. The pages must outlive the guard.
#pragma once

#include <cstdint>
#include <memory>

namespace rivulet
{

class GuardedPages;

class WriteGuard
{
public:
  /// `begin` is the start of a page. nullptr if the system refuses a handler.
  [[nodiscard]] static std::unique_ptr<WriteGuard> over(void* begin, std::int64_t bytes);
  WriteGuard(const WriteGuard&) = delete;
  WriteGuard& operator=(const WriteGuard&) = delete;
  ~WriteGuard();

  [[nodiscard]] bool written() const;

  /// Returns these pages to the kernel, unless there was a write, whose values exist nowhere else. No write can happen
  /// meanwhile.
  void drop(void* begin, std::int64_t bytes) const;

private:
  explicit WriteGuard(GuardedPages& pages)
    : pages_(pages)
  {
  }

  GuardedPages& pages_;
};

} // namespace rivulet
