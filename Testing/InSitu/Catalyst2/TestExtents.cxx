// SPDX-License-Identifier: BSD-3-Clause
// Run on any number of ranks: each has a domain behind that of the rank before, along the first axis.
#include "InSitu/Catalyst2/BoxPoints.h"
#include "InSitu/Catalyst2/PublishedField.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace
{

using namespace rivulet::catalyst2;
using rivulet::ErrorCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Extents : public testing::Test
{
protected:
  Extents()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  /// 4 x 2 cells without ghosts.
  [[nodiscard]] Domain uniform() const
  {
    Domain domain;
    domain.grid.cells = { 4, 2, 0 };
    domain.grid.spacing = { 0.1, 0.5, 1 };
    domain.grid.origin = { 7 + 4 * rank * 0.1, -1, 0 };
    return domain;
  }

  /// One cell along y, flat along z.
  [[nodiscard]] static Domain rectilinear(std::vector<double> x)
  {
    Domain domain;
    domain.grid.kind = GridKind::Rectilinear;
    domain.grid.cells = { static_cast<std::int64_t>(x.size()) - 1, 1, 0 };
    domain.grid.coordinates = { std::move(x), { 0, 5 }, { 2 } };
    return domain;
  }

  int rank = 0;
  int ranks = 1;
};

TEST_F(Extents, UniformDomainsFindTheirPlace)
{
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform() });
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_THAT(extent->origin, ElementsAre(7, -1, 0));
  EXPECT_THAT(extent->cells, ElementsAre(4 * ranks, 2, 0));
  EXPECT_THAT(extent->begin, ElementsAre(Long3{ 4 * rank, 0, 0 }));
  EXPECT_THAT(extent->ratio, IsEmpty());
}

TEST_F(Extents, GhostLayersAreNoPartOfTheGrid)
{
  Domain domain = uniform();
  domain.grid.cells[0] += 3;
  domain.grid.origin[0] -= 2 * 0.1;
  domain.below = { 2, 0, 0 };
  domain.above = { 1, 0, 0 };
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, { domain });
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_DOUBLE_EQ(extent->origin[0], 7);
  EXPECT_THAT(extent->cells, ElementsAre(4 * ranks, 2, 0));
  EXPECT_THAT(extent->begin, ElementsAre(Long3{ 4 * rank, 0, 0 }));
}

TEST_F(Extents, ARankWithoutDomainsTakesPart)
{
  std::vector<Domain> domains{ uniform() };
  domains.resize(rank == 0 ? 1 : 0);
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, domains);
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_THAT(extent->cells, ElementsAre(4, 2, 0));
  EXPECT_THAT(extent->begin, SizeIs(domains.size()));
}

TEST_F(Extents, LevelsHaveRatiosOfSpacings)
{
  Domain fine = uniform();
  fine.level = 1;
  fine.grid.spacing = { 0.05, 0.125, 1 };
  fine.grid.origin[0] += 0.1;
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform(), fine });
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_THAT(extent->ratio, ElementsAre(2, 4, 1));
  EXPECT_THAT(extent->cells, ElementsAre(4 * ranks, 2, 0));
  EXPECT_THAT(extent->begin, ElementsAre(Long3{ 4 * rank, 0, 0 }, Long3{ 8 * rank + 2, 0, 0 }));
}

TEST_F(Extents, LevelsThatAreNoMultiplesOrAreMissingAreRefused)
{
  Domain fine = uniform();
  fine.level = 1;
  fine.grid.spacing[0] = 0.04;
  EXPECT_THAT(
      extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform(), fine }).error().what, HasSubstr("no integer ratio"));
  fine.level = 2;
  EXPECT_THAT(
      extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform(), fine }).error().what, HasSubstr("has no domain"));
}

