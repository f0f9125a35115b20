// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/UnstructuredCells.h"

#include "Parallel/Team.h"
#include "Trace/Mesh/CurveInBox.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

namespace rivulet
{

namespace
{

constexpr Vec3 kMiddle{ 0.25, 0.25, 0.5 }; ///< a place inside every shape

/// Calls work(begin, end) once on each of some threads, for equal parts of [0, count).
template <class Work>
void for_shares(std::int64_t count, int threads, const Work& work)
{
  static constexpr std::int64_t kWorthAThread = 4096;
  const auto team = static_cast<int>(std::clamp<std::int64_t>(count / kWorthAThread, 1, threads));
  run_team(team, [&](int worker) { work(count * worker / team, count * (worker + 1) / team); });
}

/// A box around all points of a cell, which stay, or go straight from `now` to `later`: arrays of one type, x, y and z
/// of each point together.
template <class Scalar>
WorldBox straight_reach(const CellNodes& table, std::int64_t cell, const Scalar* now, const Scalar* later)
{
  static constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();
  std::array<Scalar, 3> lower{ kInfinity, kInfinity, kInfinity };
  std::array<Scalar, 3> upper{ -kInfinity, -kInfinity, -kInfinity };
  const CellType& type = table.type(cell);
  for (int i = 0; i < type.corners; ++i)
  {
    const std::int64_t at = 3 * table.any_node(cell, type, i);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const Scalar a = now[at + static_cast<std::int64_t>(axis)];
      const Scalar b = later[at + static_cast<std::int64_t>(axis)];
      lower[axis] = std::min(std::min(lower[axis], a), b);
      upper[axis] = std::max(std::max(upper[axis], a), b);
    }
  }
  return { { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } };
}

/// Calls use(reach) with a function that gives boxes of cells: `any`, or one with the same answers in a fraction of its
/// time where the arrays are as usual. All cells of a mesh are measured, of a mesh that moves at each step.
template <class Any, class Use>
void with_reach(const CellNodes& table, const MovingPoints& points, const Any& any, const Use& use)
{
  const auto straight = [&](const auto* now, const auto* later)
  {
    use([&table, now, later](std::int64_t cell) { return straight_reach(table, cell, now, later); });
  };
  const PointArray& later = points.move() ? points.later : points.now;
  const bool curved = points.move() && (points.cubic.has_before || points.cubic.has_after);
  if (curved || later.type != points.now.type)
  {
    use(any);
  }
  else if (later.type == ScalarType::Float32)
  {
    straight(static_cast<const float*>(points.now.data), static_cast<const float*>(later.data));
  }
  else
  {
    straight(static_cast<const double*>(points.now.data), static_cast<const double*>(later.data));
  }
}

/// What the tree needs of the cells of a leaf.
struct MeasuredLeaf
{
  WorldBox points = WorldBox::nothing(); ///< around all points
  WorldBox cells = WorldBox::nothing();  ///< with a margin for places on faces
  double shortest = HUGE_VAL;            ///< diagonal of a cell's box; 0 does not count
};

/// 1: right-handed, -1: left-handed; 0: not known without roots.
template <class Scalar>
int clear_hand_of_tetrahedron(const std::array<std::int64_t, kMostCorners>& nodes, const Scalar* points)
{
  static constexpr double kClear = 4.0 * kNoVolume * kNoVolume;
  static constexpr double kTiny = 1e-280; // squares may have lost digits
  std::array<Vec3, 3> sides;
  for (std::size_t side = 0; side < 3; ++side)
  {
    for (std::int64_t axis = 0; axis < 3; ++axis)
    {
      sides[side][static_cast<std::size_t>(axis)] =
          static_cast<double>(points[3 * nodes[side + 1] + axis]) - static_cast<double>(points[3 * nodes[0] + axis]);
    }
  }
  const double volume = dot(sides[0], cross(sides[1], sides[2]));
  const double cuboid = dot(sides[0], sides[0]) * dot(sides[1], sides[1]) * dot(sides[2], sides[2]);
  const bool clear = cuboid > kTiny && volume * volume > kClear * cuboid;
  return clear && cuboid < HUGE_VAL ? (volume > 0.0 ? 1 : -1) : 0;
}

WorldBox box_around(const ShapeCorners& corners, int count)
{
  WorldBox box = WorldBox::nothing();
  for (int corner = 0; corner < count; ++corner)
  {
    box.add(corners[static_cast<std::size_t>(corner)]);
  }
  return box;
}

/// Whether a planar cell shows another side in two places: on a straight way from one to the other its corners would
/// meet.
bool turned_over(const UnstructuredCells& now, const UnstructuredCells& later, std::int64_t cell)
{
  const CellShape shape = now.table().type(cell).shape;
  const auto normal_of = [&](const UnstructuredCells& cells)
  {
    return tangents_of(shape, cells.corners(cell), kMiddle)[2];
  };
  return dot(normal_of(now), normal_of(later)) < 0.0;
}

/// Sorted by some threads.
template <class Item>
void sort_together(std::vector<Item>& items, int threads)
{
  std::atomic<int> parts{ 0 };
  const auto count = static_cast<std::int64_t>(items.size());
  std::vector<std::pair<std::int64_t, std::int64_t>> shares(static_cast<std::size_t>(threads));
  for_shares(count, threads,
      [&](std::int64_t begin, std::int64_t end)
      {
        std::sort(items.begin() + begin, items.begin() + end);
        shares[static_cast<std::size_t>(parts.fetch_add(1))] = { begin, end };
      });
  shares.resize(static_cast<std::size_t>(parts.load()));
  std::sort(shares.begin(), shares.end());
  for (std::size_t i = 1; i < shares.size(); ++i)
  {
    std::inplace_merge(items.begin(), items.begin() + shares[i].first, items.begin() + shares[i].second);
  }
}

} // namespace

