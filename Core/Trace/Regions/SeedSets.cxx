// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Regions/SeedSets.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace rivulet
{

namespace
{

constexpr std::int32_t kBlockNodes = 8; ///< nodes of a block along each axis
constexpr std::int64_t kMostSeeds = std::int64_t{ 1 } << 62;

/// Bounds within a grid. Fails if no lattice along the axes could lie in it.
Result<WorldBox> bounds_within(const WorldBox& bounds, const Grid& grid)
{
  if (bounds.has_nan())
  {
    return fail(ErrorCode::BadArgument, "a bound of the seeds is not a number");
  }
  Result<GridGeometry> mesh = GridGeometry::create(grid);
  if (!mesh)
  {
    return forward_error(mesh);
  }
  if (mesh->has_flat_axes() && mesh->uniform() && !mesh->axis_aligned())
  {
    return fail(ErrorCode::BadArgument, "a lattice of seeds does not fit a plane that is not along the axes",
        "give points as seeds");
  }
  return intersect(bounds, bounds_of(*mesh));
}

SeedSet lattice_in(const WorldBox& bounds, double spacing)
{
  Grid lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double extent = bounds.upper[axis] - bounds.lower[axis];
    const double nodes = std::max(1.0, std::ceil(extent / spacing * (1.0 - 1e-12)));
    lattice.nodes[axis] = static_cast<std::int32_t>(nodes);
    lattice.spacing[axis] = extent > 0.0 ? extent / nodes : 1.0;
    lattice.origin[axis] = extent > 0.0 ? bounds.lower[axis] + 0.5 * lattice.spacing[axis] : bounds.lower[axis];
  }
  return { .places = lattice };
}

Result<void> check_points(const std::vector<Vec3>& points)
{
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    if (!std::isfinite(points[i][0]) || !std::isfinite(points[i][1]) || !std::isfinite(points[i][2]))
    {
      return fail(ErrorCode::BadArgument, "seed " + std::to_string(i) + " is not finite");
    }
  }
  return {};
}

/// The nodes of a block.
Box nodes_of(const Int3& nodes, const Int3& block)
{
  const Int3 begin{ block[0] * kBlockNodes, block[1] * kBlockNodes, block[2] * kBlockNodes };
  return intersect(
      { begin, { begin[0] + kBlockNodes, begin[1] + kBlockNodes, begin[2] + kBlockNodes } }, { {}, nodes });
}

} // namespace

Result<SeedSet> lattice_seeds(const WorldBox& bounds, const Grid& grid, double spacing)
{
  const Result<WorldBox> within = bounds_within(bounds, grid);
  if (!within)
  {
    return tl::unexpected(within.error());
  }
  if (within->empty())
  {
    return SeedSet{};
  }
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    longest = std::max(longest, within->upper[axis] - within->lower[axis]);
  }
  if (!(spacing > 0.0) || longest / spacing > GridGeometry::kFarAway)
  {
    std::ostringstream text;
    text << "seeds are to be " << spacing << " apart over a length of " << longest;
    return fail(ErrorCode::BadArgument, text.str(), "give a larger spacing");
  }
  return lattice_in(*within, spacing);
}

Result<SeedSet> lattice_seeds(const WorldBox& bounds, const Grid& grid, std::int64_t number)
{
  const Result<WorldBox> within = bounds_within(bounds, grid);
  if (!within)
  {
    return tl::unexpected(within.error());
  }
  if (number < 1)
  {
    return fail(ErrorCode::BadArgument, std::to_string(number) + " seeds are asked for", "ask for one or more");
  }
  // The spacing at which as many cubes fill the bounds; axes too short for one do not count.
  std::array<double, 3> extents{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    extents[axis] = within->upper[axis] - within->lower[axis];
  }
  std::sort(extents.begin(), extents.end(), std::greater<>());
  double spacing = 0.0;
  double size = 1.0;
  for (int axes = 1; axes <= 3 && extents[static_cast<std::size_t>(axes) - 1] > spacing; ++axes)
  {
    size *= extents[static_cast<std::size_t>(axes) - 1];
    spacing = std::pow(size / static_cast<double>(number), 1.0 / axes);
  }
  return lattice_seeds(bounds, grid, spacing > 0.0 ? spacing : 1.0);
}

