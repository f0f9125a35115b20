// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Vectors among components of which only the names are known.
///
///     group_components(std::array<std::string, 4>{ "rho", "velx", "vely", "velz" }, 3)   // rho, vel
///
/// The rule: components are a vector if their names differ only in a letter x, y, z (or X, Y, Z) at the end, or at the
/// beginning before one of `_ - .` or a blank, and there is one for each dimension. The vector has the name without the
/// letter and what separates it: vel_x, velX, velx, x-vel, x_vel all give vel. All stay scalars if that leaves no name,
/// or one that another component has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

struct NamedComponents
{
  std::string name;
  std::vector<std::int32_t> components; ///< numbers; along x, y, z if there are several
};

/// In the order of the first component of each.
[[nodiscard]] std::vector<NamedComponents> group_components(std::span<const std::string> names, int dimensions);

} // namespace rivulet
