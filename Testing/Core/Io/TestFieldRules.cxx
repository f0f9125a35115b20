// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/Fixed16.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <set>

namespace rivulet::test
{

namespace
{

using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Grid grid_of(const Int3& nodes)
{
  Grid grid;
  grid.nodes = nodes;
  return grid;
}

Grid rectilinear()
{
  Grid grid = grid_of({ 3, 1, 2 });
  grid.kind = Grid::Kind::Rectilinear;
  grid.axes = { std::vector<double>{ 0.0, 0.5, 4.0 }, std::vector<double>{ 7.0 }, std::vector<double>{ 2.0, -2.0 } };
  return grid;
}

/// defect_of() a grid that was sound before.
template <class Spoil>
std::string defect_after(Grid grid, const Spoil& spoil)
{
  EXPECT_EQ(defect_of(grid), "");
  spoil(grid);
  return defect_of(grid);
}

Variable variable_of(std::int32_t components, Centering centering = Centering::Node)
{
  return { "v", ScalarType::Float32, components, centering };
}

} // namespace

TEST(FieldRules, LimitTheNodesOfEachAxisAndOfAll)
{
  EXPECT_EQ(defect_of(grid_of({ kMostNodes, 1, 1 })), "");
  EXPECT_EQ(defect_of(grid_of({ kMostNodes, kMostNodes, 3 })), "");
  EXPECT_THAT(defect_of(grid_of({ kMostNodes, kMostNodes, 4 })), HasSubstr("too many nodes"));
  EXPECT_THAT(defect_of(grid_of({ kMostNodes, kMostNodes, kMostNodes })), HasSubstr("too many nodes"));
  EXPECT_THAT(defect_of(grid_of({ 2, kMostNodes + 1, 2 })), HasSubstr("nodes along y"));
  EXPECT_THAT(defect_of(grid_of({ 2, 2, 0 })), HasSubstr("0 nodes along z"));
  EXPECT_THAT(defect_of(grid_of({ -5, 2, 2 })), HasSubstr("-5 nodes along x"));
}

TEST(FieldRules, LimitTheFirstIndexToBothSides)
{
  const auto first = [](std::int32_t index)
  {
    return defect_after(grid_of({ 2, 2, 2 }), [index](Grid& grid) { grid.first[1] = index; });
  };
  EXPECT_EQ(first(kMostNodes), "");
  EXPECT_EQ(first(-kMostNodes), "");
  EXPECT_THAT(first(kMostNodes + 1), HasSubstr("first index along y"));
  EXPECT_THAT(first(-kMostNodes - 1), HasSubstr("first index along y"));
}

TEST(FieldRules, LetAUniformGridLieAnywhereButNotNowhere)
{
  const Grid grid = grid_of({ 2, 2, 2 });
  EXPECT_EQ(defect_after(grid, [](Grid& g) { g.spacing = { -1.0, 1e-9, 1e9 }; }), "");
  EXPECT_THAT(defect_after(grid, [](Grid& g) { g.spacing[2] = -0.0; }), HasSubstr("spacing is zero"));
  for (const double odd : { kNaN, kInfinity })
  {
    EXPECT_THAT(defect_after(grid, [=](Grid& g) { g.origin[0] = odd; }), HasSubstr("not finite"));
    EXPECT_THAT(defect_after(grid, [=](Grid& g) { g.spacing[1] = odd; }), HasSubstr("not finite"));
    EXPECT_THAT(defect_after(grid, [=](Grid& g) { g.direction[8] = odd; }), HasSubstr("not finite"));
  }
}

TEST(FieldRules, RefuseDirectionsWithoutAnInverse)
{
  const auto direction = [](const Mat3& matrix)
  {
    return defect_after(grid_of({ 2, 2, 2 }), [&](Grid& grid) { grid.direction = matrix; });
  };
  EXPECT_EQ(direction({ 0, 1, 0, -1, 0, 0, 0, 0, 1 }), "");
  EXPECT_EQ(direction({ 0, 1, 0, 1, 0, 0, 0, 0, 1 }), "") << "mirrored";
  EXPECT_THAT(direction({ 1, 2, 3, 2, 4, 6, 0, 0, 1 }), HasSubstr("singular"));
  const double huge = 1e200; // products of it are infinite, and their differences are not numbers
  EXPECT_THAT(direction({ huge, huge, 0, huge, huge, 0, 0, 0, huge }), HasSubstr("singular"));
}

TEST(FieldRules, WantAsManyPositionsAsNodesThatGoOneWay)
{
  EXPECT_EQ(defect_after(rectilinear(), [](Grid& g) { g.spacing = { 0, kNaN, 0 }; }), "") << "of uniform grids only";
  EXPECT_THAT(defect_after(rectilinear(), [](Grid& g) { g.axes[1].clear(); }), HasSubstr("0 positions for 1 nodes"));
  EXPECT_THAT(defect_after(rectilinear(), [](Grid& g) { g.axes[2].push_back(-5); }), HasSubstr("z axis has 3"));
  EXPECT_THAT(defect_after(rectilinear(), [](Grid& g) { g.axes[0][2] = 0.5; }), HasSubstr("x axis do not go one way"));
  EXPECT_THAT(defect_after(rectilinear(), [](Grid& g) { g.axes[1][0] = kInfinity; }), HasSubstr("y axis"));
}

TEST(FieldRules, KnowNumbersThatGoOneWay)
{
  EXPECT_TRUE(go_one_way({}));
  EXPECT_TRUE(go_one_way({ 3 }));
  EXPECT_TRUE(go_one_way({ 1, 2, 3 }));
  EXPECT_TRUE(go_one_way({ 3, 2, 1 }));
  EXPECT_FALSE(go_one_way({ 3, 2, 2 }));
  EXPECT_FALSE(go_one_way({ 1, 2, 1 }));
  EXPECT_FALSE(go_one_way({ 1, kNaN, 3 }));
  EXPECT_FALSE(go_one_way({ kNaN }));
  EXPECT_FALSE(go_one_way({ 0.0, -0.0 }));
  EXPECT_TRUE(go_one_way({ 5, 4, 9, 8 }, 3)) << "what lies before was looked at earlier";
  EXPECT_FALSE(go_one_way({ 5, 4, 9, 8 }, 2));
  EXPECT_FALSE(go_one_way({ 5, 4, 3, 3 }, 3)) << "the step from the last of them counts";
  EXPECT_TRUE(go_one_way({ 1, 2 }, 2));
}

TEST(FieldRules, WantTimesThatIncrease)
{
  using Times = std::vector<double>;
  EXPECT_EQ(defect_of(Times{ -1, 0, 1e-300 }), "");
  EXPECT_THAT(defect_of(Times{}), HasSubstr("no time steps"));
  EXPECT_THAT(defect_of(Times{ 0, 1, 1 }), HasSubstr("step 2"));
  EXPECT_THAT(defect_of(Times{ 0, -1 }), HasSubstr("step 1"));
  EXPECT_THAT(defect_of(Times{ kNaN }), HasSubstr("step 0"));
  EXPECT_THAT(defect_of(Times{ 0, kInfinity }), HasSubstr("step 1"));
}

TEST(FieldRules, WantVariablesWithNamesOfTheirOwn)
{
  const auto named = [](const std::string& name)
  {
    Variable variable = variable_of(1);
    variable.name = name;
    return std::vector<Variable>{ variable_of(3), variable };
  };
  EXPECT_EQ(defect_of(named("V")), "");
  EXPECT_EQ(defect_of(named(std::string(kMostNameBytes, 'n'))), "");
  EXPECT_THAT(defect_of(named(std::string(kMostNameBytes + 1, 'n'))), HasSubstr("longer than 255 bytes"));
  EXPECT_NE(defect_of(named("")), "");
  EXPECT_NE(defect_of(named(std::string("p\0q", 3))), "");
  EXPECT_THAT(defect_of(named("v")), HasSubstr("two variables are called \"v\""));
  EXPECT_THAT(defect_of(std::vector<Variable>{}), HasSubstr("no variables"));
  EXPECT_EQ(defect_of(std::vector{ variable_of(9) }), "");
  EXPECT_THAT(defect_of(std::vector{ variable_of(10) }), HasSubstr("10 components"));
  EXPECT_THAT(defect_of(std::vector{ variable_of(0) }), HasSubstr("0 components"));
}

TEST(FieldRules, MultiplyUpToALimit)
{
  constexpr std::int64_t kLimit = std::int64_t{ 1 } << 62;
  EXPECT_EQ(checked_product(3, 5), 15);
  EXPECT_EQ(checked_product(0, std::numeric_limits<std::int64_t>::max()), 0);
  EXPECT_EQ(checked_product(kLimit - 1, 1), kLimit - 1);
  EXPECT_EQ(checked_product(kLimit, 1), -1);
  EXPECT_EQ(checked_product(kLimit / 2, 2), -1);
  EXPECT_EQ(checked_product(std::int64_t{ 1 } << 33, std::int64_t{ 1 } << 33), -1) << "which is 4 modulo 2^64";
  EXPECT_EQ(checked_product(-3, -5), -1);
}

/// Records of the usual bricks waste little of their pages.
TEST(FieldRules, CutUsualBricksToFillTheirPages)
{
  const Grid grid = grid_of({ 101, 101, 101 });
  EXPECT_EQ(make_layout(grid, variable_of(3), kUsualBrick)->stride, 3 * kPage);
  const BrickLayout encoded = *make_layout(grid, variable_of(3), kUsualBrick, Encoding::Fixed16);
  EXPECT_EQ(encoded.stride, 2 * kPage);
  EXPECT_EQ(encoded.payload, fixed16_bytes(3, 11 * 11 * 11));
  EXPECT_EQ(usual_brick_cells(Encoding::Plain, { 2, 99, 99 }), (Int3{ 30, 30, 30 })) << "one layer of cells is flat";
  EXPECT_EQ(usual_brick_cells(Encoding::Fixed16, { 99, 1, 2 }), (Int3{ 1330, 1330, 1330 }));
  EXPECT_EQ(brick_cells_or_usual({ 4, 5, 6 }, Encoding::Plain, grid.nodes), (Int3{ 4, 5, 6 }));
}

TEST(FieldRules, CutNoBrickLargerThanTheGrid)
{
  const Grid grid = grid_of({ 10, 2, 1 });
  const BrickLayout nodes = *make_layout(grid, variable_of(1), { 4, 100, 100 });
  EXPECT_EQ(nodes.cells, (Int3{ 4, 1, 1 }));
  EXPECT_EQ(nodes.nodes, (Int3{ 5, 2, 1 })) << "an axis of one node has no shared layer";
  EXPECT_EQ(nodes.grid.count, (Int3{ 3, 1, 1 }));
  EXPECT_EQ(nodes.grid.lattice, grid.nodes);
  const BrickLayout cells = *make_layout(grid, variable_of(1, Centering::Cell), { 3, 100, 100 });
  EXPECT_EQ(cells.nodes, (Int3{ 3, 1, 1 })) << "cells share no values";
  EXPECT_EQ(cells.grid.count, (Int3{ 3, 1, 1 }));
  EXPECT_EQ(cells.grid.lattice, (Int3{ 9, 1, 1 }));
}

TEST(FieldRules, CutNoBrickOfMoreThanAGibibyte)
{
  const Grid grid = grid_of({ 2049, 2049, 2049 });
  const Variable cells = variable_of(1, Centering::Cell);
  EXPECT_EQ(make_layout(grid, cells, { 1024, 512, 512 })->values, kMostBrickBytes);
  const Result<BrickLayout> larger = make_layout(grid, cells, { 1025, 512, 512 });
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().code, ErrorCode::BadArgument);
  EXPECT_THAT(larger.error().what, HasSubstr("larger than 1 GiB"));
  EXPECT_FALSE(make_layout(grid_of({ kMostNodes, kMostNodes, 3 }), variable_of(9), { kMostNodes, kMostNodes, 2 }));
}

