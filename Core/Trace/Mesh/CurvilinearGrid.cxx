// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CurvilinearGrid.h"

#include "Base/Vector.h"
#include "Curve/Morton.h"
#include "Parallel/Team.h"
#include "Store/Source/VisitBricks.h"
#include "Store/Source/WaitForBrick.h"
#include "Trace/Mesh/HexWalk.h"

#include <atomic>
#include <cmath>
#include <compare>
#include <limits>

namespace rivulet
{

namespace
{

/// Calls use(cell) for each cell of a box.
template <class Use>
void for_each_cell(const Box& cells, const Use& use)
{
  for (Int3 cell = cells.begin; cell[2] < cells.end[2]; ++cell[2])
  {
    for (cell[1] = cells.begin[1]; cell[1] < cells.end[1]; ++cell[1])
    {
      for (cell[0] = cells.begin[0]; cell[0] < cells.end[0]; ++cell[0])
      {
        use(cell);
      }
    }
  }
}

/// Calls use(part) for parts of a box with at most `side` cells along each axis.
template <class Use>
void for_each_part(const Box& cells, std::int32_t side, const Use& use)
{
  const Int3 sizes = cells.size();
  side = std::min(side, *std::max_element(sizes.begin(), sizes.end()));
  Int3 parts;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    parts[axis] = (sizes[axis] + side - 1) / side;
  }
  for_each_cell(Box{ { 0, 0, 0 }, parts },
      [&](const Int3& number)
      {
        Box part;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          part.begin[axis] = cells.begin[axis] + number[axis] * side;
          part.end[axis] = std::min(part.begin[axis] + side, cells.end[axis]);
        }
        use(part);
      });
}

/// The nodes of a box of few cells.
class NodesOfCells
{
public:
  static constexpr std::int32_t kMost = LeafParts::kCells; ///< cells along each axis
  static constexpr std::int64_t kMostNodes = std::int64_t{ kMost + 1 } * (kMost + 1) * (kMost + 1);

  NodesOfCells(const Box& cells, const BrickCorners& corners)
    : begin_(cells.begin)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      counts_[axis] = cells.size()[axis] + 1;
    }
    Vec3* row = points_.data();
    for (std::int32_t z = 0; z < counts_[2]; ++z)
    {
      for (std::int32_t y = 0; y < counts_[1]; ++y, row += counts_[0])
      {
        corners.load_row({ begin_[0], begin_[1] + y, begin_[2] + z }, counts_[0], row);
      }
    }
  }

  [[nodiscard]] const Vec3& point(const Int3& node) const { return at(from_begin(node)); }
  [[nodiscard]] HexCell::Corners of(const Int3& cell) const
  {
    const Int3 low = from_begin(cell);
    HexCell::Corners all;
    for (int corner = 0; corner < HexCell::kCorners; ++corner)
    {
      all[static_cast<std::size_t>(corner)] = at(HexCell::node(low, corner));
    }
    return all;
  }

  /// Calls use(cell) for the cells of which some corners lie below and some above a place along each axis, within
  /// `margin`.
  template <class Use>
  void visit(const Vec3& place, double margin, const Use& use) const
  {
    std::array<std::uint8_t, kMostNodes> sides; // of a node; then of all nodes of an edge, a face and a cell
    const auto nodes = static_cast<std::size_t>(volume(counts_));
    for (std::size_t node = 0; node < nodes; ++node)
    {
      sides[node] = sides_of(points_[node], place, margin);
    }
    std::size_t last = nodes;
    for (const std::size_t step : { std::size_t{ 1 }, static_cast<std::size_t>(counts_[0]),
             static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]) })
    {
      last -= step;
      for (std::size_t node = 0; node < last; ++node)
      {
        sides[node] |= sides[node + step];
      }
    }
    for_each_cell(Box{ { 0, 0, 0 }, { counts_[0] - 1, counts_[1] - 1, counts_[2] - 1 } },
        [&](const Int3& low)
        {
          if (sides[static_cast<std::size_t>(row_major(low, counts_))] == kAllSides)
          {
            use(Int3{ low[0] + begin_[0], low[1] + begin_[1], low[2] + begin_[2] });
          }
        });
  }

