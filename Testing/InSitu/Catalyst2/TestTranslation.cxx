// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Catalyst2/Channel.h"
#include "InSitu/Catalyst2/State.h"
#include "Tree.h"

#include <gmock/gmock.h>

#include <limits>

namespace
{

using namespace rivulet::catalyst2;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string kData = "catalyst/channels/grid/data/";

/// A uniform mesh of 3 x 2 x 1 cells without fields.
void set_uniform(Tree& tree, const std::string& data = kData)
{
  tree.set("catalyst/channels/grid/type", "mesh");
  tree.set(data + "coordsets/c/type", "uniform");
  tree.set(data + "coordsets/c/dims/i", std::int64_t{ 4 }).set(data + "coordsets/c/dims/j", std::int64_t{ 3 });
  tree.set(data + "coordsets/c/dims/k", std::int64_t{ 2 });
  tree.set(data + "topologies/t/type", "uniform").set(data + "topologies/t/coordset", "c");
}

void set_field(Tree& tree, const std::string& name, const char* association, const std::string& data = kData)
{
  tree.set(data + "fields/" + name + "/association", association).set(data + "fields/" + name + "/topology", "t");
}

class Translation : public testing::Test
{
protected:
  [[nodiscard]] rivulet::Result<std::vector<Part>> read()
  {
    return parts_of(tree.at("catalyst/channels/grid"), teller);
  }
  /// The only domain of the only part.
  [[nodiscard]] Domain domain()
  {
    auto parts = read();
    EXPECT_TRUE(parts) << (parts ? "" : parts.error().describe());
    return parts && !parts->empty() && !parts->front().domains.empty() ? parts->front().domains.front() : Domain{};
  }
  [[nodiscard]] std::string refusal()
  {
    const auto parts = read();
    return parts ? "" : parts.error().describe();
  }

