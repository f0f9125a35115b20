// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/RefineSurface.h"

#include "Base/Vector.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

namespace rivulet
{

namespace
{

std::size_t after(std::size_t corner, std::size_t by = 1)
{
  return (corner + by) % 3;
}

} // namespace

/// Finds edges of the cells by their ends.
class RefineSurface::BaseEdges
{
public:
  explicit BaseEdges(RefineSurface& surface)
    : surface_(surface)
  {
  }

  std::int32_t find_or_add(std::int32_t a, std::int32_t b, std::int32_t level)
  {
    const auto key = static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
    const auto [found, added] = numbers_.try_emplace(key, 0);
    if (added)
    {
      found->second = surface_.add_edge(a, b, { static_cast<std::int16_t>(level), 0 });
    }
    return found->second;
  }

private:
  RefineSurface& surface_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
};

RefineSurface::RefineSurface(std::vector<SurfaceCell> cells, const SurfaceCriteria& criteria)
  : cells_(std::move(cells))
  , criteria_(criteria)
  , cosine_(criteria.largest_angle >= std::numbers::pi ? -2.0 : std::cos(criteria.largest_angle))
{
  criteria_.least_edge = criteria.least_edge > 0.0 ? criteria.least_edge : 0.25 * criteria.largest_edge;
}

std::vector<std::array<std::int32_t, 2>> RefineSurface::next(std::span<const SurfacePlace> places)
{
  places_.insert(places_.end(), places.begin(), places.end());
  if (!cells_.empty())
  {
    triangulate();
  }
  else
  {
    halve_edges();
    subdivide();
  }
  split_ = criteria_.adaptive ? edges_to_split() : std::vector<std::int32_t>{};
  keep_longest(split_);
  std::vector<std::array<std::int32_t, 2>> ends;
  ends.reserve(split_.size());
  for (const std::int32_t number : split_)
  {
    Edge& edge = edges_[static_cast<std::size_t>(number)];
    edge.middle = static_cast<std::int32_t>(places_.size() + ends.size());
    ends.push_back(edge.ends);
  }
  return ends;
}

double RefineSurface::squared_length(std::int32_t a, std::int32_t b) const
{
  const Vec3 along = difference(point(b), point(a));
  return dot(along, along);
}

std::int32_t RefineSurface::add_edge(std::int32_t a, std::int32_t b, const Rank& rank)
{
  edges_.push_back({ .ends = { a, b }, .rank = rank });
  return static_cast<std::int32_t>(edges_.size()) - 1;
}

/// Whether the diagonal a-c of the quadrilateral a b c d is the better one than b-d. A diagonal with two images is
/// better than one without, so that three vertices that have images make a triangle.
bool RefineSurface::first_diagonal(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) const
{
  const bool first = there(a) && there(c);
  const bool second = there(b) && there(d);
  if (first != second)
  {
    return first;
  }
  const double first_length = first ? squared_length(a, c) : 0.0;
  const double second_length = first ? squared_length(b, d) : 0.0;
  return first_length != second_length ? first_length < second_length : std::min(a, c) < std::min(b, d);
}

void RefineSurface::add_base_face(BaseEdges& edges, const Triangle& vertices, const std::array<std::int32_t, 3>& levels)
{
  Face face{ .vertices = vertices };
  for (std::size_t i = 0; i < 3; ++i)
  {
    face.edges[i] = edges.find_or_add(vertices[i], vertices[after(i)], levels[i]);
  }
  faces_.push_back(face);
}

void RefineSurface::triangulate()
{
  BaseEdges edges(*this);
  for (const SurfaceCell& cell : cells_)
  {
    const auto [a, b, c, d] = cell.vertices;
    const auto [along, across] = cell.levels;
    const std::int32_t inner = std::max(along, across);
    if (d < 0)
    {
      add_base_face(edges, { a, b, c }, { along, along, along });
    }
    else if (first_diagonal(a, b, c, d))
    {
      add_base_face(edges, { a, b, c }, { along, across, inner });
      add_base_face(edges, { a, c, d }, { inner, along, across });
    }
    else
    {
      add_base_face(edges, { a, b, d }, { along, inner, across });
      add_base_face(edges, { b, c, d }, { across, along, inner });
    }
  }
  cells_ = {};
}

RefineSurface::Rank RefineSurface::one_finer(const Rank& rank)
{
  return { static_cast<std::int16_t>(rank.level + 1), static_cast<std::int16_t>(rank.depth + 1) };
}

void RefineSurface::halve_edges()
{
  for (const std::int32_t number : split_)
  {
    const Edge whole = edge(number);
    const Rank finer = one_finer(whole.rank);
    edges_[static_cast<std::size_t>(number)].halves = add_edge(whole.ends[0], whole.middle, finer);
    (void)add_edge(whole.middle, whole.ends[1], finer);
  }
}

std::int32_t RefineSurface::half_at(std::int32_t number, std::int32_t vertex) const
{
  return edge(number).halves + (edge(number).ends[0] == vertex ? 0 : 1);
}

void RefineSurface::subdivide()
{
  std::vector<Face> faces;
  faces.reserve(faces_.size() + 2 * split_.size());
  for (const Face& face : faces_)
  {
    std::size_t split = 0;
    std::size_t last_split = 0;
    std::size_t last_whole = 0;
    for (std::size_t i = 0; i < 3; ++i)
    {
      const bool is_split = edge(face.edges[i]).middle >= 0;
      split += is_split ? 1 : 0;
      (is_split ? last_split : last_whole) = i;
    }
    const Rank rank = rank_within(face);
    switch (split)
    {
    case 0:
      faces.push_back(face);
      break;
    case 1:
      cut_in_two(face, last_split, rank, faces);
      break;
    case 2:
      cut_in_three(face, after(last_whole), rank, faces);
      break;
    default:
      cut_in_four(face, rank, faces);
    }
  }
  faces_ = std::move(faces);
}

/// Of the edges that cut a triangle: at least as fine as its edges and their halves, so that the levels limit how fine
/// the domain is cut.
RefineSurface::Rank RefineSurface::rank_within(const Face& face) const
{
  Rank finest = edge(face.edges[0]).rank;
  for (const std::int32_t number : face.edges)
  {
    const Rank rank = edge(number).middle >= 0 ? one_finer(edge(number).rank) : edge(number).rank;
    finest = { std::max(finest.level, rank.level), std::max(finest.depth, rank.depth) };
  }
  return finest;
}

/// `first`: the edge that is split.
void RefineSurface::cut_in_two(const Face& face, std::size_t first, const Rank& rank, std::vector<Face>& to)
{
  const std::int32_t a = face.vertices[first];
  const std::int32_t b = face.vertices[after(first)];
  const std::int32_t c = face.vertices[after(first, 2)];
  const std::int32_t side = face.edges[first];
  const std::int32_t m = edge(side).middle;
  const std::int32_t inner = add_edge(m, c, rank);
  to.push_back({ { a, m, c }, { half_at(side, a), inner, face.edges[after(first, 2)] } });
  to.push_back({ { m, b, c }, { half_at(side, b), face.edges[after(first)], inner } });
}

/// `first`: the edge that is split and followed by one that is split.
void RefineSurface::cut_in_three(const Face& face, std::size_t first, const Rank& rank, std::vector<Face>& to)
{
  const std::int32_t a = face.vertices[first];
  const std::int32_t b = face.vertices[after(first)];
  const std::int32_t c = face.vertices[after(first, 2)];
  const std::int32_t ab = face.edges[first];
  const std::int32_t bc = face.edges[after(first)];
  const std::int32_t ca = face.edges[after(first, 2)];
  const std::int32_t m = edge(ab).middle;
  const std::int32_t n = edge(bc).middle;
  const std::int32_t corner = add_edge(m, n, rank);
  to.push_back({ { m, b, n }, { half_at(ab, b), half_at(bc, b), corner } });
  if (first_diagonal(m, n, c, a))
  {
    const std::int32_t inner = add_edge(m, c, rank);
    to.push_back({ { m, n, c }, { corner, half_at(bc, c), inner } });
    to.push_back({ { m, c, a }, { inner, ca, half_at(ab, a) } });
  }
  else
  {
    const std::int32_t inner = add_edge(n, a, rank);
    to.push_back({ { m, n, a }, { corner, inner, half_at(ab, a) } });
    to.push_back({ { n, c, a }, { half_at(bc, c), ca, inner } });
  }
}

void RefineSurface::cut_in_four(const Face& face, const Rank& rank, std::vector<Face>& to)
{
  Triangle middles{};
  for (std::size_t i = 0; i < 3; ++i)
  {
    middles[i] = edge(face.edges[i]).middle;
  }
  Face inner{ .vertices = middles };
  for (std::size_t i = 0; i < 3; ++i)
  {
    inner.edges[i] = add_edge(middles[i], middles[after(i)], rank);
  }
  for (std::size_t i = 0; i < 3; ++i)
  {
    const std::int32_t corner = face.vertices[after(i)];
    to.push_back({ { middles[i], corner, middles[after(i)] },
        { half_at(face.edges[i], corner), half_at(face.edges[after(i)], corner), inner.edges[i] } });
  }
  to.push_back(inner);
}

bool RefineSurface::complete(const Face& face) const
{
  return std::all_of(face.vertices.begin(), face.vertices.end(), [&](std::int32_t vertex) { return there(vertex); });
}

std::vector<std::int32_t> RefineSurface::edges_to_split() const
{
  const double largest = criteria_.largest_edge * criteria_.largest_edge;
  std::vector<std::uint8_t> marks(edges_.size(), 0);
  for (std::size_t i = 0; i < edges_.size(); ++i)
  {
    const Edge& edge = edges_[i];
    const bool first = there(edge.ends[0]);
    const bool second = there(edge.ends[1]);
    const bool is_long = first && second && edge.rank.level < criteria_.most_levels && squared_length(edge) > largest;
    const bool at_boundary =
        first != second && edge.rank.level < std::min(criteria_.boundary_levels, criteria_.most_levels);
    marks[i] = is_long || at_boundary ? 1 : 0;
  }
  mark_coarse_edges(marks);
  mark_folds(marks);
  std::vector<std::int32_t> split;
  for (std::size_t i = 0; i < edges_.size(); ++i)
  {
    if (marks[i] != 0 && edges_[i].middle < 0)
    {
      split.push_back(static_cast<std::int32_t>(i));
    }
  }
  return split;
}

/// Leaves out the shortest edges if there is no room for the middles of all.
void RefineSurface::keep_longest(std::vector<std::int32_t>& edges)
{
  const std::int64_t room = criteria_.most_vertices - static_cast<std::int64_t>(places_.size());
  const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(0, room));
  if (edges.size() <= kept)
  {
    return;
  }
  limited_ = true;
  const auto length = [&](std::int32_t number)
  {
    const auto [a, b] = edge(number).ends;
    return there(a) && there(b) ? squared_length(a, b) : 0.0;
  };
  std::stable_sort(edges.begin(), edges.end(), [&](std::int32_t a, std::int32_t b) { return length(a) > length(b); });
  edges.resize(kept);
  std::sort(edges.begin(), edges.end());
}

