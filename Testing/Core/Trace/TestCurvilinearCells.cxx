// SPDX-License-Identifier: BSD-3-Clause
// Curvilinear grids in memory: cells are found as a search through all of them finds them, and a velocity that is
// linear in the world, which trilinear cells of any shape hold exactly, has the lines of a uniform grid. Each rule of
// place has a case.
#include "Core/Trace/BentLattice.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Trace/Mesh/CurvilinearCells.h"
#include "Trace/Mesh/HexWalk.h"

#include <cmath>

namespace rivulet::test
{
namespace
{

/// Numbers of all cells that have a place within a tolerance, by a search of all.
std::vector<std::int64_t> cells_with(const BentLattice& lattice, const Vec3& world, double tolerance)
{
  std::vector<std::int64_t> found;
  for (std::int64_t cell = 0; cell < volume(lattice.counts()); ++cell)
  {
    const HexCell::Place place = lattice.cell(cell).locate(world);
    if (place.converged && HexCell::violation(place.at) <= tolerance)
    {
      found.push_back(cell);
    }
  }
  return found;
}

Vec3 world_of(const BentLattice& lattice, const CellWeights& at)
{
  Vec3 sum{ 0, 0, 0 };
  for (std::size_t i = 0; i < at.nodes.size(); ++i)
  {
    const Vec3 x = lattice.point(at.nodes[i]);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      sum[axis] += at.weights[i] * x[axis];
    }
  }
  return sum;
}

double distance(const Vec3& a, const Vec3& b)
{
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

} // namespace

TEST(HexCell, LocatesThePlacesOfItsCoordinates)
{
  Points points;
  for (int i = 0; i < 2000; ++i)
  {
    HexCell::Corners corners;
    for (std::size_t corner = 0; corner < 8; ++corner)
    {
      const Vec3 off = points.next(-0.2, 0.2);
      corners[corner] = { off[0] + static_cast<double>(corner & 1), off[1] + static_cast<double>(corner >> 1 & 1),
        off[2] + static_cast<double>(corner >> 2) };
    }
    const HexCell cell(corners);
    const Vec3 at = points.next();
    const HexCell::Place place = cell.locate(cell.at(at));
    ASSERT_TRUE(place.converged) << i;
    EXPECT_LT(distance(place.at, at), 1e-11) << i;
  }
}

TEST(HexCell, WeighsItsCornersAndTheirSlopes)
{
  const BentLattice lattice({ 2, 2, 2 },
      [](const Vec3& x) {
        return Vec3{ x[0] + 0.3 * x[1] * x[2], x[1] * (1 - 0.2 * x[0]), x[2] + 0.1 * x[0] * x[1] };
      });
  const HexCell cell = lattice.cell(0);
  const Vec3 at{ 0.2, 0.7, 0.4 };
  const auto weights = HexCell::weights(at);
  const auto gradients = cell.gradients(at);
  Vec3 place{ 0, 0, 0 };
  Mat3 slopes{};
  for (std::size_t corner = 0; corner < 8; ++corner)
  {
    const Vec3 x = lattice.point(static_cast<std::int64_t>(corner));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      place[axis] += weights[corner] * x[axis];
      for (std::size_t by = 0; by < 3; ++by)
      {
        slopes[3 * axis + by] += gradients[corner][by] * x[axis];
      }
    }
  }
  EXPECT_LT(distance(place, cell.at(at)), 1e-14);
  for (std::size_t i = 0; i < 9; ++i)
  {
    EXPECT_NEAR(slopes[i], i % 4 == 0 ? 1.0 : 0.0, 1e-13);
  }
}

TEST(HexCell, SaysThatAPlaceIsFarAfterOneRound)
{
  const BentLattice lattice({ 2, 2, 2 }, [](const Vec3& x) { return x; });
  EXPECT_TRUE(lattice.cell(0).locate({ 7, 0, 0 }).far);
  EXPECT_FALSE(lattice.cell(0).locate({ 7, 0, 0 }).converged);
  EXPECT_FALSE(lattice.cell(0).locate({ 1.9, 0, 0 }).far);
}

