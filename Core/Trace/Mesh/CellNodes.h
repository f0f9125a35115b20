// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The nodes of unstructured cells, as VTK keeps them: cell c has the nodes connectivity[offsets[c]] to
/// connectivity[offsets[c + 1] - 1], in an order that depends on its type (CellShape.h).
///
///     Result<CellNodes> nodes = CellNodes::create(arrays, points, left_out, 3);
///     for (int corner = 0; corner < nodes->type(cell).corners; ++corner) use(nodes->node(cell, corner));
///
/// Cells that are left out, or of types without a shape, have no nodes here.
///
/// Memory: one byte for each cell. Views of the arrays, which their owner keeps. Immutable; any thread.
#pragma once

#include "Base/Result.h"
#include "Trace/Mesh/CellShape.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace rivulet
{

/// Whole numbers of 32 or 64 bits.
struct IndexArray
{
  const void* data = nullptr;
  bool wide = true; ///< 64 bits
  std::int64_t count = 0;

  [[nodiscard]] bool operator==(const IndexArray& other) const;
  [[nodiscard]] std::int64_t operator[](std::int64_t i) const
  {
    return wide ? static_cast<const std::int64_t*>(data)[i] : static_cast<const std::int32_t*>(data)[i];
  }
};

struct CellArrays
{
  std::int64_t cells = 0;
  IndexArray offsets; ///< one more than cells
  IndexArray connectivity;
  const std::uint8_t* types = nullptr; ///< VTK's, of each cell; read once, by create()
  std::shared_ptr<const void> owner;   ///< keeps the other two
};

class CellNodes
{
public:
  /// `left_out`: of each cell; empty: none is. Cells of a lower dimension are left out, too. Fails with BadArgument if
  /// offsets are out of order, a cell has another number of nodes than its type, or a node is none of the `points`.
  [[nodiscard]] static Result<CellNodes> create(
      CellArrays arrays, std::int64_t points, const std::vector<bool>& left_out, int dimension);

  [[nodiscard]] std::int64_t cells() const { return arrays_.cells; }
  [[nodiscard]] bool has(std::int64_t cell) const
  {
    return only_ != nullptr || kinds_[static_cast<std::size_t>(cell)] != kNone;
  }
  /// The next ones only for cells that this has.
  [[nodiscard]] const CellType& type(std::int64_t cell) const
  {
    return only_ != nullptr ? *only_ : cell_shape_detail::kTypes[kinds_[static_cast<std::size_t>(cell)]];
  }
  [[nodiscard]] std::int64_t node(std::int64_t cell, int corner) const
  {
    return arrays_.connectivity[first(cell) + type(cell).node_at[static_cast<std::size_t>(corner)]];
  }
  /// The nodes of the first kCount corners, `stride` apart.
  template <int kCount>
  void load_corners(std::int64_t cell, std::int64_t* to, std::ptrdiff_t stride) const
  {
    const auto load = [&](const auto* from)
    {
      const CellType& of_cell = type(cell);
      const auto* const begin = from + (only_ != nullptr ? cell * only_->corners : arrays_.offsets[cell]);
      for (std::size_t corner = 0; corner < kCount; ++corner)
      {
        to[static_cast<std::ptrdiff_t>(corner) * stride] = begin[of_cell.node_at[corner]];
      }
    };
    const IndexArray& all = arrays_.connectivity;
    all.wide ? load(static_cast<const std::int64_t*>(all.data)) : load(static_cast<const std::int32_t*>(all.data));
  }
  /// All nodes of a cell; returns how many.
  int load_corners(std::int64_t cell, std::array<std::int64_t, kMostCorners>& to) const
  {
    switch (type(cell).corners)
    {
    case 4:
      load_corners<4>(cell, to.data(), 1);
      return 4;
    case 8:
      load_corners<8>(cell, to.data(), 1);
      return 8;
    default:
      for (int corner = 0; corner < type(cell).corners; ++corner)
      {
        to[static_cast<std::size_t>(corner)] = node(cell, corner);
      }
      return type(cell).corners;
    }
  }
  /// A node of the cell, of that type, in the order of the list.
  [[nodiscard]] std::int64_t any_node(std::int64_t cell, const CellType& type, int i) const
  {
    return arrays_.connectivity[(only_ != nullptr ? cell * type.corners : arrays_.offsets[cell]) + i];
  }
  /// Whether the others are the same cells, with the same ones left out, of nodes with the same numbers.
  [[nodiscard]] bool same_as(const CellNodes& other) const;
  /// Cells that are not left out and have no shape of ours.
  [[nodiscard]] std::int64_t others() const { return others_; }
  /// The type of all cells; nullptr if they have several, or some are missing.
  [[nodiscard]] const CellType* only_type() const { return only_; }
  /// Types that there are, by their index in the table.
  [[nodiscard]] const std::array<std::int64_t, cell_shape_detail::kTypes.size()>& counts() const { return counts_; }
  [[nodiscard]] const IndexArray& connectivity() const { return arrays_.connectivity; }

private:
  static constexpr std::uint8_t kNone = 255;

  CellNodes() = default;
  [[nodiscard]] std::int64_t first(std::int64_t cell) const
  {
    return only_ != nullptr ? cell * only_->corners : arrays_.offsets[cell];
  }

  CellArrays arrays_;
  std::vector<std::uint8_t> kinds_; ///< index in the table of types, or kNone
  const CellType* only_ = nullptr;
  std::int64_t others_ = 0;
  std::array<std::int64_t, cell_shape_detail::kTypes.size()> counts_{};
};

} // namespace rivulet
