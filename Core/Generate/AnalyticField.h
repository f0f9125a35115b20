// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Velocity fields from formulas, created by name. They serve as test data with known answers and as fields of any
/// size.
///
///     Result<std::unique_ptr<AnalyticField>> field = make_analytic_field("double-gyre", { { "amplitude", 0.2 } });
///     Vec3 u = (*field)->velocity({ 0.5, 0.5, 0.0 }, 1.25);
///
/// Threads: fields are immutable; every function may be called from any number of threads.
/// Units: positions in the field's own length unit L, times in its T, velocities in L/T; parameters name theirs.
/// Documentation/analytic-fields.md gives each formula and its source.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet
{

/// Default box of a field. Fields are defined outside of it, too.
struct FieldDomain
{
  Vec3 lower{ 0, 0, 0 };
  Vec3 upper{ 1, 1, 1 };
};

/// The points of a lattice: all combinations of x, y and z.
struct LatticePoints
{
  std::span<const double> x;
  std::span<const double> y;
  std::span<const double> z;

  [[nodiscard]] std::size_t count() const { return x.size() * y.size() * z.size(); }
};

/// Parameter of a kind of field.
struct FieldParameter
{
  std::string name;
  double standard = 0; ///< default value
  double minimum = 0;
  double maximum = 0;
  std::string unit; ///< in terms of L (length) and T (time); "1" for a plain number
  std::string help; ///< one line
  bool whole = false;
};

struct FieldKind
{
  std::string name;
  std::string help; ///< one line
  std::vector<FieldParameter> parameters;
};

/// Parameter values by name. Missing ones have their default value.
using FieldParameters = std::map<std::string, double, std::less<>>;

class AnalyticField
{
public:
  AnalyticField(const AnalyticField&) = delete;
  AnalyticField& operator=(const AnalyticField&) = delete;
  virtual ~AnalyticField() = default;

  [[nodiscard]] const FieldDomain& domain() const { return domain_; }
  /// Whether the field is constant in time.
  [[nodiscard]] bool steady() const { return steady_; }

  [[nodiscard]] virtual Vec3 velocity(const Vec3& at, double time) const = 0;

  /// The velocity gradient, row-major: entry 3 * i + j is d(velocity i) / d(position j). Exact, without finite
  /// differences.
  [[nodiscard]] virtual Mat3 gradient(const Vec3& at, double time) const = 0;
  [[nodiscard]] Vec3 vorticity(const Vec3& at, double time) const;

  /// Velocities at all points, three scalars each, x fastest. The bits of a point's value do not depend on the other
  /// points of the call. Values agree with velocity() to the rounding of the type.
  virtual void evaluate(const LatticePoints& points, double time, float* out) const = 0;
  virtual void evaluate(const LatticePoints& points, double time, double* out) const = 0;

  /// Whether evaluate() costs much less per point for whole rows along x than for short ones.
  [[nodiscard]] virtual bool prefers_rows() const { return false; }

protected:
  AnalyticField(const FieldDomain& domain, bool steady)
    : domain_(domain)
    , steady_(steady)
  {
  }

private:
  FieldDomain domain_;
  bool steady_;
};

/// All kinds, in alphabetical order.
[[nodiscard]] const std::vector<FieldKind>& analytic_field_kinds();
[[nodiscard]] std::vector<std::string> analytic_field_names();

/// Creates a field. Fails with BadArgument on an unknown name, an unknown parameter, or a value outside its limits. The
/// remedy lists the valid ones.
[[nodiscard]] Result<std::unique_ptr<AnalyticField>> make_analytic_field(
    std::string_view name, const FieldParameters& parameters = {});

} // namespace rivulet
