// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory for bytes on their way from a file to the places of their values: page-aligned pieces under a limit, kept for
/// the next read, and counted in the process's account. Spare pieces are freed when others need memory.
///
///     std::byte* memory = staging.take(bytes);        // nullptr: wait until another piece comes back
///     staging.give_back(memory, bytes);
///
/// Threads: any. All pieces must be back before this object is destroyed. Bytes.
#pragma once

#include "Store/Memory/MemoryAccount.h"

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace rivulet
{

class StagingMemory
{
public:
  static constexpr std::int64_t kLargest = std::int64_t{ 256 } * 1024;

  explicit StagingMemory(std::int64_t limit);
  StagingMemory(const StagingMemory&) = delete;
  StagingMemory& operator=(const StagingMemory&) = delete;
  ~StagingMemory() { set_limit(0); }

  /// A piece of at most kLargest bytes, or nullptr. If no other is held, limits do not apply, not even the process's;
  /// only the system may then refuse.
  [[nodiscard]] std::byte* take(std::int64_t bytes);
  /// The same, but waits until a piece comes back. nullptr only if the system has no memory.
  [[nodiscard]] std::byte* take_or_wait(std::int64_t bytes);
  /// Whether no piece is in use.
  [[nodiscard]] bool idle() const;
  void give_back(std::byte* memory, std::int64_t bytes);
  /// Memory above the limit is freed at once, or when it comes back.
  void set_limit(std::int64_t bytes);
  [[nodiscard]] std::int64_t peak() const;

private:
  static constexpr std::int64_t kSmallest = std::int64_t{ 8 } * 1024;
  static constexpr std::size_t kSizes = 6; ///< 8 KiB to 256 KiB

  [[nodiscard]] static std::size_t size_number(std::int64_t bytes);
  [[nodiscard]] std::byte* take_locked(std::int64_t bytes);
  void drop_spare(std::int64_t most);
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);
  /// Counts bytes about to be allocated. One piece is always allowed.
  [[nodiscard]] bool count(std::int64_t bytes);

  std::condition_variable returned_;
  mutable std::mutex mutex_; ///< guards the members below
  std::array<std::vector<std::byte*>, kSizes> spare_;
  std::int64_t limit_;
  std::int64_t held_ = 0; ///< bytes of spare and lent pieces
  std::int64_t used_ = 0;
  std::int64_t peak_ = 0;
  MemoryLease lease_;
};

} // namespace rivulet