Result<SeedBlocks> SeedBlocks::create(std::vector<SeedSet> sets, std::vector<Region> sources)
{
  SeedBlocks blocks;
  blocks.sources_ = std::move(sources);
  std::int64_t seeds = 0;
  for (SeedSet& set : sets)
  {
    const auto count = static_cast<std::int32_t>(blocks.sources_.size());
    if (set.source != SeedSet::kAnySource && (set.source < 0 || set.source >= count))
    {
      return fail(ErrorCode::BadArgument,
          "seeds are for source region " + std::to_string(set.source) + " of " + std::to_string(count));
    }
    Part part;
    part.first_block = blocks.count();
    part.first_seed = seeds;
    part.bounds = WorldBox::nothing();
    for (std::int32_t i = 0; i < count; ++i)
    {
      const WorldBox& bounds = blocks.sources_[static_cast<std::size_t>(i)].bounds;
      if ((set.source == SeedSet::kAnySource || set.source == i) && !bounds.empty())
      {
        part.bounds.add(bounds.lower);
        part.bounds.add(bounds.upper);
      }
    }
    std::int64_t own = 0;
    if (const auto* points = std::get_if<std::vector<Vec3>>(&set.places))
    {
      if (Result<void> good = check_points(*points); !good)
      {
        return forward_error(good);
      }
      own = static_cast<std::int64_t>(points->size());
      part.blocks = (own + kInBlock - 1) / kInBlock;
    }
    else
    {
      Result<GridGeometry> lattice = GridGeometry::create(std::get<Grid>(set.places));
      if (!lattice)
      {
        return forward_error(lattice);
      }
      const Int3& nodes = lattice->nodes();
      if (static_cast<double>(nodes[0]) * nodes[1] * nodes[2] > static_cast<double>(kMostSeeds))
      {
        return fail(ErrorCode::BadArgument, "a lattice has more than 2^62 seeds", "give a larger spacing");
      }
      own = volume(nodes);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        part.blocks_along[axis] = (nodes[axis] + kBlockNodes - 1) / kBlockNodes;
      }
      part.blocks = volume(part.blocks_along);
      part.lattice = std::move(*lattice);
    }
    if (own > kMostSeeds - seeds)
    {
      return fail(ErrorCode::BadArgument, "there are more than 2^62 seeds", "give a larger spacing");
    }
    seeds += own;
    part.set = std::move(set);
    blocks.parts_.push_back(std::move(part));
  }
  return blocks;
}

template <class IsIn>
void SeedBlocks::add_sources(const Part& part, const IsIn& is_in, std::vector<std::int32_t>& found) const
{
  const bool any = part.set.source == SeedSet::kAnySource;
  const std::int32_t first = any ? 0 : part.set.source;
  const std::int32_t end = any ? static_cast<std::int32_t>(sources_.size()) : first + 1;
  for (std::int32_t i = first; i < end; ++i)
  {
    if (is_in(sources_[static_cast<std::size_t>(i)]))
    {
      found.push_back(i);
    }
  }
}

namespace
{

/// Whether a region has a place, as the tracer has it: one that is the border of two regions is so for both.
auto on_mesh(const Mesh& mesh, const Position& at, const Moment& moment)
{
  return [place = WayPoint{ &mesh, mesh.world(at), at, moment }](const Region& region)
  {
    return side_at(region, place) <= 0.0;
  };
}

/// The same for a place outside the mesh.
auto off_mesh(const Vec3& point)
{
  return [point](const Region& region)
  {
    return region.contains(point, -1);
  };
}

} // namespace

/// The seeds of a block that may belong to a source region: all of their numbers and points.
void SeedBlocks::collect(const Part& part, std::int64_t own, std::vector<std::int64_t>& ids, std::vector<Vec3>& points)
{
  if (!part.lattice)
  {
    const auto& all = std::get<std::vector<Vec3>>(part.set.places);
    const auto end = std::min(static_cast<std::int64_t>(all.size()), (own + 1) * kInBlock);
    for (std::int64_t i = own * kInBlock; i < end; ++i)
    {
      ids.push_back(i);
      points.push_back(all[static_cast<std::size_t>(i)]);
    }
    return;
  }
  const Int3& all = part.lattice->nodes();
  const Box nodes = nodes_of(all, from_row_major(own, part.blocks_along));
  if (intersect(part.bounds, bounds_of(*part.lattice, nodes)).empty())
  {
    return;
  }
  for (std::int64_t i = 0; i < nodes.count(); ++i)
  {
    const Int3 local = from_row_major(i, nodes.size());
    const Int3 node{ local[0] + nodes.begin[0], local[1] + nodes.begin[1], local[2] + nodes.begin[2] };
    ids.push_back(row_major(node, all));
    points.push_back(part.lattice->world_of_node(node));
  }
}

void SeedBlocks::visit(
    std::int64_t block, const Mesh& mesh, const Moment& moment, const std::function<void(const Seed&)>& take) const
{
  const auto part = std::prev(std::upper_bound(parts_.begin(), parts_.end(), block,
      [](std::int64_t number, const Part& each) { return number < each.first_block; }));
  std::vector<std::int64_t> ids;
  std::vector<Vec3> points;
  collect(*part, block - part->first_block, ids, points);
  std::vector<std::optional<Mesh::Place>> places(points.size());
  mesh.locate(points, moment, places);
  std::vector<std::int32_t> sources;
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    sources.clear();
    places[i] ? add_sources(*part, on_mesh(mesh, places[i]->at, moment), sources)
              : add_sources(*part, off_mesh(points[i]), sources);
    if (!sources.empty())
    {
      take({ .id = part->first_seed + ids[i],
          .point = points[i],
          .in_field = places[i].has_value(),
          .sources = sources });
    }
  }
}

} // namespace rivulet
