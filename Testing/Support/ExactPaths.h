// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where a particle of a flow is after some time, in closed form. The flows are those of make_analytic_field(), with
/// the same parameters. For steady flows streamlines are these paths; their arc length is given where it has a closed
/// form.
#pragma once

#include "Base/Box.h"

namespace rivulet::test
{

/// Straight line at constant velocity.
[[nodiscard]] Vec3 uniform_path(const Vec3& seed, double time, const Vec3& velocity);

/// A helix: the solution of x' = -rate y, y' = rate x, z' = axial (E. Coddington, N. Levinson, "Theory of Ordinary
/// Differential Equations", 1955, ch. 3: exp(tA) of a skew matrix is a rotation).
[[nodiscard]] Vec3 rotation_path(const Vec3& seed, double time, double rate, double axial = 0);
/// Arc length of the same helix over `time`.
[[nodiscard]] double rotation_length(const Vec3& seed, double time, double rate, double axial = 0);

/// x' = rate y: y stays.
[[nodiscard]] Vec3 shear_path(const Vec3& seed, double time, double rate);

/// x' = rate x, y' = -rate y: hyperbolas x y = const (G. K. Batchelor, "An Introduction to Fluid Dynamics", 1967,
/// section 2.7).
[[nodiscard]] Vec3 saddle_path(const Vec3& seed, double time, double rate);

/// Circles: every particle keeps its distance r from the axis and turns at circulation / (2 pi max(r, core)^2)
/// (D. J. Acheson, "Elementary Fluid Dynamics", 1990, section 1.5).
[[nodiscard]] Vec3 rankine_path(const Vec3& seed, double time, double circulation, double core, double axial = 0);

/// Constant along every streamline of the steady plane Taylor-Green flow z = 0, and of the double gyre at a fixed time:
/// their stream functions, from the papers that Documentation/analytic-fields.md names.
[[nodiscard]] double taylor_green_stream_function(const Vec3& at, double amplitude = 1);
[[nodiscard]] double double_gyre_stream_function(
    const Vec3& at, double time, double amplitude, double epsilon, double frequency);

} // namespace rivulet::test
