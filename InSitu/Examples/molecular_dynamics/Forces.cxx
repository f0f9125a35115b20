// SPDX-License-Identifier: BSD-3-Clause
#include "Forces.h"

#include "Lanes.h"

#include <cstring>

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kGrain = 4; ///< rows of cells

/// Arrays that the inner loops use. Positions are interleaved: x, y, z, unused.
struct Arrays
{
  const double* position;
  std::array<double*, 3> force;
};

/// Components of eight vectors.
struct Vectors
{
  Lanes x, y, z;
};

typedef double Half __attribute__((vector_size(4 * kLanes))); // NOLINT(modernize-use-using): a vector

/// Two positions, with their unused components.
MD_INLINE Lanes load_two(const double* positions, std::int32_t first, std::int32_t second)
{
  Half low;
  Half high;
  std::memcpy(&low, positions + 4 * std::int64_t{ first }, sizeof low);
  std::memcpy(&high, positions + 4 * std::int64_t{ second }, sizeof high);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Positions of eight particles: a transposition of four by four, twice. Their order in the lanes is of no importance.
MD_INLINE Vectors gather(const double* positions, const std::int32_t* at)
{
  const Lanes a = load_two(positions, at[0], at[4]);
  const Lanes b = load_two(positions, at[1], at[5]);
  const Lanes c = load_two(positions, at[2], at[6]);
  const Lanes d = load_two(positions, at[3], at[7]);
  const Lanes xz_ab = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  const Lanes xz_cd = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const Lanes y_ab = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const Lanes y_cd = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  return { __builtin_shufflevector(xz_ab, xz_cd, 0, 1, 4, 5, 8, 9, 12, 13),
    __builtin_shufflevector(y_ab, y_cd, 0, 1, 4, 5, 8, 9, 12, 13),
    __builtin_shufflevector(xz_ab, xz_cd, 2, 3, 6, 7, 10, 11, 14, 15) };
}

MD_INLINE double sum(const Lanes& lanes)
{
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
}

/// Calls visit(vectors, squares of their lengths, mask of vectors within the cut-off) for each eight neighbours.
template <class Visit>
MD_INLINE void for_each_eight(
    const Arrays& arrays, std::int32_t i, const std::int32_t* begin, const std::int32_t* end, const Visit& visit)
{
  const double x = arrays.position[4 * std::int64_t{ i }];
  const double y = arrays.position[4 * std::int64_t{ i } + 1];
  const double z = arrays.position[4 * std::int64_t{ i } + 2];
  for (const std::int32_t* next = begin; next < end; next += kLanes)
  {
    const Vectors from = gather(arrays.position, next);
    const Vectors to{ x - from.x, y - from.y, z - from.z };
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
  arrays.position = particles.packed.data();
  for (std::size_t axis = 0; axis < 3 && force != nullptr; ++axis)
  {
    arrays.force[axis] = (*force)[axis].data();
  }
  return arrays;
}

/// Also the spare place.
void pack_positions(Particles& particles, examples::Parallel& parallel)
{
  particles.packed.resize(static_cast<std::size_t>(4 * (particles.spare() + 1)));
  parallel.for_each(particles.spare() + 1, 1 << 13,
      [&](std::int64_t begin, std::int64_t end)
      {
        double* const to = particles.packed.data();
        for (std::int64_t i = begin; i < end; ++i)
        {
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            to[4 * i + static_cast<std::int64_t>(axis)] = particles.position[axis][static_cast<std::size_t>(i)];
          }
        }
      });
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

void find_forces(
    Particles& particles, const NeighbourList& list, const Potential& potential, examples::Parallel& parallel)
{
  pack_positions(particles, parallel);
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
    const Particles& particles, const NeighbourList& list, const Potential& potential, examples::Parallel& parallel)
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
