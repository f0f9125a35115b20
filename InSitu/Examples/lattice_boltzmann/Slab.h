// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The planes z = begin ... end - 1 of one rank, and messages to its neighbours along z. The lattice is periodic there.
///
///     place:  0      1      2     ...  end - begin   end - begin + 1
///           | ghost | begin | begin + 1 ... end - 1 | ghost |
///
/// In the second step of a pair, a cell uses places of its neighbours. Places of other ranks are lent for this step:
///
///     slab.borrow(field);   // ghost planes get the neighbours' populations at these places
///     // the step
///     slab.give_back(field);
///
/// Only five of nineteen directions cross a plane on each side. No place is used by two cells in the same step, so the
/// populations that come back are all the changes. A rank alone has no ghost planes: the first plane follows the last.
#pragma once

#include "Lattice.h"

#include <mpi.h>

namespace lattice_boltzmann
{

/// Populations of all directions: plane after plane, direction after direction.
struct PlanesOfDirections
{
  float* first;                  ///< of the plane at place 0
  std::int64_t direction_stride; ///< floats from one direction to the next
  std::int64_t plane;            ///< floats of a plane
};

class Slab
{
public:
  /// All `planes` without MPI for MPI_COMM_NULL; otherwise a share of them for each rank, at least one.
  Slab(std::int32_t planes, MPI_Comm comm);

  [[nodiscard]] std::int32_t begin() const { return begin_; }
  [[nodiscard]] std::int32_t end() const { return end_; }
  [[nodiscard]] bool owns(std::int32_t z) const { return z >= begin_ && z < end_; }
  /// The rank that owns a plane.
  [[nodiscard]] int owner(std::int32_t z) const;

  /// Planes in memory.
  [[nodiscard]] std::int32_t places() const { return end_ - begin_ + (alone() ? 0 : 2); }
  /// Place of an own plane, or of one next to them.
  [[nodiscard]] std::int32_t place(std::int32_t z) const
  {
    const std::int32_t place = alone() ? z : z - begin_ + 1;
    return place < 0 ? place + planes_ : (place == planes_ && alone() ? 0 : place);
  }

  void borrow(const PlanesOfDirections& field) const { exchange(field, true); }
  void give_back(const PlanesOfDirections& field) const { exchange(field, false); }

  /// Fills the ghost planes, before the first own plane and after the last one, from the neighbours. `first` is the
  /// plane before. All ranks call it.
  void fill_ghosts(float* first, std::int64_t plane) const;

  /// The sum of all ranks' terms, in the order of planes: add(sum) adds this rank's terms. All ranks call it.
  template <class Add>
  Vec3 sum_in_order(const Add& add) const
  {
    Vec3 sum{ 0, 0, 0 };
    receive_sum(sum);
    add(sum);
    pass_sum(sum);
    return sum;
  }

private:
  [[nodiscard]] bool alone() const { return ranks_ == 1; }
  [[nodiscard]] std::int32_t first_of(std::int64_t rank) const;
  void exchange(const PlanesOfDirections& field, bool to_ghosts) const;
  void receive_sum(Vec3& sum) const;
  void pass_sum(Vec3& sum) const;

  std::int32_t planes_;
  MPI_Comm comm_;
  int ranks_ = 1;
  int rank_ = 0;
  std::int32_t begin_ = 0;
  std::int32_t end_ = 0;
};

} // namespace lattice_boltzmann
