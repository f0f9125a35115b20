// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Groups components to vectors by their names, for formats that store names of components only.
///
///     group_components(std::array<std::string, 4>{ "rho", "velx", "vely", "velz" }, 3)   // rho, vel
///
/// Components form a vector if their names differ only in a mark of the axis and each dimension has one. The name of
/// the vector is the name without the mark and its separator (one of `_ - .` or a blank).
///
/// | mark                                              | names                                      | vector        |
/// |---------------------------------------------------|--------------------------------------------|---------------|
/// | x, y, z or X, Y, Z at the end                     | velx, vel_x, momX                          | vel, mom      |
/// | the same at the beginning                         | x_velocity, xVel, xmom, xDarcy velocity    | velocity, ... |
/// | x1, x2, x3 after one letter                       | vx1, Bx1                                   | v, B          |
/// | 1, 2, 3 or 0, 1, 2 after a name known for vectors | vel1, U_0, shift1, Bcc1 (kKnownStems)      | vel, U, ...   |
///
/// Components stay scalars if the name of the vector would be empty or that of another component. Numbered components
/// stay scalars if there are more than three, or if their numbers mix counting from 0 and from 1.
///
/// Any thread may call any function.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

struct NamedComponents
{
  std::string name;                     ///< of the vector or scalar
  std::vector<std::int32_t> components; ///< indices; in the order x, y, z for a vector
};

/// Vectors and scalars in the order of their first components. The names must differ.
[[nodiscard]] std::vector<NamedComponents> group_components(std::span<const std::string> names, int dimensions);

/// Unique names: the second of "rho" and "rho" becomes "rho_2". Appends a message for each renamed component to
/// `notes`.
[[nodiscard]] std::vector<std::string> distinct_names(
    std::span<const std::string> names, std::vector<std::string>& notes);

} // namespace rivulet
