// SPDX-License-Identifier: BSD-3-Clause
// Vorticity in the cells of curvilinear grids: linear flows exactly, others to second order, whatever the bricks.
#include "Core/Trace/CurvilinearFlow.h"
#include "Trace/VortexSeeds.h"

namespace rivulet::test
{
namespace
{

constexpr VortexSeedOptions kAll{ .minimum = 0.0, .maximum = 0.0, .count = 1 << 20 };

/// A flow at the nodes or in the cells of a lattice, in memory.
class BentFlow
{
public:
  BentFlow(const BentLattice& lattice, Centering centering, const std::function<Vec3(const Vec3&)>& velocity)
    : lattice_(lattice)
    , cells_(lattice.cells())
    , values_(values(centering, velocity))
    , source_(grid(), { { { "velocity", ScalarType::Float64, 3, centering }, values_.data() } })
  {
    field_.velocity = { &source_, 0, 0 };
    field_.grid = grid();
    field_.curvilinear = std::shared_ptr<const CurvilinearGrid>(cells_, &cells_->grid());
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] VortexSeeds find() const
  {
    Result<VortexSeeds> found = find_vortex_seeds(field_, kAll, { 2, {} });
    EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().describe());
    return found ? std::move(*found) : VortexSeeds{};
  }

private:
  [[nodiscard]] Grid grid() const
  {
    Grid grid;
    grid.nodes = lattice_.nodes();
    return grid;
  }
  [[nodiscard]] std::vector<double> values(Centering centering, const std::function<Vec3(const Vec3&)>& velocity) const
  {
    const bool nodes = centering == Centering::Node;
    std::vector<double> all;
    for (std::int64_t i = 0; i < volume(nodes ? lattice_.nodes() : lattice_.counts()); ++i)
    {
      const Vec3 v = velocity(nodes ? lattice_.point(i) : lattice_.cell(i).at({ 0.5, 0.5, 0.5 }));
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  }

  const BentLattice& lattice_;
  std::shared_ptr<const CurvilinearCells> cells_;
  std::vector<double> values_;
  ArrayBricks source_;
  TraceField field_;
};

/// curl v = (2.5, 0.5, 2.5) everywhere.
Vec3 linear(const Vec3& x)
{
  return { 0.3 * x[0] - x[1] + 0.25 * x[2], 1.5 * x[0] + 0.2 * x[1] - 2.0 * x[2], -0.25 * x[0] + 0.5 * x[1] - x[2] };
}

Vec3 waves(const Vec3& x)
{
  return { std::sin(3 * x[1]), std::sin(2 * x[2]), std::cos(x[0] + x[1]) };
}

Vec3 curl_of_waves(const Vec3& x)
{
  const double s = std::sin(x[0] + x[1]);
  return { -s - 2 * std::cos(2 * x[2]), s, -3 * std::cos(3 * x[1]) };
}

} // namespace

TEST(VortexSeedsOnMeshes, LinearFlowsHaveTheirVorticityInEveryCell)
{
  const double expected = length_of({ 2.5, 0.5, 2.5 });
  for (const Mapping& mapping : { Mapping(wavy), Mapping(tube) })
  {
    const BentLattice lattice({ 9, 11, 7 }, mapping);
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      const VortexSeeds found = BentFlow(lattice, centering, linear).find();
      ASSERT_EQ(found.cells_in_range, volume(lattice.counts()));
      for (const VortexSeed& seed : found.seeds)
      {
        ASSERT_NEAR(seed.vorticity, expected, 1e-11) << seed.cell;
        EXPECT_LT(distance(seed.position, lattice.cell(seed.cell).at({ 0.5, 0.5, 0.5 })), 1e-14) << seed.cell;
      }
    }
  }
}

TEST(VortexSeedsOnMeshes, ASingleLayerOfCellsHasTheVorticityInItsPlane)
{
  const BentLattice lattice({ 9, 8, 2 }, tube);
  const auto turning = [](const Vec3& x)
  {
    return Vec3{ -1.5 * x[1], 1.5 * x[0], 0.0 };
  };
  for (const VortexSeed& seed : BentFlow(lattice, Centering::Cell, turning).find().seeds)
  {
    ASSERT_NEAR(seed.vorticity, 3.0, 1e-11) << seed.cell;
  }
}

