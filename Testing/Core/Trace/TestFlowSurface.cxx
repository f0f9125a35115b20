// SPDX-License-Identifier: BSD-3-Clause
// Streak, time and stream surfaces against closed forms.
#include "Core/Trace/SurfaceFlow.h"
#include "Store/Derived/StepBricks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace rivulet::test
{
namespace
{

/// Of a surface without holes, whatever its border.
void expect_sheet(const FlowSurface& surface)
{
  const SurfaceShape shape = shape_of(surface.triangles);
  EXPECT_EQ(shape.euler, 1);
  EXPECT_EQ(shape.overcrowded, 0);
  EXPECT_GT(shape.border, 0);
  EXPECT_EQ(surface.statistics.lost, 0);
}

// Particles released at t0 are at x = T^2 / 4 - t0^2 / 4, with the speed t / 2.
TEST(FlowSurface, StreaksOfAUniformFlowMakeAPlane)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0, 0.7, 2 }, along_x([](double t) { return 0.5 * t; }));
  const SeedCurve curve = straight_curve({ -1, -1, 0.25 }, { -1, 1, 0.25 }, 5);
  const FlowSurface surface = surface_of(flow, streak({ curve }, { .interval = 0.3 }), 2.0, edges_up_to(0.2));
  expect_sheet(surface);
  EXPECT_NEAR(area(surface), 2.0, 1e-9);
  EXPECT_LE(longest_edge(surface.points, surface.triangles), 0.2);
  for (std::size_t i = 0; i < surface.points.size(); ++i)
  {
    const double t0 = surface.release_times[i];
    ASSERT_NEAR(surface.points[i][0], -1 + 1.0 - 0.25 * t0 * t0, 1e-9) << i;
    ASSERT_NEAR(surface.points[i][1], -1 + surface.curve_lengths[i], 1e-12) << i;
    ASSERT_EQ(surface.points[i][2], 0.25) << i;
    ASSERT_NEAR(std::fabs(surface.normals[i][2]), 1.0, 1e-12) << i;
    ASSERT_NEAR(surface.age(i), 2.0 - t0, 1e-15) << i;
    ASSERT_NEAR(surface.texture[i][0], 0.5 * surface.curve_lengths[i], 1e-15) << i;
    ASSERT_NEAR(surface.texture[i][1], 0.5 * t0, 1e-15) << i;
  }
}

// Multiples of an interval are not exact.
TEST(FlowSurface, RowsThatDifferByRoundingAreOne)
{
  FlowInTime flow(cube_grid(5, 4.0), { 0, 0.7, 2.5 }, along_x([](double) { return 1.0; }));
  const SeedCurve curve = straight_curve({ -1, -1, 0.25 }, { -1, 1, 0.25 }, 5);
  const auto check = [&](double time, double interval)
  {
    const FlowSurface surface = surface_of(flow, streak({ curve }, { .interval = interval }), time, edges_up_to(9.0));
    const std::set<double> rows(surface.release_times.begin(), surface.release_times.end());
    EXPECT_EQ(static_cast<double>(rows.size()), std::round(time / interval) + 1) << time << " / " << interval;
    for (const std::array<std::int32_t, 3>& corners : surface.triangles)
    {
      std::array<Vec3, 3> points;
      std::transform(corners.begin(), corners.end(), points.begin(),
          [&](std::int32_t corner) { return surface.points[static_cast<std::size_t>(corner)]; });
      const double across = std::max({ points[0][0], points[1][0], points[2][0] }) -
                            std::min({ points[0][0], points[1][0], points[2][0] });
      ASSERT_GT(across, 1e-6) << time << " / " << interval;
    }
  };
  for (const double interval : { 0.1, 0.3, 0.7, 0.05 })
  {
    for (int rows = 2; rows * interval < 2.4; ++rows)
    {
      check(std::round(rows * interval * 1e6) / 1e6, interval);
    }
  }
  for (const auto& [time, rows] : { std::pair(1.820515906198177, 3), std::pair(1.2, 7), std::pair(2.2, 6) })
  {
    check(time, time / rows);
  }
}

