// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Types that all files of the simulation share. Errors are values: `if (!result) return tl::unexpected(...)`.
///
/// Units are reduced: lengths in sigma, energies in epsilon, masses in particle masses, so that times are in
/// sigma sqrt(mass / epsilon) and temperatures in epsilon / k.
#pragma once

#include <tl/expected.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace molecular_dynamics
{

using Vec3 = std::array<double, 3>;
using Int3 = std::array<std::int32_t, 3>;

/// A value, or one sentence about the failure.
template <class T>
using Result = tl::expected<T, std::string>;

} // namespace molecular_dynamics
