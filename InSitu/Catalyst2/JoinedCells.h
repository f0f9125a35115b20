// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cells of the domains of a rank, in the runtime's description of a mesh: types, offsets and connectivity. Types and
/// offsets are made here. The connectivity stays where the simulation has it if one domain has it packed, as int32 or
/// int64; else it is copied, and points are counted over all domains.
#pragma once

#include "Domain.h"

namespace rivulet::catalyst2
{

class JoinedCells
{
public:
  /// Refuses cells whose shape is unknown, or whose points are not there. Throws std::bad_alloc.
  [[nodiscard]] static Result<JoinedCells> of(const std::vector<Domain>& domains);

  /// Sets all members that describe cells. They refer to this object.
  void describe(rivulet_mesh& mesh) const;

private:
  [[nodiscard]] Result<void> add_types(const GridShape& grid);
  [[nodiscard]] Result<void> add_points(const GridShape& grid, std::int64_t first_point);
  [[nodiscard]] bool show_points(const GridShape& grid);
  [[nodiscard]] Result<void> check_shown(const GridShape& grid) const;
  void add_ghosts(const Domain& domain);

  std::vector<std::uint8_t> type_;
  std::vector<std::int64_t> offset_{ 0 };
  std::vector<std::int32_t> short_offset_; ///< beside a connectivity of int32
  std::vector<std::int64_t> connectivity_; ///< a copy
  const void* shown_ = nullptr;            ///< the simulation's connectivity
  std::vector<std::uint8_t> ghost_;        ///< empty: there are no marks
};

} // namespace rivulet::catalyst2