Result<std::shared_ptr<const UnstructuredCells>> UnstructuredCells::create(Arrays arrays, Options options)
{
  Result<CellNodes> nodes = CellNodes::create(arrays.cells, arrays.points.count, options.left_out, options.dimension);
  if (!nodes)
  {
    return forward_error(nodes);
  }
  Result<CellLinks> links = CellLinks::create(*nodes);
  if (!links)
  {
    return forward_error(links);
  }
  const int threads = options.threads;
  const auto topology = std::make_shared<Topology>(*std::move(nodes), *std::move(links));
  topology->others = others_of(topology->nodes, std::move(options));
  std::shared_ptr<UnstructuredCells> made(new UnstructuredCells({ std::move(arrays.points) }, topology, threads));
  topology->box = made->box_of_some();
  topology->order = made->ordered_cells(topology->box);
  topology->memory.take(
      topology->links.bytes() + made->cells() + static_cast<std::int64_t>(4 * topology->order.size()));
  return std::shared_ptr<const UnstructuredCells>(std::move(made));
}

UnstructuredCells::UnstructuredCells(MovingPoints points, std::shared_ptr<const Topology> topology, int threads)
  : points_(std::move(points))
  , topology_(std::move(topology))
  , threads_(threads)
{
}

/// nullptr if there are none with places.
std::shared_ptr<const ForeignCells> UnstructuredCells::others_of(const CellNodes& nodes, Options options)
{
  if (nodes.others() == 0 || !options.others)
  {
    return nullptr;
  }
  std::vector<bool> left_out = std::move(options.left_out);
  left_out.resize(static_cast<std::size_t>(nodes.cells()), false);
  for (std::int64_t cell = 0; cell < nodes.cells(); ++cell)
  {
    left_out[static_cast<std::size_t>(cell)] = left_out[static_cast<std::size_t>(cell)] || nodes.has(cell);
  }
  std::shared_ptr<const ForeignCells> others = options.others(std::move(left_out));
  return others->kinds().empty() ? nullptr : others;
}

Result<std::shared_ptr<const UnstructuredCells>> UnstructuredCells::moved(PointArray points) const
{
  if (points.count != nodes())
  {
    return fail(ErrorCode::BadArgument, "there are " + std::to_string(points.count) + " points, and " +
                                            std::to_string(nodes()) + " at the step before");
  }
  if (others() != nullptr)
  {
    return fail(ErrorCode::Unsupported, "some cells are " + others()->kinds() + ", whose points cannot be moved");
  }
  return std::shared_ptr<const UnstructuredCells>(new UnstructuredCells({ std::move(points) }, topology_, threads_));
}

