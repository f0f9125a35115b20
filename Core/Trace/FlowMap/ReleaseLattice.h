// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The nodes at which the particles of a flow map are released: of a lattice, or nodes in its order that lie anywhere.
///
/// Immutable; may be shared by threads. Units: world.
#pragma once

#include "Trace/Mesh/GridGeometry.h"

#include <memory>
#include <vector>

namespace rivulet
{

/// Places of nodes, row-major.
using NodePlaces = std::shared_ptr<const std::vector<Vec3>>;

class ReleaseLattice
{
public:
  /// `places`: one for each node of the lattice; nullptr: the lattice's own.
  ReleaseLattice(GridGeometry lattice, NodePlaces places = nullptr) // NOLINT(google-explicit-constructor)
    : lattice_(std::move(lattice))
    , places_(std::move(places))
  {
  }

  [[nodiscard]] const Int3& nodes() const { return lattice_.nodes(); }
  [[nodiscard]] bool flat(int axis) const { return lattice_.flat(axis); }
  [[nodiscard]] Vec3 place(const Int3& node) const
  {
    return places_ != nullptr ? (*places_)[static_cast<std::size_t>(row_major(node, nodes()))]
                              : lattice_.world_of_node(node);
  }

private:
  GridGeometry lattice_;
  NodePlaces places_;
};

} // namespace rivulet
