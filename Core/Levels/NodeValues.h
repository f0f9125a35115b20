// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values at the nodes of a refined grid, from values that are stored for its boxes, at cell centres or at nodes: what
/// lines are traced through. Linear between the nodes of the finest cells, the field is continuous everywhere, faces of
/// boxes and levels included. Every value is a mean of stored ones with shares that are not negative: none leaves the
/// range of the cells (or nodes) around it.
///
/// Values at cell centres: a node has the mean of the cells that touch it, which is linear interpolation between their
/// centres, and exact where the data is linear. On the domain's boundary there are cells on one side only, and the mean
/// is the value half a cell inside: first order there, second elsewhere. Where a finer level covers a cell, the cell
/// has the mean of the finer ones.
///
/// Values at nodes: a node has the value that is stored on the finest level there.
///
/// In both cases the nodes of a finer level on its face towards a coarser one have the value that the coarser level has
/// there: between its nodes, what is linear between those. So both sides agree.
///
/// A node's value depends on the grid and the data alone, not on the box that it is asked for with.
#pragma once

#include "Levels/PatchValues.h"
#include "Levels/RefinedGrid.h"
#include "Store/MemoryAccount.h"

namespace rivulet
{

/// Values of a box of nodes or cells of one level.
struct LevelValues
{
  enum class State : std::uint8_t
  {
    Missing, ///< nothing is stored there
    Known
  };
  Box box;
  std::size_t components = 0;
  std::vector<double> values; ///< x fastest, components together
  std::vector<State> states;
  MemoryPart memory{ MemoryUse::NodeValues };

  LevelValues(const Box& the_box, std::size_t the_components);
  [[nodiscard]] std::size_t number(const Int3& at) const
  {
    return static_cast<std::size_t>(
        row_major({ at[0] - box.begin[0], at[1] - box.begin[1], at[2] - box.begin[2] }, box.size()));
  }
  [[nodiscard]] bool known(const Int3& at) const { return states[number(at)] == State::Known; }
  [[nodiscard]] double* at(const Int3& place) { return &values[number(place) * components]; }
  [[nodiscard]] const double* at(const Int3& place) const { return &values[number(place) * components]; }
};

class NodeValues
{
public:
  /// Both must outlive this.
  NodeValues(const RefinedGrid& grid, PatchValues& patches)
    : grid_(grid)
    , patches_(patches)
    , components_(static_cast<std::size_t>(patches.variable().components))
  {
  }

  /// The values of a box of nodes of a level. Nodes that touch no cell of the level, nor of a coarser one, are missing.
  [[nodiscard]] Result<LevelValues> nodes(int level, const Box& box);

  /// The nodes of a box of cells.
  [[nodiscard]] Box nodes_of(const Box& cells) const;

private:
  [[nodiscard]] Box cells_around(int level, const Box& nodes) const;
  [[nodiscard]] std::vector<Int3> on_faces_to_coarser(int level, const Box& nodes) const;
  [[nodiscard]] bool coarser_has(int level, const Int3& cell) const;
  [[nodiscard]] Result<void> take_from_coarser(int level, const std::vector<Int3>& places, LevelValues& nodes);
  [[nodiscard]] Result<LevelValues> mean_of_cells(int level, const Box& nodes);
  [[nodiscard]] Result<LevelValues> stored_cells(int level, const Box& cells);
  [[nodiscard]] Result<LevelValues> stored_nodes(int level, const Box& nodes);
  [[nodiscard]] Result<void> copy_box(int level, std::int32_t box, const Box& wanted, LevelValues& to);
  void mean_at(const Int3& node, const LevelValues& cells, LevelValues& to) const;

  const RefinedGrid& grid_;
  PatchValues& patches_;
  std::size_t components_;
};

} // namespace rivulet