// A radius in a turning flow sweeps a sector. One of its particles is at rest.
TEST(FlowSurface, StreaksOfARotationMakeASector)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 1.5 }, turning(0.8, 0.6));
  const SeedCurve curve = straight_curve({ 0, 0, 0.1 }, { 1, 0, 0.1 }, 3);
  const double exact = 0.5 * (0.8 * 1.5 + 0.3 * 1.5 * 1.5);
  std::array<double, 3> errors{ 0, 0, 0 };
  for (std::size_t i = 0; i < 3; ++i)
  {
    const double length = 0.4 / std::pow(2.0, static_cast<double>(i));
    const FlowSurface surface = surface_of(flow, streak({ curve }, { .interval = 0.5 }), 1.5, edges_up_to(length));
    expect_sheet(surface);
    EXPECT_LE(longest_edge(surface.points, surface.triangles), length);
    errors[i] = exact - area(surface);
    EXPECT_GT(errors[i], 0.0);                         // chords lie inside
    EXPECT_LT(errors[i], exact * length * length / 6); // chords of the given length
  }
  EXPECT_LT(errors[2], 0.2 * errors[0]);
}

// The velocity (c y, 0, w) moves a particle of age a from (0, y, 0) to (c y a, y, w a).
TEST(FlowSurface, AreaOfAShearedSurfaceConverges)
{
  constexpr double kShear = 1.5;
  constexpr double kRise = 0.6;
  constexpr double kTime = 1.0;
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.4, kTime },
      [](const Vec3& x, double) {
        return Vec3{ kShear * x[1], 0.0, kRise };
      });
  double exact = 0.0; // by the midpoint rule
  for (int i = 0; i < 400; ++i)
  {
    for (int j = 0; j < 400; ++j)
    {
      const double y = -1 + (i + 0.5) / 200;
      const double a = kTime * (j + 0.5) / 400;
      exact += std::sqrt(kRise * kRise * (1 + kShear * kShear * a * a) + kShear * kShear * y * y) * (kTime / 400) / 200;
    }
  }
  const SeedCurve curve = straight_curve({ 0, -1, -0.3 }, { 0, 1, -0.3 }, 5);
  std::array<double, 2> errors{ 0, 0 };
  for (std::size_t i = 0; i < 2; ++i)
  {
    const FlowSurface surface =
        surface_of(flow, streak({ curve }, { .interval = 0.5 }), kTime, edges_up_to(i == 0 ? 0.4 : 0.1));
    expect_sheet(surface);
    errors[i] = std::fabs(area(surface) - exact);
  }
  EXPECT_LT(errors[1], 1e-3 * exact);
  EXPECT_LT(errors[1], 0.15 * errors[0]);
}

TEST(FlowSurface, SplitsWhereStretchedAndNotElsewhere)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 1 },
      [](const Vec3& x, double) {
        return Vec3{ x[1] > 0 ? 1.8 * x[1] : 0.1 * x[1], 0.0, 0.1 };
      });
  const SeedCurve curve = straight_curve({ 0, -1, 0 }, { 0, 1, 0 }, 9);
  const FlowSurface surface = surface_of(flow, streak({ curve }, { .interval = 0.25 }), 1.0, edges_up_to(0.3));
  std::array<int, 2> vertices{ 0, 0 };
  for (const Vec3& release : surface.releases)
  {
    ++vertices[release[1] > 0 ? 1 : 0];
  }
  EXPECT_GT(vertices[1], 2 * vertices[0]);
}