TEST_F(Extents, DomainsThatAreNotOnOneLatticeAreRefusedOnAllRanks)
{
  Domain shifted = uniform();
  shifted.grid.origin[0] += 0.02;
  Domain wide = uniform();
  wide.grid.spacing[0] = 0.1001;
  for (const Domain& wrong : { shifted, wide })
  {
    std::vector<Domain> domains{ uniform() };
    if (rank == ranks - 1)
    {
      domains.push_back(wrong);
    }
    const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, domains);
    ASSERT_FALSE(extent);
    EXPECT_EQ(extent.error().code, rank == ranks - 1 ? ErrorCode::Unsupported : ErrorCode::Cancelled);
  }
}

TEST_F(Extents, ALevelOutsideOfLevel0IsRefused)
{
  Domain fine = uniform();
  fine.level = 1;
  fine.grid.spacing[0] = 0.05;
  fine.grid.origin[1] += 0.5;
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform(), fine });
  ASSERT_FALSE(extent);
  EXPECT_THAT(extent.error().what, HasSubstr("not all within level 0"));
}

TEST_F(Extents, AFlatDomainAmongOthersIsRefused)
{
  Domain flat = uniform();
  flat.grid.cells[1] = 0;
  flat.grid.spacing[1] = 0.5;
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, { uniform(), flat });
  ASSERT_FALSE(extent);
  EXPECT_THAT(extent.error().what, HasSubstr("no cells along axis 1"));
}

TEST_F(Extents, RectilinearDomainsShareTheirCoordinates)
{
  Domain domain;
  domain.grid.kind = GridKind::Rectilinear;
  domain.grid.cells = { 2, 1, 0 };
  domain.grid.coordinates = { std::vector<double>{ 3.0 * rank, 3.0 * rank + 1, 3.0 * rank + 3 }, { 0, 5 }, { 0 } };
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Rectilinear, { domain });
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_THAT(extent->cells, ElementsAre(2 * ranks, 1, 0));
  EXPECT_THAT(extent->begin, ElementsAre(Long3{ 2 * rank, 0, 0 }));
  EXPECT_THAT(extent->coordinates[0], SizeIs(2 * ranks + 1));

  Domain between = domain;
  between.grid.coordinates[0][1] += 0.5;
  EXPECT_FALSE(extent_of(MPI_COMM_WORLD, GridKind::Rectilinear, { domain, between }));
}

TEST_F(Extents, PlanesThatDifferByRoundingAreRefusedInEitherOrder)
{
  const double above = std::nextafter(0.3, 1);
  for (const auto& [lower, upper] : { std::pair(0.3, above), std::pair(above, 0.3) })
  {
    std::vector<Domain> domains{ rectilinear({ 0, lower }) };
    domains.push_back(rectilinear({ upper, 1 }));
    std::rotate(domains.begin(), domains.begin() + (rank % 2), domains.end());
    const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Rectilinear, domains);
    ASSERT_FALSE(extent);
    EXPECT_THAT(extent.error().what, HasSubstr("axis 0"));
    EXPECT_THAT(extent.error().what, HasSubstr("0.3"));
    EXPECT_THAT(extent.error().what, HasSubstr("0.30000000000000004"));
  }
}

TEST_F(Extents, StructuredDomainsSayWhereTheyAre)
{
  Domain domain;
  domain.grid.kind = GridKind::Structured;
  domain.grid.cells = { 4, 2, 2 };
  domain.grid.first_cell = Long3{ 4 * rank + 1, 1, 1 };
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Structured, { domain });
  ASSERT_TRUE(extent) << extent.error().describe();
  EXPECT_THAT(extent->cells, ElementsAre(4 * ranks, 2, 2));
  EXPECT_THAT(extent->begin, ElementsAre(Long3{ 4 * rank, 0, 0 }));

  domain.grid.first_cell = {};
  const auto without = extent_of(MPI_COMM_WORLD, GridKind::Structured, { domain, domain });
  ASSERT_FALSE(without);
  EXPECT_THAT(without.error().what, HasSubstr("there is no elements/origin"));
}

/// A part whose domains have values of cells.
Part part_with(const std::vector<Domain>& domains)
{
  Part part{ "grid", "t", domains };
  for (Domain& each : part.domains)
  {
    each.at_cells.push_back(Values{ "v", RIVULET_FLOAT64, 8, 3, true, 16, { &part, &part, &part }, 8 });
  }
  return part;
}

