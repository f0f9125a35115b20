// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Regions/ClosedSurface.h"

#include "Base/Vector.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

namespace rivulet
{

namespace
{

constexpr std::int32_t kInLeaf = 4;
/// Share of the bounds' longest side: to look for a nearest triangle that is farther away takes many boxes, and tells a
/// step that is shorter nothing more.
constexpr double kFar = 1.0 / 32.0;
constexpr std::size_t kDeepest = 64; ///< nodes still to be looked at: the tree halves 2^31 triangles, so it is 32 deep

using Triangle = ClosedSurface::Triangle;
using Edge = std::array<std::int32_t, 2>;

Result<void> check(std::span<const Vec3> points, std::span<const Triangle> triangles)
{
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max();
  if (points.size() > kMost || triangles.size() > kMost)
  {
    return fail(ErrorCode::BadArgument, "a surface has more than 2^31 points or triangles");
  }
  for (std::size_t i = 0; i < triangles.size(); ++i)
  {
    for (const std::int32_t corner : triangles[i])
    {
      if (corner < 0 || static_cast<std::size_t>(corner) >= points.size())
      {
        return fail(ErrorCode::BadArgument, "triangle " + std::to_string(i) + " of a surface names point " +
                                                std::to_string(corner) + " of " + std::to_string(points.size()));
      }
      const Vec3& point = points[static_cast<std::size_t>(corner)];
      if (!std::isfinite(point[0]) || !std::isfinite(point[1]) || !std::isfinite(point[2]))
      {
        return fail(ErrorCode::BadArgument, "point " + std::to_string(corner) + " of a surface is not finite");
      }
    }
  }
  return {};
}

/// Replaces points at the same place by one of them. `points` become the remaining ones.
void merge_points(std::vector<Vec3>& points, std::vector<Triangle>& triangles)
{
  std::vector<std::int32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
      [&](std::int32_t a, std::int32_t b)
      { return points[static_cast<std::size_t>(a)] < points[static_cast<std::size_t>(b)]; });
  std::vector<std::int32_t> number(points.size());
  std::vector<Vec3> merged;
  merged.reserve(points.size());
  for (const std::int32_t point : order)
  {
    const Vec3& at = points[static_cast<std::size_t>(point)];
    if (merged.empty() || merged.back() != at)
    {
      merged.push_back(at);
    }
    number[static_cast<std::size_t>(point)] = static_cast<std::int32_t>(merged.size()) - 1;
  }
  points = std::move(merged);
  for (Triangle& triangle : triangles)
  {
    std::transform(triangle.begin(), triangle.end(), triangle.begin(),
        [&](std::int32_t point) { return number[static_cast<std::size_t>(point)]; });
  }
  // One with two equal corners has no area, and two equal edges.
  std::erase_if(triangles, [](const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
}

/// Edges that belong to an odd number of triangles.
std::vector<Edge> open_edges(const std::vector<Triangle>& triangles)
{
  std::vector<Edge> edges;
  edges.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
  {
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      const std::int32_t a = t[corner];
      const std::int32_t b = t[(corner + 1) % 3];
      edges.push_back({ std::min(a, b), std::max(a, b) });
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<Edge> open;
  for (auto edge = edges.begin(); edge != edges.end();)
  {
    const auto next = std::upper_bound(edge, edges.end(), *edge);
    if ((next - edge) % 2 != 0)
    {
      open.push_back(*edge);
    }
    edge = next;
  }
  return open;
}

/// Square of the distance of the origin to the place from + v * along + w * across.
double square_at(const Vec3& from, double v, const Vec3& along, double w = 0.0, const Vec3& across = {})
{
  Vec3 at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    at[axis] = from[axis] + v * along[axis] + w * across[axis];
  }
  return dot(at, at);
}

/// Square of the distance of the origin to the edge from one corner to another one.
double square_to_edge(const Vec3& from, const Vec3& to)
{
  const Vec3 along = difference(to, from);
  return square_at(from, std::clamp(-dot(from, along) / dot(along, along), 0.0, 1.0), along);
}

/// Square of the distance of a place to the triangle of three points: to the nearest edge, or to a place within.
double square_distance(const Vec3& place, const Vec3& p, const Vec3& q, const Vec3& r)
{
  const Vec3 a = difference(p, place);
  const Vec3 b = difference(q, place);
  const Vec3 c = difference(r, place);
  const double to_edges = std::min({ square_to_edge(a, b), square_to_edge(b, c), square_to_edge(c, a) });
  // The foot of the perpendicular on its plane is at p + v * along + w * across.
  const Vec3 along = difference(q, p);
  const Vec3 across = difference(r, p);
  const double mixed = dot(along, across);
  const double area = dot(along, along) * dot(across, across) - mixed * mixed; // square of twice the area
  const double v = (mixed * dot(a, across) - dot(across, across) * dot(a, along)) / area;
  const double w = (mixed * dot(a, along) - dot(along, along) * dot(a, across)) / area;
  const bool is_within = v >= 0.0 && w >= 0.0 && v + w <= 1.0; // false without an area
  return is_within ? std::min(to_edges, square_at(a, v, along, w, across)) : to_edges;
}

/// Square of the distance of a place to a box; 0 within it.
double square_distance(const Vec3& place, const WorldBox& box)
{
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double beyond = std::max({ 0.0, box.lower[axis] - place[axis], place[axis] - box.upper[axis] });
    sum += beyond * beyond;
  }
  return sum;
}

std::string described(const Vec3& point)
{
  std::ostringstream text;
  text << '(' << point[0] << ", " << point[1] << ", " << point[2] << ')';
  return text.str();
}

} // namespace

Result<ClosedSurface> ClosedSurface::create(std::span<const Vec3> points, std::span<const Triangle> triangles)
{
  if (Result<void> good = check(points, triangles); !good)
  {
    return forward_error(good);
  }
  std::vector<Vec3> merged(points.begin(), points.end());
  std::vector<Triangle> kept(triangles.begin(), triangles.end());
  merge_points(merged, kept);
  if (const std::vector<Edge> open = open_edges(kept); !open.empty())
  {
    const auto end = [&](std::size_t i)
    {
      return described(merged[static_cast<std::size_t>(open.front()[i])]);
    };
    return fail(ErrorCode::BadArgument,
        "a surface is not closed: " + std::to_string(open.size()) +
            " of its edges belong to one triangle or another odd number, the first from " + end(0) + " to " + end(1),
        "close its holes, and cut its polygons into triangles");
  }
  return ClosedSurface(std::move(merged), std::move(kept));
}

ClosedSurface::ClosedSurface(std::vector<Vec3> points, std::vector<Triangle> triangles)
  : points_(std::move(points))
  , triangles_(std::move(triangles))
{
  for (const Triangle& triangle : triangles_)
  {
    for (const std::int32_t corner : triangle)
    {
      bounds_.add(points_[static_cast<std::size_t>(corner)]);
    }
  }
  if (!triangles_.empty())
  {
    const Vec3 sides = bounds_.sides();
    far_ = kFar * std::max({ sides[0], sides[1], sides[2] });
    nodes_.reserve(triangles_.size());
    build(0, static_cast<std::int32_t>(triangles_.size()));
  }
}

/// Adds the node of some triangles, then the nodes below it. Sorts the triangles.
void ClosedSurface::build(std::int32_t first, std::int32_t last)
{
  WorldBox box = WorldBox::nothing();
  WorldBox centres = WorldBox::nothing();
  const auto corner = [this](const Triangle& triangle, std::size_t number) -> const Vec3&
  {
    return points_[static_cast<std::size_t>(triangle[number])];
  };
  const auto centre = [&](const Triangle& t, std::size_t axis)
  {
    return (corner(t, 0)[axis] + corner(t, 1)[axis] + corner(t, 2)[axis]) / 3.0;
  };
  for (std::int32_t i = first; i < last; ++i)
  {
    const Triangle& triangle = triangles_[static_cast<std::size_t>(i)];
    for (std::size_t number = 0; number < 3; ++number)
    {
      box.add(corner(triangle, number));
    }
    centres.add(Vec3{ centre(triangle, 0), centre(triangle, 1), centre(triangle, 2) });
  }
  const std::size_t own = nodes_.size();
  const bool leaf = last - first <= kInLeaf;
  nodes_.push_back({ box, first, leaf ? last - first : 0 });
  if (leaf)
  {
    return;
  }
  const Vec3 sides = centres.sides();
  const auto axis = static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin());
  const std::int32_t middle = first + (last - first) / 2;
  std::nth_element(triangles_.begin() + first, triangles_.begin() + middle, triangles_.begin() + last,
      [&](const Triangle& a, const Triangle& b) { return centre(a, axis) < centre(b, axis); });
  build(first, middle);
  nodes_[own].first = static_cast<std::int32_t>(nodes_.size());
  build(middle, last);
}