// The flow jumps within one layer of cells.
TEST(FlowSurface, TearsAlongStrongShear)
{
  FlowInTime flow(cube_grid(41, 2.0), { 0, 1 },
      [](const Vec3& x, double) {
        return Vec3{ x[1] > 0.02 ? 1.5 : 0.2, 0.0, 0.0 };
      });
  const SeedCurve curve = straight_curve({ -1.5, -0.5, 0 }, { -1.5, 0.5, 0 }, 6);
  SurfaceCriteria criteria = edges_up_to(0.25);
  criteria.most_levels = 2;
  criteria.tear_length = 0.5;
  const FlowSurface torn = surface_of(flow, streak({ curve }, { .interval = 0.25 }), 1.0, criteria);
  EXPECT_GT(torn.statistics.torn, 0);
  EXPECT_LE(longest_edge(torn.points, torn.triangles), 0.5);
  criteria.most_levels = 12;
  const FlowSurface whole = surface_of(flow, streak({ curve }, { .interval = 0.25 }), 1.0, criteria);
  EXPECT_EQ(whole.statistics.torn, 0);
  expect_sheet(whole);
}

// Particles older than 1.5 have left at x = 2.
TEST(FlowSurface, EndsWhereParticlesLeaveTheField)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 2 }, along_x([](double) { return 2.0; }));
  const SeedCurve curve = straight_curve({ -1, -1, 0 }, { -1, 1, 0 }, 5);
  double missing_before = 1.0;
  for (const std::int32_t levels : { 0, 3, 6 })
  {
    SurfaceCriteria criteria = edges_up_to(1.0);
    criteria.boundary_levels = levels;
    const FlowSurface surface = surface_of(
        flow, streak({ curve }, { .interval = 0.37 }), 2.0, criteria, timed_steps(Integrator::RungeKutta4, 1e-3));
    EXPECT_GT(surface.statistics.lost, 0);
    EXPECT_EQ(shape_of(surface.triangles).euler, 1);
    const double missing = 6.0 - area(surface);
    EXPECT_GE(missing, -1e-9);
    EXPECT_LT(missing, 0.5 * missing_before + (levels == 0 ? 2.0 : 0.0)) << levels;
    missing_before = missing;
  }
  EXPECT_LT(missing_before, 0.05);
}

TEST(FlowSurface, IsEmptyBeforeAndAtTheFirstRelease)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0, 1, 2 }, along_x([](double) { return 0.5; }));
  const SeedCurve curve = straight_curve({ 0, -1, 0 }, { 0, 1, 0 }, 3);
  for (const double time : { 0.0, 0.4, 0.5 })
  {
    const FlowSurface surface =
        surface_of(flow, streak({ curve }, { .start = 0.5, .interval = 0.25 }), time, edges_up_to(0.5));
    EXPECT_TRUE(surface.points.empty());
    EXPECT_TRUE(surface.triangles.empty());
    EXPECT_EQ(surface.time, time);
  }
}

TEST(FlowSurface, IsEmptyIfAllParticlesHaveLeft)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0, 1 }, along_x([](double) { return 0.5; }));
  const SeedCurve outside = straight_curve({ 3, -1, 0 }, { 3, 1, 0 }, 3);
  const FlowSurface surface = surface_of(flow, streak({ outside }, { .interval = 0.25 }), 1.0, edges_up_to(0.5));
  EXPECT_TRUE(surface.triangles.empty());
  EXPECT_EQ(surface.statistics.lost, surface.statistics.vertices);
}

TEST(FlowSurface, CurvesAreSheetsOfTheirOwn)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0, 1 }, along_x([](double) { return 0.5; }));
  const std::vector<SeedCurve> curves{ straight_curve({ 0, -1, 0 }, { 0, -0.5, 0 }, 3),
    straight_curve({ 0, 0.5, 0 }, { 0, 1.5, 0 }, 4) };
  const FlowSurface surface = surface_of(flow, streak(curves, { .interval = 0.25 }), 1.0, edges_up_to(0.2));
  EXPECT_EQ(shape_of(surface.triangles).euler, 2);
  EXPECT_NEAR(area(surface), 0.75, 1e-9);
  for (std::size_t i = 0; i < surface.points.size(); ++i)
  {
    const double y = surface.releases[i][1];
    ASSERT_NEAR(surface.texture[i][0], y < 0 ? (y + 1) / 0.5 : y - 0.5, 1e-12);
  }
}