void RefineSurface::mark_coarse_edges(std::vector<std::uint8_t>& marks) const
{
  static constexpr int kMostFiner = 3;
  for (const Face& face : faces_)
  {
    std::int16_t finest = 0;
    for (const std::int32_t number : face.edges)
    {
      finest = std::max(finest, edge(number).rank.depth);
    }
    for (const std::int32_t number : face.edges)
    {
      const Rank& rank = edge(number).rank;
      if (complete(face) && finest - rank.depth > kMostFiner && rank.level < criteria_.most_levels)
      {
        marks[static_cast<std::size_t>(number)] = 1;
      }
    }
  }
}

/// Marks the long edges of neighbouring triangles with an angle between them.
void RefineSurface::mark_folds(std::vector<std::uint8_t>& marks) const
{
  std::vector<std::int32_t> first_face(edges_.size(), -1);
  for (std::size_t i = 0; i < faces_.size(); ++i)
  {
    const Face& face = faces_[i];
    for (std::size_t side = 0; complete(face) && side < 3; ++side)
    {
      std::int32_t& first = first_face[static_cast<std::size_t>(face.edges[side])];
      if (first < 0)
      {
        first = static_cast<std::int32_t>(i);
        continue;
      }
      const Face& other = faces_[static_cast<std::size_t>(first)];
      const auto side_of_other = static_cast<std::size_t>(
          std::find(other.edges.begin(), other.edges.end(), face.edges[side]) - other.edges.begin());
      if (bent(edge(face.edges[side]), face.vertices[after(side, 2)], other.vertices[after(side_of_other, 2)]))
      {
        mark_long_edges(face, marks);
        mark_long_edges(other, marks);
      }
    }
  }
}

