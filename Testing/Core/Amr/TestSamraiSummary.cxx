// SPDX-License-Identifier: BSD-3-Clause
// What a summary says, and what it must not say.
#include "Amr/BoxChecks.h"
#include "Amr/ReadPatchData.h"
#include "Core/Amr/MadeDump.h"

#include <fstream>

namespace rivulet::test
{
namespace
{

TEST(SamraiSummary, LevelsPatchesAndVariables)
{
  const MadeDump made("--levels 3 --variable name=p --variable 'name=IB::U,shape=vector,centre=node,ghosts=2' "
                      "--first-cycle 123456 --materials iron air");
  const AmrDump dump = made.open();
  EXPECT_EQ(dump.dimensions, 3);
  EXPECT_EQ(dump.cycle, 123456);
  EXPECT_DOUBLE_EQ(dump.time, 123456 * 0.0625);
  ASSERT_EQ(dump.levels.size(), 3U);
  EXPECT_EQ(dump.levels[1].ratio, (Int3{ 2, 2, 2 }));
  EXPECT_DOUBLE_EQ(dump.levels[2].spacing[0], 0.125 / 4);
  ASSERT_EQ(dump.variables.size(), 2U);
  EXPECT_EQ(dump.variables[1].name, "IB::U");
  EXPECT_EQ(dump.variables[1].centering, Centering::Node);
  EXPECT_EQ(dump.variables[1].ghosts, (Int3{ 2, 2, 2 }));
  ASSERT_EQ(dump.variables[1].components.size(), 3U);
  EXPECT_EQ(dump.variables[1].components[2].dataset, "IB::U.02");
  EXPECT_EQ(dump.notes.size(), 1U); // materials
  for (const AmrPatch& patch : dump.patches)
  {
    const AmrLevel& level = dump.levels[static_cast<std::size_t>(patch.level)];
    EXPECT_DOUBLE_EQ(patch.upper[1] - patch.lower[1], patch.cells.size()[1] * level.spacing[1]);
  }
}

TEST(SamraiSummary, ItsTableOfChildrenIsTheOneThatBoxesGive)
{
  for (const char* options : { "--levels 3", "--dimensions 2 --levels 3 --ratio 2 4x2", "--shuffle 3 --levels 2" })
  {
    const AmrDump dump = MadeDump(options).open();
    EXPECT_EQ(dump.children, find_children(dump)) << options;
  }
}

TEST(SamraiSummary, RangesOfVariables)
{
  const MadeDump made("--variable name=a,shape=vector --variable name=b,missing=P0");
  AmrDump dump = made.open();
  ASSERT_TRUE(read_samrai_ranges(dump, 0).has_value());
  ASSERT_TRUE(read_samrai_ranges(dump, 1).has_value());
  EXPECT_EQ(dump.variables[0].components[2].ranges.size(), dump.patches.size());
  EXPECT_LT(dump.variables[0].components[2].ranges[0].minimum, dump.variables[0].components[2].ranges[0].maximum);
  EXPECT_FALSE(dump.variables[1].components[0].ranges[0].stored);
  EXPECT_TRUE(dump.variables[1].components[0].ranges[1].stored);
}

TEST(SamraiSummary, ADeformedMeshHasItsNodes)
{
  const MadeDump made("--deformed --levels 1 --blocks 2");
  AmrDump dump = made.open();
  EXPECT_TRUE(dump.deformed);
  ASSERT_GE(dump.coordinates, 0);
  PatchData data = MadeDump::read(dump, {});
  const PatchVariable& nodes = data.at(0, static_cast<std::size_t>(dump.coordinates));
  EXPECT_EQ(nodes.components, 3);
  EXPECT_EQ(nodes.size[0], dump.patches[0].cells.size()[0] + 1);
}

TEST(SamraiSummary, TablesMayHaveAnotherRank)
{
  EXPECT_DOUBLE_EQ(MadeDump("--damage wrong-rank").open().levels[1].spacing[1], 0.125);
}

struct Refusal
{
  const char* damage;
  ErrorCode code;
  const char* text;
};

class Refusals : public ::testing::TestWithParam<Refusal>
{
};

TEST_P(Refusals, NameWhatDoesNotHold)
{
  const MadeDump made(std::string("--damage ") + GetParam().damage);
  const Result<AmrDump> dump = read_samrai_summary(made.summary(), built_in_names().front());
  ASSERT_FALSE(dump.has_value());
  EXPECT_EQ(dump.error().code, GetParam().code) << dump.error().describe();
  EXPECT_NE(dump.error().describe().find(GetParam().text), std::string::npos) << dump.error().describe();
  EXPECT_EQ(dump.error().path, made.summary());
}

INSTANTIATE_TEST_SUITE_P(Damage, Refusals,
    ::testing::Values(Refusal{ "garbage-summary", ErrorCode::NotThisFormat, "HDF5" },
        Refusal{ "no-names", ErrorCode::NotFound, "var_names" },
        Refusal{ "zero-patches", ErrorCode::Corrupt, "0 patches" },
        Refusal{ "no-such-cluster", ErrorCode::Corrupt, "patch 0" },
        Refusal{ "no-such-level", ErrorCode::Corrupt, "patch 0" },
        Refusal{ "overlapping-boxes", ErrorCode::Corrupt, "overlap" },
        Refusal{ "negative-box", ErrorCode::Corrupt, "patch 0" }, Refusal{ "huge-box", ErrorCode::Corrupt, "patch 0" }),
    [](const auto& test)
    {
      std::string name = test.param.damage;
      std::erase(name, '-');
      return name;
    });

TEST(ReadPatchData, ReadsByNames)
{
  const MadeDump made("--variable name=a --variable name=b");
  const std::vector<std::int32_t> patches{ 2, 0 };
  const std::vector<std::string> variables{ "b" };
  Result<PatchData> data = read_patch_data(made.summary(), patches, variables, {});
  ASSERT_TRUE(data.has_value());
  EXPECT_EQ(data->at(1, 0).state, PatchVariable::State::Read);
  const AmrDump dump = made.open();
  EXPECT_GT(expect_linear(dump, *data), 0);

  const std::vector<std::string> wrong{ "c" };
  const Result<PatchData> refused = read_patch_data(made.summary(), patches, wrong, {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().describe().find("\"a\", \"b\""), std::string::npos) << refused.error().describe();
}

TEST(DumpNames, ASiteAddsItsOwn)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("names.json");
  std::ofstream(path)
      << R"([ { "name": "Mine", "index": "dumps.mine", "summary": "summary.my", "cluster": "part.%03d.my",
                                "groups": [ "p.%d", "l.%02d", "b.%d" ], "component": "_%d" } ])";
  const Result<std::vector<DumpNames>> names = read_names(path);
  ASSERT_TRUE(names.has_value()) << names.error().describe();
  EXPECT_EQ(names->at(0).cluster.path(7), "part.007.my");
  EXPECT_EQ(names->at(0).groups[1].path(3), "l.03");
  EXPECT_EQ(names_of(*names, "/a/b/other.my").name, "Mine");
  EXPECT_EQ(names_of(built_in_names(), "/a/dumps.javis").name, "JASMIN");
  for (const char* bad : { "{}", "[ 1 ]", R"([ { "cluster": "no number" } ])", R"([ { "summary": "a/b" } ])",
           R"([ { "groups": [ "%d" ] } ])", "[" })
  {
    std::ofstream(path) << bad;
    EXPECT_FALSE(read_names(path).has_value()) << bad;
  }
  EXPECT_EQ(read_names(folder.file("none.json")).error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace rivulet::test
