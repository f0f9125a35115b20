// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The length of the next step, as functions from one trial to a verdict. For streamlines it is vtkRungeKutta45's rule,
/// which takes the longest step without a look at its error when a trial asks for a longer one; so lines have the bits
/// of the stock filter. For lines in time no step with a larger error than allowed is taken, unless it is the shortest.
///
/// Steps are arc lengths, or in time durations, and positive here; the direction is the caller's. The powers are our
/// own, built from operations that IEEE 754 rounds correctly, so that every machine takes the same steps.
#pragma once

namespace rivulet
{

/// Bounds of one step, already converted to length, or in time to duration.
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

/// The same in time: a step is taken if its error is at most the tolerance, or if it is not above the shortest. Of an
/// accepted step, `next` may be any length, which the bounds of the next step limit.
[[nodiscard]] StepVerdict judge_step_in_time(double length, double error, double tolerance, const StepBounds& bounds);

} // namespace rivulet
