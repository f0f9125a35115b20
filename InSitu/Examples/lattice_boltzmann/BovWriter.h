// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes one array of one time step in VisIt's "brick of values" format: a text header and a raw file. The header is
/// written last, so that its values are complete when it exists.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace lattice_boltzmann
{

struct BovStep
{
  std::string name;     ///< path without ending
  std::string variable; ///< name of the array, as in "velocity"
  std::int32_t components = 1;
  std::array<std::int32_t, 3> size{ 1, 1, 1 }; ///< number of nodes along each axis
  std::array<double, 3> origin{ 0, 0, 0 };
  double spacing = 1;
  double time = 0;
};

/// Calls plane(z, values) for each plane, and writes name.raw (floats in the machine's byte order) and name.bov.
/// Returns an error message, or an empty string.
[[nodiscard]] std::string write_bov(
    const BovStep& step, const std::function<void(std::int32_t, std::span<float>)>& plane);

} // namespace lattice_boltzmann
