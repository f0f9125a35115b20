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

constexpr FieldDomain kAround{ { -2, -2, -1 }, { 2, 2, 1 } };
constexpr FieldDomain kUnit{ { 0, 0, 0 }, { 1, 1, 1 } };
using std::numbers::pi;

// W. J. M. Rankine, 1858; D. J. Acheson, "Elementary Fluid Dynamics", Oxford 1990, section 1.5: solid rotation inside
// the core, a potential vortex outside. The velocity is continuous, its gradient is not.
struct Rankine
{
  double circulation, core, axial;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double) const
  {
    const S radius2 = at[0] * at[0] + at[1] * at[1];
    const S rate = circulation / (2.0 * pi * (radius2 < S(core * core) ? S(core * core) : radius2));
    return { -(rate * at[1]), rate * at[0], S(axial) };
  }
};

// Similar to R. Crawfis's test field: a funnel that widens with height. Its axis bends and moves. The profiles are
// smooth. Swirl is a Taylor vortex, (r / R) exp((1 - r^2 / R^2) / 2), fastest on the
// funnel's wall r = R; air flows in near the ground and up inside the funnel.
struct Tornado
{
  double swirl, updraft, inflow, wander, frequency;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double time) const
  {
    const S& z = at[2];
    const S x = at[0] - 0.5 - wander * z * sin(frequency * time + 7.0 * z);
    const S y = at[1] - 0.5 - wander * z * cos(0.75 * frequency * time + 4.0 * z);
    const S wall = 0.08 + 0.25 * z * z;
    const S profile = exp(0.5 - 0.5 * ((x * x + y * y) / (wall * wall)));
    const S turn = swirl * profile / wall;
    const S pull = inflow * exp(-6.0 * z);
    return { -(turn * y) - pull * x, turn * x - pull * y, updraft * profile * (0.2 + z) };
  }
};

FieldKind rankine_kind()
{
  return { "rankine", "Rankine vortex about the z axis: a core in solid rotation, a potential vortex around it",
    { real_parameter("circulation", 2 * pi, -1e6, 1e6, "L^2/T", "circulation of the vortex"),
        real_parameter("core", 0.5, 1e-6, 1e6, "L", "radius of the core"),
        real_parameter("axial", 0, -1e6, 1e6, "L/T", "velocity along the axis") } };
}

FieldKind tornado_kind()
{
  return { "tornado", "a funnel of swirling, rising air whose axis bends and wanders with time",
    { real_parameter("swirl", 1, -1e6, 1e6, "L/T", "velocity around the axis at the funnel's wall"),
        real_parameter("updraft", 0.4, -1e6, 1e6, "L/T", "rising velocity at the axis"),
        real_parameter("inflow", 0.3, -1e6, 1e6, "1/T", "inward velocity near the ground, per distance"),
        real_parameter("wander", 0.1, 0, 0.4, "1", "how far the axis strays, per height"),
        real_parameter("frequency", 1, 0, 1e6, "1/T", "angular frequency of the straying") } };
}

} // namespace

std::vector<FieldRecipe> vortex_recipes()
{
  using Values = std::span<const double>;
  return {
    { rankine_kind(),
        [](Values p)
        {
          return formula_field(kAround, true, Rankine{ p[0], p[1], p[2] });
        } },
    { tornado_kind(),
        [](Values p)
        {
          return formula_field(kUnit, p[3] == 0 || p[4] == 0, Tornado{ p[0], p[1], p[2], p[3], p[4] });
        } },
  };
}

} // namespace rivulet
