// SPDX-License-Identifier: BSD-3-Clause
#include "Migration.h"

#include <algorithm>

namespace molecular_dynamics
{

namespace
{

constexpr std::int64_t kPiece = 1 << 15;

struct Traveller
{
  std::int64_t id;
  std::int64_t type;
  Vec3 position, velocity;
};

using Travellers = std::vector<Traveller>;

/// The side through which a particle leaves: 0, 1, or -1 where it stays.
int exit_side(const Domain& domain, std::size_t axis, double position)
{
  const std::int32_t cell = domain.cell(axis, position) - domain.begin()[axis];
  return cell < 0 ? 0 : (cell < domain.own()[axis] ? -1 : 1);
}

/// Wraps positions on axes where the rank is alone. Lists the particles that leave along the others.
std::vector<std::int32_t> wrap_and_list(
    Particles& particles, const Domain& domain, std::int64_t begin, std::int64_t end)
{
  std::vector<std::int32_t> leaving;
  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
  {
    bool leaves = false;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      double& position = particles.position[axis][i];
      if (domain.alone(axis))
      {
        position = domain.wrapped(axis, position);
      }
      else
      {
        leaves = leaves || exit_side(domain, axis, position) >= 0;
      }
    }
    if (leaves)
    {
      leaving.push_back(static_cast<std::int32_t>(i));
    }
  }
  return leaving;
}

Travellers take_leaving(Particles& particles, const Domain& domain, examples::Parallel& parallel)
{
  const std::int64_t pieces = (particles.count + kPiece - 1) / kPiece;
  std::vector<std::vector<std::int32_t>> leaving(static_cast<std::size_t>(pieces));
  parallel.for_each(pieces, 1,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t piece = begin; piece < end; ++piece)
        {
          leaving[static_cast<std::size_t>(piece)] =
              wrap_and_list(particles, domain, piece * kPiece, std::min((piece + 1) * kPiece, particles.count));
        }
      });
  Travellers taken;
  std::int64_t left = particles.count;
  // From the end, so that the last particle, which fills the gap, stays itself.
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 does not know std::views::reverse
  for (auto piece = leaving.rbegin(); piece != leaving.rend(); ++piece)
  {
    for (auto next = piece->rbegin(); next != piece->rend(); ++next)
    {
      const auto i = static_cast<std::size_t>(*next);
      const auto last = static_cast<std::size_t>(--left);
      Traveller& traveller = taken.emplace_back(Traveller{ particles.id[i], particles.type[i], {}, {} });
      particles.id[i] = particles.id[last];
      particles.type[i] = particles.type[last];
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        traveller.position[axis] = particles.position[axis][i];
        traveller.velocity[axis] = particles.velocity[axis][i];
        particles.position[axis][i] = particles.position[axis][last];
        particles.velocity[axis][i] = particles.velocity[axis][last];
      }
    }
  }
  particles.resize(left);
  return taken;
}

/// Sends `leaving` through one side, and appends the particles that come in through the other side to `travellers`.
void pass(const Travellers& leaving, const Domain& domain, std::size_t axis, std::size_t side, Travellers& travellers)
{
  const int to = domain.neighbour(axis, side);
  const int from = domain.neighbour(axis, 1 - side);
  const int tag = static_cast<int>(side);
  std::int64_t sent = static_cast<std::int64_t>(leaving.size() * sizeof(Traveller));
  std::int64_t received = 0;
  MPI_Sendrecv(&sent, 1, MPI_INT64_T, to, tag, &received, 1, MPI_INT64_T, from, tag, domain.comm(), MPI_STATUS_IGNORE);
  const std::size_t before = travellers.size();
  travellers.resize(before + static_cast<std::size_t>(received) / sizeof(Traveller));
  MPI_Sendrecv(leaving.data(), static_cast<int>(sent), MPI_BYTE, to, tag, travellers.data() + before,
      static_cast<int>(received), MPI_BYTE, from, tag, domain.comm(), MPI_STATUS_IGNORE);
}

void travel(Travellers& travellers, const Domain& domain, std::size_t axis)
{
  std::array<Travellers, 2> leaving;
  Travellers staying;
  for (Traveller& traveller : travellers)
  {
    const int side = exit_side(domain, axis, traveller.position[axis]);
    traveller.position[axis] = domain.wrapped(axis, traveller.position[axis]);
    (side < 0 ? staying : leaving[static_cast<std::size_t>(side)]).push_back(traveller);
  }
  for (std::size_t side = 0; side < 2; ++side)
  {
    pass(leaving[side], domain, axis, side, staying);
  }
  travellers.swap(staying);
}

void append(Particles& particles, const Travellers& travellers)
{
  auto next = static_cast<std::size_t>(particles.count);
  particles.resize(particles.count + static_cast<std::int64_t>(travellers.size()));
  for (const Traveller& traveller : travellers)
  {
    particles.id[next] = traveller.id;
    particles.type[next] = static_cast<std::int32_t>(traveller.type);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      particles.position[axis][next] = traveller.position[axis];
      particles.velocity[axis][next] = traveller.velocity[axis];
    }
    ++next;
  }
}

} // namespace

std::int64_t migrate(Particles& particles, const Domain& domain, examples::Parallel& parallel)
{
  Travellers travellers = take_leaving(particles, domain, parallel);
  const auto left = static_cast<std::int64_t>(travellers.size());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!domain.alone(axis))
    {
      travel(travellers, domain, axis);
    }
  }
  append(particles, travellers);
  return left;
}

} // namespace molecular_dynamics
