// SPDX-License-Identifier: BSD-3-Clause
// Refinement of the images of a square under maps in closed form.
#include "Core/Trace/SurfaceChecks.h"
#include "Trace/FlowSurface/ShapeSurface.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>

namespace rivulet::test
{
namespace
{

using Map = std::function<SurfacePlace(double s, double t)>;

/// The unit square in cells, refined under a map.
class MappedSquare
{
public:
  MappedSquare(std::int32_t columns, std::int32_t rows, const SurfaceCriteria& criteria, const Map& map)
    : refine_(cells(columns, rows), criteria)
  {
    std::vector<SurfacePlace> places;
    for (std::int32_t i = 0; i < (columns + 1) * (rows + 1); ++i)
    {
      at_.push_back(
          { static_cast<double>(i % (columns + 1)) / columns, static_cast<double>(i / (columns + 1)) / rows, 0 });
      places.push_back(map(at_.back()[0], at_.back()[1]));
    }
    for (auto edges = refine_.next(places); !edges.empty(); edges = refine_.next(places))
    {
      places.clear();
      for (const auto& [a, b] : edges)
      {
        const Vec3& first = corner(at_, a);
        const Vec3& second = corner(at_, b);
        at_.push_back({ 0.5 * (first[0] + second[0]), 0.5 * (first[1] + second[1]), 0 });
        places.push_back(map(at_.back()[0], at_.back()[1]));
      }
      ++rounds_;
    }
    for (const SurfacePlace& place : refine_.places())
    {
      points_.push_back(place.point);
    }
    triangles_ = refine_.triangles();
  }

  [[nodiscard]] const std::vector<Vec3>& domain() const { return at_; }
  [[nodiscard]] const std::vector<Vec3>& points() const { return points_; }
  [[nodiscard]] const std::vector<SurfaceTriangle>& triangles() const { return triangles_; }
  [[nodiscard]] const RefineSurface& refined() const { return refine_; }
  [[nodiscard]] int rounds() const { return rounds_; }

private:
  static std::vector<SurfaceCell> cells(std::int32_t columns, std::int32_t rows)
  {
    std::vector<SurfaceCell> cells;
    for (std::int32_t j = 0; j < rows; ++j)
    {
      for (std::int32_t i = 0; i < columns; ++i)
      {
        const std::int32_t first = j * (columns + 1) + i;
        cells.push_back({ { first, first + 1, first + columns + 2, first + columns + 1 } });
      }
    }
    return cells;
  }