/// How much of a cuboid's volume the sides at the middle of a cell span; negative inside out.
double UnstructuredCells::fullness(std::int64_t cell, double share) const
{
  const std::array<Vec3, 3> tangents = tangents_of(table().type(cell).shape, corners(cell, share), kMiddle);
  return shape_of(tangents[0], tangents[1], tangents[2]);
}

/// 1: right-handed, -1: left-handed, 0: without a volume.
std::int8_t UnstructuredCells::hand_of(std::int64_t cell) const
{
  if (!has(cell))
  {
    return 0;
  }
  if (!points_.move() && table().type(cell).shape == CellShape::Tetrahedron)
  {
    std::array<std::int64_t, kMostCorners> nodes; // NOLINT(*-member-init): four are used
    table().load_corners(cell, nodes);
    const int hand = points_.now.type == ScalarType::Float32
                         ? clear_hand_of_tetrahedron(nodes, static_cast<const float*>(points_.now.data))
                         : clear_hand_of_tetrahedron(nodes, static_cast<const double*>(points_.now.data));
    if (hand != 0)
    {
      return static_cast<std::int8_t>(hand);
    }
  }
  const double full = fullness(cell, 0.0);
  return static_cast<std::int8_t>((full >= kNoVolume ? 1 : 0) - (full <= -kNoVolume ? 1 : 0));
}

/// Of all cells. Made when it is first asked for.
const std::vector<std::int8_t>& UnstructuredCells::hands() const
{
  std::call_once(hands_made_,
      [&]
      {
        hands_.resize(static_cast<std::size_t>(cells()));
        for_shares(cells(), threads_,
            [&](std::int64_t begin, std::int64_t end)
            {
              for (std::int64_t cell = begin; cell < end; ++cell)
              {
                hands_[static_cast<std::size_t>(cell)] = hand_of(cell);
              }
            });
        memory_of_hands_.take(cells());
      });
  return hands_;
}

bool UnstructuredCells::same_cells(const UnstructuredCells& other) const
{
  const bool same = topology_ == other.topology_ || (others() == nullptr && other.others() == nullptr &&
                                                        nodes() == other.nodes() && table().same_as(other.table()));
  if (!same || this == &other)
  {
    return same;
  }
  const std::vector<std::int8_t>& here = hands();
  const std::vector<std::int8_t>& there = other.hands();
  std::atomic<bool> any_mirrored{ false };
  for_shares(cells(), threads_,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t cell = begin; cell < end && !any_mirrored.load(std::memory_order_relaxed); ++cell)
        {
          const auto at = static_cast<std::size_t>(cell);
          const bool planar = has(cell) && faces_of(table().type(cell).shape).dimension == 2;
          if (here[at] * there[at] < 0 || (planar && turned_over(*this, other, cell)))
          {
            any_mirrored = true;
          }
        }
      });
  return !any_mirrored;
}

std::shared_ptr<const UnstructuredCells> UnstructuredCells::between(const Steps& steps)
{
  const auto points_of = [](const std::shared_ptr<const UnstructuredCells>& cells)
  {
    return cells != nullptr ? cells->points_.now : PointArray{};
  };
  MovingPoints points{ points_of(steps.now), points_of(steps.later), points_of(steps.before), points_of(steps.after),
    steps.cubic };
  return std::shared_ptr<const UnstructuredCells>(
      new UnstructuredCells(std::move(points), steps.now->topology_, steps.now->threads_));
}

ShapeCorners UnstructuredCells::corners(std::int64_t cell, double share) const
{
  ShapeCorners all{};
  std::array<std::int64_t, kMostCorners> nodes; // NOLINT(*-member-init): the first few are used
  const auto count = static_cast<std::size_t>(table().load_corners(cell, nodes));
  if (!points_.move())
  {
    points_.now.gather({ nodes.data(), count }, all.data());
    return all;
  }
  std::transform(
      nodes.begin(), nodes.begin() + count, all.begin(), [&](std::int64_t node) { return points_.at(node, share); });
  return all;
}

/// A box with all points of a cell at all moments.
WorldBox UnstructuredCells::reach(std::int64_t cell) const
{
  WorldBox box = WorldBox::nothing();
  const CellType& type = table().type(cell);
  for (int i = 0; i < type.corners; ++i)
  {
    points_.add_reach(table().any_node(cell, type, i), box);
  }
  return box;
}