TEST(WorldBoxTree, NamesTheBoxesWithAPlaceInTheirOrder)
{
  Points points;
  std::vector<WorldBox> boxes;
  for (int i = 0; i < 500; ++i)
  {
    WorldBox box = WorldBox::nothing();
    const Vec3 low = points.next();
    box.add(low);
    box.add(Vec3{ low[0] + 0.1, low[1] + 0.2, low[2] + 0.3 });
    boxes.push_back(box);
  }
  for (const std::size_t count : { 0U, 1U, 8U, 9U, 64U, 500U })
  {
    const std::vector<WorldBox> some(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(count));
    const WorldBoxTree tree(some);
    for (int i = 0; i < 100; ++i)
    {
      const Vec3 place = points.next();
      std::vector<std::int64_t> found;
      tree.visit(place, [&](std::int64_t number) { found.push_back(number); });
      std::vector<std::int64_t> expected;
      for (std::size_t number = 0; number < count; ++number)
      {
        if (some[number].contains(place))
        {
          expected.push_back(static_cast<std::int64_t>(number));
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

/// A lattice of which only the cells of one brick are at hand.
class InBricks
{
public:
  InBricks(const BentLattice& lattice, const Int3& brick)
    : lattice_(lattice)
    , brick_(brick)
  {
  }
  void fetch(std::int64_t cell) { held_ = brick_of(from_row_major(cell, lattice_.counts())); }

  [[nodiscard]] Int3 counts() const { return lattice_.counts(); }
  [[nodiscard]] bool at_hand(const Int3& cell) const { return brick_of(cell) == held_; }
  [[nodiscard]] HexCell::Corners corners(const Int3& cell) const
  {
    EXPECT_TRUE(at_hand(cell));
    return lattice_.corners(row_major(cell, lattice_.counts()));
  }
  [[nodiscard]] static bool hidden(const Int3&) { return false; }

private:
  [[nodiscard]] Int3 brick_of(const Int3& cell) const
  {
    return { cell[0] / brick_[0], cell[1] / brick_[1], cell[2] / brick_[2] };
  }
  const BentLattice& lattice_;
  Int3 brick_;
  Int3 held_{ -1, -1, -1 };
};

TEST(HexWalk, GoesOnAsIfItHadNotStopped)
{
  const BentLattice lattice({ 9, 11, 7 }, wavy);
  InBricks whole(lattice, { 100, 100, 100 });
  whole.fetch(0);
  InBricks cut(lattice, { 2, 3, 1 });
  Points points;
  int stops = 0;
  int lost = 0;
  for (int i = 0; i < 3000; ++i)
  {
    // Every third one lies on a face between two cells.
    const std::int64_t cell = points.cell(volume(lattice.counts()));
    const Vec3 world = i % 3 == 0 ? lattice.cell(cell).at({ 1.0, 0.3, 0.6 }) : points.next(-0.05, 1.05);
    WorldPosition straight{ .point = world, .cell = points.cell(volume(lattice.counts())) };
    WorldPosition parked = straight;
    Vec3 at_once{ 0, 0, 0 };
    Vec3 at_last{ 0, 0, 0 };
    const WalkEnd expected = walk_on(whole, straight, at_once);
    WalkEnd end = walk_on(cut, parked, at_last);
    while (end == WalkEnd::Away)
    {
      EXPECT_TRUE(WalkState::under_way(parked.walk));
      ++stops;
      cut.fetch(parked.cell);
      end = walk_on(cut, parked, at_last);
    }
    ASSERT_EQ(end, expected) << i;
    lost += end == WalkEnd::Lost ? 1 : 0;
    if (end == WalkEnd::Inside)
    {
      ASSERT_EQ(parked.cell, straight.cell) << i;
      ASSERT_EQ(at_last, at_once) << i;
      ASSERT_EQ(parked.walk, 0) << i;
    }
  }
  EXPECT_GT(stops, 3000);
  EXPECT_GT(lost, 100);
  EXPECT_LT(lost, 1500);
}

/// Cells that a walk to a place stops in, from the first one to the one that ends it.
std::vector<std::int64_t> way_of_walk(const BentLattice& lattice, std::int64_t from, const Vec3& to, WalkEnd& end)
{
  InBricks cells(lattice, { 1, 1, 1 });
  WorldPosition at{ .point = to, .cell = from };
  Vec3 parametric{ 0, 0, 0 };
  std::vector<std::int64_t> way;
  do
  {
    way.push_back(at.cell);
    cells.fetch(at.cell);
    end = walk_on(cells, at, parametric);
  } while (end == WalkEnd::Away);
  return way;
}

TEST(HexWalk, CrossesTheFirstOfTheFacesThatThePlaceIsEquallyFarBeyond)
{
  const BentLattice lattice({ 5, 5, 5 }, [](const Vec3& x) { return x; });
  const auto cell = [&](const Int3& at)
  {
    return row_major(at, lattice.counts());
  };
  WalkEnd end = WalkEnd::Lost;
  const Vec3 middle_of_first{ 0.125, 0.125, 0.125 };
  const Vec3 middle_of_last{ 0.875, 0.875, 0.875 };
  const std::vector<std::int64_t> up{ cell({ 0, 0, 0 }), cell({ 1, 0, 0 }), cell({ 1, 1, 0 }), cell({ 1, 1, 1 }),
    cell({ 2, 1, 1 }), cell({ 2, 2, 1 }), cell({ 2, 2, 2 }), cell({ 3, 2, 2 }), cell({ 3, 3, 2 }), cell({ 3, 3, 3 }) };
  EXPECT_EQ(way_of_walk(lattice, up.front(), middle_of_last, end), up);
  EXPECT_EQ(end, WalkEnd::Inside);
  const std::vector<std::int64_t> down{ cell({ 3, 3, 3 }), cell({ 2, 3, 3 }), cell({ 2, 2, 3 }), cell({ 2, 2, 2 }),
    cell({ 1, 2, 2 }), cell({ 1, 1, 2 }), cell({ 1, 1, 1 }), cell({ 0, 1, 1 }), cell({ 0, 0, 1 }), cell({ 0, 0, 0 }) };
  EXPECT_EQ(way_of_walk(lattice, down.front(), middle_of_first, end), down);
  EXPECT_EQ(end, WalkEnd::Inside);
}

/// The cell after the 64th face is the last one that is looked at; beyond it, all cells are searched.
TEST(HexWalk, IsLostBeyondItsMostFaces)
{
  const BentLattice lattice({ 129, 2, 2 }, [](const Vec3& x) { return x; });
  const auto middle_of = [](int cell)
  {
    return Vec3{ (cell + 0.5) / 128, 0.5, 0.5 };
  };
  WalkEnd end = WalkEnd::Lost;
  EXPECT_EQ(way_of_walk(lattice, 10, middle_of(10 + WalkState::kMostFaces), end).back(), 74);
  EXPECT_EQ(end, WalkEnd::Inside);
  EXPECT_EQ(way_of_walk(lattice, 10, middle_of(11 + WalkState::kMostFaces), end).back(), 74);
  EXPECT_EQ(end, WalkEnd::Lost);
  CellWeights at;
  EXPECT_EQ(lattice.cells()->find(middle_of(11 + WalkState::kMostFaces), 10, at), 75);
}

TEST(CurvilinearCells, FindsCellsAsASearchThroughAllDoes)
{
  for (const Mapping& mapping : { Mapping(wavy), Mapping(tube) })
  {
    const BentLattice lattice({ 9, 11, 7 }, mapping);
    const auto cells = lattice.cells();
    Points points;
    for (int i = 0; i < 3000; ++i)
    {
      const Vec3 world = points.next(-0.1, 1.7);
      const std::vector<std::int64_t> all = cells_with(lattice, world, kOnFace);
      CellWeights at;
      const std::int64_t found = cells->find(world, -1, at);
      ASSERT_EQ(found, all.empty() ? -1 : all.front()) << i;
      if (found < 0)
      {
        EXPECT_EQ(cells->find(world, points.cell(cells->cells()), at), -1) << i;
        continue;
      }
      EXPECT_LT(distance(world_of(lattice, at), world), 1e-6) << i;
      // From any cell.
      const std::int64_t walked = cells->find(world, points.cell(cells->cells()), at);
      EXPECT_TRUE(std::find(all.begin(), all.end(), walked) != all.end()) << i;
      EXPECT_LT(distance(world_of(lattice, at), world), 1e-6) << i;
    }
  }
}

TEST(CurvilinearCells, FindsTheSamePlacesInSinglePrecisionPoints)
{
  const BentLattice lattice({ 5, 5, 5 }, tube);
  std::vector<float> floats;
  for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
  {
    for (const double x : lattice.point(i))
    {
      floats.push_back(static_cast<float>(x));
    }
  }
  const auto cells = *CurvilinearCells::create({ lattice.nodes(), floats.data(), ScalarType::Float32, {} }, {});
  CellWeights at;
  EXPECT_EQ(cells->find({ 0.75, 0.5, 1.1 }, -1, at), lattice.cells()->find({ 0.75, 0.5, 1.1 }, -1, at));
  EXPECT_GE(cells->find({ 0.75, 0.5, 1.1 }, 0, at), 0);
}

TEST(CurvilinearCells, SeeksBeyondASeam)
{
  const BentLattice lattice({ 3, 25, 3 }, ring);
  const auto cells = lattice.cells();
  CellWeights at;
  const std::int64_t last = cells->find({ 1.0, -0.01, 1.0 }, -1, at);
  EXPECT_EQ(from_row_major(last, lattice.counts())[1], 23);
  const std::int64_t next = cells->find({ 1.0, 0.01, 1.0 }, last, at);
  EXPECT_EQ(from_row_major(next, lattice.counts())[1], 0);
  // On the seam itself, each way has its cell.
  EXPECT_EQ(cells->find({ 1.25, 0, 0.5 }, last, at) >= 0, true);
  EXPECT_EQ(cells->find({ 1.25, 0, 0.5 }, next, at) >= 0, true);
}

/// A place beyond a face by less than kOnFace is on the border, one farther out is not.
TEST(CurvilinearCells, KnowsTheBorderWithinATolerance)
{
  const auto cells = BentLattice({ 3, 3, 3 }, [](const Vec3& x) { return x; }).cells();
  CellWeights at;
  for (const std::int64_t before : { -1, 1, 0 })
  {
    EXPECT_EQ(cells->find({ 1 + 0.4e-6, 0.1, 0.1 }, before, at), 1) << before; // cells are half as long
    EXPECT_EQ(*std::max_element(at.weights.begin(), at.weights.end()) <= 1.0, true);
    EXPECT_EQ(cells->find({ 1 + 0.6e-6, 0.1, 0.1 }, before, at), -1) << before;
  }
}

TEST(CurvilinearCells, TakesTheFirstOfTheCellsOnAFaceAndStaysInTheLast)
{
  const auto cells = BentLattice({ 3, 3, 3 }, [](const Vec3& x) { return x; }).cells();
  CellWeights at;
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, -1, at), 0);
  for (std::int64_t before = 0; before < 8; ++before)
  {
    EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, before, at), before);
  }
}

TEST(CurvilinearCells, DoesNotFindHiddenCells)
{
  const BentLattice lattice({ 5, 5, 5 }, wavy);
  std::vector<bool> hidden(64, false);
  for (std::int64_t cell = 0; cell < 64; ++cell)
  {
    hidden[static_cast<std::size_t>(cell)] = from_row_major(cell, lattice.counts())[0] == 2; // a wall
  }
  const auto cells = lattice.cells(hidden);
  CellWeights at;
  const Vec3 left = lattice.cell(row_major({ 1, 1, 1 }, lattice.counts())).at({ 0.5, 0.5, 0.5 });
  const Vec3 within = lattice.cell(row_major({ 2, 1, 1 }, lattice.counts())).at({ 0.5, 0.5, 0.5 });
  const Vec3 right = lattice.cell(row_major({ 3, 1, 1 }, lattice.counts())).at({ 0.5, 0.5, 0.5 });
  const std::int64_t from = cells->find(left, -1, at);
  EXPECT_EQ(from, row_major({ 1, 1, 1 }, lattice.counts()));
  EXPECT_EQ(cells->find(within, from, at), -1);
  EXPECT_EQ(cells->find(within, -1, at), -1);
  EXPECT_EQ(cells->find(right, from, at), row_major({ 3, 1, 1 }, lattice.counts())) << "over the wall, as a step may";
}

/// The points along x go back once: the third cell is inverted, and lies over the second one.
TEST(CurvilinearCells, SeeksNoInvertedCellsAmongOthers)
{
  constexpr std::array<double, 5> kAlong{ 0, 1, 2, 1.5, 2.5 };
  const Mapping folded = [&](const Vec3& x)
  {
    return Vec3{ kAlong[static_cast<std::size_t>(std::lround(4 * x[0]))], x[1], x[2] };
  };
  const auto cells = BentLattice({ 5, 2, 2 }, folded).cells();
  CellWeights at;
  EXPECT_EQ(cells->find({ 1.75, 0.5, 0.5 }, -1, at), 1);
  EXPECT_EQ(cells->find({ 2.25, 0.5, 0.5 }, -1, at), 3);
}

TEST(CurvilinearCells, TakesALeftHandedLatticeAsItIs)
{
  const BentLattice lattice({ 4, 4, 4 }, [](const Vec3& x) { return wavy({ 1 - x[0], x[1], x[2] }); });
  const auto cells = lattice.cells();
  CellWeights at;
  const Vec3 place = lattice.cell(13).at({ 0.3, 0.6, 0.2 });
  EXPECT_EQ(cells->find(place, -1, at), 13);
  EXPECT_EQ(cells->find(place, 0, at), 13);
}

/// An inverted cell somewhere does not make all others inverted ones.
TEST(CurvilinearCells, TakesTheHandOfMostCells)
{
  for (const bool left : { false, true })
  {
    const Mapping one_folded = [&](const Vec3& x)
    {
      const bool corner = x[0] == 1.0 && x[1] == 1.0 && x[2] == 1.0;
      const double along = corner ? -1.0 : x[0];
      return Vec3{ left ? -along : along, x[1], x[2] };
    };
    const BentLattice lattice({ 4, 4, 4 }, one_folded);
    const auto cells = lattice.cells();
    CellWeights at;
    for (std::int64_t cell = 0; cell < volume(lattice.counts()) - 1; ++cell)
    {
      EXPECT_EQ(cells->find(lattice.cell(cell).at({ 0.3, 0.4, 0.6 }), -1, at), cell) << left;
    }
  }
}

/// Layers that are much thinner than the twist of a cell: the tangent at its centre misses the layer.
TEST(CurvilinearCells, FindsPlacesInThinLayersOnATwistedSurface)
{
  Points points;
  for (const double thickness : { 1e-2, 1e-3, 1e-4, 1e-5 })
  {
    const BentLattice lattice({ 9, 9, 6 },
        [&](const Vec3& x) {
          return Vec3{ x[0], x[1], 0.3 * x[0] * x[1] + thickness * x[2] };
        });
    const auto cells = lattice.cells();
    CellWeights at;
    for (int i = 0; i < 500; ++i)
    {
      const std::int64_t cell = points.cell(volume(lattice.counts()));
      const Vec3 world = lattice.cell(cell).at(points.next(0.1, 0.9));
      const Int3 in = from_row_major(cell, lattice.counts());
      const Int3 beside{ std::max(in[0] - 1, 0), in[1], std::max(in[2] - 1, 0) };
      for (const std::int64_t before : { std::int64_t{ -1 }, row_major(beside, lattice.counts()) })
      {
        ASSERT_EQ(cells->find(world, before, at), cell) << thickness;
        ASSERT_LT(distance(world_of(lattice, at), world), 1e-9 * thickness);
      }
    }
  }
}

TEST(CurvilinearCells, PassesCellsWithoutVolume)
{
  constexpr std::array<double, 4> kAlong{ 0, 1, 1, 2 };
  const Mapping doubled = [&](const Vec3& x)
  {
    return Vec3{ kAlong[static_cast<std::size_t>(std::lround(3 * x[0]))], x[1], x[2] };
  };
  const auto cells = BentLattice({ 4, 2, 2 }, doubled).cells();
  CellWeights at;
  EXPECT_EQ(cells->find({ 1.0, 0.5, 0.5 }, -1, at), 0);
  EXPECT_EQ(cells->find({ 1.5, 0.5, 0.5 }, 0, at), 2);
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, 2, at), 0);
  for (const double weight : at.weights)
  {
    EXPECT_TRUE(weight >= 0.0 && weight <= 1.0);
  }
}

