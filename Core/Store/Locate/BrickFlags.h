// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A few bits for each brick of a field, for any number of bricks: the system allocates memory when bits are set (one
/// page per 4096 bricks), so that opening a field costs nothing.
///
///     BrickFlags flags(locator.count());
///     flags.set(number, BrickFlags::kChecked);
///
/// Any thread, without locks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rivulet
{

class BrickFlags
{
public:
  static constexpr std::uint64_t kResident = 1;
  static constexpr std::uint64_t kChecked = 2;
  static constexpr std::uint64_t kFailed = 4;

  /// Throws std::bad_alloc if there is no address space.
  explicit BrickFlags(std::int64_t count);
  BrickFlags(const BrickFlags&) = delete;
  BrickFlags& operator=(const BrickFlags&) = delete;
  ~BrickFlags();

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t get(std::int64_t number) const
  {
    return word(number).load(std::memory_order_acquire) >> shift(number) & kAll;
  }
  /// True if it was not set before.
  bool set(std::int64_t number, std::uint64_t flag)
  {
    const std::uint64_t bit = flag << shift(number);
    return (word(number).fetch_or(bit, std::memory_order_acq_rel) & bit) == 0;
  }
  /// True if it was set before.
  bool clear(std::int64_t number, std::uint64_t flag)
  {
    const std::uint64_t bit = flag << shift(number);
    return (word(number).fetch_and(~bit, std::memory_order_acq_rel) & bit) != 0;
  }
  /// The first number from `from` on that may have a flag set; count() if there is none.
  [[nodiscard]] std::int64_t skip_empty(std::int64_t from) const;

private:
  static constexpr std::int64_t kPerWord = 8;
  static constexpr std::uint64_t kAll = 0xff;

  [[nodiscard]] std::atomic<std::uint64_t>& word(std::int64_t number) const { return words_[number / kPerWord]; }
  [[nodiscard]] static std::uint64_t shift(std::int64_t number)
  {
    return static_cast<std::uint64_t>(number % kPerWord) * 8;
  }
  [[nodiscard]] std::size_t bytes() const;

  std::int64_t count_;
  std::atomic<std::uint64_t>* words_ = nullptr;
};

} // namespace rivulet