/// Around the first nodes of some of the cells, spread over all: enough to order them by.
WorldBox UnstructuredCells::box_of_some() const
{
  static constexpr std::int64_t kMost = 65536;
  WorldBox box = WorldBox::nothing();
  const std::int64_t step = std::max<std::int64_t>(1, cells() / kMost);
  for (std::int64_t cell = 0; cell < cells(); cell += step)
  {
    if (has(cell))
    {
      box.add(points_.now[table().node(cell, 0)]);
    }
  }
  return box;
}

/// Along a curve through their centres.
std::vector<std::int32_t> UnstructuredCells::ordered_cells(const WorldBox& box) const
{
  const CurveInBox curve(box);
  std::vector<std::pair<std::int64_t, std::int32_t>> places;
  places.reserve(static_cast<std::size_t>(cells()));
  for (std::int64_t cell = 0; cell < cells(); ++cell)
  {
    if (has(cell))
    {
      places.emplace_back(0, static_cast<std::int32_t>(cell));
    }
  }
  for_shares(static_cast<std::int64_t>(places.size()), threads_,
      [&](std::int64_t begin, std::int64_t end)
      {
        for (std::int64_t i = begin; i < end; ++i)
        {
          auto& [place, cell] = places[static_cast<std::size_t>(i)];
          const ShapeCorners all = corners(cell);
          const auto count = static_cast<std::size_t>(table().type(cell).corners);
          Vec3 middle{ 0, 0, 0 };
          for (std::size_t corner = 0; corner < count; ++corner)
          {
            for (std::size_t axis = 0; axis < 3; ++axis)
            {
              middle[axis] += all[corner][axis];
            }
          }
          const double share = 1.0 / static_cast<double>(count);
          place = curve.number({ share * middle[0], share * middle[1], share * middle[2] });
        }
      });
  sort_together(places, threads_);
  std::vector<std::int32_t> order(places.size());
  std::transform(places.begin(), places.end(), order.begin(), [](const auto& each) { return each.second; });
  return order;
}

const UnstructuredCells::Search& UnstructuredCells::search() const
{
  std::call_once(search_made_, [this] { search_ = make_search(); });
  return search_;
}

/// Boxes around each kLeaf cells, and facts about the lengths of all.
UnstructuredCells::Search UnstructuredCells::make_search() const
{
  static constexpr double kOnPlane = 1e-8; // of the diagonal; a place that far from a surface is not on it
  static constexpr double kOfCell = 0.01;
  const auto count = static_cast<std::int64_t>(order().size());
  std::vector<MeasuredLeaf> measured(static_cast<std::size_t>(leaves()));
  with_reach(
      table(), points_, [this](std::int64_t cell) { return reach(cell); },
      [&](const auto& reach)
      {
        for_shares(leaves(), threads_,
            [&](std::int64_t begin, std::int64_t end)
            {
              for (std::int64_t i = begin * kLeaf; i < std::min(end * kLeaf, count); ++i)
              {
                MeasuredLeaf& leaf = measured[static_cast<std::size_t>(i / kLeaf)];
                const WorldBox box = reach(order()[static_cast<std::size_t>(i)]);
                const double length = length_of(box.sides());
                leaf.shortest = length > 0.0 ? std::min(leaf.shortest, length) : leaf.shortest;
                leaf.points.add(box);
                leaf.cells.add(box.widened(kOnFace));
              }
            });
      });
  double least = HUGE_VAL;
  WorldBox box = WorldBox::nothing();
  for (const MeasuredLeaf& leaf : measured)
  {
    least = std::min(least, leaf.shortest);
    box.add(leaf.points);
  }
  double farthest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    farthest = std::max({ farthest, std::fabs(box.lower[axis]), std::fabs(box.upper[axis]) });
  }
  const double single = points_.now.type == ScalarType::Float32 ? farthest * std::ldexp(1.0, -22) : 0.0;
  Search made;
  made.needs_doubles = farthest * std::ldexp(1.0, -24) > kOfCell * least;
  made.on_plane = std::max(kOnPlane * length_of(box.sides()), single);
  std::vector<WorldBox> boxes;
  boxes.reserve(measured.size());
  for (const MeasuredLeaf& leaf : measured)
  {
    boxes.push_back(leaf.cells);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      boxes.back().lower[axis] -= made.on_plane; // planar cells have no thickness
      boxes.back().upper[axis] += made.on_plane;
    }
  }
  made.tree = WorldBoxTree(boxes);
  made.memory.take(WorldBoxTree::bytes(leaves()));
  return made;
}

