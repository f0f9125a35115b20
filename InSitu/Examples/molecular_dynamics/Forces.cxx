// SPDX-License-Identifier: BSD-3-Clause
#include "Forces.h"

#include "Lanes.h"

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kGrain = 4; ///< rows of cells

/// Arrays that the inner loops use.
struct Arrays
{
  std::array<const double*, 3> position;
  std::array<double*, 3> force;
};

/// Vectors from eight neighbours to a particle.
struct Vectors
{
  Lanes x, y, z;
};

MD_INLINE Lanes gather(const double* values, const std::int32_t* at)
{
  return Lanes{ values[at[0]], values[at[1]], values[at[2]], values[at[3]], values[at[4]], values[at[5]], values[at[6]],
    values[at[7]] };
}

MD_INLINE double sum(const Lanes& lanes)
{
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Calls visit(vectors, squares of their lengths, mask of those within the cut-off) for each eight neighbours.
template <class Visit>
MD_INLINE void for_each_eight(
    const Arrays& arrays, std::int32_t i, const std::int32_t* begin, const std::int32_t* end, const Visit& visit)
{
  const double x = arrays.position[0][i];
  const double y = arrays.position[1][i];
  const double z = arrays.position[2][i];
  for (const std::int32_t* next = begin; next < end; next += kLanes)
  {
    const Vectors to{ x - gather(arrays.position[0], next), y - gather(arrays.position[1], next),
      z - gather(arrays.position[2], next) };
    const Lanes square = to.x * to.x + to.y * to.y + to.z * to.z;
    visit(to, square, square < kCutoff * kCutoff);
  }
}

MD_WIDE void forces_of_row(
    const Arrays& arrays, const NeighbourList& list, const NeighbourList::Row& row, const Potential& potential)
{
  const double slope = 2 * potential.square;
  const std::int32_t* const neighbours = row.neighbours.data();
  for (std::int32_t i = row.begin; i < row.end; ++i)
  {
    Vectors force{};
    for_each_eight(arrays, i, neighbours + list.first(i), neighbours + list.last(i),
        [&](const Vectors& to, const Lanes& square, const LaneMask& inside) MD_LAMBDA
        {
          const Lanes inverse = 1.0 / square;
          const Lanes sixth = inverse * inverse * inverse;
          const Lanes factor = inside ? (48.0 * sixth - 24.0) * (sixth * inverse) - slope : Lanes{};
          force.x += factor * to.x;
          force.y += factor * to.y;
          force.z += factor * to.z;
        });
    arrays.force[0][i] = sum(force.x);
    arrays.force[1][i] = sum(force.y);
    arrays.force[2][i] = sum(force.z);
  }
}

MD_WIDE void sums_of_row(const Arrays& arrays, const NeighbourList& list, const NeighbourList::Row& row,
    const Potential& potential, PairSums& sums)
{
  const double slope = 2 * potential.square;
  const std::int32_t* const neighbours = row.neighbours.data();
  for (std::int32_t i = row.begin; i < row.end; ++i)
  {
    Lanes energy{};
    Lanes virial{};
    for_each_eight(arrays, i, neighbours + list.first(i), neighbours + list.last(i),
        [&](const Vectors&, const Lanes& square, const LaneMask& inside) MD_LAMBDA
        {
          const Lanes inverse = 1.0 / square;
          const Lanes sixth = inverse * inverse * inverse;
          const Lanes value = (4.0 * sixth - 4.0) * sixth + potential.square * square + potential.constant;
          energy += inside ? value : Lanes{};
          virial += inside ? (48.0 * sixth - 24.0) * sixth - slope * square : Lanes{};
        });
    sums.energy.add(0.5 * sum(energy));
    sums.virial.add(0.5 * sum(virial));
  }
}

Arrays arrays_of(const Particles& particles, Coordinates* force)
{
  Arrays arrays{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    arrays.position[axis] = particles.position[axis].data();
    arrays.force[axis] = force == nullptr ? nullptr : (*force)[axis].data();
  }
  return arrays;
}

} // namespace

Potential potential_of(Cut cut)
{
  const double square = kCutoff * kCutoff;
  const double sixth = 1 / (square * square * square);
  if (cut == Cut::Shifted)
  {
    return { 0, 4 * (sixth - sixth * sixth) };
  }
  return { (24 * sixth * sixth - 12 * sixth) / square, 16 * sixth - 28 * sixth * sixth };
}

void find_forces(Particles& particles, const NeighbourList& list, const Potential& potential, Parallel& parallel)
{
  const Arrays arrays = arrays_of(particles, &particles.force);
  parallel.for_each(static_cast<std::int64_t>(list.rows().size()), kGrain,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t row = begin; row < end; ++row)
        {
          forces_of_row(arrays, list, list.rows()[static_cast<std::size_t>(row)], potential);
        }
      });
}

PairSums find_sums(
    const Particles& particles, const NeighbourList& list, const Potential& potential, Parallel& parallel)
{
  const Arrays arrays = arrays_of(particles, nullptr);
  return parallel.reduce(
      static_cast<std::int64_t>(list.rows().size()), kGrain, PairSums{},
      [&](std::int64_t begin, std::int64_t end)
      {
        PairSums sums;
        for (std::int64_t row = begin; row < end; ++row)
        {
          sums_of_row(arrays, list, list.rows()[static_cast<std::size_t>(row)], potential, sums);
        }
        return sums;
      },
      [](PairSums left, const PairSums& right)
      {
        left.energy += right.energy;
        left.virial += right.virial;
        return left;
      });
}

} // namespace molecular_dynamics