private:
  static constexpr std::uint8_t kAllSides = 0x3f;

  /// Bits 2 a and 2 a + 1: whether a node lies below and above a place along axis a.
  [[nodiscard]] static std::uint8_t sides_of(const Vec3& node, const Vec3& place, double margin)
  {
    unsigned sides = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      sides |= (node[axis] - margin <= place[axis] ? 1U : 0U) << 2 * axis;
      sides |= (place[axis] <= node[axis] + margin ? 2U : 0U) << 2 * axis;
    }
    return static_cast<std::uint8_t>(sides);
  }
  [[nodiscard]] Int3 from_begin(const Int3& node) const
  {
    return { node[0] - begin_[0], node[1] - begin_[1], node[2] - begin_[2] };
  }
  /// `node`: counted from the first.
  [[nodiscard]] const Vec3& at(const Int3& node) const
  {
    return points_[static_cast<std::size_t>(row_major(node, counts_))];
  }

  Int3 begin_;
  Int3 counts_; ///< of nodes
  std::array<Vec3, static_cast<std::size_t>(kMostNodes)> points_;
};

} // namespace

LeafParts::LeafParts(const Box& cells, const WorldBox& box, const BrickCorners& corners)
{
  const Int3 sizes = cells.size();
  if (*std::max_element(sizes.begin(), sizes.end()) <= kCells)
  {
    parts_.push_back({ cells, box });
    return;
  }
  for_each_part(cells, kCells,
      [&](const Box& part)
      {
        WorldBox of_part = WorldBox::nothing();
        for_each_cell(Box{ part.begin, { part.end[0] + 1, part.end[1] + 1, part.end[2] + 1 } },
            [&](const Int3& node) { of_part.add(corners.reach_of(node)); });
        parts_.push_back({ part, of_part.widened(kOnFace) });
      });
}

/// Facts about all cells, collected from the leaves.
struct CurvilinearGrid::Facts
{
  std::vector<WorldBox> boxes;
  PlacesMeasure all;

  void add(const PlacesMeasure& leaf)
  {
    boxes.push_back(leaf.box.widened(kOnFace));
    all.add(leaf);
  }
};

/// A leaf that may have a place, and its brick.
struct CurvilinearGrid::Visit
{
  std::int64_t brick = 0;
  std::int32_t leaf = 0;
  std::size_t place = 0;

  auto operator<=>(const Visit&) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

CurvilinearGrid::CurvilinearGrid(const SourceArray& points)
  : points_(points)
  , cut_(points.source->bricks(points.variable))
{
}

void CurvilinearGrid::cut_into_leaves(std::int32_t side)
{
  leaf_side_ = side;
  Int3 least = counts(); // cells of a leaf along each axis
  for (std::int64_t brick = 0; brick < cut_.size(); ++brick)
  {
    for_each_part(cells_of_brick(brick), side,
        [&](const Box& part)
        {
          leaves_.push_back(part.begin);
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            least[axis] = std::min(least[axis], part.size()[axis]);
          }
        });
  }
  const auto place = [&](const Int3& first)
  {
    return morton_number({ first[0] / least[0], first[1] / least[1], first[2] / least[2] });
  };
  std::sort(leaves_.begin(), leaves_.end(), [&](const Int3& a, const Int3& b) { return place(a) < place(b); });
}

Box CurvilinearGrid::cells_of_brick(std::int64_t brick) const
{
  const Int3 at = from_row_major(brick, cut_.count);
  Box cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.begin[axis] = at[axis] * cut_.cells[axis];
    cells.end[axis] = std::min(cells.begin[axis] + cut_.cells[axis], counts()[axis]);
  }
  return cells;
}

Box CurvilinearGrid::cells_of_leaf(std::int32_t leaf) const
{
  Box cells = cells_of_brick(brick_of_leaf(leaf));
  cells.begin = leaves_[static_cast<std::size_t>(leaf)];
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.end[axis] = std::min(cells.end[axis], cells.begin[axis] + std::min(leaf_side_, cells.end[axis]));
  }
  return cells;
}

Result<std::shared_ptr<CurvilinearGrid>> CurvilinearGrid::begin(const SourceArray& points, std::int32_t leaf)
{
  const Variable& variable = points.source->info().variables[static_cast<std::size_t>(points.variable)];
  const Int3& nodes = points.source->bricks(points.variable).lattice;
  if (variable.components != 3 || variable.centering != Centering::Node ||
      *std::min_element(nodes.begin(), nodes.end()) < 2)
  {
    return fail(ErrorCode::BadArgument, "\"" + variable.name +
                                            "\" does not have the three coordinates of the nodes of a grid with two or "
                                            "more along each axis");
  }
  std::shared_ptr<CurvilinearGrid> grid(new CurvilinearGrid(points));
  grid->cut_into_leaves(leaf);
  return grid;
}

