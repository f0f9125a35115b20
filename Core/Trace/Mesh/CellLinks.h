// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cells on the other side of each cell's faces. They are found face by face, where a way first comes to one, or
/// for all faces together:
///
///     Result<CellLinks> links = CellLinks::create(nodes);          // none is known
///     SameFaces same(nodes, cell, face);                           // one face ...
///     for (std::int64_t near : cells_near_the_face) same.look_at(near);
///     links->keep(same);
///     links->find_all(nodes, points, threads);                     // ... or all
///     const std::int64_t next = links->beyond(cell, face);         // kNone: the face is on the border
///
/// Two cells are linked if they have a face with the same nodes. A face that three or more cells share is a border: the
/// way over it is not known. So is a face beside smaller or larger ones (hanging nodes).
///
/// Memory: 4 bytes for each face, and 4 for each cell if they have several shapes; find_all() needs 4 more for each
/// face and 4 for each point meanwhile. Any thread, at any time: all threads find the same.
#pragma once

#include "Trace/Mesh/CellNodes.h"

#include <atomic>

namespace rivulet
{

/// The nodes of a face, in increasing order; the last ones are the largest number where it has fewer.
using FaceNodes = std::array<std::int64_t, 4>;

/// The faces with the nodes of a given one.
class SameFaces
{
public:
  SameFaces(const CellNodes& nodes, std::int64_t cell, int face);

  /// Counts the faces of a cell that are the same. Each cell once, the given one too, in any order.
  void look_at(std::int64_t cell);

private:
  friend class CellLinks;

  const CellNodes& nodes_;
  std::int64_t cell_;
  int face_;
  FaceNodes wanted_;
  int count_ = 0;
  std::int64_t other_cell_ = -1; ///< the last that was found beside the given one
  int other_face_ = -1;
};

class CellLinks
{
public:
  static constexpr std::int64_t kNone = -1;
  static constexpr std::int64_t kUnknown = -2; ///< not found yet

  /// Fails with Unsupported for more than 2^29 cells.
  [[nodiscard]] static Result<CellLinks> create(const CellNodes& nodes);

  [[nodiscard]] std::int64_t beyond(std::int64_t cell, int face) const
  {
    return links_[first(cell) + static_cast<std::size_t>(face)].load(std::memory_order_relaxed) + kUnknown;
  }
  /// The face of a cell beyond which another one lies, as far as that is known; -1: none does.
  [[nodiscard]] int face_to(std::int64_t cell, int faces, std::int64_t other) const
  {
    for (int face = 0; face < faces; ++face)
    {
      if (beyond(cell, face) == other)
      {
        return face;
      }
    }
    return -1;
  }
  /// Links the given face of `same`, which has looked at all cells that may share it.
  void keep(const SameFaces& same);
  void find_all(const CellNodes& nodes, std::int64_t points, int threads);
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(4 * (links_.size() + firsts_.size())); }

private:
  CellLinks() = default;
  void link(std::int64_t cell, int face, std::int64_t next)
  {
    links_[first(cell) + static_cast<std::size_t>(face)].store(
        static_cast<std::int32_t>(next - kUnknown), std::memory_order_relaxed);
  }
  [[nodiscard]] std::size_t first(std::int64_t cell) const
  {
    return firsts_.empty() ? static_cast<std::size_t>(cell * faces_of_each_)
                           : static_cast<std::size_t>(firsts_[static_cast<std::size_t>(cell)]);
  }

  std::vector<std::atomic<std::int32_t>> links_; ///< less kUnknown: 0 if not known
  std::vector<std::uint32_t> firsts_;            ///< of each cell; empty if all have as many
  std::int64_t faces_of_each_ = 0;
};

} // namespace rivulet
