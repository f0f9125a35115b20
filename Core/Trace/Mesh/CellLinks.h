// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The cells on the other side of each cell's faces.
///
///     const Result<CellLinks> links = CellLinks::create(nodes, points, threads);
///     const std::int64_t next = links->beyond(cell, face);        // -1: the face is on the border
///
/// Two cells are linked if they have a face with the same nodes. A face that three or more cells share is a border: the
/// way over it is not known. So is a face beside smaller or larger ones (hanging nodes).
///
/// Memory: 4 bytes for each face, and 4 for each cell if they have several shapes; 4 more for each face and 4 for each
/// point while they are made. Immutable; any thread.
#pragma once

#include "Trace/Mesh/CellNodes.h"

namespace rivulet
{

class CellLinks
{
public:
  /// Fails with Unsupported for more than 2^29 cells.
  [[nodiscard]] static Result<CellLinks> create(const CellNodes& nodes, std::int64_t points, int threads = 1);

  [[nodiscard]] std::int64_t beyond(std::int64_t cell, int face) const
  {
    return links_[first(cell) + static_cast<std::size_t>(face)];
  }
  /// The face of a cell beyond which another one lies; -1: none does.
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
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(4 * (links_.size() + firsts_.size())); }

private:
  CellLinks() = default;
  void link(std::int64_t cell, int face, std::int64_t next)
  {
    links_[first(cell) + static_cast<std::size_t>(face)] = static_cast<std::int32_t>(next);
  }
  [[nodiscard]] std::size_t first(std::int64_t cell) const
  {
    return firsts_.empty() ? static_cast<std::size_t>(cell * faces_of_each_)
                           : static_cast<std::size_t>(firsts_[static_cast<std::size_t>(cell)]);
  }

  std::vector<std::int32_t> links_;
  std::vector<std::uint32_t> firsts_; ///< of each cell; empty if all have as many
  std::int64_t faces_of_each_ = 0;
};

} // namespace rivulet