/// Whether the triangles of an edge with these two apices make an angle. The orientation of the triangles has no
/// meaning. A triangle that is a line within rounding has no normal.
bool RefineSurface::bent(const Edge& edge, std::int32_t apex, std::int32_t other_apex) const
{
  static constexpr double kFlat = 1e-20; ///< squared sine of an angle without a meaning
  const Vec3 along = difference(point(edge.ends[1]), point(edge.ends[0]));
  const Vec3 to_apex = difference(point(apex), point(edge.ends[0]));
  const Vec3 to_other = difference(point(other_apex), point(edge.ends[0]));
  const Vec3 normal = cross(along, to_apex);
  const Vec3 other_normal = cross(to_other, along);
  const double length = dot(along, along);
  const double squared = dot(normal, normal);
  const double other_squared = dot(other_normal, other_normal);
  if (!(squared > kFlat * length * dot(to_apex, to_apex)) ||
      !(other_squared > kFlat * length * dot(to_other, to_other)))
  {
    return false;
  }
  return dot(normal, other_normal) < cosine_ * std::sqrt(squared) * std::sqrt(other_squared);
}

/// Marks the edges that are longer than the least edge and than half of the triangle's longest one, so that splits do
/// not make a thin triangle thinner.
void RefineSurface::mark_long_edges(const Face& face, std::vector<std::uint8_t>& marks) const
{
  double longest = 0.0;
  for (const std::int32_t number : face.edges)
  {
    longest = std::max(longest, squared_length(edge(number)));
  }
  const double least = std::max(criteria_.least_edge * criteria_.least_edge, 0.25 * longest);
  for (const std::int32_t number : face.edges)
  {
    if (squared_length(edge(number)) > least && edge(number).rank.level < criteria_.most_levels)
    {
      marks[static_cast<std::size_t>(number)] = 1;
    }
  }
}

