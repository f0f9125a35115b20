// SPDX-License-Identifier: BSD-3-Clause
// Flows that are linear in position. Trilinear interpolation on a grid reproduces them exactly.
#include "Generate/FormulaField.h"

namespace rivulet
{

namespace
{

constexpr FieldDomain kCube{ { -1, -1, -1 }, { 1, 1, 1 } };

struct Uniform
{
  Vec3 u;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>&, double) const
  {
    return { S(u[0]), S(u[1]), S(u[2]) };
  }
};

struct Rotation
{
  double rate, axial;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double) const
  {
    return { -rate * at[1], rate * at[0], S(axial) };
  }
};

struct Shear
{
  double rate;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double) const
  {
    return { rate * at[1], S(0), S(0) };
  }
};

struct Saddle
{
  double rate;
  template <class S>
  std::array<S, 3> operator()(const std::array<S, 3>& at, double) const
  {
    return { rate * at[0], -rate * at[1], S(0) };
  }
};

FieldKind uniform_kind()
{
  return { "uniform", "the same velocity everywhere",
    { real_parameter("u", 1, -1e6, 1e6, "L/T", "velocity along x"),
        real_parameter("v", 0, -1e6, 1e6, "L/T", "velocity along y"),
        real_parameter("w", 0, -1e6, 1e6, "L/T", "velocity along z") } };
}

FieldKind rotation_kind()
{
  return { "rotation", "solid-body rotation about the z axis",
    { real_parameter("rate", 1, -1e6, 1e6, "1/T", "angle per time"),
        real_parameter("axial", 0, -1e6, 1e6, "L/T", "velocity along the axis") } };
}

FieldKind rate_kind(const std::string& name, const std::string& help)
{
  return { name, help, { real_parameter("rate", 1, -1e6, 1e6, "1/T", "strain rate") } };
}

} // namespace

std::vector<FieldRecipe> linear_recipes()
{
  using Values = std::span<const double>;
  return {
    { uniform_kind(),
        [](Values p)
        {
          return formula_field(kCube, true, Uniform{ { p[0], p[1], p[2] } });
        } },
    { rotation_kind(),
        [](Values p)
        {
          return formula_field(kCube, true, Rotation{ p[0], p[1] });
        } },
    { rate_kind("shear", "plane shear: velocity along x, growing with y"),
        [](Values p)
        {
          return formula_field(kCube, true, Shear{ p[0] });
        } },
    { rate_kind("saddle", "plane stagnation flow: out along x, in along y"),
        [](Values p)
        {
          return formula_field(kCube, true, Saddle{ p[0] });
        } },
  };
}

} // namespace rivulet