Result<std::shared_ptr<const CurvilinearGrid>> CurvilinearGrid::create(
    const SourceArray& points, std::int32_t leaf, int threads)
{
  static constexpr std::int32_t kAtATime = 64; ///< leaves that a thread takes
  Result<std::shared_ptr<CurvilinearGrid>> grid = begin(points, leaf);
  if (!grid)
  {
    return forward_error(grid);
  }
  const std::int32_t leaves = (*grid)->leaves();
  std::vector<Result<PlacesMeasure>> seen(static_cast<std::size_t>(leaves));
  std::atomic<std::int32_t> next{ 0 };
  run_team(leaves <= kAtATime ? 1 : threads,
      [&](int)
      {
        for (std::int32_t first = next.fetch_add(kAtATime); first < leaves; first = next.fetch_add(kAtATime))
        {
          for (std::int32_t number = first; number < std::min(first + kAtATime, leaves); ++number)
          {
            seen[static_cast<std::size_t>(number)] = (*grid)->look_at(number);
          }
        }
      });
  Facts facts;
  for (Result<PlacesMeasure>& each : seen)
  {
    if (!each)
    {
      return forward_error(each);
    }
    facts.add(*each);
  }
  (*grid)->learn(facts);
  return std::shared_ptr<const CurvilinearGrid>(*std::move(grid));
}

Result<std::shared_ptr<const CurvilinearGrid>> CurvilinearGrid::create(
    const SourceArray& points, std::span<const PlacesMeasure> of_bricks)
{
  Result<std::shared_ptr<CurvilinearGrid>> grid = begin(points, kWholeBricks);
  if (!grid)
  {
    return forward_error(grid);
  }
  if (of_bricks.size() != (*grid)->leaves_.size())
  {
    return fail(ErrorCode::BadArgument, "there are facts about " + std::to_string(of_bricks.size()) + " bricks of " +
                                            std::to_string((*grid)->leaves_.size()));
  }
  Facts facts;
  for (std::size_t number = 0; number < of_bricks.size(); ++number)
  {
    const std::int64_t brick = (*grid)->brick_of_leaf(static_cast<std::int32_t>(number));
    facts.add(of_bricks[static_cast<std::size_t>(brick)]);
  }
  (*grid)->learn(facts);
  return std::shared_ptr<const CurvilinearGrid>(*std::move(grid));
}

std::shared_ptr<const CurvilinearGrid> CurvilinearGrid::with_boxes(std::span<const WorldBox> boxes) const
{
  const auto grid = std::make_shared<CurvilinearGrid>(*this);
  grid->tree_ = WorldBoxTree(boxes);
  return grid;
}

void CurvilinearGrid::learn(const Facts& facts)
{
  tree_ = WorldBoxTree(facts.boxes);
  left_handed_ = facts.all.handed < 0;
  double farthest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    farthest = std::max({ farthest, std::fabs(facts.all.box.lower[axis]), std::fabs(facts.all.box.upper[axis]) });
  }
  static constexpr double kOfCell = 0.01;
  needs_doubles_ = farthest * std::ldexp(1.0, -24) > kOfCell * facts.all.shortest;
}

BrickPin CurvilinearGrid::pin(std::int64_t brick, std::shared_ptr<const Error>& error) const
{
  return wait_for_brick(*points_.source, { points_.variable, points_.step, brick }, error);
}

/// Reads the nodes of a leaf.
Result<PlacesMeasure> CurvilinearGrid::look_at(std::int32_t leaf) const
{
  std::shared_ptr<const Error> error;
  const BrickPin held = pin(brick_of_leaf(leaf), error);
  if (!held)
  {
    return tl::unexpected(*error);
  }
  const BrickCorners corners(held.view());
  Box nodes = cells_of_leaf(leaf);
  for (std::int32_t& end : nodes.end)
  {
    ++end;
  }
  PlacesMeasure found;
  if (volume(nodes.size()) <= NodesOfCells::kMostNodes)
  {
    const NodesOfCells of_leaf(cells_of_leaf(leaf), corners);
    found = measure_places(nodes, [&](const Int3& node) -> const Vec3& { return of_leaf.point(node); });
  }
  else
  {
    found = measure_places(nodes, [&](const Int3& node) { return corners.point(node); });
  }
  if (!found.finite)
  {
    return fail(ErrorCode::BadArgument, "a node has a coordinate that is not a finite number", "mend the file",
        points_.source->info().variables[static_cast<std::size_t>(points_.variable)].name);
  }
  return found;
}