// A ring that rises makes a tube. Its seam is the only border along it, and cannot be seen.
TEST(FlowSurface, AClosedCurveMakesATube)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1 },
      [](const Vec3& x, double t) {
        return Vec3{ 0.4 * x[0] * (1 + t), 0.1 * x[1], 1.0 + 0.3 * x[0] };
      });
  for (const std::int32_t level : { 0, -3 })
  {
    SeedCurve ring;
    for (int i = 0; i <= 16; ++i)
    {
      const double angle = 2 * std::numbers::pi * (i % 16) / 16;
      ring.push_back({ 0.5 * std::cos(angle), 0.5 * std::sin(angle), -0.5 });
    }
    const StreakRelease release{ .interval = 0.25, .base_level = level, .curve_tolerance = level < 0 ? 0.2 : 0.0 };
    const FlowSurface surface = surface_of(flow, streak({ ring }, release), 1.0, edges_up_to(0.12));
    expect_sheet(surface); // cut along the seam
    std::map<Vec3, std::vector<std::size_t>> at;
    for (std::size_t i = 0; i < surface.points.size(); ++i)
    {
      at[surface.points[i]].push_back(i);
    }
    std::size_t on_seam = 0;
    for (const auto& [place, points] : at)
    {
      if (points.size() == 2)
      {
        ++on_seam;
        EXPECT_EQ(surface.texture[points[0]][0], 0.0);
        EXPECT_EQ(surface.texture[points[1]][0], 1.0);
        EXPECT_EQ(surface.texture[points[0]][1], surface.texture[points[1]][1]);
        EXPECT_EQ(surface.normals[points[0]], surface.normals[points[1]]);
      }
    }
    EXPECT_GT(on_seam, 8U);
    std::vector<SurfaceTriangle> welded;
    for (const SurfaceTriangle& triangle : surface.triangles)
    {
      welded.push_back(triangle);
      double least = 1.0;
      double most = 0.0;
      for (std::int32_t& vertex : welded.back())
      {
        least = std::min(least, surface.texture[static_cast<std::size_t>(vertex)][0]);
        most = std::max(most, surface.texture[static_cast<std::size_t>(vertex)][0]);
        vertex = static_cast<std::int32_t>(at.at(corner(surface.points, vertex)).front());
      }
      ASSERT_LT(most - least, 0.5);
    }
    const SurfaceShape shape = shape_of(welded);
    EXPECT_EQ(shape.euler, 0);
    EXPECT_EQ(shape.overcrowded, 0);
    std::int64_t of_ends = 0;
    for (const auto& [edge, count] : edges_of(welded))
    {
      const double t0 = surface.release_times[static_cast<std::size_t>(edge.first)];
      of_ends += count == 1 && (t0 == 0.0 || t0 == 1.0) ? 1 : 0;
    }
    EXPECT_EQ(shape.border, of_ends);
  }
}

TEST(FlowSurface, ADenseSurfaceIsARegularGrid)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 1 }, turning(0.8, 0.6));
  const SeedCurve curve = straight_curve({ 0.5, 0, 0 }, { 1.5, 0, 0 }, 5);
  SurfaceCriteria criteria = edges_up_to(1e-9);
  criteria.adaptive = false;
  const FlowSurface surface = surface_of(flow, streak({ curve }, { .interval = 0.25, .base_level = 2 }), 1.0, criteria);
  EXPECT_EQ(surface.points.size(), 17U * 17U);
  EXPECT_EQ(surface.triangles.size(), 2U * 16U * 16U);
  expect_sheet(surface);
}