  RefineSurface refine_;
  std::vector<Vec3> at_;
  std::vector<Vec3> points_;
  std::vector<SurfaceTriangle> triangles_;
  int rounds_ = 0;
};

/// Stretched most in one corner.
SurfacePlace swirl(double s, double t)
{
  const double angle = 5.0 * s * t;
  const double radius = 0.2 + s + t * t;
  return { { radius * std::cos(angle), radius * std::sin(angle), std::exp(s * t) }, true };
}

SurfaceCriteria no_longer_than(double length)
{
  SurfaceCriteria criteria;
  criteria.largest_edge = length;
  criteria.largest_angle = 4.0;
  criteria.most_levels = 12;
  return criteria;
}

// A vertex on a neighbour's edge would make edges of one triangle inside the square.
TEST(RefineSurface, CoversTheDomainOnceWithoutGaps)
{
  const MappedSquare square(3, 2, no_longer_than(0.05), swirl);
  EXPECT_GT(square.rounds(), 3);
  EXPECT_GT(square.triangles().size(), 2000U);
  const SurfaceShape shape = shape_of(square.triangles());
  EXPECT_EQ(shape.euler, 1);
  EXPECT_EQ(shape.overcrowded, 0);
  double area = 0.0;
  for (const SurfaceTriangle& triangle : square.triangles())
  {
    const double twice = twice_area(square.domain(), triangle)[2];
    ASSERT_GT(twice, 0.0); // no triangle is turned over
    area += 0.5 * twice;
  }
  EXPECT_NEAR(area, 1.0, 1e-12);
  for (const auto& [edge, count] : edges_of(square.triangles()))
  {
    const Vec3& a = corner(square.domain(), edge.first);
    const Vec3& b = corner(square.domain(), edge.second);
    const bool on_border = (a[0] == b[0] && (a[0] == 0 || a[0] == 1)) || (a[1] == b[1] && (a[1] == 0 || a[1] == 1));
    ASSERT_EQ(count == 1, on_border);
  }
}

TEST(RefineSurface, LeavesNoEdgeLongerThanTheLargest)
{
  for (const double length : { 0.3, 0.1 })
  {
    const MappedSquare square(2, 2, no_longer_than(length), swirl);
    const double longest = longest_edge(square.points(), square.triangles());
    EXPECT_LE(longest, length);
    EXPECT_GT(longest, 0.4 * length);
  }
}

TEST(RefineSurface, IsFineOnlyWhereTheImageIsStretched)
{
  const MappedSquare square(4, 4, no_longer_than(0.3),
      [](double s, double t) {
        return SurfacePlace{ { s < 0.5 ? s : 0.5 + 8 * (s - 0.5), t, 0 }, true };
      });
  std::int64_t left = 0;
  std::int64_t right = 0;
  for (const Vec3& at : square.domain())
  {
    left += at[0] < 0.5 ? 1 : 0;
    right += at[0] > 0.5 ? 1 : 0;
  }
  EXPECT_GT(right, 8 * left);
}

TEST(RefineSurface, SplitsAtFoldsDownToTheLeastEdge)
{
  // A roof: two planes that meet along s = 0.4 at a right angle.
  const Map roof = [](double s, double t)
  {
    return SurfacePlace{ { s, t, -std::fabs(s - 0.4) }, true };
  };
  SurfaceCriteria criteria = no_longer_than(10.0);
  criteria.largest_angle = 0.5;
  criteria.least_edge = 0.05;
  const MappedSquare square(2, 2, criteria, roof);
  double nearest = 1.0;
  double longest_at_fold = 0.0;
  for (const auto& [edge, count] : edges_of(square.triangles()))
  {
    const Vec3& a = corner(square.domain(), edge.first);
    const Vec3& b = corner(square.domain(), edge.second);
    if ((a[0] < 0.4) != (b[0] < 0.4))
    {
      longest_at_fold = std::max(longest_at_fold, distance(a, b));
    }
    nearest = std::min(nearest, distance(a, b));
  }
  EXPECT_LT(longest_at_fold, 0.1);
  EXPECT_GT(nearest, 0.005);
  EXPECT_LT(square.points().size(), 2000U); // far from the fold it is coarse
  EXPECT_EQ(shape_of(square.triangles()).euler, 1);
}

TEST(RefineSurface, DoesNotSplitAPlaneForItsAngle)
{
  SurfaceCriteria criteria = no_longer_than(10.0);
  criteria.largest_angle = 0.01;
  const MappedSquare square(3, 3, criteria,
      [](double s, double t) {
        return SurfacePlace{ { s, 2 * t, s + t }, true };
      });
  EXPECT_EQ(square.triangles().size(), 18U);
}

TEST(RefineSurface, FindsTheBoundaryOfAHole)
{
  const Map with_hole = [](double s, double t)
  {
    return SurfacePlace{ { s, t, 0 }, std::hypot(s - 0.5, t - 0.5) > 0.3 };
  };
  const double exact = 1.0 - std::numbers::pi * 0.09;
  double error_before = 1.0;
  for (const std::int32_t levels : { 0, 2, 4 })
  {
    SurfaceCriteria criteria = no_longer_than(10.0);
    criteria.boundary_levels = levels;
    const MappedSquare square(8, 8, criteria, with_hole);
    const double error = std::fabs(area(square.points(), square.triangles()) - exact);
    EXPECT_LT(error, 0.5 * error_before) << levels;
    error_before = error;
    EXPECT_EQ(shape_of(square.triangles()).euler, 0) << levels;
  }
  EXPECT_LT(error_before, 0.01);
}

TEST(RefineSurface, TearsWhatIsStretchedBeyondTheLevels)
{
  const Map jump = [](double s, double t)
  {
    return SurfacePlace{ { s + (s > 0.3 ? 5.0 : 0.0), t, 0 }, true };
  };
  SurfaceCriteria criteria = no_longer_than(0.3);
  criteria.most_levels = 3;
  criteria.tear_length = 1.0;
  const MappedSquare square(4, 4, criteria, jump);
  EXPECT_GT(square.refined().torn(), 0);
  EXPECT_LE(longest_edge(square.points(), square.triangles()), 0.3);
  EXPECT_EQ(shape_of(square.triangles()).euler, 2); // two pieces
  EXPECT_GT(area(square.points(), square.triangles()), 0.95);
}

TEST(RefineSurface, SplitsTheLongestEdgesFirstWithinTheMostVertices)
{
  SurfaceCriteria criteria = no_longer_than(0.02);
  criteria.most_vertices = 500;
  const MappedSquare square(3, 3, criteria, swirl);
  EXPECT_TRUE(square.refined().limited());
  EXPECT_EQ(square.points().size(), 500U);
  EXPECT_EQ(shape_of(square.triangles()).euler, 1);
  EXPECT_FALSE(MappedSquare(3, 3, no_longer_than(0.3), swirl).refined().limited());
}

TEST(RefineSurface, TriangulatesARegularGridOnceIfItIsNotAdaptive)
{
  SurfaceCriteria criteria = no_longer_than(1e-6);
  criteria.adaptive = false;
  const MappedSquare square(7, 5, criteria, swirl);
  EXPECT_EQ(square.points().size(), 48U);
  EXPECT_EQ(square.triangles().size(), 70U);
}

TEST(RefineSurface, CutsQuadrilateralsAlongTheShorterDiagonal)
{
  const MappedSquare square(1, 1, no_longer_than(10.0),
      [](double s, double t) {
        return SurfacePlace{ { s + t, t, 0 }, true };
      });
  ASSERT_EQ(square.triangles().size(), 2U);
  const auto edges = edges_of(square.triangles());
  EXPECT_TRUE(edges.contains({ 1, 2 })); // from (1, 0) to (1, 1)
}

TEST(RefineSurface, KeepsTheTriangleOfThreeImages)
{
  for (const double lost : { 0.0, 1.0 })
  {
    const MappedSquare square(1, 1, no_longer_than(10.0),
        [lost](double s, double t) {
          return SurfacePlace{ { s, t, 0 }, !(s == lost && t == 0.0) };
        });
    EXPECT_GE(square.triangles().size(), 1U);
    SurfaceCriteria criteria = no_longer_than(10.0);
    criteria.boundary_levels = 0;
    const MappedSquare coarse(1, 1, criteria,
        [lost](double s, double t) {
          return SurfacePlace{ { s, t, 0 }, !(s == lost && t == 0.0) };
        });
    EXPECT_EQ(coarse.triangles().size(), 1U);
  }
}

TEST(RefineSurface, NormalsAreThoseOfTheSurface)
{
  SurfaceCriteria criteria = no_longer_than(0.1);
  const MappedSquare square(6, 6, criteria,
      [](double s, double t)
      {
        const double longitude = 2 * s;
        const double latitude = t - 0.5;
        return SurfacePlace{ { std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude),
                                 std::sin(latitude) },
          true };
      });
  const ShapedSurface shaped = shape_surface(square.refined());
  ASSERT_EQ(shaped.points.size(), square.points().size());
  for (std::size_t i = 0; i < shaped.points.size(); ++i)
  {
    ASSERT_LT(distance(shaped.normals[i], shaped.points[i]), 0.1) << i;
  }
}

} // namespace
} // namespace rivulet::test