/// Cells that taper to an edge, as around the axis of a cylinder.
TEST(CurvilinearCells, FindsPlacesAroundAnAxis)
{
  const BentLattice lattice({ 6, 13, 3 },
      [](const Vec3& x) {
        return Vec3{ x[0] * std::cos(6.283185307179586 * x[1]), x[0] * std::sin(6.283185307179586 * x[1]), x[2] };
      });
  const auto cells = lattice.cells();
  Points points;
  CellWeights at;
  for (int i = 0; i < 2000; ++i)
  {
    const Vec3 share = points.next();
    const double radius = 0.9 * share[0] + 1e-6;
    const Vec3 place{ radius * std::cos(6.28 * share[1]), radius * std::sin(6.28 * share[1]), share[2] };
    for (const std::int64_t before : { std::int64_t{ -1 }, points.cell(cells->cells()) })
    {
      ASSERT_GE(cells->find(place, before, at), 0) << i;
      ASSERT_LT(distance(world_of(lattice, at), place), 1e-6) << i;
    }
  }
}

/// A flow that is linear in the world, on the points of a lattice.
class BentFlow
{
public:
  BentFlow(const BentLattice& lattice, const Velocity& velocity)
    : values_(sample(lattice, velocity))
    , row_(
          row(volume(lattice.nodes())), { { { "velocity", ScalarType::Float64, 3, Centering::Node }, values_.data() } })
  {
    field_.velocity = { &row_, 0, 0 };
    field_.grid = cube_grid(2, 1.0);
    field_.foreign = lattice.cells();
  }

  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  static Grid row(std::int64_t count)
  {
    Grid grid;
    grid.nodes[0] = static_cast<std::int32_t>(count);
    return grid;
  }
  static std::vector<double> sample(const BentLattice& lattice, const Velocity& velocity)
  {
    std::vector<double> values;
    for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
    {
      const Vec3 v = velocity(lattice.point(i));
      values.insert(values.end(), v.begin(), v.end());
    }
    return values;
  }