  Tree tree;
  Teller teller;
};

TEST_F(Translation, DefaultsOfMeshBlueprintHold)
{
  set_uniform(tree);
  const Domain mesh = domain();
  EXPECT_THAT(mesh.grid.cells, ElementsAre(3, 2, 1));
  EXPECT_THAT(mesh.grid.origin, ElementsAre(0, 0, 0));
  EXPECT_THAT(mesh.grid.spacing, ElementsAre(1, 1, 1));
}

TEST_F(Translation, AFlatMeshHasNoCellsAlongAnAxis)
{
  set_uniform(tree);
  tree.set(kData + "coordsets/c/dims/k", std::int64_t{ 1 }).set(kData + "coordsets/c/spacing/dz", 7.0);
  set_field(tree, "p", "element");
  tree.set(kData + "fields/p/values", std::vector<double>(6));
  EXPECT_THAT(domain().grid.cells, ElementsAre(3, 2, 0));
  EXPECT_THAT(domain().grid.spacing, ElementsAre(1, 1, 1));
  EXPECT_THAT(domain().grid.thickness, ElementsAre(0, 0, 7));
  EXPECT_THAT(domain().at_cells, SizeIs(1));
}

TEST_F(Translation, ComponentsInOneArrayAreInterleaved)
{
  set_uniform(tree);
  set_field(tree, "v", "element");
  std::vector<double> memory(6 * 4);
  tree.show(kData + "fields/v/values/x", memory.data(), 6, 0, 2)
      .show(kData + "fields/v/values/y", memory.data(), 6, 1, 2);
  set_field(tree, "w", "element");
  tree.show(kData + "fields/w/values/x", memory.data(), 6, 0, 4)
      .show(kData + "fields/w/values/y", memory.data(), 6, 1, 4);
  const Domain mesh = domain();
  ASSERT_THAT(mesh.at_cells, SizeIs(2));
  EXPECT_FALSE(mesh.at_cells[0].separate);
  EXPECT_EQ(mesh.at_cells[0].stride, 0); // packed
  EXPECT_THAT(mesh.at_cells[0].first, ElementsAre(memory.data()));
  EXPECT_EQ(mesh.at_cells[1].stride, 32);
}

TEST_F(Translation, ComponentsInArraysOfTheirOwnAreSeparate)
{
  set_uniform(tree);
  set_field(tree, "v", "vertex");
  std::vector<double> memory(2 * 24 + 1);
  tree.show(kData + "fields/v/values/x", memory.data(), 24, 1, 1)
      .show(kData + "fields/v/values/y", memory.data(), 24, 25, 1);
  const Domain mesh = domain();
  ASSERT_THAT(mesh.at_nodes, SizeIs(1));
  EXPECT_TRUE(mesh.at_nodes[0].separate);
  EXPECT_EQ(mesh.at_nodes[0].components, 2);
  EXPECT_EQ(mesh.at_nodes[0].stride, 0);
  EXPECT_THAT(mesh.at_nodes[0].first, ElementsAre(memory.data() + 1, memory.data() + 25));
}

TEST_F(Translation, MarksBecomeLayersOfGhosts)
{
  set_uniform(tree);
  set_field(tree, "ascent_ghosts", "element");
  tree.set(kData + "fields/ascent_ghosts/values", std::vector<std::int32_t>{ 1, 1, 1, 1, 0, 0 });
  const Domain mesh = domain();
  EXPECT_THAT(mesh.below, ElementsAre(1, 1, 0));
  EXPECT_THAT(mesh.above, ElementsAre(0, 0, 0));
  EXPECT_THAT(mesh.at_cells, IsEmpty());
}

TEST_F(Translation, MarksThatLeaveNoBoxAreRefused)
{
  set_uniform(tree);
  set_field(tree, "holes", "element");
  tree.set(kData + "state/metadata/vtk_fields/holes/attribute_type", "Ghosts");
  tree.set(kData + "fields/holes/values", std::vector<std::int32_t>{ 0, 1, 0, 0, 0, 0 });
  EXPECT_THAT(refusal(), HasSubstr("fields/holes: cells without marks are not a box"));
}

TEST_F(Translation, ADomainOfGhostsAloneIsNone)
{
  set_uniform(tree);
  set_field(tree, "vtkGhostType", "element");
  tree.set(kData + "fields/vtkGhostType/values", std::vector<std::int32_t>(6, 1));
  const auto parts = read();
  ASSERT_TRUE(parts) << parts.error().describe();
  ASSERT_THAT(*parts, SizeIs(1));
  EXPECT_THAT(parts->front().domains, IsEmpty());
}

TEST_F(Translation, OnlyDuplicateCellsOfVtkAreGhosts)
{
  set_uniform(tree);
  set_field(tree, "vtkGhostType", "element");
  tree.set(kData + "fields/vtkGhostType/values", std::vector<std::int32_t>{ 9, 8, 0, 1, 2, 16 });
  const Domain mesh = domain();
  EXPECT_THAT(mesh.below, ElementsAre(1, 0, 0));
  EXPECT_THAT(mesh.above, ElementsAre(0, 0, 0));
  EXPECT_EQ(teller.last(), "");
  tree.set(kData + "fields/vtkGhostType/values", std::vector<std::int32_t>{ 0, 32, 0, 0, 0, 0 });
  EXPECT_THAT(domain().below, ElementsAre(0, 0, 0));
  EXPECT_THAT(teller.last(), HasSubstr("fields/vtkGhostType: hidden cells"));
}

TEST_F(Translation, MarksOfNodesAreLeftOutAlone)
{
  set_uniform(tree);
  set_field(tree, "p", "element");
  tree.set(kData + "fields/p/values", std::vector<double>(6));
  set_field(tree, "vtkGhostType", "vertex");
  tree.set(kData + "fields/vtkGhostType/values", std::vector<std::int32_t>(24));
  const Domain mesh = domain();
  EXPECT_THAT(mesh.at_cells, SizeIs(1));
  EXPECT_THAT(mesh.at_nodes, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/vtkGhostType: marks of ghost nodes"));
}

TEST_F(Translation, ValuesWithGapsOrInAnotherOrderAreLeftOut)
{
  set_uniform(tree);
  set_field(tree, "p", "element");
  tree.set(kData + "fields/p/values", std::vector<double>(6));
  const std::string field = kData + "fields/p/";
  tree.set(field + "offsets", std::vector<std::int32_t>{ 0, 0, 0 });
  tree.set(field + "strides", std::vector<std::int32_t>{ 1, 3, 6 });
  EXPECT_THAT(domain().at_cells, SizeIs(1));
  tree.set(field + "strides", std::vector<std::int32_t>{ 2, 1, 6 });
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/p/strides: values do not follow one another"));
  tree.set(field + "strides", std::vector<std::int32_t>{ 1, 3, 9 }); // there is one layer
  EXPECT_THAT(domain().at_cells, SizeIs(1));
  tree.set(field + "offsets", std::vector<std::int32_t>{ 1, 0, 0 });
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/p/offsets: values do not follow one another"));
}

TEST_F(Translation, NamesMustBeUtf8)
{
  set_uniform(tree);
  for (const char* const name : { "Gr\xc3\xb6\xc3\x9f"
                                  "e",
           "Gr\xf6\xdf"
           "e" })
  {
    set_field(tree, name, "element");
    tree.set(kData + "fields/" + name + "/values", std::vector<double>(6));
  }
  EXPECT_THAT(domain().at_cells, SizeIs(1));
  EXPECT_THAT(teller.last(), HasSubstr("fields/Gr\\xf6\\xdfe: its name is not UTF-8"));
  tree.set(kData + "topologies/\xff/type", "uniform").set(kData + "topologies/\xff/coordset", "c");
  EXPECT_THAT(refusal(), HasSubstr("topologies/\\xff: its name is not UTF-8"));
}

TEST_F(Translation, ARankMaySayThatItHasNothing)
{
  const auto nothing = [&]
  {
    const auto parts = read();
    EXPECT_TRUE(parts) << (parts ? "" : parts.error().describe());
    return parts && parts->size() == 1 && parts->front().domains.empty();
  };
  set_uniform(tree);
  tree.set(kData + "coordsets/c/dims/i", std::int64_t{ 0 });
  EXPECT_TRUE(nothing());
  tree.set(kData + "coordsets/c/type", "rectilinear").set(kData + "topologies/t/type", "rectilinear");
  tree.set(kData + "coordsets/c/values/x", std::vector<double>());
  EXPECT_TRUE(nothing());
  tree.set(kData + "coordsets/c/type", "explicit").set(kData + "topologies/t/type", "structured");
  EXPECT_TRUE(nothing());
  tree.set(kData + "topologies/t/type", "points");
  EXPECT_EQ(domain().grid.elements, 0);
}

TEST_F(Translation, AStateAloneIsNoDomain)
{
  tree.set("catalyst/channels/grid/type", "mesh").set(kData + "state/cycle", std::int64_t{ 3 });
  EXPECT_THAT(read().value(), IsEmpty());
  tree.set("catalyst/channels/grid/type", "amrmesh");
  EXPECT_THAT(read().value(), IsEmpty());
  tree.set(kData + "first/state/level", std::int64_t{ 0 });
  EXPECT_THAT(read().value(), IsEmpty());
  tree.set(kData + "first/fields/p/topology", "t");
  EXPECT_THAT(refusal(), HasSubstr("first: there is no \"topologies\""));
}

TEST_F(Translation, ARectilinearMeshHasCoordinates)
{
  set_uniform(tree);
  tree.set(kData + "coordsets/c/type", "rectilinear").set(kData + "topologies/t/type", "rectilinear");
  tree.set(kData + "coordsets/c/values/x", std::vector<double>{ 0, 1, 4 });
  tree.set(kData + "coordsets/c/values/y", std::vector<double>{ 2, 3 });
  const Domain mesh = domain();
  EXPECT_EQ(mesh.grid.kind, GridKind::Rectilinear);
  EXPECT_THAT(mesh.grid.cells, ElementsAre(2, 1, 0));
  EXPECT_THAT(mesh.grid.coordinates[0], ElementsAre(0, 1, 4));
  tree.set(kData + "coordsets/c/values/x", std::vector<double>{ 0, 4, 1 });
  EXPECT_THAT(refusal(), HasSubstr("coordsets/c/values/x: the coordinates are not finite, or do not increase"));
}

TEST_F(Translation, AStructuredMeshHasPointsAndAPlace)
{
  set_uniform(tree);
  tree.set(kData + "coordsets/c/type", "explicit").set(kData + "topologies/t/type", "structured");
  tree.set(kData + "topologies/t/elements/dims/i", std::int64_t{ 2 })
      .set(kData + "topologies/t/elements/dims/j", std::int64_t{ 1 });
  tree.set(kData + "topologies/t/elements/origin/i0", std::int64_t{ 5 });
  for (const char* const axis : { "x", "y", "z" })
  {
    tree.set(kData + "coordsets/c/values/" + axis, std::vector<double>(6));
  }
  const Domain mesh = domain();
  EXPECT_EQ(mesh.grid.kind, GridKind::Structured);
  EXPECT_EQ(mesh.grid.points.components, 3);
  EXPECT_TRUE(mesh.grid.points.separate);
  EXPECT_THAT(*mesh.grid.first_cell, ElementsAre(5, 0, 0));
  set_field(tree, "p", "element");
  tree.set(kData + "fields/p/values", std::vector<double>(2));
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/p: values of cells of a structured grid that is flat"));
  tree.set(kData + "topologies/t/elements/dims/i", std::int64_t{ 3 });
  EXPECT_THAT(refusal(), HasSubstr("x, y and z of 8 nodes"));
}

TEST_F(Translation, AFlatStructuredMeshMayHaveXAndYAlone)
{
  set_uniform(tree);
  tree.set(kData + "coordsets/c/type", "explicit").set(kData + "topologies/t/type", "structured");
  tree.set(kData + "topologies/t/elements/dims/i", std::int64_t{ 2 })
      .set(kData + "topologies/t/elements/dims/j", std::int64_t{ 1 });
  tree.set(kData + "coordsets/c/values/x", std::vector<double>(6));
  tree.set(kData + "coordsets/c/values/y", std::vector<double>(6));
  set_field(tree, "p", "element");
  tree.set(kData + "fields/p/values", std::vector<double>(2));
  EXPECT_THAT(domain().grid.cells, ElementsAre(2, 1, 0));
  EXPECT_THAT(domain().at_cells, SizeIs(1));
}

TEST_F(Translation, AnOriginOfAUniformTopologyIsNotRead)
{
  set_uniform(tree);
  tree.set(kData + "topologies/t/elements/origin/i0", "left");
  EXPECT_THAT(domain().grid.cells, ElementsAre(3, 2, 1));
}

TEST_F(Translation, ArraysThatCannotBeReadAreLeftOut)
{
  std::vector<double> memory(7);
  for (const std::int64_t step : { 0, -1 })
  {
    set_uniform(tree);
    set_field(tree, "p", "element");
    tree.show(kData + "fields/p/values", memory.data(), 6, 0, step);
    EXPECT_THAT(domain().at_cells, IsEmpty());
    EXPECT_THAT(
        teller.last(), HasSubstr("fields/p/values: it has 6 numbers, " + std::to_string(8 * step) + " bytes apart"));
  }
  tree.show(kData + "fields/p/values", nullptr, 6, 0, 1);
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/p/values: its pointer is null"));
  tree.show(kData + "fields/p/values", reinterpret_cast<double*>(reinterpret_cast<char*>(memory.data()) + 4), 6, 0, 1);
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("no multiples of their size"));
}

TEST_F(Translation, NumbersOfCoordsetsAreChecked)
{
  set_uniform(tree);
  tree.set(kData + "coordsets/c/dims/i", std::int64_t{ 1 } << 40);
  EXPECT_THAT(refusal(), HasSubstr("the number of cells along an axis is"));
  tree.set(kData + "coordsets/c/dims/i", std::int64_t{ -1 });
  EXPECT_THAT(refusal(), HasSubstr("the number of cells along an axis is -2"));
  set_uniform(tree);
  tree.set(kData + "coordsets/c/dims/l", std::int64_t{ 4 });
  EXPECT_THAT(refusal(), HasSubstr("coordsets/c/dims/l: it is unknown. Use i, j and k"));
}

TEST_F(Translation, ATopologyHasACoordsetOfItsType)
{
  set_uniform(tree);
  tree.set(kData + "topologies/t/type", "points");
  EXPECT_THAT(refusal(), HasSubstr("coordsets/c: its type is \"uniform\", but the topology is points"));
}

TEST_F(Translation, PartsHaveNamesOfMeshesAndTopologies)
{
  set_uniform(tree, kData + "air/");
  tree.set("catalyst/channels/grid/type", "multimesh");
  set_uniform(tree, kData + "water/first/");
  tree.set("catalyst/channels/grid/type", "multimesh");
  tree.set(kData + "water/first/topologies/bed/type", "uniform")
      .set(kData + "water/first/topologies/bed/coordset", "c");
  const auto parts = read();
  ASSERT_TRUE(parts) << parts.error().describe();
  ASSERT_THAT(*parts, SizeIs(3));
  EXPECT_EQ((*parts)[0].mesh, "grid/air");
  EXPECT_EQ((*parts)[0].topology, "t");
  EXPECT_EQ((*parts)[1].mesh, "grid/water");
  EXPECT_EQ((*parts)[2].topology, "bed");
}

TEST_F(Translation, AChannelWithoutDataHasNoParts)
{
  tree.set("catalyst/channels/grid/type", "mesh");
  EXPECT_THAT(read().value(), IsEmpty());
}

TEST_F(Translation, UnknownThingsAreRefusedByName)
{
  tree.set("catalyst/channels/grid/type", "ioss");
  EXPECT_THAT(refusal(), HasSubstr("catalyst/channels/grid: channels of type \"ioss\" are not translated"));
  set_uniform(tree);
  tree.set(kData + "topologies/t/coordset", "other");
  EXPECT_THAT(refusal(), HasSubstr("there is no \"coordsets/other\""));
  set_uniform(tree);
  tree.set("catalyst/channels/grid/type", "amrmesh");
  EXPECT_THAT(refusal(), HasSubstr("there is no \"state/level\""));
  set_uniform(tree);
  tree.set(kData + "coordsets/c/dims/i", "many");
  EXPECT_THAT(refusal(), HasSubstr("coordsets/c/dims/i: it is not one integer"));
}

TEST_F(Translation, AFieldThatIsNotWholeIsToldOfAndLeftOut)
{
  set_uniform(tree);
  set_field(tree, "short", "element");
  tree.set(kData + "fields/short/values", std::vector<double>(5));
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("fields/short/values: there are 5 values, but the topology has 6"));
  set_field(tree, "short", "face");
  EXPECT_THAT(domain().at_cells, IsEmpty());
  EXPECT_THAT(teller.last(), HasSubstr("the association \"face\" is unknown"));
}

