// SPDX-License-Identifier: BSD-3-Clause
#include "MdSupport.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace md_test
{

std::vector<State> all_states(const Particles& particles, MPI_Comm comm)
{
  std::vector<State> own;
  for (std::size_t i = 0; i < static_cast<std::size_t>(particles.count); ++i)
  {
    State& state = own.emplace_back(State{ particles.id[i], particles.type[i], {}, {} });
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      state.position[axis] = particles.position[axis][i];
      state.velocity[axis] = particles.velocity[axis][i];
    }
  }
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const int bytes = static_cast<int>(own.size() * sizeof(State));
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  MPI_Allgather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm);
  std::vector<int> places{ 0 };
  for (const int size : sizes)
  {
    places.push_back(places.back() + size);
  }
  std::vector<State> all(static_cast<std::size_t>(places.back()) / sizeof(State));
  MPI_Allgatherv(own.data(), bytes, MPI_BYTE, all.data(), sizes.data(), places.data(), MPI_BYTE, comm);
  std::sort(all.begin(), all.end(), [](const State& left, const State& right) { return left.id < right.id; });
  return all;
}

double farthest(const std::vector<State>& left, const std::vector<State>& right, const Vec3& length)
{
  double most = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      most = std::max(most, std::abs(std::remainder(left[i].position[axis] - right[i].position[axis], length[axis])));
    }
  }
  return most;
}

std::vector<Vec3> shaken_lattice(const Int3& sites, double spacing, double shake)
{
  std::mt19937 random(7);
  std::vector<Vec3> positions;
  const auto moved = [&](std::int32_t site, std::int32_t number)
  {
    const double draw = static_cast<double>(random()) / 4294967296.0 - 0.5;
    const double length = number * spacing;
    const double position = (site + 2 * shake * draw) * spacing;
    return position < 0 ? position + length : position;
  };
  for (std::int32_t z = 0; z < sites[2]; ++z)
  {
    for (std::int32_t y = 0; y < sites[1]; ++y)
    {
      for (std::int32_t x = 0; x < sites[0]; ++x)
      {
        positions.push_back({ moved(x, sites[0]), moved(y, sites[1]), moved(z, sites[2]) });
        if ((x + y + z) % 5 == 0)
        {
          positions.back() = { x * spacing, y * spacing, z * spacing };
        }
      }
    }
  }
  return positions;
}

Fluid::Fluid(const std::vector<Vec3>& positions, const Vec3& length, double skin)
  : domain(value_of(Domain::create({ length, kCutoff, kCutoff + skin, { 0, 0, 0 } }, MPI_COMM_SELF)))
  , cells(domain)
{
  particles.resize(static_cast<std::int64_t>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    particles.id[i] = static_cast<std::int64_t>(i);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      particles.position[axis][i] = positions[i][axis];
    }
  }
  cells.sort(particles, domain, parallel);
  halo.build(particles, cells, domain, parallel);
  list.build(particles, cells, kCutoff + skin, parallel);
}

Reference reference_of(const std::vector<Vec3>& positions, const Vec3& length, Cut cut)
{
  // By the formulas of the potential and of its derivative, with roots and powers.
  const auto plain = [](double r)
  {
    return 4 * (std::pow(r, -12) - std::pow(r, -6));
  };
  const auto plain_slope = [](double r)
  {
    return 4 * (-12 * std::pow(r, -13) + 6 * std::pow(r, -7));
  };
  const double end = 2.5;
  const double bend = cut == Cut::Smooth ? -plain_slope(end) / (2 * end) : 0; // of bend r^2
  Reference found;
  found.force.resize(positions.size(), Vec3{ 0, 0, 0 });
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      Vec3 to{};
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        to[axis] = std::remainder(positions[i][axis] - positions[j][axis], length[axis]);
      }
      const double r = std::hypot(to[0], to[1], to[2]);
      if (r >= end)
      {
        continue;
      }
      found.energy += plain(r) - plain(end) + bend * (r * r - end * end);
      const double force = -(plain_slope(r) + 2 * bend * r);
      found.virial += force * r;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        found.force[i][axis] += force * to[axis] / r;
        found.force[j][axis] -= force * to[axis] / r;
      }
    }
  }
  return found;
}

void advance(Simulation& simulation, int steps)
{
  for (int step = 0; step < steps; ++step)
  {
    if (const Result<void> done = simulation.step(); !done)
    {
      std::fprintf(stderr, "%s\n", done.error().c_str());
      std::abort();
    }
  }
}

} // namespace md_test