TEST(FieldRules, CutNoMoreBricksThanAFileHolds)
{
  const Grid grid = grid_of({ kMostNodes, 1 << 20, 3 });
  const Result<BrickLayout> layout = make_layout(grid, variable_of(1), { 1, 1, 1 });
  ASSERT_FALSE(layout);
  EXPECT_THAT(layout.error().what, HasSubstr("too many bricks"));
  EXPECT_TRUE(make_layout(grid, variable_of(1), { 256, 256, 2 }));
}

/// Values are decoded from the end of the memory to its start, without overwriting what is still needed.
TEST(FieldRules, GiveEncodedRecordsRoomForTheirValues)
{
  const Grid grid = grid_of({ 31, 31, 31 });
  const BrickLayout plain = *make_layout(grid, variable_of(3), kUsualBrick);
  EXPECT_EQ(plain.slot_bytes(), plain.stride);
  EXPECT_EQ(plain.record_in_slot(), 0);
  const BrickLayout encoded = *make_layout(grid, variable_of(3), kUsualBrick, Encoding::Fixed16);
  EXPECT_EQ(encoded.record_in_slot() % kPage, 0);
  EXPECT_GE(encoded.record_in_slot() + encoded.payload, encoded.values);
  EXPECT_EQ(encoded.slot_bytes(), encoded.record_in_slot() + encoded.stride);
  const BrickLayout tiny = *make_layout(grid, variable_of(9), { 1, 1, 1 }, Encoding::Fixed16);
  EXPECT_GT(tiny.payload, tiny.values) << "headers take more than codes save";
  EXPECT_EQ(tiny.record_in_slot(), 0);
}

TEST(FieldRules, LinkEveryNameToAGroupOfItsOwn)
{
  const std::vector<std::pair<std::string, std::string>> known{ { "velocity", "velocity" }, { "rho/U", "rho%2FU" },
    { ".", "%2E" }, { "..", "%2E." }, { "a.b", "a.b" }, { "100%", "100%25" }, { "%2F", "%252F" }, { "/", "%2F" } };
  std::set<std::string> links;
  for (const auto& [name, link] : known)
  {
    EXPECT_EQ(link_name(name), link);
    links.insert(link_name(name));
  }
  EXPECT_EQ(links.size(), known.size());
}

} // namespace rivulet::test
