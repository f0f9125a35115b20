// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values at the nodes of an AMR mesh, computed from values that patches store at cell centres or at nodes. Lines are
/// traced through these values. The field is linear between the nodes of the finest cells and continuous everywhere,
/// also across faces of boxes and levels. Every value is a mean of stored values with weights that are not negative, so
/// it stays in the range of the cells (or nodes) around it.
///
/// Values at cell centres: a node has the mean of the cells that touch it. That is linear interpolation between their
/// centres, exact for linear data. On the boundary of the domain only the inner cells exist, and the mean is the value
/// half a cell inside: first order there, second order elsewhere. A cell that a finer level covers has the mean of the
/// finer cells.
///
/// Values at nodes: a node has the value that the finest level stores there.
///
/// In both cases a node of a finer level on a face towards a coarser level has the value that the coarser level has
/// there, interpolated linearly between the coarser nodes. So both sides agree.
///
/// Nodes of a level where the mesh has coarser cells only have the values of the coarser interpolation, so that the
/// field can be had in finer cells than its own.
///
/// The value of a node depends on the mesh and the data only, not on the requested box.
#pragma once

#include "AmrMesh/AmrMesh.h"
#include "AmrMesh/PatchValues.h"
#include "Store/Memory/MemoryAccount.h"

namespace rivulet
{

/// Values of a box of nodes or cells of one level.
struct LevelValues
{
  enum class State : std::uint8_t
  {
    Missing, ///< no value is stored there
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
  /// Both arguments must outlive this object.
  NodeValues(const AmrMesh& mesh, PatchValues& patches)
    : mesh_(mesh)
    , patches_(patches)
    , components_(static_cast<std::size_t>(patches.variable().components))
  {
  }

  /// Values of a box of nodes of a level. A node is missing if it touches no cell of the level or of a coarser one.
  [[nodiscard]] Result<LevelValues> nodes(int level, const Box& box);

  /// The nodes of a box of cells.
  [[nodiscard]] Box nodes_of(const Box& cells) const;

private:
  [[nodiscard]] Box cells_around(int level, const Box& nodes) const;
  [[nodiscard]] LevelValues only_coarser(int level, const Box& cells) const;
  [[nodiscard]] std::vector<Int3> on_faces_to_coarser(int level, const Box& nodes) const;
  [[nodiscard]] Result<void> take_from_coarser(int level, const std::vector<Int3>& places, LevelValues& nodes);
  [[nodiscard]] Result<LevelValues> mean_of_cells(int level, const Box& nodes);
  [[nodiscard]] Result<LevelValues> stored_cells(int level, const Box& cells);
  [[nodiscard]] Result<LevelValues> stored_nodes(int level, const Box& nodes);
  [[nodiscard]] Result<void> copy_box(int level, std::int32_t box, const Box& wanted, LevelValues& to);
  void mean_at(const Int3& node, const LevelValues& cells, LevelValues& to) const;

  const AmrMesh& mesh_;
  PatchValues& patches_;
  std::size_t components_;
};

} // namespace rivulet
