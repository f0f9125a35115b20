// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Adaptive triangulation of the image of a two-dimensional domain under a map that is known at points only.
///
///     RefineSurface refine(cells, criteria);
///     std::vector<SurfacePlace> places = map(all vertices of the cells);
///     for (auto middles = refine.next(places); !middles.empty(); middles = refine.next(places))
///       places = map(for each pair of vertices, the middle between them in the domain);
///     refine.triangles();
///
/// Edges are split, not triangles. The splitting of an edge is decided once for both of its triangles, so that no
/// vertex lies on an edge of a neighbour. A triangle with one, two or three split edges becomes two, three or four. An
/// edge is split at its middle in the domain if its level is below the limit and one of these holds:
///
///   long       its image is longer than the largest edge
///   fold       it is a long edge of one of two neighbouring triangles whose normals differ by more than the largest
///              angle, and longer than the least edge
///   boundary   the map has a value at one end only, and its level is below that of boundaries
///   coarse     it was split at least 4 times less often than another edge of one of its triangles; else a loop between
///              two ends that lie close together would be sampled by ever thinner triangles from outside
///
/// A quadrilateral is cut along its shorter diagonal (by length of the image, then by the numbers of vertices). Nothing
/// depends on anything but the cells and the places. Surfaces refined at edges by length and angle: H. Krishnan, C.
/// Garth, K. I. Joy, "Time and streak surfaces for flow visualization in large time-varying data sets", IEEE TVCG 15
/// (2009) 1267-1274. Triangles cut by their split edges: R. E. Bank, A. H. Sherman, A. Weiser, "Refinement algorithms
/// and data structures for regular local mesh refinement" (1983).
///
/// Memory: 32 bytes a vertex, 24 a triangle and 20 for each edge that there is or was; about 200 bytes a vertex. All
/// functions throw std::bad_alloc. Threads: one.
#pragma once

#include "Base/Box.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace rivulet
{

/// Lengths are measured in the image, in world units.
struct SurfaceCriteria
{
  bool adaptive = true;         ///< false: the cells are triangulated and never refined
  double largest_edge = 1.0;    ///< positive
  double largest_angle = 0.5;   ///< between neighbouring normals, in radians; above pi: folds are not refined
  double least_edge = 0.0;      ///< edges not longer than this are not split at folds; 0: a quarter of the largest edge
  std::int32_t most_levels = 8; ///< an edge of this level is not split; the halves of one are a level above it
  std::int32_t boundary_levels = 4; ///< the same for edges of which one end has no image
  /// A triangle with an edge at the level limit that is longer than this is torn: left out.
  double tear_length = std::numeric_limits<double>::infinity();
  std::int64_t most_vertices = 4'000'000; ///< the longest edges are split first where not all can be
};

/// A cell of the domain before refinement.
struct SurfaceCell
{
  std::array<std::int32_t, 4> vertices{ 0, 0, 0, -1 }; ///< around the cell; the last is -1: a triangle
  /// Levels of the edges along u (0-1, 2-3) and along v (0-3, 1-2). May be negative. The same in both cells of an edge.
  std::array<std::int32_t, 2> levels{ 0, 0 };
};

/// The image of a vertex.
struct SurfacePlace
{
  Vec3 point{ 0, 0, 0 };
  bool there = false; ///< whether it has an image
};

class RefineSurface
{
public:
  using Triangle = std::array<std::int32_t, 3>;

  RefineSurface(std::vector<SurfaceCell> cells, const SurfaceCriteria& criteria);

  /// Takes the images of the next vertices, in order: in the first call of all vertices of the cells, then of the last
  /// answer's. Returns the ends of the edges whose middles are the next vertices; none: the surface is done.
  [[nodiscard]] std::vector<std::array<std::int32_t, 2>> next(std::span<const SurfacePlace> places);

  /// Triangles whose vertices all have an image and that are not torn.
  [[nodiscard]] std::vector<Triangle> triangles() const;
  /// Number of triangles that are torn.
  [[nodiscard]] std::int64_t torn() const;
  /// Ends of the edges that are not split and longer than this share of the largest edge.
  [[nodiscard]] std::vector<std::array<std::int32_t, 2>> nearly_long(double share) const;
  /// Whether edges were not split because of the most vertices.
  [[nodiscard]] bool limited() const { return limited_; }
  [[nodiscard]] const std::vector<SurfacePlace>& places() const { return places_; }

private:
  /// How fine an edge is.
  struct Rank
  {
    std::int16_t level = 0;
    std::int16_t depth = 0; ///< number of splits since the base
  };
  struct Edge
  {
    std::array<std::int32_t, 2> ends{ 0, 0 };
    Rank rank;
    std::int32_t middle = -1; ///< the vertex that splits it; -1: not split
    std::int32_t halves =
        -1; ///< edge that joins the first end and the middle; the next joins the middle and the second
  };
  /// Edge i joins the vertices i and i + 1.
  struct Face
  {
    Triangle vertices{ 0, 0, 0 };
    std::array<std::int32_t, 3> edges{ 0, 0, 0 };
  };
  class BaseEdges;

  void triangulate();
  void add_base_face(BaseEdges& edges, const Triangle& vertices, const std::array<std::int32_t, 3>& levels);
  [[nodiscard]] bool first_diagonal(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) const;
  [[nodiscard]] std::int32_t add_edge(std::int32_t a, std::int32_t b, const Rank& rank);
  [[nodiscard]] static Rank one_finer(const Rank& rank);
  void halve_edges();
  void subdivide();
  void cut_in_two(const Face& face, std::size_t first, const Rank& rank, std::vector<Face>& to);
  void cut_in_three(const Face& face, std::size_t first, const Rank& rank, std::vector<Face>& to);
  void cut_in_four(const Face& face, const Rank& rank, std::vector<Face>& to);
  [[nodiscard]] Rank rank_within(const Face& face) const;
  [[nodiscard]] std::int32_t half_at(std::int32_t edge, std::int32_t vertex) const;

  [[nodiscard]] std::vector<std::int32_t> edges_to_split() const;
  void mark_coarse_edges(std::vector<std::uint8_t>& marks) const;
  void mark_folds(std::vector<std::uint8_t>& marks) const;
  void mark_long_edges(const Face& face, std::vector<std::uint8_t>& marks) const;
  [[nodiscard]] bool bent(const Edge& edge, std::int32_t apex, std::int32_t other_apex) const;
  void keep_longest(std::vector<std::int32_t>& edges);

  [[nodiscard]] bool there(std::int32_t vertex) const { return places_[static_cast<std::size_t>(vertex)].there; }
  [[nodiscard]] const Vec3& point(std::int32_t vertex) const { return places_[static_cast<std::size_t>(vertex)].point; }
  [[nodiscard]] const Edge& edge(std::int32_t number) const { return edges_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] double squared_length(std::int32_t a, std::int32_t b) const;
  [[nodiscard]] double squared_length(const Edge& edge) const { return squared_length(edge.ends[0], edge.ends[1]); }
  [[nodiscard]] bool complete(const Face& face) const;
  [[nodiscard]] bool torn(const Face& face) const;

  std::vector<SurfaceCell> cells_; ///< until they are triangulated
  SurfaceCriteria criteria_;
  double cosine_; ///< of the largest angle
  std::vector<SurfacePlace> places_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  std::vector<std::int32_t> split_; ///< edges whose middles are the next vertices
  bool limited_ = false;
};

} // namespace rivulet
