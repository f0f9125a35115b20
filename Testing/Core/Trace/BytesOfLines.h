// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results as bytes, to compare, and the grids that take different ways through the kernel.
#pragma once

#include "Support/AnalyticBricks.h"
#include "Trace/Contract/TracedLines.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <string>

namespace rivulet::test
{

inline const FieldDomain kBox{ { 0, 0, 0 }, { 6.283, 6.283, 6.283 } };

template <class T>
void append(std::string& bytes, const T* values, std::size_t count)
{
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

/// Everything in a result that must be the same, one array after the other.
inline std::string bytes_of(const TracedLines& lines)
{
  std::string bytes;
  append(bytes, lines.points.data(), lines.points.size());
  append(bytes, lines.time.data(), lines.time.size());
  append(bytes, lines.vorticity.data(), lines.vorticity.size());
  append(bytes, lines.rotation.data(), lines.rotation.size());
  append(bytes, lines.angular_velocity.data(), lines.angular_velocity.size());
  for (const AttributeValues& attribute : lines.attributes)
  {
    append(bytes, attribute.values.data(), attribute.values.size());
  }
  for (const TracedLine& line : lines.lines)
  {
    append(bytes, &line.seed, 1);
    append(bytes, &line.reason, 1);
    append(bytes, &line.points, 1);
  }
  for (const SeedFate& fate : lines.seeds)
  {
    append(bytes, &fate, 1);
  }
  for (const LineCrossing& crossing : lines.crossings)
  {
    append(bytes, &crossing.seed, 1);
    append(bytes, &crossing.to_positive, 1);
    append(bytes, crossing.point.data(), 3);
    append(bytes, &crossing.time, 1);
    append(bytes, &crossing.length, 1);
  }
  return bytes;
}

inline Grid flat_grid()
{
  Grid grid = uniform_grid({ 33, 29, 1 }, kBox);
  grid.origin = { -3, -3, 1 };
  grid.spacing[2] = 1.0;
  return grid;
}

inline Grid stretched_grid()
{
  Grid grid = uniform_grid({ 33, 29, 31 }, kBox);
  grid.kind = Grid::Kind::Rectilinear;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const int last = grid.nodes[axis] - 1;
    for (int i = 0; i <= last; ++i)
    {
      const double x = static_cast<double>(i) / last;
      grid.axes[axis].push_back(6.283 * x * (0.6 + 0.4 * x));
    }
  }
  return grid;
}

/// That `trace`, a function to bytes, gives the same ones with every instruction set that this machine has.
template <class Trace>
void expect_same_on_every_target(const char* what, const Trace& trace)
{
  hwy::SetSupportedTargetsForTest(HWY_STATIC_TARGET);
  const std::string expected = trace();
  for (const std::int64_t target : { std::int64_t{ HWY_AVX3 }, std::int64_t{ HWY_AVX2 } })
  {
    hwy::SetSupportedTargetsForTest(0);
    if ((hwy::SupportedTargets() & target) != 0)
    {
      hwy::SetSupportedTargetsForTest(target);
      EXPECT_TRUE(trace() == expected) << hwy::TargetName(target) << ", " << what;
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

} // namespace rivulet::test