CurvilinearGrid::Found CurvilinearGrid::seek(const Vec3& place, const BrickCorners& corners, const Hidden& hidden) const
{
  Found best;
  visit_leaves(place,
      [&](std::int32_t leaf)
      {
        const WorldBox box = box_of_leaf(leaf);
        for_each_part(cells_of_leaf(leaf), LeafParts::kCells,
            [&](const Box& cells) { seek_in(cells, box, corners, place, hidden, best); });
      });
  return best;
}

std::shared_ptr<const Error> CurvilinearGrid::seek(
    std::span<const Vec3> places, const Hidden& hidden, std::span<Found> found) const
{
  std::vector<Visit> visits;
  for (std::size_t place = 0; place < places.size(); ++place)
  {
    tree_.visit(places[place],
        [&](std::int64_t number)
        {
          const auto leaf = static_cast<std::int32_t>(number);
          visits.push_back({ brick_of_leaf(leaf), leaf, place });
        });
  }
  std::sort(visits.begin(), visits.end());
  std::vector<BrickKey> bricks;
  for (const Visit& visit : visits)
  {
    if (bricks.empty() || bricks.back().index != visit.brick)
    {
      bricks.push_back({ points_.variable, points_.step, visit.brick });
    }
  }
  std::shared_ptr<const Error> error;
  visit_bricks(*points_.source, bricks,
      [&](const BrickKey& key, const Lookup& brick)
      {
        error = error ? error : brick.error;
        auto visit = std::lower_bound(visits.begin(), visits.end(), Visit{ key.index, 0, 0 });
        while (brick.pin && visit != visits.end() && visit->brick == key.index)
        {
          const std::int32_t leaf = visit->leaf;
          const BrickCorners corners(brick.pin.view());
          const LeafParts parts = parts_of(leaf, corners);
          for (; visit != visits.end() && visit->leaf == leaf; ++visit)
          {
            seek_in_leaf(parts, corners, places[visit->place], hidden, found[visit->place]);
          }
        }
      });
  return error;
}

std::int32_t CurvilinearGrid::next_leaf(const Vec3& world, std::int32_t last) const
{
  std::int64_t next = -1;
  tree_.visit(world, [&](std::int64_t number) { next = next < 0 && number > last ? number : next; });
  return static_cast<std::int32_t>(next);
}

void CurvilinearGrid::seek_in_leaf(
    const LeafParts& leaf, const BrickCorners& corners, const Vec3& world, const Hidden& hidden, Found& best) const
{
  leaf.visit(world, [&](const Box& cells, const WorldBox& box) { seek_in(cells, box, corners, world, hidden, best); });
}

/// Changes `best` if there is a better one among at most NodesOfCells::kMost cells along each axis. `box` has them all.
void CurvilinearGrid::seek_in(const Box& cells, const WorldBox& box, const BrickCorners& corners, const Vec3& world,
    const Hidden& hidden, Found& best) const
{
  const NodesOfCells nodes(cells, corners);
  const Vec3 sides = box.sides();
  const double margin = kOnFace * std::max({ sides[0], sides[1], sides[2] });
  nodes.visit(world, margin,
      [&](const Int3& cell)
      {
        const std::int64_t number = row_major(cell, counts());
        if (best.cell >= 0 && number > best.cell)
        {
          return;
        }
        const HexCell::Corners of_cell = nodes.of(cell);
        if (!box_around(of_cell).widened(kOnFace).contains(world) || hidden(cell))
        {
          return;
        }
        const HexCell hexahedron(of_cell);
        const double shape = left_handed_ ? -hexahedron.shape() : hexahedron.shape();
        const HexCell::Place place = hexahedron.locate(world);
        if (shape >= kNoVolume && place.converged && HexCell::violation(place.at) <= kOnFace)
        {
          best.cell = number;
          best.at = clamped_to_cell(place.at);
        }
      });
}

} // namespace rivulet
