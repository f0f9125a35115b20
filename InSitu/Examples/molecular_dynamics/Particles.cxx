// SPDX-License-Identifier: BSD-3-Clause
#include "Particles.h"

#include "Lanes.h"

#include <algorithm>

namespace molecular_dynamics
{

namespace
{

constexpr double kFarAway = 1e30; ///< its square is still a number

} // namespace

void Particles::resize(std::int64_t own)
{
  count = own;
  ghosts = 0;
  const auto size = static_cast<std::size_t>(own);
  id.resize(size);
  type.resize(size);
  for (Coordinates* const values : { &velocity, &force, &listed })
  {
    for (std::vector<double>& axis : *values)
    {
      axis.resize(size);
    }
  }
  resize_ghosts(0);
}

void Particles::resize_ghosts(std::int64_t number)
{
  ghosts = number;
  for (std::vector<double>& axis : position)
  {
    axis.resize(static_cast<std::size_t>(spare() + kLanes));
    std::fill(axis.begin() + spare(), axis.end(), kFarAway);
  }
}

} // namespace molecular_dynamics