TEST_F(Extents, AFieldDescribesMemoryAsItIs)
{
  Domain domain = uniform();
  domain.below = { 1, 0, 0 };
  domain.above = { 0, 1, 0 };
  const Part part = part_with({ domain });
  Teller teller;
  const auto outline = outline_of("grid", part, teller);
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, part.domains);
  ASSERT_TRUE(outline && extent);
  const PublishedField made("grid", RIVULET_CELLS, outline->cells, part.domains, *extent, GridKind::Uniform);
  const rivulet_field& field = made.field();
  ASSERT_EQ(field.blocks, 1);
  EXPECT_THAT(field.block[0].ghosts, ElementsAre(1, 0, 0));
  EXPECT_THAT(field.block[0].ghosts_above, ElementsAre(RIVULET_NO_GHOSTS, 1, 0));
  EXPECT_THAT(field.block[0].cells, ElementsAre(3, 1, 1));
  EXPECT_EQ(field.cells[2], 1);
  EXPECT_EQ(field.variable[0].separate, 1);
  EXPECT_EQ(field.variable[0].stride, 16);
  EXPECT_EQ(field.block[0].data[2], part.domains[0].at_cells[0].first[2]);
}

TEST_F(Extents, CellsOfFlatGridsAreAsThickAsTheSimulationSays)
{
  Domain domain = uniform();
  for (const double given : { 0.0, 7.0 })
  {
    domain.grid.thickness[2] = given;
    const std::vector<Domain> domains{ domain };
    const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Uniform, domains);
    ASSERT_TRUE(extent) << extent.error().describe();
    const PublishedField cells("grid", RIVULET_CELLS, {}, domains, *extent, GridKind::Uniform);
    EXPECT_THAT(cells.field().spacing, ElementsAre(0.1, 0.5, given > 0 ? given : 0.1));
    const PublishedField nodes("grid", RIVULET_NODES, {}, domains, *extent, GridKind::Uniform);
    EXPECT_THAT(nodes.field().spacing, ElementsAre(0.1, 0.5, 1));
    EXPECT_EQ(nodes.field().cells[2], 0);
  }
}

TEST_F(Extents, CellsOfFlatRectilinearGridsAreAsThickAsTheThinnestCell)
{
  const std::vector<Domain> domains{ rectilinear({ 0, 1, 3 }) };
  const auto extent = extent_of(MPI_COMM_WORLD, GridKind::Rectilinear, domains);
  ASSERT_TRUE(extent) << extent.error().describe();
  const PublishedField cells("grid", RIVULET_CELLS, {}, domains, *extent, GridKind::Rectilinear);
  EXPECT_EQ(cells.field().coordinates[2][0], 2);
  EXPECT_EQ(cells.field().coordinates[2][1], 3);
}

TEST_F(Extents, PointsOfFlatStructuredGridsAreInThePlane)
{
  const std::vector<float> x{ 0, 1, 2, 0, 1, 2 };
  const std::vector<float> y{ 5, 5, 5, 5.5, 5.5, 5.5 };
  Domain domain;
  domain.grid.kind = GridKind::Structured;
  domain.grid.cells = { 2, 1, 0 };
  domain.grid.points = Values{ "points", RIVULET_FLOAT32, 4, 2, true, 0, { x.data(), y.data() }, 6 };
  EXPECT_EQ(least_edge({ domain }), 0.5);
  const BoxPoints nodes = BoxPoints::of_nodes({ domain });
  const auto* at = static_cast<const float*>(nodes.all()[0].first[0]);
  EXPECT_THAT(std::vector(at + 9, at + 15), ElementsAre(0, 5.5, 0, 1, 5.5, 0));
  const BoxPoints layer = BoxPoints::of_layer({ domain }, 0.5);
  at = static_cast<const float*>(layer.all()[0].first[0]);
  EXPECT_EQ(layer.all()[0].count, 12);
  EXPECT_THAT(std::vector(at + 15, at + 21), ElementsAre(2, 5.5, 0, 0, 5, 0.5));
}

} // namespace
