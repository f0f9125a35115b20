// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Catalyst2/Channel.h"
#include "InSitu/Catalyst2/PublishedMesh.h"
#include "Tree.h"

#include <gmock/gmock.h>

namespace
{

using namespace rivulet::catalyst2;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kData = "catalyst/channels/grid/data/";
const std::string kTopology = kData + "topologies/t/";

/// Points 0 to 4 along a line, and cells on them.
class MeshCells : public testing::Test
{
protected:
  MeshCells() { set_points(kData); }

  void set_points(const std::string& data)
  {
    tree.set("catalyst/channels/grid/type", "mesh").set(data + "coordsets/c/type", "explicit");
    tree.set(data + "coordsets/c/values/x", std::vector<double>{ 0, 1, 2, 3, 4 });
    tree.set(data + "topologies/t/type", "unstructured").set(data + "topologies/t/coordset", "c");
  }
  void set_mixed()
  {
    tree.set(kTopology + "elements/shape", "mixed");
    tree.set(kTopology + "elements/shape_map/line", std::int64_t{ 3 });
    tree.set(kTopology + "elements/shape_map/tri", std::int64_t{ 5 });
    tree.set(kTopology + "elements/shapes", std::vector<std::int32_t>{ 3, 5 });
    tree.set(kTopology + "elements/sizes", std::vector<std::int32_t>{ 2, 3 });
    tree.set(kTopology + "elements/offsets", std::vector<std::int32_t>{ 0, 2 });
    tree.set(kTopology + "elements/connectivity", std::vector<std::int32_t>{ 0, 1, 2, 3, 4 });
  }
  [[nodiscard]] rivulet::Result<std::vector<Part>> read()
  {
    return parts_of(tree.at("catalyst/channels/grid"), teller);
  }
  /// Why reading refuses, or joining.
  [[nodiscard]] std::string refusal()
  {
    const auto parts = read();
    if (!parts)
    {
      return parts.error().describe();
    }
    const auto joined = JoinedCells::of(parts->front().domains);
    return joined ? "" : joined.error().describe();
  }