/// Whether the line along x through a place goes through a triangle, and where.
bool ClosedSurface::meets(const Triangle& triangle, const Vec3& place, double& x) const
{
  // The line z = place[2] crosses two edges or none. The triangle is met if it does so on both sides of the place.
  double below[2]; // y and x on the edge
  double above[2];
  int edges_below = 0;
  int edges_above = 0;
  for (std::size_t i = 0; i < 3; ++i)
  {
    const std::int32_t p = triangle[i];
    const std::int32_t q = triangle[(i + 1) % 3];
    const Vec3& a = points_[static_cast<std::size_t>(std::min(p, q))]; // the same for the other triangle of the edge
    const Vec3& b = points_[static_cast<std::size_t>(std::max(p, q))];
    if ((a[2] > place[2]) == (b[2] > place[2]))
    {
      continue;
    }
    const double share = (place[2] - a[2]) / (b[2] - a[2]);
    // Within the boxes of the tree, whatever rounding does.
    const double y = std::clamp(a[1] + share * (b[1] - a[1]), std::min(a[1], b[1]), std::max(a[1], b[1]));
    const bool is_above = y > place[1];
    double* const side = is_above ? above : below;
    side[0] = y;
    side[1] = a[0] + share * (b[0] - a[0]);
    ++(is_above ? edges_above : edges_below);
  }
  if (edges_above != 1 || edges_below != 1)
  {
    return false;
  }
  x = below[1] + (place[1] - below[0]) / (above[0] - below[0]) * (above[1] - below[1]);
  return true;
}

