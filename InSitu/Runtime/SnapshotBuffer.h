// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Room for a copy of one step: everything that was published and is wanted, in one piece of memory that serves step
/// after step. Copies of arrays are packed, and positions and velocities are doubles, however the simulation has them.
///
///     const SnapshotBuffer::Choice choice{ wants, Copies::All };
///     Result<void> room = buffer.reserve(SnapshotBuffer::bytes_for(published, choice));   // the simulation's thread
///     buffer.touch();                                                                   // the analytics master thread
///     buffer.copy(published, choice);                                                   // in the simulation's arena
///     analyse(buffer.snapshot());                                                       // the analytics master thread
///
/// With Copies::Unpacked only arrays that are not packed are copied; the others, and objects, stay the simulation's.
///
///     | structures, names | x | y | z | ... | values of block 0 | ... |           each array begins at 64 bytes
///
/// Memory is the operating system's (mmap). The system places a page near the core that touches it first. Hence the
/// thread that will read it touches it. A buffer grows on demand, by a quarter more than needed.
///
/// One thread at a time. Published data must have passed CheckData.h.
#pragma once

#include "Base/Result.h"

#include "rivulet_insitu_data.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace rivulet::insitu
{

/// Arrays that are copied.
enum class Copies : std::uint8_t
{
  All,
  Unpacked ///< arrays that analytics cannot read in place
};

class SnapshotBuffer
{
public:
  /// The data to copy. A set, a field or a mesh stays in the snapshot, also without a wanted variable.
  struct Choice
  {
    /// Whether a variable of the data with this name is wanted. A null variable: the points and cells of a mesh.
    std::function<bool(const char* name, const char* variable)> wants;
    Copies copies = Copies::All;
  };

  SnapshotBuffer() = default;
  SnapshotBuffer(const SnapshotBuffer&) = delete;
  SnapshotBuffer& operator=(const SnapshotBuffer&) = delete;
  ~SnapshotBuffer();

  /// Bytes that copy() needs. PTRDIFF_MAX if there are too many.
  [[nodiscard]] static std::int64_t bytes_for(const rivulet_snapshot& published, const Choice& choice);
  /// Whether all arrays are packed, so that analytics can read them where they are.
  [[nodiscard]] static bool is_packed(const rivulet_snapshot& published);

  /// Makes room. Contents are lost. Refused memory is an error, and leaves no room.
  [[nodiscard]] Result<void> reserve(std::int64_t bytes);
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

  /// Writes to each page that was not touched yet.
  void touch();
  /// True if reserve() has made new room since the last touch() or copy().
  [[nodiscard]] bool untouched() const { return untouched_; }

  /// Copies all, with the threads of the arena that the caller is in, but objects with the calling thread alone. Needs
  /// capacity() >= bytes_for(published, choice). Throws std::bad_alloc. Returns the bytes that were copied, objects
  /// aside.
  std::int64_t copy(const rivulet_snapshot& published, const Choice& choice);

  /// The last copy.
  [[nodiscard]] const rivulet_snapshot& snapshot() const { return snapshot_; }

private:
  /// A part of an array: `count` elements of so many bytes.
  struct Part
  {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::int64_t count = 0;
    std::int64_t bytes = 0;       ///< of an element
    std::int64_t from_stride = 0; ///< bytes; `bytes` in a packed array
    std::int64_t to_stride = 0;
    bool widens = false; ///< floats become doubles; `bytes` is of a float
  };
  class Layout;

  void release();
  void release_objects();
  void clone_objects(const rivulet_snapshot& published);

  std::byte* memory_ = nullptr;
  std::int64_t capacity_ = 0;
  bool untouched_ = false;
  rivulet_snapshot snapshot_{};
  std::vector<rivulet_object> objects_; ///< copies that clone() has made, of the last copy
  std::vector<Part> parts_;             ///< of the copy under way; a member, so that its memory is kept
};

} // namespace rivulet::insitu
