// SPDX-License-Identifier: BSD-3-Clause
#include "Start.h"

#include "FixedSum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace molecular_dynamics
{

namespace
{

/// Ids of the four particles of a lattice cell, and their places in it. They keep away from the sides of cells.
constexpr std::array<Vec3, 4> kBasis{ Vec3{ 0.25, 0.25, 0.25 }, Vec3{ 0.75, 0.75, 0.25 }, Vec3{ 0.75, 0.25, 0.75 },
  Vec3{ 0.25, 0.75, 0.75 } };

/// Four random words for each counter. Philox4x32-10: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers:
/// as easy as 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox(std::uint64_t counter, std::uint64_t stream, std::uint64_t seed)
{
  const auto low = [](std::uint64_t value)
  {
    return static_cast<std::uint32_t>(value);
  };
  const auto high = [](std::uint64_t value)
  {
    return static_cast<std::uint32_t>(value >> 32);
  };
  std::array<std::uint32_t, 4> words{ low(counter), high(counter), low(stream), high(stream) };
  std::array<std::uint32_t, 2> key{ low(seed), high(seed) };
  for (int round = 0; round < 10; ++round)
  {
    const std::uint64_t first = std::uint64_t{ 0xD2511F53 } * words[0];
    const std::uint64_t second = std::uint64_t{ 0xCD9E8D57 } * words[2];
    words = { high(second) ^ words[1] ^ key[0], low(second), high(first) ^ words[3] ^ key[1], low(first) };
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return words;
}

/// Two numbers of the normal distribution, by the method of G. Box and M. Muller.
std::array<double, 2> normal_pair(std::uint64_t counter, std::uint64_t stream, std::uint64_t seed)
{
  const auto words = philox(counter, stream, seed);
  const auto uniform = [](std::uint32_t high, std::uint32_t low) // in (0, 1]
  {
    return (static_cast<double>((std::uint64_t{ high } << 21) ^ (low >> 11)) + 1) * 0x1p-53;
  };
  const double radius = std::sqrt(-2 * std::log(uniform(words[0], words[1])));
  const double angle = 2 * std::numbers::pi * uniform(words[2], words[3]);
  return { radius * std::cos(angle), radius * std::sin(angle) };
}

Vec3 random_velocity(std::int64_t id, std::uint64_t seed)
{
  const auto counter = static_cast<std::uint64_t>(id);
  const auto [x, y] = normal_pair(counter, 0, seed);
  return { x, y, normal_pair(counter, 1, seed)[0] };
}

/// Lattice cells that may have particles in the rank's part.
std::array<std::int32_t, 2> lattice_range(const Domain& domain, std::size_t axis, double spacing, std::int32_t size)
{
  const double side = domain.length()[axis] / domain.cells()[axis];
  const auto first = static_cast<std::int32_t>(domain.begin()[axis] * side / spacing) - 1;
  const auto last = static_cast<std::int32_t>((domain.begin()[axis] + domain.own()[axis]) * side / spacing) + 1;
  return { std::max(first, 0), std::min(last + 1, size) };
}

bool is_own(const Domain& domain, const Vec3& position)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t cell = domain.cell(axis, position[axis]) - domain.begin()[axis];
    if (cell < 0 || cell >= domain.own()[axis])
    {
      return false;
    }
  }
  return true;
}

/// Calls visit(id, position) for each particle of the rank.
template <class Visit>
void for_each_site(const StartOptions& options, const Domain& domain, const Visit& visit)
{
  const double spacing = box_length(options)[0] / options.size[0];
  const auto [x_begin, x_end] = lattice_range(domain, 0, spacing, options.size[0]);
  const auto [y_begin, y_end] = lattice_range(domain, 1, spacing, options.size[1]);
  const auto [z_begin, z_end] = lattice_range(domain, 2, spacing, options.size[2]);
  const std::int64_t cells = std::int64_t{ x_end - x_begin } * (y_end - y_begin) * (z_end - z_begin);
  for (std::int64_t number = 0; number < cells; ++number)
  {
    const std::int64_t x = x_begin + number % (x_end - x_begin);
    const std::int64_t y = y_begin + number / (x_end - x_begin) % (y_end - y_begin);
    const std::int64_t z = z_begin + number / (x_end - x_begin) / (y_end - y_begin);
    const std::int64_t cell = (z * options.size[1] + y) * options.size[0] + x;
    for (std::size_t site = 0; site < kBasis.size(); ++site)
    {
      const Vec3 position{ (static_cast<double>(x) + kBasis[site][0]) * spacing,
        (static_cast<double>(y) + kBasis[site][1]) * spacing, (static_cast<double>(z) + kBasis[site][2]) * spacing };
      if (is_own(domain, position))
      {
        visit(4 * cell + static_cast<std::int64_t>(site), position);
      }
    }
  }
}

double mean_over_ranks(const std::vector<double>& values, bool of_squares, const Domain& domain, double total)
{
  FixedSum sum;
  for (const double value : values)
  {
    sum.add(of_squares ? value * value : value);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum.units, 1, MPI_INT64_T, MPI_SUM, domain.comm());
  return sum.value() / total;
}

void set_momentum_and_temperature(Particles& particles, const StartOptions& options, const Domain& domain)
{
  const auto total = static_cast<double>(number_of_particles(options));
  double square = 0;
  for (std::vector<double>& velocity : particles.velocity)
  {
    const double mean = mean_over_ranks(velocity, false, domain, total);
    for (double& value : velocity)
    {
      value -= mean;
    }
    square += mean_over_ranks(velocity, true, domain, total);
  }
  // The momentum is fixed, which leaves three degrees of freedom fewer.
  const double scale = std::sqrt(options.temperature * 3 * (total - 1) / total / square);
  for (std::vector<double>& velocity : particles.velocity)
  {
    for (double& value : velocity)
    {
      value *= scale;
    }
  }
}

} // namespace

std::int64_t number_of_particles(const StartOptions& options)
{
  return std::int64_t{ 4 } * options.size[0] * options.size[1] * options.size[2];
}

Vec3 box_length(const StartOptions& options)
{
  const double spacing = std::cbrt(4 / options.density);
  return { spacing * options.size[0], spacing * options.size[1], spacing * options.size[2] };
}

Particles start(const StartOptions& options, const Domain& domain)
{
  std::int64_t count = 0;
  for_each_site(options, domain, [&](std::int64_t, const Vec3&) { ++count; });
  Particles particles;
  particles.resize(count);
  std::size_t next = 0;
  for_each_site(options, domain,
      [&](std::int64_t id, const Vec3& position)
      {
        const Vec3 velocity = random_velocity(id, options.seed);
        particles.id[next] = id;
        particles.type[next] = 2 * position[0] < domain.length()[0] ? 0 : 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          particles.position[axis][next] = position[axis];
          particles.velocity[axis][next] = velocity[axis];
        }
        ++next;
      });
  set_momentum_and_temperature(particles, options, domain);
  return particles;
}

} // namespace molecular_dynamics