/// Whether the ray to larger x goes through an odd number of triangles.
bool ClosedSurface::is_inside(const Vec3& place) const
{
  bool inside = false;
  std::array<std::int32_t, kDeepest> open;
  open[0] = 0;
  std::size_t count = 1;
  while (count > 0)
  {
    const std::int32_t number = open[--count];
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    const WorldBox& box = node.box;
    if (!(place[0] <= box.upper[0] && place[1] >= box.lower[1] && place[1] <= box.upper[1] &&
            place[2] >= box.lower[2] && place[2] <= box.upper[2]))
    {
      continue;
    }
    if (node.count == 0)
    {
      open[count++] = number + 1;
      open[count++] = node.first;
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
    {
      double x = 0.0;
      if (meets(triangles_[static_cast<std::size_t>(i)], place, x))
      {
        inside = inside != (x > place[0]);
      }
    }
  }
  return inside;
}

/// Distance to the nearest triangle, if it is less than far_. Of two boxes the nearer one is looked at first.
double ClosedSurface::distance(const Vec3& place) const
{
  struct Open
  {
    std::int32_t node;
    double square; ///< of the distance to its box
  };
  double nearest = far_ * far_; // square
  std::array<Open, kDeepest> open;
  open[0] = { 0, 0.0 };
  std::size_t count = 1;
  while (count > 0)
  {
    const auto [number, square] = open[--count];
    if (square >= nearest)
    {
      continue;
    }
    const Node& node = nodes_[static_cast<std::size_t>(number)];
    if (node.count == 0)
    {
      const Open one{ number + 1, square_distance(place, nodes_[static_cast<std::size_t>(number) + 1].box) };
      const Open other{ node.first, square_distance(place, nodes_[static_cast<std::size_t>(node.first)].box) };
      open[count++] = one.square < other.square ? other : one;
      open[count++] = one.square < other.square ? one : other;
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
    {
      const Triangle& triangle = triangles_[static_cast<std::size_t>(i)];
      nearest = std::min(
          nearest, square_distance(place, points_[static_cast<std::size_t>(triangle[0])],
                       points_[static_cast<std::size_t>(triangle[1])], points_[static_cast<std::size_t>(triangle[2])]));
    }
  }
  return std::sqrt(nearest);
}

double ClosedSurface::side(const Vec3& place) const
{
  double beyond = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    beyond = std::max({ beyond, bounds_.lower[axis] - place[axis], place[axis] - bounds_.upper[axis] });
  }
  if (beyond > 0.0)
  {
    return beyond;
  }
  return is_inside(place) ? -distance(place) : distance(place);
}

} // namespace rivulet
