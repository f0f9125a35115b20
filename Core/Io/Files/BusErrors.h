// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// SIGBUS in mapped files: pages of NaN replace pages of a file that cannot be read, and the mapping's region notes it.
/// The other half is MappedFile.h; the handler is in FaultSignals.h.
///
/// Beyond the end of a file that was cut short, a mebibyte or more is repaired at once: the system allows a process
/// about 65000 mappings, and every piece is one.
///
///     BusErrorRegion* region = watch_for_bus_errors(begin, bytes, identity, path);
///     ...
///     stop_watching(region);          // before the mapping goes
///
/// The handler looks the file up by its path, because a field of many files cannot keep a descriptor for each. Where
/// the path leads to another file by then, the length counts as unchanged.
///
/// Threads: any. Regions are never freed, only reused, because the handler may look at any of them at any time. The
/// handler calls nothing but mmap and async-signal-safe functions of POSIX.
#pragma once

#include "Io/Files/FileIdentity.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rivulet
{

/// Data of one mapping for the handler. Offsets are bytes from the mapping's start.
class BusErrorRegion
{
public:
  /// Whether any page in the range was found missing. Costs one load while no page is.
  [[nodiscard]] bool damaged(std::int64_t offset, std::int64_t bytes) const;
  /// Offset of the first access to a missing page; -1 if there was none.
  [[nodiscard]] std::int64_t first_fault() const { return first_fault_.load(); }
  /// Marks everything from `end` on as damaged.
  void note_end(std::int64_t end);

private:
  friend BusErrorRegion* watch_for_bus_errors(
      const void* begin, std::int64_t bytes, const FileIdentity& identity, const char* path);
  friend void stop_watching(BusErrorRegion* region);
  friend bool repair_bus_error(std::uintptr_t address);

  /// Pages repaired at once, and the end of the file; in bytes from the mapping's start.
  struct Piece
  {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t file_end = 0;
  };
  [[nodiscard]] Piece piece_at(std::int64_t fault) const;
  void note(const Piece& piece, std::int64_t fault);

  std::atomic<bool> in_use_{ false };
  std::atomic<std::uintptr_t> begin_{ 0 }; ///< 0 while the region is unused
  std::atomic<std::int64_t> bytes_{ 0 };
  std::atomic<const char*> path_{ nullptr };
  std::atomic<const FileIdentity*> identity_{ nullptr }; ///< of the file when it was mapped
  std::atomic<bool> any_damage_{ false };
  std::atomic<std::int64_t> first_fault_{ -1 };
  std::atomic<std::int64_t> end_{ 0 };           ///< size of the file at the last call of the handler
  std::atomic<std::int64_t> pieces_{ 0 };        ///< repaired pieces
  std::atomic<std::uint64_t>* faults_ = nullptr; ///< one bit per page
  BusErrorRegion* next_ = nullptr;               ///< list of all regions ever made
};

/// Installs the handler unless it is in place. False if the system refuses it.
[[nodiscard]] bool ensure_bus_error_handler();

/// `begin` is page-aligned; `identity` and `path` are the mapped file's, and stay while it is watched. nullptr if there
/// is no memory for the notes.
[[nodiscard]] BusErrorRegion* watch_for_bus_errors(
    const void* begin, std::int64_t bytes, const FileIdentity& identity, const char* path);
void stop_watching(BusErrorRegion* region);

/// Called by the handler. True if the address lies in a watched mapping and can be read now.
[[nodiscard]] bool repair_bus_error(std::uintptr_t address);

} // namespace rivulet
