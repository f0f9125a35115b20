// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sums that do not depend on their order, so that they are the same for any number of threads and ranks. Each term is
/// rounded to a multiple of 2^-28; integers are added.
///
///     FixedSum sum;
///     sum.add(0.5);
///     sum.value(); // 0.5
///
/// The rounding error of a mean is below 2^-29. Terms beyond 2^20, or that are no numbers, make the sum no number. With
/// terms of about 10, as energies of particles are, 3 10^9 of them fit.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace molecular_dynamics
{

struct FixedSum
{
  static constexpr double kUnit = 1.0 / (1 << 28);
  static constexpr double kLargest = 1 << 20;

  std::int64_t units = 0;
  std::int64_t lost = 0; ///< terms that do not fit

  void add(double term)
  {
    const bool fits = std::abs(term) <= kLargest;
    units += fits ? std::llrint(term / kUnit) : 0;
    lost += fits ? 0 : 1;
  }

  FixedSum& operator+=(const FixedSum& other)
  {
    units += other.units;
    lost += other.lost;
    return *this;
  }

  [[nodiscard]] double value() const
  {
    return lost == 0 ? static_cast<double>(units) * kUnit : std::numeric_limits<double>::quiet_NaN();
  }
};

} // namespace molecular_dynamics