  Tree tree;
  Teller teller;
};

TEST_F(MeshCells, AConnectivityStaysWhereItIs)
{
  std::vector<std::int32_t> points{ 0, 1, 1, 2 };
  tree.set(kTopology + "elements/shape", "line").show(kTopology + "elements/connectivity", points);
  const auto parts = read();
  ASSERT_TRUE(parts) << parts.error().describe();
  rivulet_mesh mesh{};
  const auto joined = JoinedCells::of(parts->front().domains);
  ASSERT_TRUE(joined) << joined.error().describe();
  joined->describe(mesh);
  EXPECT_EQ(mesh.connectivity, points.data());
  EXPECT_EQ(mesh.index, RIVULET_INT32);
  EXPECT_EQ(mesh.cells, 2);
  EXPECT_THAT(std::vector(mesh.type, mesh.type + 2), ElementsAre(3, 3));
  const auto* const offset = static_cast<const std::int32_t*>(mesh.offset);
  EXPECT_THAT(std::vector(offset, offset + 3), ElementsAre(0, 2, 4));
}

TEST_F(MeshCells, MixedShapesHaveNamesInTheMap)
{
  set_mixed();
  EXPECT_EQ(refusal(), "");
  tree.set(kTopology + "elements/shapes", std::vector<std::int32_t>{ 3, 7 });
  EXPECT_THAT(refusal(), HasSubstr("topologies/t: cell 1 has a shape that is not in shape_map, 7"));
  tree.set(kTopology + "elements/shapes", std::vector<std::int32_t>{ 3, 5, 5 });
  EXPECT_THAT(refusal(), HasSubstr("2 sizes, but 3 shapes"));
}

TEST_F(MeshCells, TheMapMayHaveShapesThatNoCellHas)
{
  set_mixed();
  tree.set(kTopology + "elements/shape_map/polyhedral", std::int64_t{ 42 });
  EXPECT_EQ(refusal(), "");
  tree.set(kTopology + "elements/shapes", std::vector<std::int32_t>{ 3, 42 });
  EXPECT_THAT(refusal(), HasSubstr("topologies/t: cell 1 has the shape \"polyhedral\", which is not translated"));
}

TEST_F(MeshCells, ShownPointsMustBeThere)
{
  std::vector<std::int32_t> points{ 0, 1, 1, 5 };
  tree.set(kTopology + "elements/shape", "line").show(kTopology + "elements/connectivity", points);
  EXPECT_THAT(refusal(), HasSubstr("topologies/t: its cells have a point that is not there, 5"));
  points[3] = -1;
  EXPECT_THAT(refusal(), HasSubstr("a point that is not there, -1"));
}

TEST_F(MeshCells, SizesMustBeThoseOfTheConnectivity)
{
  for (const std::vector<std::int32_t>& wrong :
      { std::vector<std::int32_t>{ 2, 4 }, { 2, -3 }, { 3, 3 }, { 2, 1 << 30 } })
  {
    set_mixed();
    tree.set(kTopology + "elements/sizes", wrong);
    EXPECT_THAT(refusal(), HasSubstr("cannot have"));
  }
  set_mixed();
  tree.set(kTopology + "elements/connectivity", std::vector<std::int32_t>{ 0, 1, 2, 3, 4, 0 });
  EXPECT_THAT(refusal(), HasSubstr("its cells have 5 points together, but its connectivity has 6"));
  set_mixed();
  tree.set(kTopology + "elements/offsets", std::vector<std::int32_t>{ 0, 3 });
  EXPECT_THAT(refusal(), HasSubstr("cell 1 does not begin behind the cell before, at 2"));
  tree.set(kTopology + "elements/offsets", std::vector<std::int32_t>{ 0, 2, 5 });
  EXPECT_THAT(refusal(), HasSubstr("2 sizes, but 3 offsets"));
}

TEST_F(MeshCells, PolyhedraAndUnknownShapesAreRefusedByName)
{
  tree.set(kTopology + "elements/connectivity", std::vector<std::int32_t>{ 0, 1, 2 });
  tree.set(kTopology + "elements/shape", "polyhedral");
  EXPECT_THAT(refusal(), HasSubstr("topologies/t/elements: cells of shape \"polyhedral\" are not translated"));
  tree.set(kTopology + "elements/shape", "tri").set(kTopology + "subelements/shape", "line");
  EXPECT_THAT(refusal(), HasSubstr("topologies/t: cells of shape \"tri\" with subelements are not translated"));
}

TEST_F(MeshCells, CopiedPointsMustBeThere)
{
  tree.set(kTopology + "elements/shape", "line");
  tree.set(kTopology + "elements/connectivity", std::vector<double>{ 0, 1 });
  EXPECT_THAT(refusal(), HasSubstr("elements/connectivity: it has no integers"));
  std::vector<std::int32_t> strided{ 0, 9, 5, 9 };
  tree.show(kTopology + "elements/connectivity", strided, 2);
  EXPECT_THAT(refusal(), HasSubstr("a point that is not there, 5"));
  strided[2] = -1;
  EXPECT_THAT(refusal(), HasSubstr("a point that is not there, -1"));
}

TEST_F(MeshCells, CoordinatesThatAreNotCartesianAreRefused)
{
  tree.set(kData + "coordsets/c/values/r", std::vector<double>(5));
  EXPECT_THAT(refusal(), HasSubstr("coordsets/c/values: its coordinates are not x"));
}

TEST_F(MeshCells, FieldsHaveAValueOfEachPointOrCell)
{
  tree.set(kTopology + "elements/shape", "line");
  tree.set(kTopology + "elements/connectivity", std::vector<std::int32_t>{ 0, 1, 1, 2 });
  for (const char* const name : { "five", "two" })
  {
    const std::string field = kData + "fields/" + name;
    tree.set(field + "/topology", "t").set(field + "/association", "vertex");
    tree.set(field + "/values", std::vector<double>(*name == 'f' ? 5 : 2));
  }
  const auto parts = read();
  ASSERT_TRUE(parts) << parts.error().describe();
  EXPECT_THAT(parts->front().domains.front().at_nodes, SizeIs(1));
  EXPECT_THAT(teller.last(), HasSubstr("fields/two/values: there are 2 values, but the topology has 5"));
}

TEST_F(MeshCells, ARankWithoutDomainsHasAnEmptyMesh)
{
  const Outline outline{ "grid", "grid", "t", Content::Cells, GridKind::Mesh, { { "p", RIVULET_FLOAT64, 1 } }, {},
    "grid" };
  const PublishedMesh made(outline, {}, JoinedCells::of({}).value(), [](const std::string&) { return true; });
  EXPECT_EQ(made.mesh().points, 0);
  EXPECT_EQ(made.mesh().cells, 0);
  EXPECT_EQ(made.mesh().cell_arrays, 1);
}

TEST_F(MeshCells, OnlyPiecesAndUnpackedValuesAreCopied)
{
  tree.set(kTopology + "elements/shape", "line");
  tree.set(kTopology + "elements/connectivity", std::vector<std::int32_t>{ 0, 1 });
  const auto parts = read();
  ASSERT_TRUE(parts);
  const Domain& domain = parts->front().domains.front();
  const Values& points = domain.grid.points;
  EXPECT_EQ(JoinedValues({ &points }, 1, true).data(), points.first.front());
  const JoinedValues padded({ &points }, 3, true);
  EXPECT_NE(padded.data(), points.first.front());
  EXPECT_EQ(static_cast<const double*>(padded.data())[9], 3);
  EXPECT_EQ(static_cast<const double*>(padded.data())[10], 0);

  rivulet_mesh mesh{};
  const auto joined = JoinedCells::of({ domain, domain });
  ASSERT_TRUE(joined);
  joined->describe(mesh);
  EXPECT_EQ(mesh.index, RIVULET_INT64);
  const auto* const number = static_cast<const std::int64_t*>(mesh.connectivity);
  EXPECT_THAT(std::vector(number, number + 4), ElementsAre(0, 1, 5, 6));
}

} // namespace
