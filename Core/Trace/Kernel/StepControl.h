// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The length of the next step: vtkRungeKutta45's rule, written as a function from one trial to a verdict.
///
/// Steps are arc lengths and positive here; the direction is the caller's. The powers are our own, built from
/// operations that IEEE 754 rounds correctly, so that every machine takes the same steps.
#pragma once

namespace rivulet
{

/// Bounds of one step, already converted to length.
struct StepBounds
{
  double minimum = 0.0;
  double maximum = 0.0;
};

struct StepVerdict
{
  bool accepted = true;
  double next = 0.0;  ///< accepted: length to try for the next step; else length to try again now
  bool final = false; ///< not accepted: the next trial is taken for any error
};

/// 1 / x^(1/4), x > 0.
[[nodiscard]] double inverse_fourth_root(double x);
/// 1 / x^(1/5), x > 0.
[[nodiscard]] double inverse_fifth_root(double x);

/// Judges a trial of length `length` whose estimated error is `error` (both lengths) against `tolerance`. An error of
/// zero asks for the longest step (vtkRungeKutta45 takes the shortest one then).
[[nodiscard]] StepVerdict judge_step(double length, double error, double tolerance, const StepBounds& bounds);

} // namespace rivulet