std::int64_t UnstructuredCells::leaves() const
{
  return (static_cast<std::int64_t>(order().size()) + kLeaf - 1) / kLeaf;
}

std::int64_t UnstructuredCells::sort_number(const Vec3& world) const
{
  return CurveInBox(topology_->box).number(world);
}

std::int64_t UnstructuredCells::bytes() const
{
  return topology_->links.bytes() + cells() + static_cast<std::int64_t>(4 * order().size()) +
         WorldBoxTree::bytes(leaves());
}

/// Has links of single faces found until that has taken a small part of the time of all.
std::int64_t UnstructuredCells::find_beyond(std::int64_t cell, int face) const
{
  static constexpr std::int64_t kPart = 8;
  const Topology& of = *topology_;
  if (points_.move() || of.looked_at.load(std::memory_order_relaxed) > cells() / kPart)
  {
    std::call_once(of.all_linked, [&] { of.links.find_all(table(), nodes(), threads_); });
    return of.links.beyond(cell, face);
  }
  // both cells of a face have its middle in their boxes
  SameFaces same(table(), cell, face);
  std::int64_t looked_at = 0;
  search().tree.visit(middle_of(cell, face),
      [&](std::int64_t leaf)
      {
        const std::int64_t end = std::min((leaf + 1) * kLeaf, static_cast<std::int64_t>(order().size()));
        for (std::int64_t i = leaf * kLeaf; i < end; ++i)
        {
          same.look_at(order()[static_cast<std::size_t>(i)]);
        }
        looked_at += kLeaf;
      });
  of.looked_at.fetch_add(looked_at, std::memory_order_relaxed);
  of.links.keep(same);
  return of.links.beyond(cell, face);
}

/// Another thread has written one side of a link, and not the other yet.
int UnstructuredCells::find_face_back(std::int64_t cell, int count, std::int64_t before) const
{
  int face = 0;
  while (face < count && beyond(cell, face) != before)
  {
    ++face;
  }
  return face < count ? face : -1;
}

/// Of the corners of a face, and within their box.
Vec3 UnstructuredCells::middle_of(std::int64_t cell, int face) const
{
  const CellFaces& faces = faces_of(table().type(cell).shape);
  WorldBox box = WorldBox::nothing();
  for (const std::int8_t corner : faces.corners[static_cast<std::size_t>(face)])
  {
    if (corner >= 0)
    {
      box.add(points_.now[table().node(cell, corner)]);
    }
  }
  Vec3 middle;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    middle[axis] = std::clamp(0.5 * (box.lower[axis] + box.upper[axis]), box.lower[axis], box.upper[axis]);
  }
  return middle;
}

UnstructuredCells::Found UnstructuredCells::walk(const Vec3& world, std::int64_t before, double share) const
{
  WalkState state;
  for (std::int64_t cell = before;;)
  {
    const CellShape shape = table().type(cell).shape;
    const HexCell::Place place = locate_in_shape(shape, corners(cell, share), world);
    const SeenPlace from_here = seen(shape, place);
    const std::int64_t next = beyond(cell, from_here.face);
    switch (next_of_way(from_here, cell, next, state))
    {
    case WalkEnd::Inside:
      return { cell, clamped_to_shape(shape, place.at) };
    case WalkEnd::Lost:
      return {};
    case WalkEnd::Away:
      state.cross(face_back(next, cell), from_here.face == state.came_by());
      cell = next;
    }
  }
}

/// Whether a place may count as in a cell with this box of its points. Planar cells have no thickness.
bool UnstructuredCells::near_box(const WorldBox& box, CellShape shape, const Vec3& world) const
{
  const Vec3 sides = box.sides();
  const double on_plane = faces_of(shape).dimension == 2 ? search().on_plane : 0.0;
  const double margin = kOnFace * std::max({ sides[0], sides[1], sides[2] }) + on_plane;
  bool inside = true;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    inside = inside && world[axis] >= box.lower[axis] - margin && world[axis] <= box.upper[axis] + margin;
  }
  return inside;
}