TEST_F(Translation, WhatNothingIsMadeOfIsToldOf)
{
  set_uniform(tree);
  for (const char* const name : { "data/matsets", "data/nestsets", "data/state/fields", "assembly" })
  {
    const std::string path = std::string("catalyst/channels/grid/") + name;
    tree.set(path + "/m/topology", "t");
    (void)domain();
    EXPECT_THAT(teller.last(), HasSubstr(path + ": it is not translated"));
  }
  teller.begin_call();
  (void)domain();
  EXPECT_EQ(teller.last(), "");
}

TEST_F(Translation, WhatNothingIsMadeOfIsToldOfOnceForAllDomains)
{
  for (const char* const name : { "first", "second" })
  {
    teller.begin_call();
    set_uniform(tree, kData + name + "/");
    tree.set(kData + name + "/adjsets/a/topology", "t");
    (void)domain();
    EXPECT_EQ(teller.last().empty(), *name == 's');
  }
}

TEST(State, HasAStepOrACycle)
{
  Tree tree;
  tree.set("catalyst/state/cycle", std::int64_t{ 7 }).set("catalyst/state/time", 0.5);
  EXPECT_EQ(state_of(tree.root())->step, 7);
  tree.set("catalyst/state/timestep", std::int64_t{ 8 });
  EXPECT_EQ(state_of(tree.root())->step, 8);
  EXPECT_EQ(state_of(tree.root())->time, 0.5);
}

