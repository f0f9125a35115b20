// SPDX-License-Identifier: BSD-3-Clause
#include "Support/ExactPaths.h"

#include <cmath>
#include <numbers>

namespace rivulet::test
{

using std::numbers::pi;

Vec3 uniform_path(const Vec3& seed, double time, const Vec3& velocity)
{
  return { seed[0] + time * velocity[0], seed[1] + time * velocity[1], seed[2] + time * velocity[2] };
}

Vec3 rotation_path(const Vec3& seed, double time, double rate, double axial)
{
  const double c = std::cos(rate * time);
  const double s = std::sin(rate * time);
  return { c * seed[0] - s * seed[1], s * seed[0] + c * seed[1], seed[2] + axial * time };
}

double rotation_length(const Vec3& seed, double time, double rate, double axial)
{
  return std::abs(time) * std::hypot(rate * std::hypot(seed[0], seed[1]), axial);
}

Vec3 shear_path(const Vec3& seed, double time, double rate)
{
  return { seed[0] + time * rate * seed[1], seed[1], seed[2] };
}

Vec3 saddle_path(const Vec3& seed, double time, double rate)
{
  return { seed[0] * std::exp(rate * time), seed[1] * std::exp(-rate * time), seed[2] };
}

Vec3 rankine_path(const Vec3& seed, double time, double circulation, double core, double axial)
{
  const double radius = std::max(core, std::hypot(seed[0], seed[1]));
  return rotation_path(seed, time, circulation / (2 * pi * radius * radius), axial);
}

double taylor_green_stream_function(const Vec3& at, double amplitude)
{
  return amplitude * std::sin(at[0]) * std::sin(at[1]);
}

double double_gyre_stream_function(const Vec3& at, double time, double amplitude, double epsilon, double frequency)
{
  const double swing = epsilon * std::sin(frequency * time);
  const double f = swing * at[0] * at[0] + (1 - 2 * swing) * at[0];
  return amplitude * std::sin(pi * f) * std::sin(pi * at[1]);
}

} // namespace rivulet::test
