// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/FormulaField.h"

#include <numbers>

namespace rivulet
{

namespace
{

using std::cos;
using std::exp;
using std::sin;
using std::numbers::pi;

constexpr FieldDomain kPeriod{ { 0, 0, 0 }, { 2 * pi, 2 * pi, 2 * pi } };
constexpr FieldDomain kGyres{ { 0, 0, 0 }, { 2, 1, 1 } };

// T. Dombre et al., "Chaotic streamlines in the ABC flows", J. Fluid Mech. 167, 1986, eq. (1.1).
struct ArnoldBeltramiChildress
{
  double a, b, c;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double) const
  {
    const auto& [x, y, z] = at;
    return { a * sin(z) + c * cos(y), b * sin(x) + a * cos(z), c * sin(y) + b * cos(x) };
  }
};

// G. I. Taylor, A. E. Green, "Mechanism of the production of small eddies from large ones", Proc. R. Soc. A 158, 1937,
// with viscous decay: each component is an eigenfunction of the Laplacian with eigenvalue -3.
struct TaylorGreen
{
  double amplitude, viscosity;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double time) const
  {
    const auto& [x, y, z] = at;
    const double factor = amplitude * exp(-3.0 * viscosity * time);
    return { factor * (sin(x) * cos(y) * cos(z)), -factor * (cos(x) * sin(y) * cos(z)), S(0) };
  }
};

// S. Shadden, F. Lekien, J. Marsden, "Definition and properties of Lagrangian coherent structures", Physica D 212,
// 2005, section 6: stream function A sin(pi f(x, t)) sin(pi y).
struct DoubleGyre
{
  double amplitude, epsilon, frequency;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double time) const
  {
    const double swing = epsilon * sin(frequency * time);
    const S f = swing * at[0] * at[0] + (1.0 - 2.0 * swing) * at[0];
    const S slope = 2.0 * swing * at[0] + (1.0 - 2.0 * swing);
    const double speed = pi * amplitude;
    return { -speed * (sin(pi * f) * cos(pi * at[1])), speed * (cos(pi * f) * sin(pi * at[1]) * slope), S(0) };
  }
};

FieldKind abc_kind()
{
  return { "abc", "Arnold-Beltrami-Childress flow: steady, with chaotic streamlines",
    { real_parameter("a", std::numbers::sqrt3, -1e6, 1e6, "L/T", "amplitude of the part that varies with z"),
        real_parameter("b", std::numbers::sqrt2, -1e6, 1e6, "L/T", "amplitude of the part that varies with x"),
        real_parameter("c", 1, -1e6, 1e6, "L/T", "amplitude of the part that varies with y") } };
}

FieldKind taylor_green_kind()
{
  return { "taylor-green", "Taylor-Green vortices, damped by viscosity",
    { real_parameter("amplitude", 1, -1e6, 1e6, "L/T", "largest velocity at time 0"),
        real_parameter("viscosity", 0, 0, 1e6, "L^2/T", "kinematic viscosity; 0 for a steady field") } };
}

FieldKind double_gyre_kind()
{
  return { "double-gyre", "two gyres whose dividing line swings to and fro; plane, the same for all z",
    { real_parameter("amplitude", 0.1, -1e6, 1e6, "L^2/T", "amplitude of the stream function"),
        real_parameter("epsilon", 0.25, 0, 0.5, "1", "how far the dividing line swings"),
        real_parameter("frequency", pi / 5, 0, 1e6, "1/T", "angular frequency of the swing") } };
}

} // namespace

std::vector<FieldRecipe> periodic_recipes()
{
  using Values = std::span<const double>;
  return {
    { abc_kind(),
        [](Values p)
        {
          return formula_field(kPeriod, true, ArnoldBeltramiChildress{ p[0], p[1], p[2] });
        } },
    { taylor_green_kind(),
        [](Values p)
        {
          return formula_field(kPeriod, p[1] == 0, TaylorGreen{ p[0], p[1] });
        } },
    { double_gyre_kind(),
        [](Values p)
        {
          return formula_field(kGyres, p[1] == 0 || p[2] == 0, DoubleGyre{ p[0], p[1], p[2] });
        } },
  };
}

} // namespace rivulet