// Eight times fewer rows and, where the curve is straight, columns; the same surface.
TEST(FlowSurface, ACoarseBaseIsRefinedWhereItMustBe)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.5, 1 }, along_x([](double) { return 1.0; }));
  SeedCurve bent = straight_curve({ -1, -1, 0 }, { -1, 0, 0 }, 17);
  const SeedCurve rest = straight_curve({ -1, 0, 0 }, { -1, 0, 1 }, 17);
  bent.insert(bent.end(), rest.begin() + 1, rest.end());
  SurfaceCriteria criteria = edges_up_to(2.0);
  criteria.largest_angle = 4.0;
  for (const double time : { 1.0, 0.97 })
  {
    const FlowSurface fine = surface_of(flow, streak({ bent }, { .interval = 1.0 / 32 }), time, criteria);
    const FlowSurface coarse =
        surface_of(flow, streak({ bent }, { .interval = 1.0 / 32, .base_level = -3 }), time, criteria);
    EXPECT_NEAR(area(fine), 2 * time, 1e-9);
    EXPECT_NEAR(area(coarse), 2 * time, 1e-9); // the corner of the curve is kept
    EXPECT_LT(coarse.points.size(), fine.points.size() / 20);
    expect_sheet(coarse);
    criteria.largest_edge = 0.05;
    const FlowSurface refined =
        surface_of(flow, streak({ bent }, { .interval = 1.0 / 32, .base_level = -3 }), time, criteria);
    EXPECT_LE(longest_edge(refined.points, refined.triangles), 0.05);
    expect_sheet(refined);
    criteria.largest_edge = 2.0;
  }
}

TEST(FlowSurface, KeepsWithinTheMostVertices)
{
  FlowInTime flow(cube_grid(5, 2.0), { 0, 1 }, along_x([](double) { return 1.0; }));
  SurfaceCriteria criteria = edges_up_to(0.01);
  criteria.most_vertices = 300;
  const FlowSurface surface =
      surface_of(flow, streak({ straight_curve({ 0, -1, 0 }, { 0, 1, 0 }, 5) }, { .interval = 0.25 }), 1.0, criteria);
  EXPECT_TRUE(surface.statistics.limited);
  EXPECT_EQ(surface.statistics.vertices, 300);
  expect_sheet(surface);
}

/// An icosahedron whose triangles are cut in four a few times, on a sphere.
struct Sphere
{
  std::vector<Vec3> points;
  std::vector<SurfaceTriangle> triangles;

  Sphere(const Vec3& centre, double radius, int cuts)
  {
    const double g = std::numbers::phi;
    points = { { -1, g, 0 }, { 1, g, 0 }, { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g }, { 0, 1, g }, { 0, -1, -g },
      { 0, 1, -g }, { g, 0, -1 }, { g, 0, 1 }, { -g, 0, -1 }, { -g, 0, 1 } };
    triangles = { { 0, 11, 5 }, { 0, 5, 1 }, { 0, 1, 7 }, { 0, 7, 10 }, { 0, 10, 11 }, { 1, 5, 9 }, { 5, 11, 4 },
      { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 }, { 3, 9, 4 }, { 3, 4, 2 }, { 3, 2, 6 }, { 3, 6, 8 }, { 3, 8, 9 },
      { 4, 9, 5 }, { 2, 4, 11 }, { 6, 2, 10 }, { 8, 6, 7 }, { 9, 8, 1 } };
    for (int i = 0; i < cuts; ++i)
    {
      cut();
    }
    for (Vec3& point : points)
    {
      const double length = distance(point, { 0, 0, 0 });
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        point[axis] = centre[axis] + radius * point[axis] / length;
      }
    }
  }

private:
  void cut()
  {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
    const auto middle = [&](std::int32_t a, std::int32_t b)
    {
      const auto [found, added] = middles.try_emplace(std::minmax(a, b), static_cast<std::int32_t>(points.size()));
      if (added)
      {
        const Vec3 p = corner(points, a);
        const Vec3 q = corner(points, b);
        points.push_back({ p[0] + q[0], p[1] + q[1], p[2] + q[2] });
        const double length = distance(points.back(), { 0, 0, 0 }) / distance(p, { 0, 0, 0 });
        std::for_each(points.back().begin(), points.back().end(), [length](double& x) { x /= length; });
      }
      return found->second;
    };
    std::vector<SurfaceTriangle> finer;
    for (const auto& [a, b, c] : triangles)
    {
      const std::int32_t ab = middle(a, b);
      const std::int32_t bc = middle(b, c);
      const std::int32_t ca = middle(c, a);
      finer.insert(finer.end(), { { a, ab, ca }, { ab, b, bc }, { ca, bc, c }, { ab, bc, ca } });
    }
    triangles = finer;
  }
};