bool RefineSurface::torn(const Face& face) const
{
  const double most = criteria_.tear_length * criteria_.tear_length;
  return std::any_of(face.edges.begin(), face.edges.end(),
      [&](std::int32_t number)
      { return edge(number).rank.level >= criteria_.most_levels && squared_length(edge(number)) > most; });
}

std::vector<RefineSurface::Triangle> RefineSurface::triangles() const
{
  std::vector<Triangle> triangles;
  for (const Face& face : faces_)
  {
    if (complete(face) && !torn(face))
    {
      triangles.push_back(face.vertices);
    }
  }
  return triangles;
}

std::vector<std::array<std::int32_t, 2>> RefineSurface::nearly_long(double share) const
{
  const double least = share * criteria_.largest_edge * share * criteria_.largest_edge;
  std::vector<std::array<std::int32_t, 2>> found;
  for (const Edge& edge : edges_)
  {
    const auto [a, b] = edge.ends;
    if (edge.middle < 0 && edge.rank.level < criteria_.most_levels && there(a) && there(b) &&
        squared_length(edge) > least)
    {
      found.push_back(edge.ends);
    }
  }
  return found;
}

std::int64_t RefineSurface::torn() const
{
  return std::count_if(faces_.begin(), faces_.end(), [&](const Face& face) { return complete(face) && torn(face); });
}

} // namespace rivulet
