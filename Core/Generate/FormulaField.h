// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// AnalyticField from a formula, and the registry's recipe from a name, parameters and a function that creates the
/// field.
///
/// A formula is a small struct with
///     template <class S> std::array<S, 3> operator()(const std::array<S, 3>& at, double time) const;
/// S is double for values and Dual for gradients.
#pragma once

#include "Generate/AnalyticField.h"
#include "Generate/Dual.h"

#include <utility>

namespace rivulet
{

template <class Formula>
class FormulaField final : public AnalyticField
{
public:
  FormulaField(const FieldDomain& domain, bool steady, Formula formula)
    : AnalyticField(domain, steady)
    , formula_(std::move(formula))
  {
  }

  [[nodiscard]] Vec3 velocity(const Vec3& at, double time) const override { return formula_(at, time); }

  [[nodiscard]] Mat3 gradient(const Vec3& at, double time) const override
  {
    const std::array<Dual, 3> variables{ Dual::variable(at[0], 0), Dual::variable(at[1], 1), Dual::variable(at[2], 2) };
    const std::array<Dual, 3> u = formula_(variables, time);
    return { u[0].slope[0], u[0].slope[1], u[0].slope[2], u[1].slope[0], u[1].slope[1], u[1].slope[2], u[2].slope[0],
      u[2].slope[1], u[2].slope[2] };
  }

  void evaluate(const LatticePoints& points, double time, float* out) const override { fill(points, time, out); }
  void evaluate(const LatticePoints& points, double time, double* out) const override { fill(points, time, out); }

private:
  // The formula is inlined here, so that the compiler hoists terms of y and z out of the loop over x.
  template <class T>
  void fill(const LatticePoints& points, double time, T* out) const
  {
    for (const double z : points.z)
    {
      for (const double y : points.y)
      {
        for (const double x : points.x)
        {
          const Vec3 u = formula_(Vec3{ x, y, z }, time);
          out[0] = static_cast<T>(u[0]);
          out[1] = static_cast<T>(u[1]);
          out[2] = static_cast<T>(u[2]);
          out += 3;
        }
      }
    }
  }

  Formula formula_;
};

using MadeField = Result<std::unique_ptr<AnalyticField>>;

/// One entry of the registry. `make` gets a value for each parameter, in their order and within their limits.
struct FieldRecipe
{
  FieldKind kind;
  MadeField (*make)(std::span<const double> values);
};

template <class Formula>
[[nodiscard]] MadeField formula_field(const FieldDomain& domain, bool steady, Formula formula)
{
  return std::make_unique<FormulaField<Formula>>(domain, steady, std::move(formula));
}

[[nodiscard]] FieldParameter real_parameter(
    std::string name, double standard, double minimum, double maximum, std::string unit, std::string help);
[[nodiscard]] FieldParameter whole_parameter(
    std::string name, double standard, double minimum, double maximum, std::string help);

/// The recipes of each source file.
[[nodiscard]] std::vector<FieldRecipe> linear_recipes();
[[nodiscard]] std::vector<FieldRecipe> periodic_recipes();
[[nodiscard]] std::vector<FieldRecipe> vortex_recipes();
[[nodiscard]] std::vector<FieldRecipe> turbulence_recipes();

} // namespace rivulet