/// Stretched along x, squeezed along y, and turned about the z axis, without divergence.
Vec3 kneading(const Vec3& x, double t)
{
  const double rate = 0.6 + 0.3 * t;
  return { rate * x[0] - x[1], x[0] - rate * x[1], 0.2 };
}

TEST(FlowSurface, ATimeSurfaceInIncompressibleFlowKeepsItsVolume)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.6, 1.2 }, kneading);
  const Sphere sphere({ 0.1, -0.1, -0.2 }, 0.5, 3);
  Result<std::unique_ptr<MeshDomain>> domain = MeshDomain::create(sphere.points, sphere.triangles, 0.2);
  ASSERT_TRUE(domain.has_value());
  const double before = volume_inside(sphere.points, sphere.triangles);
  const FlowSurface surface = surface_of(flow, std::move(*domain), 1.2, edges_up_to(0.1));
  EXPECT_EQ(shape_of(surface.triangles), (SurfaceShape{ 2, 0, 0 }));
  EXPECT_GT(surface.points.size(), sphere.points.size());
  EXPECT_GT(area(surface), 1.1 * area(sphere.points, sphere.triangles));
  EXPECT_LE(longest_edge(surface.points, surface.triangles), 0.1);
  EXPECT_NEAR(volume_inside(surface.points, surface.triangles), before, 1e-8 * before); // the flow is linear in place
  for (const double age : { surface.age(0), surface.age(surface.points.size() - 1) })
  {
    EXPECT_DOUBLE_EQ(age, 1.0);
  }
}

TEST(FlowSurface, ATimeSurfaceAtItsReleaseIsItsMesh)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.6, 1.2 }, kneading);
  const Sphere sphere({ 0.1, -0.1, -0.2 }, 0.5, 1);
  for (const double start : { 0.0, 0.3, 0.6, 1.2 })
  {
    const FlowSurface surface = surface_of(
        flow, std::move(*MeshDomain::create(sphere.points, sphere.triangles, start)), start, edges_up_to(0.5));
    EXPECT_EQ(surface.triangles, sphere.triangles);
    for (std::size_t i = 0; i < surface.points.size(); ++i)
    {
      ASSERT_LT(distance(surface.points[i], sphere.points[i]), 1e-14);
    }
  }
}

// A steady field as two steps that are the same one: age is the time along streamlines.
TEST(FlowSurface, StreaksOfASteadyFieldMakeItsStreamSurface)
{
  FlowInMemory flow(cube_grid(9, 2.0), rotation(1.0));
  StepBricks twice({ 0.0, 2.0 }, { flow.field().velocity.source, 0, 0 });
  ASSERT_TRUE(
      twice.hold({ { 0, { flow.field().velocity.source, 0, 0 } }, { 1, { flow.field().velocity.source, 0, 0 } } })
          .has_value());
  TraceField field = flow.field();
  field.velocity = { &twice, 0, 0 };
  const AdvectionContext context = *flow_surface_context(field, {}, timed_steps(Integrator::RungeKutta4, 0.01));
  const SeedCurve curve = straight_curve({ 0.8, 0, -1 }, { 0.8, 0, 1 }, 3);
  const Result<FlowSurface> surface =
      flow_surface(context, streak({ curve }, { .interval = 0.5 }), 2.0, edges_up_to(0.1), { 1, {} });
  ASSERT_TRUE(surface.has_value());
  EXPECT_NEAR(area(*surface), 0.8 * 2.0 * 2.0, 5e-3);
  for (std::size_t i = 0; i < surface->points.size(); ++i)
  {
    ASSERT_NEAR(surface->points[i][0], 0.8 * std::cos(surface->age(i)), 1e-8);
    ASSERT_NEAR(surface->points[i][1], 0.8 * std::sin(surface->age(i)), 1e-8);
  }
}

} // namespace
} // namespace rivulet::test
