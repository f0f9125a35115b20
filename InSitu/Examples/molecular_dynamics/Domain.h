// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The periodic box, its grid of cells, and the part of this rank.
///
///     +---+---+---+---+---+---+---+       7 x 3 cells on 2 x 1 ranks: rank 0 owns 3 x 3 cells,
///     |   0       |       1       |       rank 1 owns 4 x 3. Around its own cells, a rank has
///     +           |               +       two layers of ghost cells: cells of its neighbours,
///     |           |               |       or its own through a periodic side.
///     +---+---+---+---+---+---+---+
///
/// A cell's side is at least half of `reach`, so that a particle's neighbours within reach are in the 5 x 5 x 5 cells
/// around it. Cells are the same for any number of ranks: with them go the order of particles and the order of sums.
#pragma once

#include "Types.h"

#include <mpi.h>

namespace molecular_dynamics
{

/// Layers of cells around a particle's own cell within its reach; also the layers of ghost cells.
inline constexpr std::int32_t kLayers = 2;

struct DomainOptions
{
  Vec3 length{ 0, 0, 0 };
  double cutoff = 2.5;   ///< of the force
  double reach = 2.8;    ///< of lists of neighbours; at least the cut-off
  Int3 ranks{ 0, 0, 0 }; ///< ranks along each axis; 0 0 0: the split with the fewest cells for a rank, ghosts included
};

class Domain
{
public:
  /// Refuses boxes shorter than two cut-offs, because a particle would see another one twice, and numbers of ranks that
  /// do not divide the cells: a rank needs two along each axis.
  [[nodiscard]] static Result<Domain> create(const DomainOptions& options, MPI_Comm comm);

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] const Vec3& length() const { return length_; }
  [[nodiscard]] double volume() const { return length_[0] * length_[1] * length_[2]; }
  [[nodiscard]] double shortest_side() const; ///< of a cell
  [[nodiscard]] const Int3& ranks() const { return ranks_; }
  [[nodiscard]] const Int3& cells() const { return cells_; } ///< of the box
  [[nodiscard]] const Int3& begin() const { return begin_; } ///< first own cell
  [[nodiscard]] const Int3& own() const { return own_; }     ///< number of own cells

  /// Neighbour towards lower (side 0) or higher (side 1) positions; this rank itself where it is alone on the axis.
  [[nodiscard]] int neighbour(std::size_t axis, std::size_t side) const { return neighbours_[axis][side]; }
  [[nodiscard]] bool alone(std::size_t axis) const { return ranks_[axis] == 1; }
  /// The amount to add to positions that leave through this side: non-zero where it is a side of the box.
  [[nodiscard]] double shift(std::size_t axis, std::size_t side) const;

  /// Cell of the box along one axis, for any position: below 0 or beyond the last one for positions outside.
  [[nodiscard]] std::int32_t cell(std::size_t axis, double position) const;
  /// The position in the box that stands for one at most a length outside.
  [[nodiscard]] double wrapped(std::size_t axis, double position) const;

private:
  Domain() = default;
  void place_rank(int rank);

  MPI_Comm comm_ = MPI_COMM_NULL;
  Vec3 length_{};
  Vec3 cells_per_length_{};
  Int3 cells_{};
  Int3 ranks_{};
  Int3 place_{};
  Int3 begin_{};
  Int3 own_{};
  std::array<std::array<int, 2>, 3> neighbours_{};
};

} // namespace molecular_dynamics