/// Changes `best` if the cell is better.
void UnstructuredCells::look_at(std::int64_t cell, const Vec3& world, double share, Found& best) const
{
  if (best.cell >= 0 && best.cell < cell)
  {
    return;
  }
  const CellType& type = table().type(cell);
  if (!near_box(reach(cell), type.shape, world))
  {
    return;
  }
  const ShapeCorners all = corners(cell, share);
  if (points_.move() && !near_box(box_around(all, type.corners), type.shape, world))
  {
    return;
  }
  const HexCell::Place place = locate_in_shape(type.shape, all, world);
  if (!(seen(type.shape, place).off <= kOnFace))
  {
    return;
  }
  if (std::fabs(fullness(cell, share)) >= kNoVolume)
  {
    best = { cell, clamped_to_shape(type.shape, place.at) };
  }
}

UnstructuredCells::Found UnstructuredCells::seek(const Vec3& world, double share) const
{
  Found best;
  search().tree.visit(world,
      [&](std::int64_t leaf)
      {
        const std::int64_t end = std::min((leaf + 1) * kLeaf, static_cast<std::int64_t>(order().size()));
        for (std::int64_t i = leaf * kLeaf; i < end; ++i)
        {
          look_at(order()[static_cast<std::size_t>(i)], world, share, best);
        }
      });
  return best;
}

std::int64_t UnstructuredCells::find_at(double share, const Vec3& world, std::int64_t before, CellWeights& at) const
{
  const bool of_others = before >= 0 && !has(before);
  if (of_others && others() != nullptr)
  {
    if (const std::int64_t cell = others()->find(world, before, at); cell == before)
    {
      return cell;
    }
  }
  Found found = before >= 0 && !of_others ? walk(world, before, share) : Found{};
  found = found.cell >= 0 ? found : seek(world, share);
  if (found.cell < 0)
  {
    return others() != nullptr ? others()->find(world, of_others ? before : -1, at) : -1;
  }
  weigh_at(found.cell, found.at, at);
  return found.cell;
}

void UnstructuredCells::weigh_at(std::int64_t cell, const Vec3& at, CellWeights& to) const
{
  const CellType& type = table().type(cell);
  const ShapeWeights weights = weights_of(type.shape, at);
  to.nodes.resize(static_cast<std::size_t>(type.corners));
  for (int corner = 0; corner < type.corners; ++corner)
  {
    to.nodes[static_cast<std::size_t>(corner)] = table().node(cell, corner);
  }
  to.weights.assign(weights.begin(), weights.begin() + type.corners);
  to.gradients.clear();
}

void UnstructuredCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  if (!has(cell))
  {
    others()->weigh(cell, world, gradients, at);
    return;
  }
  const CellShape shape = table().type(cell).shape;
  const Vec3 parametric = clamped_to_shape(shape, locate_in_shape(shape, corners(cell), world).at);
  weigh_at(cell, parametric, at);
  if (gradients)
  {
    add_gradients(cell, parametric, at);
  }
}

void UnstructuredCells::add_gradients(std::int64_t cell, const Vec3& at, CellWeights& to, double share) const
{
  const std::array<Vec3, kMostCorners> slopes =
      gradients_of_weights(table().type(cell).shape, corners(cell, share), at);
  to.gradients.assign(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(to.nodes.size()));
}

Vec3 UnstructuredCells::cell_sides_at(double share, std::int64_t cell) const
{
  return has(cell) ? box_around(corners(cell, share), table().type(cell).corners).sides() : others()->cell_sides(cell);
}

std::string UnstructuredCells::kinds() const
{
  std::string names;
  for (std::size_t kind = 0; kind < table().counts().size(); ++kind)
  {
    if (table().counts()[kind] > 0)
    {
      names += (names.empty() ? "" : ", ") + std::string(cell_shape_detail::kTypes[kind].plural);
    }
  }
  if (others() != nullptr && !others()->kinds().empty())
  {
    names += (names.empty() ? "" : "; ") + others()->kinds();
  }
  return names;
}

} // namespace rivulet
