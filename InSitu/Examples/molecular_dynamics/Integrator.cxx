// SPDX-License-Identifier: BSD-3-Clause
#include "Integrator.h"

#include <algorithm>

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kBlock = 1024; ///< particles whose values stay in the first cache
constexpr std::int64_t kGrain = 8;    ///< blocks

std::int64_t blocks_of(const Particles& particles)
{
  return (particles.count + kBlock - 1) / kBlock;
}

/// Velocities and positions along one axis, for `count` particles. Adds the squares of distances along it.
void move_along(std::int64_t count, double step, double* velocity, double* position, const double* force,
    const double* listed, double* squares)
{
  for (std::int64_t i = 0; i < count; ++i)
  {
    velocity[i] += 0.5 * step * force[i];
    position[i] += step * velocity[i];
    const double moved = position[i] - listed[i];
    squares[i] += moved * moved;
  }
}

Motion move_block(Particles& particles, double step, double limit, std::int64_t block)
{
  const std::int64_t begin = block * kBlock;
  const std::int64_t count = std::min(kBlock, particles.count - begin);
  std::array<double, kBlock> squares{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    move_along(count, step, particles.velocity[axis].data() + begin, particles.position[axis].data() + begin,
        particles.force[axis].data() + begin, particles.listed[axis].data() + begin, squares.data());
  }
  Motion motion;
  for (std::int64_t i = 0; i < count; ++i)
  {
    const double square = squares[static_cast<std::size_t>(i)];
    motion.lost |= !(square <= limit * limit);
    motion.farthest = square > motion.farthest ? square : motion.farthest;
  }
  return motion;
}

Motion worse(const Motion& left, const Motion& right)
{
  return { std::max(left.farthest, right.farthest), left.lost || right.lost };
}

} // namespace

Motion kick_and_drift(Particles& particles, double step, double limit, examples::Parallel& parallel)
{
  return parallel.reduce(
      blocks_of(particles), kGrain, Motion{},
      [&](std::int64_t begin, std::int64_t end)
      {
        Motion all;
        for (std::int64_t block = begin; block < end; ++block)
        {
          all = worse(all, move_block(particles, step, limit, block));
        }
        return all;
      },
      worse);
}

void kick(Particles& particles, double step, examples::Parallel& parallel)
{
  parallel.for_each(particles.count, kGrain * kBlock,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          double* const velocity = particles.velocity[axis].data();
          const double* const force = particles.force[axis].data();
          for (std::int64_t i = begin; i < end; ++i)
          {
            velocity[i] += 0.5 * step * force[i];
          }
        }
      });
}

FixedSum kinetic_energy(const Particles& particles, examples::Parallel& parallel)
{
  return parallel.reduce(
      particles.count, kGrain * kBlock, FixedSum{},
      [&](std::int64_t begin, std::int64_t end)
      {
        FixedSum sum;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        {
          double square = 0;
          for (const std::vector<double>& velocity : particles.velocity)
          {
            square += velocity[i] * velocity[i];
          }
          sum.add(0.5 * square);
        }
        return sum;
      },
      [](FixedSum left, const FixedSum& right) { return left += right; });
}

} // namespace molecular_dynamics