  std::vector<double> values_;
  ArrayBricks row_;
  TraceField field_;
};

Vec3 linear(const Vec3& x)
{
  return { -x[1] + 0.6, x[0] - 0.4 + 0.1 * x[2], 0.2 - 0.1 * x[0] };
}

TEST(CurvilinearCells, GivesTheLinesOfAUniformGridInALinearFlow)
{
  const BentLattice lattice({ 17, 15, 19 }, wavy);
  BentFlow bent(lattice, linear);
  Grid grid;
  grid.nodes = { 5, 5, 5 };
  grid.spacing = { 0.25, 0.25, 0.25 };
  FlowInMemory flow(grid, linear);
  Points points;
  std::vector<Vec3> seeds;
  for (int i = 0; i < 50; ++i)
  {
    seeds.push_back(points.next());
  }
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    StreamlineOptions options;
    options.integrator = integrator;
    options.step_unit = StepUnit::Length;
    options.initial_step = 0.02;
    options.minimum_step = 0.02;
    options.maximum_step = 0.02;
    options.maximum_length = 3.0;
    options.direction = TraceDirection::Both;
    options.compute_vorticity = true;
    const TracedLines lines = bent.trace(seeds, options);
    const TracedLines expected = flow.trace(seeds, options);
    ASSERT_EQ(lines.lines.size(), expected.lines.size());
    ASSERT_EQ(lines.points.size(), expected.points.size());
    for (std::size_t i = 0; i < lines.points.size(); ++i)
    {
      ASSERT_NEAR(lines.points[i], expected.points[i], 2e-7) << i; // single precision
    }
    for (std::size_t i = 0; i < lines.vorticity.size(); ++i)
    {
      ASSERT_NEAR(lines.vorticity[i], expected.vorticity[i], 1e-9) << i;
    }
    EXPECT_EQ(bytes_of(bent.trace(seeds, options, 5)), bytes_of(lines));
  }
}

} // namespace rivulet::test