TEST(State, MayHaveAStepAsAFloat)
{
  Tree tree;
  tree.set("catalyst/state/timestep", 7.0).set("catalyst/state/time", 0.5);
  EXPECT_EQ(state_of(tree.root())->step, 7);
  for (const double wrong : { 7.5, 1e300, std::numeric_limits<double>::quiet_NaN() })
  {
    tree.set("catalyst/state/timestep", wrong);
    EXPECT_THAT(state_of(tree.root()).error().describe(), HasSubstr("state/timestep: it is not one integer"));
  }
}

TEST(Messages, AreTheSameButForNumbers)
{
  Teller teller;
  testing::internal::CaptureStderr();
  for (int step = 0; step < 4; ++step)
  {
    teller.warn(rivulet::Error{ {}, "there are " + std::to_string(990 + 5 * step) + " values", "", "fields/p" });
    teller.warn_once(rivulet::Error{ {}, "it is not read", "", "catalyst/proxies" });
  }
  teller.warn(rivulet::Error{ {}, "there are 7 values", "", "fields/p2" });
  EXPECT_THAT(teller.last(), HasSubstr("fields/p2: there are 7 values"));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("fields/p: there are 990 values"));
  EXPECT_THAT(said, HasSubstr("fields/p: there are 995 values. (2 times by now)"));
  EXPECT_THAT(said, testing::Not(HasSubstr("1000")));
  EXPECT_THAT(said, HasSubstr("fields/p2: there are 7 values"));
  EXPECT_EQ(said.find("catalyst/proxies"), said.rfind("catalyst/proxies"));
}

} // namespace
