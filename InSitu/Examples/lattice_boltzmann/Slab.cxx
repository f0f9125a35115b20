// SPDX-License-Identifier: BSD-3-Clause
#include "Slab.h"

#include <algorithm>
#include <vector>

namespace lattice_boltzmann
{

namespace
{

/// Velocity along z.
std::int32_t along_z(int direction)
{
  return direction == 0
             ? 0
             : (direction % 2 == 1 ? 1 : -1) * kPairVelocity[static_cast<std::size_t>((direction - 1) / 2)][2];
}

} // namespace

Slab::Slab(std::int32_t planes, MPI_Comm comm)
  : planes_(planes)
  , comm_(comm)
{
  if (comm != MPI_COMM_NULL)
  {
    MPI_Comm_size(comm, &ranks_);
    MPI_Comm_rank(comm, &rank_);
  }
  begin_ = first_of(rank_);
  end_ = first_of(rank_ + 1);
}

std::int32_t Slab::first_of(std::int64_t rank) const
{
  return static_cast<std::int32_t>(rank * planes_ / ranks_);
}

int Slab::owner(std::int32_t z) const
{
  int rank = 0;
  while (first_of(rank + 1) <= z)
  {
    ++rank;
  }
  return rank;
}

/// After the first step of a pair, a population that leaves a cell along a direction lies in the cell's slot of the
/// opposite direction. So a neighbour below uses slots of upward directions, a neighbour above slots of downward ones.
void Slab::exchange(const PlanesOfDirections& field, bool to_ghosts) const
{
  if (alone())
  {
    return;
  }
  std::vector<MPI_Request> requests;
  for (int direction = 1; direction < kDirections; ++direction)
  {
    const std::int32_t up = along_z(direction);
    if (up == 0)
    {
      continue;
    }
    const std::int32_t last = end_ - begin_;
    const std::int32_t own = up > 0 ? 1 : last;
    const std::int32_t ghost = up > 0 ? last + 1 : 0;
    const int beside_own = (rank_ + ranks_ - up) % ranks_;
    const int beside_ghost = (rank_ + ranks_ + up) % ranks_;
    const auto at = [&](std::int32_t place)
    {
      return field.first + direction * field.direction_stride + place * field.plane;
    };
    const auto count = static_cast<int>(field.plane);
    MPI_Irecv(at(to_ghosts ? ghost : own), count, MPI_FLOAT, to_ghosts ? beside_ghost : beside_own, direction, comm_,
        &requests.emplace_back());
    MPI_Isend(at(to_ghosts ? own : ghost), count, MPI_FLOAT, to_ghosts ? beside_own : beside_ghost, direction, comm_,
        &requests.emplace_back());
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void Slab::fill_ghosts(float* first, std::int64_t plane) const
{
  const std::int64_t last = end_ - begin_;
  if (alone())
  {
    std::copy_n(first + last * plane, plane, first);
    std::copy_n(first + plane, plane, first + (last + 1) * plane);
    return;
  }
  const auto count = static_cast<int>(plane);
  const int below = (rank_ + ranks_ - 1) % ranks_;
  const int above = (rank_ + 1) % ranks_;
  MPI_Sendrecv(
      first + last * plane, count, MPI_FLOAT, above, 0, first, count, MPI_FLOAT, below, 0, comm_, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first + plane, count, MPI_FLOAT, below, 1, first + (last + 1) * plane, count, MPI_FLOAT, above, 1, comm_,
      MPI_STATUS_IGNORE);
}

void Slab::receive_sum(Vec3& sum) const
{
  if (rank_ > 0)
  {
    MPI_Recv(sum.data(), 3, MPI_DOUBLE, rank_ - 1, 0, comm_, MPI_STATUS_IGNORE);
  }
}

void Slab::pass_sum(Vec3& sum) const
{
  if (alone())
  {
    return;
  }
  if (rank_ + 1 < ranks_)
  {
    MPI_Send(sum.data(), 3, MPI_DOUBLE, rank_ + 1, 0, comm_);
  }
  MPI_Bcast(sum.data(), 3, MPI_DOUBLE, ranks_ - 1, comm_);
}

} // namespace lattice_boltzmann
