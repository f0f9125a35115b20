// SPDX-License-Identifier: BSD-3-Clause
// Regions against closed forms, closed surfaces against boxes and balls, and the seeds inside regions.
#include "Core/Trace/FlowInTime.h"
#include "Trace/Mesh/MakeMesh.h"
#include "Trace/Regions/ClosedSurface.h"
#include "Trace/Regions/SeedSets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>

namespace rivulet::test
{
namespace
{

constexpr std::int64_t kNowhere = -1;

/// Triangles with corners of their own.
struct Soup
{
  std::vector<Vec3> points;
  std::vector<ClosedSurface::Triangle> triangles;

  void add(const Vec3& a, const Vec3& b, const Vec3& c)
  {
    const auto first = static_cast<std::int32_t>(points.size());
    points.insert(points.end(), { a, b, c });
    triangles.push_back({ first, first + 1, first + 2 });
  }
  void add(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
  {
    add(a, b, c);
    add(a, c, d);
  }
};

/// The surface of [-half, half]^3, each face cut into n by n squares.
Soup cube_surface(double half, int n)
{
  Soup soup;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (const double side : { -half, half })
    {
      const auto corner = [&](int i, int j)
      {
        Vec3 point;
        point[axis] = side;
        point[(axis + 1) % 3] = half * (2.0 * i / n - 1.0);
        point[(axis + 2) % 3] = half * (2.0 * j / n - 1.0);
        return point;
      };
      for (int i = 0; i < n; ++i)
      {
        for (int j = 0; j < n; ++j)
        {
          soup.add(corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
        }
      }
    }
  }
  return soup;
}

/// The unit sphere, with needles at its poles.
Soup sphere_surface(int n)
{
  Soup soup;
  const auto at = [n](int i, int j)
  {
    if (i == 0 || i == n)
    {
      return Vec3{ 0, 0, i == 0 ? 1.0 : -1.0 };
    }
    const double theta = std::numbers::pi * i / n;
    const double phi = 2.0 * std::numbers::pi * (j % (2 * n)) / (2 * n);
    return Vec3{ std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta) };
  };
  for (int i = 0; i < n; ++i)
  {
    for (int j = 0; j < 2 * n; ++j)
    {
      soup.add(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return soup;
}

ClosedSurface closed(const Soup& soup)
{
  Result<ClosedSurface> surface = ClosedSurface::create(soup.points, soup.triangles);
  EXPECT_TRUE(surface.has_value()) << (surface ? "" : surface.error().describe());
  return std::move(*surface);
}

Vec3 random_place(std::mt19937& random, double half)
{
  std::uniform_real_distribution<double> along(-half, half);
  return { along(random), along(random), along(random) };
}

TEST(Region, BoxesHoldTheirBordersAndMayBeEmpty)
{
  const Region unit = *box_region({ { 0, 0, 0 }, { 1, 1, 1 } });
  EXPECT_TRUE(unit.contains({ 1, 0, 0.5 }, kNowhere));
  EXPECT_FALSE(unit.contains({ 1, 0, 1.0000001 }, kNowhere));
  const Region empty = *box_region({ { 0, 0, 1 }, { 1, 1, 0 } });
  EXPECT_TRUE(empty.bounds.empty());
  EXPECT_FALSE(empty.contains({ 0.5, 0.5, 0.5 }, kNowhere));
  const Region half = *box_region({ { 0, -WorldBox::kInfinity, -WorldBox::kInfinity } });
  EXPECT_TRUE(half.contains({ 3, -1e300, 1e300 }, kNowhere));
  EXPECT_FALSE(half.contains({ -1e-9, 0, 0 }, kNowhere));
  EXPECT_FALSE(box_region({ { 0, std::nan(""), 0 }, { 1, 1, 1 } }).has_value());
}

TEST(Region, OfAFunctionIsWhereItIsNotPositive)
{
  const Region ball = *function_region([](const Vec3& x) { return std::hypot(x[0], x[1], x[2]) - 1.0; });
  EXPECT_TRUE(ball.contains({ 0, -1, 0 }, kNowhere));
  EXPECT_FALSE(ball.contains({ 0.9, 0.9, 0 }, kNowhere));
  const Region undefined = *function_region([](const Vec3& x) { return std::sqrt(x[0]); });
  EXPECT_FALSE(undefined.contains({ -1, 0, 0 }, kNowhere));
  EXPECT_FALSE(function_region({}).has_value());
}

TEST(ClosedSurface, OfACubeIsTheBox)
{
  const Region box = *box_region({ { -1, -1, -1 }, { 1, 1, 1 } });
  std::mt19937 random(7);
  for (const int n : { 1, 5 })
  {
    const ClosedSurface cube = closed(cube_surface(1.0, n));
    for (int i = 0; i < 3000; ++i)
    {
      const Vec3 place = random_place(random, 1.6);
      ASSERT_EQ(cube.side(place) <= 0.0, box.contains(place, kNowhere))
          << place[0] << ' ' << place[1] << ' ' << place[2];
    }
    EXPECT_EQ(cube.bounds().lower, (Vec3{ -1, -1, -1 }));
    EXPECT_EQ(cube.bounds().upper, (Vec3{ 1, 1, 1 }));
  }
}

// Rays that meet corners and edges, and run along faces.
TEST(ClosedSurface, CornersAndEdgesInTheWayDoNotMatter)
{
  const ClosedSurface cube = closed(cube_surface(1.0, 4));
  for (int j = -3; j <= 3; ++j)
  {
    for (int k = -3; k <= 3; ++k)
    {
      const double y = 0.25 * j;
      const double z = 0.25 * k;
      ASSERT_LT(cube.side({ 0.3, y, z }), 0.0) << y << ' ' << z;
      ASSERT_GT(cube.side({ -1.3, y, z }), 0.0) << y << ' ' << z;
      ASSERT_GT(cube.side({ 1.3, y, z }), 0.0) << y << ' ' << z;
      ASSERT_GT(cube.side({ 0.3, y, z + 3.0 }), 0.0) << y << ' ' << z;
    }
  }
  ASSERT_GT(cube.side({ -1.3, 1.0, 0.25 }), 0.0);
  ASSERT_GT(cube.side({ -1.3, -1.0, 1.0 }), 0.0);
}

TEST(ClosedSurface, OfASphereLiesBetweenTwoBalls)
{
  constexpr int kRows = 40;
  const ClosedSurface sphere = closed(sphere_surface(kRows));
  const double inner = std::pow(std::cos(0.5 * std::numbers::pi / kRows), 2);
  std::mt19937 random(8);
  int inside = 0;
  for (int i = 0; i < 5000; ++i)
  {
    const Vec3 place = random_place(random, 1.1);
    const double radius = std::hypot(place[0], place[1], place[2]);
    if (radius > inner && radius < 1.0)
    {
      continue;
    }
    ASSERT_EQ(sphere.side(place) <= 0.0, radius <= inner) << place[0] << ' ' << place[1] << ' ' << place[2];
    inside += radius <= inner ? 1 : 0;
  }
  EXPECT_GT(inside, 1000);
  // Along the axis through both poles, where all needles meet.
  ASSERT_LT(sphere.side({ 0, 0, 0.5 }), 0.0);
  ASSERT_GT(sphere.side({ -2, 0, 0.5 }), 0.0);
  EXPECT_NEAR(sphere.side({ 0.96, 0.01, 0.01 }), -0.04, 0.01);
}

/// Places on all triangles, at most 1 / n of an edge apart.
std::vector<Vec3> places_on(const Soup& soup, int n)
{
  std::vector<Vec3> places;
  for (const ClosedSurface::Triangle& triangle : soup.triangles)
  {
    for (int i = 0; i <= n; ++i)
    {
      for (int j = 0; i + j <= n; ++j)
      {
        Vec3 place{ 0, 0, 0 };
        const std::array<double, 3> shares{ 1.0 * i / n, 1.0 * j / n, 1.0 * (n - i - j) / n };
        for (std::size_t corner = 0; corner < 3; ++corner)
        {
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            place[axis] += shares[corner] * soup.points[static_cast<std::size_t>(triangle[corner])][axis];
          }
        }
        places.push_back(place);
      }
    }
  }
  return places;
}

TEST(ClosedSurface, HasTheDistanceToTheNearestTriangle)
{
  for (const Soup& soup : { cube_surface(1.0, 3), sphere_surface(12) })
  {
    constexpr int kOfEdge = 16;
    const std::vector<Vec3> on_surface = places_on(soup, kOfEdge);
    const double apart = 1.0 / kOfEdge; // edges are shorter than 1
    const ClosedSurface surface = closed(soup);
    std::mt19937 random(12);
    for (int i = 0; i < 500; ++i)
    {
      const Vec3 place = random_place(random, 0.99);
      double nearest = 2.0 / 32.0; // no distance is more than this share of the bounds
      for (const Vec3& other : on_surface)
      {
        nearest = std::min(nearest, std::hypot(place[0] - other[0], place[1] - other[1], place[2] - other[2]));
      }
      const double distance = std::fabs(surface.side(place));
      ASSERT_LE(distance, nearest + 1e-12);
      ASSERT_GE(distance + apart, nearest);
      const Vec3 close{ place[0] + 1e-3, place[1] - 1e-3, place[2] };
      ASSERT_LE(std::fabs(surface.side(close) - surface.side(place)), std::sqrt(2e-6) + 1e-12);
    }
  }
}

// Rounding decides on which side of an edge the ray goes: the same for both triangles.
TEST(ClosedSurface, RaysDoNotSlipThroughEdges)
{
  constexpr int kRows = 30;
  const Soup soup = sphere_surface(kRows);
  const ClosedSurface sphere = closed(soup);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (const ClosedSurface::Triangle& triangle : soup.triangles)
  {
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      const Vec3& a = soup.points[static_cast<std::size_t>(triangle[corner])];
      const Vec3& b = soup.points[static_cast<std::size_t>(triangle[(corner + 1) % 3])];
      for (const double s : { 0.0, 0.5, share(random), share(random) })
      {
        const double y = a[1] + s * (b[1] - a[1]);
        const double z = a[2] + s * (b[2] - a[2]);
        ASSERT_GT(sphere.side({ -2, y, z }), 0.0) << y << ' ' << z;
        ASSERT_TRUE(std::hypot(y, z) > 0.98 || sphere.side({ 0, y, z }) < 0.0) << y << ' ' << z;
      }
    }
  }
}

TEST(ClosedSurface, ShellsMayBeNestedAndTrianglesTurned)
{
  Soup shell = cube_surface(1.0, 3);
  const Soup hole = cube_surface(0.5, 2);
  for (const ClosedSurface::Triangle& t : hole.triangles)
  {
    shell.add(hole.points[static_cast<std::size_t>(t[0])], hole.points[static_cast<std::size_t>(t[1])],
        hole.points[static_cast<std::size_t>(t[2])]);
  }
  for (std::size_t i = 0; i < shell.triangles.size(); i += 3)
  {
    std::swap(shell.triangles[i][0], shell.triangles[i][1]);
  }
  const ClosedSurface surface = closed(shell);
  std::mt19937 random(9);
  for (int i = 0; i < 2000; ++i)
  {
    const Vec3 place = random_place(random, 1.5);
    const double farthest = std::max({ std::fabs(place[0]), std::fabs(place[1]), std::fabs(place[2]) });
    ASSERT_EQ(surface.side(place) <= 0.0, farthest > 0.5 && farthest < 1.0);
  }
}

TEST(ClosedSurface, RefusesHolesAndBadNumbers)
{
  const auto error_of = [](const Soup& soup)
  {
    const Result<ClosedSurface> surface = ClosedSurface::create(soup.points, soup.triangles);
    EXPECT_FALSE(surface.has_value());
    return surface ? std::string() : surface.error().describe();
  };
  Soup open = cube_surface(1.0, 2);
  open.triangles.pop_back();
  EXPECT_NE(error_of(open).find("not closed: 3 of its edges"), std::string::npos) << error_of(open);
  Soup index = cube_surface(1.0, 1);
  index.triangles[4][1] = 1000;
  EXPECT_NE(error_of(index).find("names point 1000"), std::string::npos);
  Soup infinite = cube_surface(1.0, 1);
  infinite.points[5][2] = WorldBox::kInfinity;
  EXPECT_NE(error_of(infinite).find("not finite"), std::string::npos);
  EXPECT_GT(closed({}).side({ 0, 0, 0 }), 0.0);
}

TEST(Region, OfALabelIsItsCellsOrWhatIsNearestToItsPoints)
{
  const Grid grid = cube_grid(5, 2.0); // cells of edge 1
  FlowInTime flow(grid, { 0, 1 }, turning(1, 0));
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  std::vector<std::int32_t> of_cells(64, 0);
  of_cells[static_cast<std::size_t>(row_major({ 1, 2, 3 }, grid.cells()))] = 9;
  std::vector<std::int32_t> of_points(125, 0);
  of_points[static_cast<std::size_t>(row_major({ 1, 2, 4 }, grid.nodes))] = 9;
  const Region cell = *label_region(grid, of_cells, Centering::Cell, 9);
  const Region point = *label_region(grid, of_points, Centering::Node, 9);
  EXPECT_EQ(cell.bounds.lower, (Vec3{ -1, 0, 1 }));
  EXPECT_EQ(cell.bounds.upper, (Vec3{ 0, 1, 2 }));
  EXPECT_EQ(point.bounds.lower, (Vec3{ -2, -1, 1 }));
  EXPECT_EQ(point.bounds.upper, (Vec3{ 0, 1, 2 }));
  std::mt19937 random(10);
  for (int i = 0; i < 2000; ++i)
  {
    const Vec3 place = random_place(random, 2.0);
    const Mesh::Place found = *mesh->enter(place, {});
    const auto number = [&](Centering centering)
    {
      return mesh->label_number(place, found.at, {}, centering);
    };
    ASSERT_EQ(cell.contains(place, number(Centering::Cell)),
        place[0] >= -1 && place[0] < 0 && place[1] >= 0 && place[1] < 1 && place[2] >= 1 && place[2] < 2);
    ASSERT_EQ(point.contains(place, number(Centering::Node)),
        std::fabs(place[0] + 1) < 0.5 && std::fabs(place[1]) < 0.5 && place[2] > 1.5);
  }
  EXPECT_FALSE(cell.contains({ 9, 9, 9 }, kNowhere));
  EXPECT_TRUE(label_region(grid, of_cells, Centering::Cell, 5)->bounds.empty());
  EXPECT_FALSE(label_region(grid, of_cells, Centering::Node, 9).has_value());
}

std::vector<Vec3> nodes_of(const SeedSet& set)
{
  std::vector<Vec3> nodes;
  if (const auto* lattice = std::get_if<Grid>(&set.places))
  {
    const GridGeometry mesh = *GridGeometry::create(*lattice);
    for (std::int64_t i = 0; i < volume(lattice->nodes); ++i)
    {
      nodes.push_back(mesh.world_of_node(from_row_major(i, lattice->nodes)));
    }
  }
  return nodes;
}

TEST(SeedSets, LatticesFillTheBoundsWithinTheGrid)
{
  const Grid grid = cube_grid(9, 2.0);
  const std::vector<Vec3> nodes = nodes_of(*lattice_seeds({ { 0, 0, 1 }, { 1, 0.5, 9 } }, grid, 0.25));
  EXPECT_EQ(nodes.size(), 4U * 2U * 4U);
  EXPECT_EQ(nodes.front(), (Vec3{ 0.125, 0.125, 1.125 }));
  EXPECT_EQ(nodes.back(), (Vec3{ 0.875, 0.375, 1.875 }));
  EXPECT_EQ(nodes_of(*lattice_seeds({}, grid, std::int64_t{ 1000 })).size(), 1000U);
  EXPECT_EQ(nodes_of(*lattice_seeds({ { 0, 0, 0 }, { 1, 1, 0 } }, grid, std::int64_t{ 100 })).size(), 100U);
  EXPECT_EQ(nodes_of(*lattice_seeds({ { 0, 0, 0 }, { 0, 0, 0 } }, grid, std::int64_t{ 100 })),
      (std::vector<Vec3>{ { 0, 0, 0 } }));
  EXPECT_TRUE(nodes_of(*lattice_seeds({ { 3, 3, 3 }, { 4, 4, 4 } }, grid, 0.1)).empty());
  EXPECT_TRUE(nodes_of(*lattice_seeds(WorldBox::nothing(), grid, std::int64_t{ 9 })).empty());
}

TEST(SeedSets, LatticesLieOnFlatGrids)
{
  Grid plane = cube_grid(9, 2.0);
  plane.nodes[1] = 1;
  const GridGeometry mesh = *GridGeometry::create(plane);
  const std::vector<Vec3> nodes = nodes_of(*lattice_seeds({}, plane, 0.5));
  EXPECT_EQ(nodes.size(), 64U);
  for (const Vec3& node : nodes)
  {
    EXPECT_TRUE(mesh.locate(node).has_value());
  }
  plane.direction = { 0.8, 0.6, 0, -0.6, 0.8, 0, 0, 0, 1 };
  EXPECT_FALSE(lattice_seeds({}, plane, 0.5).has_value());
}

TEST(SeedSets, RefuseBadNumbers)
{
  const Grid grid = cube_grid(9, 2.0);
  for (const double spacing : { 0.0, -1.0, 1e-12, std::nan("") })
  {
    EXPECT_FALSE(lattice_seeds({}, grid, spacing).has_value()) << spacing;
  }
  EXPECT_FALSE(lattice_seeds({}, grid, std::int64_t{ 0 }).has_value());
  EXPECT_FALSE(lattice_seeds({ { std::nan(""), 0, 0 }, { 1, 1, 1 } }, grid, 0.1).has_value());
  const auto refused = [](SeedSet set)
  {
    return !SeedBlocks::create({ std::move(set) }, { *box_region({}) }).has_value();
  };
  EXPECT_TRUE(refused({ .places = std::vector<Vec3>{ { 0, std::nan(""), 0 } } }));
  EXPECT_TRUE(refused({ .places = std::vector<Vec3>{}, .source = 1 }));
  Grid huge;
  huge.nodes = { 1000000000, 1000000000, 1000000000 };
  EXPECT_TRUE(refused({ .places = huge }));
}

// Lattices, their blocks and given points: every seed comes once, with the source regions that it is in.
TEST(SeedSets, BlocksHaveEverySeedOnceWithItsSources)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 1 }, turning(1, 0));
  const std::shared_ptr<const Mesh> mesh = *make_mesh(flow.field());
  const std::vector<Region> sources{ *box_region({ { -1, -1, -1 }, { 0.5, 1, 1 } }),
    *function_region([](const Vec3& x) { return std::hypot(x[0], x[1], x[2]) - 0.9; }),
    *box_region({ { 0, 0, 0 }, { -1, -1, -1 } }), *box_region({ { 1.9, 1.9, 1.9 }, { 3, 3, 3 } }) };
  Grid lattice = cube_grid(21, 2.4);
  const std::vector<Vec3> points{ { 0, 0, 0 }, { 0.7, 0, 0 }, { 1.5, 0, 0 }, { 2.5, 2.5, 2.5 } };
  const SeedBlocks seeds =
      *SeedBlocks::create({ { .places = points }, { .places = lattice }, { .places = std::vector<Vec3>{} },
                              { .places = points, .source = 1 } },
          sources);
  std::map<std::int64_t, std::set<std::int32_t>> found;
  std::set<std::int64_t> outside;
  for (std::int64_t block = 0; block < seeds.count(); ++block)
  {
    seeds.visit(block, *mesh, {},
        [&](const SeedBlocks::Seed& seed)
        {
          ASSERT_TRUE(found.try_emplace(seed.id, seed.sources.begin(), seed.sources.end()).second);
          if (!seed.in_field)
          {
            outside.insert(seed.id);
          }
        });
  }
  const GridGeometry nodes = *GridGeometry::create(lattice);
  const std::int64_t count = volume(lattice.nodes);
  for (std::int64_t id = 0; id < count + 8; ++id)
  {
    const bool given = id < 4 || id >= 4 + count;
    const Vec3 x = given ? points[static_cast<std::size_t>(id % (count + 4))]
                         : nodes.world_of_node(from_row_major(id - 4, lattice.nodes));
    std::set<std::int32_t> expected;
    for (std::int32_t i = 0; i < 4; ++i)
    {
      if ((id < 4 + count || i == 1) && sources[static_cast<std::size_t>(i)].contains(x, kNowhere))
      {
        expected.insert(i);
      }
    }
    ASSERT_EQ(found.contains(id), !expected.empty()) << id;
    ASSERT_TRUE(expected.empty() || found[id] == expected) << id;
    ASSERT_EQ(outside.contains(id), !expected.empty() && std::max({ x[0], x[1], x[2] }) > 2.0) << id;
  }
  EXPECT_GT(outside.size(), 5U);
}

} // namespace
} // namespace rivulet::test
