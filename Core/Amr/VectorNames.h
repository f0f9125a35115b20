// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Vectors among components of which only the names are known.
///
///     group_components(std::array<std::string, 4>{ "rho", "velx", "vely", "velz" }, 3)   // rho, vel
///
/// The rule: components are a vector if their names differ only in a mark of the axis, and there is one for each
/// dimension. The vector has the name without the mark and what separates it (one of `_ - .` or a blank).
///
/// | mark                                              | names                                      | vector        |
/// |---------------------------------------------------|--------------------------------------------|---------------|
/// | x, y, z or X, Y, Z at the end                     | velx, vel_x, momX                          | vel, mom      |
/// | the same at the beginning                         | x_velocity, xVel, xmom, xDarcy velocity    | velocity, ... |
/// | x1, x2, x3 after one letter                       | vx1, Bx1                                   | v, B          |
/// | 1, 2, 3 or 0, 1, 2 after a name known for vectors | vel1, U_0, shift1, Bcc1 (kKnownStems)      | vel, U, ...   |
///
/// All stay scalars if that leaves no name, or one that another component has. So do numbered ones of which there are
/// more than three, or some from both countings.
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

/// In the order of the first component of each. Names must differ.
[[nodiscard]] std::vector<NamedComponents> group_components(std::span<const std::string> names, int dimensions);

/// Names that differ: the second of "rho" and "rho" becomes "rho_2". Appends what was renamed to `notes`.
[[nodiscard]] std::vector<std::string> distinct_names(
    std::span<const std::string> names, std::vector<std::string>& notes);

} // namespace rivulet