TEST(VortexSeedsOnMeshes, ARowOfCellsHasTheVorticityAcrossIt)
{
  const BentLattice lattice({ 9, 2, 2 }, tube);
  const auto shearing = [](const Vec3& x)
  {
    return Vec3{ 0.0, 0.0, 2.0 * std::hypot(x[0], x[1]) };
  };
  const VortexSeeds found = BentFlow(lattice, Centering::Cell, shearing).find();
  EXPECT_EQ(found.cells_in_range, 8);
  for (const VortexSeed& seed : found.seeds)
  {
    ASSERT_NEAR(seed.vorticity, 2.0, 1e-11) << seed.cell;
  }
}

TEST(VortexSeedsOnMeshes, CellsWithoutAVolumeHaveNoSeeds)
{
  const auto with_flat_layer = [](const Vec3& x)
  {
    return wavy({ x[0], x[1], x[2] <= 0.5 ? x[2] : x[2] - 0.25 }); // the third and the fourth layer of nodes are one
  };
  const BentLattice lattice({ 5, 6, 5 }, with_flat_layer);
  const VortexSeeds found = BentFlow(lattice, Centering::Node, linear).find();
  EXPECT_EQ(found.cells_in_range, 4 * 5 * 3);
  for (const VortexSeed& seed : found.seeds)
  {
    ASSERT_NEAR(seed.vorticity, length_of({ 2.5, 0.5, 2.5 }), 1e-10) << seed.cell;
  }
}

TEST(VortexSeedsOnMeshes, ErrorsFallWithTheSquareOfTheCells)
{
  const auto error = [](std::int32_t cells, Centering centering)
  {
    const BentLattice lattice({ cells + 1, cells + 1, cells + 1 }, wavy);
    double most = 0.0;
    for (const VortexSeed& seed : BentFlow(lattice, centering, waves).find().seeds)
    {
      const Int3 at = from_row_major(seed.cell, lattice.counts());
      const bool inner =
          *std::min_element(at.begin(), at.end()) > 0 && *std::max_element(at.begin(), at.end()) < cells - 1;
      const double expected = length_of(curl_of_waves(seed.position));
      most = inner ? std::max(most, std::fabs(seed.vorticity - expected)) : most;
    }
    return most;
  };
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    const double coarse = error(10, centering);
    EXPECT_GT(coarse, 1e-4);
    EXPECT_GT(coarse / error(20, centering), 3.3);
  }
}

TEST(VortexSeedsOnMeshes, BricksAndThreadsChangeNothing)
{
  const BentLattice lattice(kNodes, wavy);
  FlowInBricks whole(lattice, { 64, 64, 64 });
  const Result<VortexSeeds> expected = find_vortex_seeds(whole.field(), kAll, { 1, {} });
  FlowInBricks cut(lattice, { 4, 5, 3 });
  cut.wait_for_bricks(FaultyBricks::Answer::LaterInRandomOrder);
  const Result<VortexSeeds> found = find_vortex_seeds(cut.field(), kAll, { 3, {} });
  ASSERT_TRUE(expected && found);
  ASSERT_EQ(found->seeds.size(), static_cast<std::size_t>(volume(lattice.counts())));
  ASSERT_EQ(found->seeds.size(), expected->seeds.size());
  for (std::size_t i = 0; i < found->seeds.size(); ++i)
  {
    ASSERT_EQ(found->seeds[i].cell, expected->seeds[i].cell);
    ASSERT_EQ(found->seeds[i].vorticity, expected->seeds[i].vorticity);
    ASSERT_EQ(found->seeds[i].position, expected->seeds[i].position);
  }
}

TEST(VortexSeedsOnMeshes, HiddenCellsHaveNoSeeds)
{
  const BentLattice lattice({ 6, 5, 4 }, wavy);
  BentFlow flow(lattice, Centering::Node, linear);
  std::vector<std::uint8_t> ghosts(static_cast<std::size_t>(volume(lattice.counts())), 0);
  ghosts[7] = ghosts[31] = 32;
  flow.field().cell_ghosts = ghosts.data();
  const VortexSeeds found = flow.find();
  EXPECT_EQ(found.cells_in_range, volume(lattice.counts()) - 2);
  for (const VortexSeed& seed : found.seeds)
  {
    EXPECT_TRUE(seed.cell != 7 && seed.cell != 31);
  }
}

} // namespace rivulet::test
