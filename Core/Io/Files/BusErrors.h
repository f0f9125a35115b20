// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// SIGBUS in mapped files: pages of NaN are put where a file's pages cannot be had, and that is noted in the mapping's
/// region. See MappedFile.h, whose other half this is, and FaultSignals.h for the handler.
///
/// Behind the end of a file that was cut short a mebibyte or more is repaired at once: the system allows a process some
/// 65000 mappings, and every piece is one.
///
///     BusErrorRegion* region = watch_for_bus_errors(begin, bytes, descriptor);
///     ...
///     stop_watching(region);          // before the mapping goes
///
/// Threads: everything from any thread. Regions are never freed, only used again: the handler may look at any of them
/// at any time. The handler calls nothing but mmap, and what POSIX allows.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rivulet
{

/// What the handler knows of one mapping. Offsets are bytes from the mapping's start.
class BusErrorRegion
{
public:
  /// Whether anything in the range was found missing. Costs one load while nothing ever was.
  [[nodiscard]] bool damaged(std::int64_t offset, std::int64_t bytes) const;
  /// Offset of the first page found missing by a reader; -1 if none was.
  [[nodiscard]] std::int64_t first_fault() const { return first_fault_.load(); }
  /// From now on everything from `end` is damaged.
  void note_end(std::int64_t end);

private:
  friend BusErrorRegion* watch_for_bus_errors(const void* begin, std::int64_t bytes, int descriptor);
  friend void stop_watching(BusErrorRegion* region);
  friend bool repair_bus_error(std::uintptr_t address);

  /// What is repaired at once, and where the file ends; in bytes from the mapping's start.
  struct Piece
  {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t file_end = 0;
  };
  [[nodiscard]] Piece piece_at(std::int64_t fault) const;
  void note(const Piece& piece, std::int64_t fault);

  std::atomic<bool> in_use_{ false };
  std::atomic<std::uintptr_t> begin_{ 0 }; ///< 0 while nothing is watched
  std::atomic<std::int64_t> bytes_{ 0 };
  std::atomic<int> descriptor_{ -1 };
  std::atomic<bool> any_damage_{ false };
  std::atomic<std::int64_t> first_fault_{ -1 };
  std::atomic<std::int64_t> end_{ 0 };           ///< the file's size when the handler last looked
  std::atomic<std::int64_t> pieces_{ 0 };        ///< that were repaired
  std::atomic<std::uint64_t>* faults_ = nullptr; ///< a bit per page
  BusErrorRegion* next_ = nullptr;               ///< of all regions there ever were
};

/// Installs the handler if it is not the one in place. False where the system cannot provide what it needs.
[[nodiscard]] bool ensure_bus_error_handler();

/// `begin` is page-aligned; `descriptor` is the mapped file and stays open while it is watched. nullptr without memory
/// for the notes.
[[nodiscard]] BusErrorRegion* watch_for_bus_errors(const void* begin, std::int64_t bytes, int descriptor);
void stop_watching(BusErrorRegion* region);

/// The handler's work: true if the address lies in a watched mapping and can be read from now on.
[[nodiscard]] bool repair_bus_error(std::uintptr_t address);

} // namespace rivulet
