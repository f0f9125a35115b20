// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Numbers with their derivatives along the three axes. A formula on such numbers gives its exact gradient.
///
///     Dual x = Dual::variable(2.0, 0);  (x * x).slope[0] == 4.0
///
/// Forward-mode automatic differentiation: A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008,
/// ch. 3.
#pragma once

#include <array>
#include <cmath>

namespace rivulet
{

struct Dual
{
  double value = 0;
  std::array<double, 3> slope{ 0, 0, 0 };

  Dual() = default;
  Dual(double constant) // implicit, because formulas mix constants and variables
    : value(constant)
  {
  }
  Dual(double of, const std::array<double, 3>& with_slope)
    : value(of)
    , slope(with_slope)
  {
  }

  [[nodiscard]] static Dual variable(double value, int axis)
  {
    Dual result(value);
    result.slope[static_cast<std::size_t>(axis)] = 1.0;
    return result;
  }
};

/// f(x) with derivative df at x.
[[nodiscard]] inline Dual chain(const Dual& x, double f, double df)
{
  return { f, { df * x.slope[0], df * x.slope[1], df * x.slope[2] } };
}

/// f(a, b) with partial derivatives fa and fb.
[[nodiscard]] inline Dual chain(const Dual& a, const Dual& b, double f, double fa, double fb)
{
  return { f,
    { fa * a.slope[0] + fb * b.slope[0], fa * a.slope[1] + fb * b.slope[1], fa * a.slope[2] + fb * b.slope[2] } };
}

inline Dual operator+(const Dual& a, const Dual& b)
{
  return chain(a, b, a.value + b.value, 1.0, 1.0);
}
inline Dual operator-(const Dual& a, const Dual& b)
{
  return chain(a, b, a.value - b.value, 1.0, -1.0);
}
inline Dual operator-(const Dual& a)
{
  return chain(a, -a.value, -1.0);
}
inline Dual operator*(const Dual& a, const Dual& b)
{
  return chain(a, b, a.value * b.value, b.value, a.value);
}
inline Dual operator/(const Dual& a, const Dual& b)
{
  const double quotient = a.value / b.value;
  return chain(a, b, quotient, 1.0 / b.value, -quotient / b.value);
}
inline bool operator<(const Dual& a, const Dual& b)
{
  return a.value < b.value;
}

inline Dual sin(const Dual& x)
{
  return chain(x, std::sin(x.value), std::cos(x.value));
}
inline Dual cos(const Dual& x)
{
  return chain(x, std::cos(x.value), -std::sin(x.value));
}
inline Dual exp(const Dual& x)
{
  const double f = std::exp(x.value);
  return chain(x, f, f);
}
inline Dual tanh(const Dual& x)
{
  const double f = std::tanh(x.value);
  return chain(x, f, 1.0 - f * f);
}

} // namespace rivulet
