// SPDX-License-Identifier: BSD-3-Clause
// What plot files of Chombo and AMReX say, and what they must not say.
#include "Amr/BoxChecks.h"
#include "Amr/ChomboFile.h"
#include "Core/Amr/MadeDump.h"

#include <hdf5.h>

namespace rivulet::test
{
namespace
{

const std::string kChombo = "--format chombo --spacing 0.25 0.25 0.25 ";
const std::string kAmrex = "--format amrex ";

TEST(ChomboFile, LevelsPatchesAndVariables)
{
  const MadeDump made(kChombo + "--levels 3 --ratio 2 4 --first-cycle 1234 --variable name=rho,ghosts=2x1x3 "
                                "--variable name=vel,shape=vector,ghosts=2x1x3 --vector-suffixes X Y Z");
  const Result<AmrDump> dump = read_chombo(made.summary());
  ASSERT_TRUE(dump.has_value()) << dump.error().describe();
  EXPECT_EQ(dump->dimensions, 3);
  EXPECT_EQ(dump->cycle, 1234);
  EXPECT_DOUBLE_EQ(dump->time, 1234 * 0.0625);
  EXPECT_TRUE(dump->shared);
  ASSERT_EQ(dump->levels.size(), 3U);
  EXPECT_EQ(dump->levels[1].ratio, (Int3{ 2, 2, 2 }));
  EXPECT_EQ(dump->levels[2].ratio, (Int3{ 4, 4, 4 }));
  EXPECT_DOUBLE_EQ(dump->levels[2].spacing[1], 0.25 / 8);
  ASSERT_EQ(dump->variables.size(), 2U);
  EXPECT_EQ(dump->variables[1].name, "vel");
  EXPECT_EQ(dump->variables[1].ghosts, (Int3{ 2, 1, 3 }));
  ASSERT_EQ(dump->variables[1].components.size(), 3U);
  EXPECT_EQ(dump->variables[1].components[2].dataset, "data:datatype=0");
  EXPECT_EQ(dump->variables[1].components[2].run, 3);
  EXPECT_EQ(dump->patches[1].group, "level_0");
  EXPECT_EQ(dump->patches[1].first, 4 * volume(dump->variables[0].stored_size(dump->patches[0].cells, 3)));
  EXPECT_EQ(dump->children, find_children(*dump));
  EXPECT_TRUE(dump->notes.empty());
}

TEST(ChomboFile, ComponentsInDatasetsOfTheirOwn)
{
  const MadeDump made(
      "--format amrex-multi --variable name=a --variable name=v,shape=vector --vector-suffixes _x _y _z");
  const AmrDump dump = made.open();
  ASSERT_EQ(dump.variables.size(), 2U);
  EXPECT_EQ(dump.variables[1].name, "v");
  EXPECT_EQ(dump.variables[1].components[1].dataset, "data:datatype=2");
  EXPECT_EQ(dump.variables[1].components[1].run, 0);
}

TEST(ChomboFile, OfTwoComponentsOfOneNameBothAreThere)
{
  const MadeDump made(kChombo + "--variable name=rho --variable name=p --variable name=rho,function=smooth");
  AmrDump dump = made.open();
  ASSERT_EQ(dump.variables.size(), 3U);
  EXPECT_EQ(dump.variables[0].name, "rho");
  EXPECT_EQ(dump.variables[2].name, "rho_2");
  EXPECT_EQ(dump.variables[2].components[0].run, 2);
  ASSERT_EQ(dump.notes.size(), 1U);
  EXPECT_NE(dump.notes[0].find("more than one \"rho\""), std::string::npos) << dump.notes[0];
}

TEST(ChomboFile, ComponentsOfDifferentTypesAreNoVector)
{
  const MadeDump made("--format amrex-multi --variable name=velx,type=f4 --variable name=vely,type=i4 "
                      "--variable name=velz,type=f4 --variable name=xmom --variable name=ymom --variable name=zmom");
  AmrDump dump = made.open();
  ASSERT_EQ(dump.variables.size(), 4U);
  EXPECT_EQ(dump.variables[0].name, "velx");
  EXPECT_EQ(dump.variables[2].name, "velz");
  EXPECT_EQ(dump.variables[3].name, "mom");
  ASSERT_EQ(dump.notes.size(), 1U);
  EXPECT_NE(dump.notes[0].find("the components of \"vel\" are numbers of different types"), std::string::npos);
  PatchData data = MadeDump::read(dump, {});
  for (const PatchVariable& values : data.values)
  {
    ASSERT_EQ(values.state, PatchVariable::State::Read);
  }
}

/// How many numbers of a vector are those of the scalars that another dump has.
std::int64_t numbers_alike(PatchData& vector, PatchData& scalars)
{
  std::int64_t alike = 0;
  for (std::size_t patch = 0; patch < vector.patches.size(); ++patch)
  {
    const PatchVariable& values = vector.at(patch, 0);
    EXPECT_EQ(values.state, PatchVariable::State::Read) << (values.error ? values.error->describe() : "");
    EXPECT_EQ(values.type, StoredType::Float64);
    EXPECT_EQ(values.components, 3);
    for (std::int64_t i = 0; values.type == StoredType::Float64 && i < 3 * volume(values.size); ++i)
    {
      const double expected = value_of(scalars.at(patch, static_cast<std::size_t>(i % 3)), i / 3, 0);
      alike += value_of(values, i / 3, i % 3) == expected ? 1 : 0;
    }
  }
  return alike;
}

TEST(ChomboFile, FloatsBesideDoublesAreAVectorOfDoubles)
{
  const std::array<std::string, 3> kinds{ ",function=smooth,type=f4", ",function=linear,type=f8",
    ",function=smooth,type=f4" };
  for (const std::string more : { "--endian big", "--storage chunked --filters deflate --chunk 100", "--newest",
           "--cells 176 160 160 --levels 1 --patches 1" }) // the last: so large that it is read in parts
  {
    std::string vector = "--format amrex-multi " + more;
    std::string scalars = vector;
    for (std::size_t c = 0; c < 3; ++c)
    {
      vector += std::string(" --variable name=vel") + "xyz"[c] + kinds[c];
      scalars += std::string(" --variable name=") + "abc"[c] + kinds[c];
    }
    const MadeDump made(vector);
    const MadeDump apart(scalars);
    AmrDump dump = made.open();
    AmrDump of_scalars = apart.open();
    ASSERT_EQ(dump.variables.size(), 1U) << more;
    EXPECT_TRUE(dump.notes.empty());
    PatchReader reader;
    EXPECT_EQ(reader.stored_type(dump, 0, 0).value_or(StoredType::Float64), StoredType::Float64);
    PatchData data = MadeDump::read(dump, { .threads = 2 });
    PatchData expected = MadeDump::read(of_scalars, { .threads = 2 });
    std::int64_t numbers = 0;
    for (const AmrPatch& patch : dump.patches)
    {
      numbers += 3 * patch.cells.count();
    }
    EXPECT_EQ(numbers_alike(data, expected), numbers) << more;
  }
}

TEST(ChomboFile, WhereThePatchesAre)
{
  const AmrDump amrex = MadeDump(kAmrex + "--lower -7 -30 5 --first-cycle 30 --variable name=a").open();
  EXPECT_EQ(amrex.origin, (Vec3{ -1, 0.5, 2 }));
  EXPECT_EQ(amrex.cycle, 30);
  EXPECT_DOUBLE_EQ(amrex.patches[0].lower[1], 0.5 - 30 * 0.25);

  const AmrDump plane = MadeDump("--format chombo --dimensions 2 --ratio 4x2 --variable name=a").open();
  EXPECT_EQ(plane.dimensions, 2);
  EXPECT_EQ(plane.levels[1].ratio, (Int3{ 4, 2, 1 }));
  EXPECT_EQ(plane.levels[1].spacing, (Vec3{ 0.125 / 4, 0.125, 0 }));
  EXPECT_EQ(plane.patches[0].cells.size()[2], 1);

  const AmrDump uneven = MadeDump(kAmrex + "--ratio 4x2x1 --variable name=a").open(); // it tells the first ratio only
  EXPECT_EQ(uneven.levels[1].ratio, (Int3{ 4, 2, 1 }));
}

TEST(ChomboFile, TheTimeAlone)
{
  const MadeDump made(kChombo + "--steps 2 --first-cycle 16 --variable name=a");
  const Result<DumpStep> step = read_chombo_time(made.summary(1));
  ASSERT_TRUE(step.has_value()) << step.error().describe();
  EXPECT_EQ(step->cycle, 26);
  EXPECT_DOUBLE_EQ(step->time, 26 * 0.0625);
  EXPECT_EQ(step->path, made.summary(1));
}

TEST(ChomboFile, OtherFilesAreNotTaken)
{
  const MadeDump samrai("");
  const MadeDump chombo(kChombo + "--variable name=a");
  EXPECT_TRUE(is_chombo(chombo.summary()));
  EXPECT_FALSE(is_chombo(samrai.summary()));
  EXPECT_EQ(read_chombo(samrai.summary()).error().code, ErrorCode::NotThisFormat);
  EXPECT_EQ(read_chombo_time(samrai.summary()).error().code, ErrorCode::NotThisFormat);
  EXPECT_EQ(read_samrai_summary(chombo.summary(), built_in_names().front()).error().code, ErrorCode::NotThisFormat);
  EXPECT_EQ(read_chombo(samrai.folder() + "/none.hdf5").error().code, ErrorCode::NotFound);
  EXPECT_FALSE(is_chombo(samrai.folder()));
}

TEST(ChomboFile, WhatIsNoFaultIsRead)
{
  for (const char* damage : { "member-order", "empty-level" })
  {
    for (const std::string& format : { kChombo, kAmrex })
    {
      const MadeDump made(format + "--variable name=a --damage " + damage);
      AmrDump dump = made.open();
      EXPECT_EQ(dump.levels.size(), 2U) << damage;
      PatchData data = MadeDump::read(dump, {});
      EXPECT_GT(expect_linear(dump, data), 1000) << damage;
    }
  }
}

TEST(ChomboFile, WhatIsNotReadIsNoted)
{
  const MadeDump made(kAmrex + "--variable name=a");
  const hid_t file = H5Fopen(made.summary().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  H5Gclose(H5Gcreate2(file, "level_0/particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  const AmrDump dump = made.open();
  ASSERT_EQ(dump.notes.size(), 1U);
  EXPECT_NE(dump.notes[0].find("particles"), std::string::npos);
}

struct Refusal
{
  const char* damage;
  ErrorCode code;
  const char* text;
};

class PlotRefusals : public ::testing::TestWithParam<Refusal>
{
};

TEST_P(PlotRefusals, NameWhatDoesNotHold)
{
  for (const std::string& format : { kChombo, kAmrex })
  {
    const MadeDump made(format + "--variable name=a --damage " + GetParam().damage);
    const Result<AmrDump> dump = read_chombo(made.summary());
    ASSERT_FALSE(dump.has_value());
    EXPECT_EQ(dump.error().code, GetParam().code) << dump.error().describe();
    EXPECT_NE(dump.error().describe().find(GetParam().text), std::string::npos) << dump.error().describe();
    EXPECT_EQ(dump.error().path, made.summary());
    EXPECT_FALSE(dump.error().remedy.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Damage, PlotRefusals,
    ::testing::Values(Refusal{ "truncated-file", ErrorCode::Corrupt, "cannot be opened" },
        Refusal{ "garbage-file", ErrorCode::NotThisFormat, "HDF5" },
        Refusal{ "overlapping-boxes", ErrorCode::Corrupt, "overlap" },
        Refusal{ "negative-box", ErrorCode::Corrupt, "box 0 of \"level_0\"" },
        Refusal{ "huge-box", ErrorCode::Corrupt, "box 0 of \"level_0\"" },
        Refusal{ "box-outside", ErrorCode::Corrupt, "beyond the domain" },
        Refusal{ "box-not-nested", ErrorCode::Corrupt, "patch 0 of level 2 does not lie over" },
        Refusal{ "offsets-beyond", ErrorCode::Corrupt, "data:datatype=0" },
        Refusal{ "offsets-falling", ErrorCode::Corrupt, "level_0" },
        Refusal{ "offsets-size", ErrorCode::Corrupt, "box 0 of \"level_0\" has" },
        Refusal{ "offsets-negative", ErrorCode::Corrupt, "before their dataset" },
        Refusal{ "no-such-level", ErrorCode::Corrupt, "level_2" },
        Refusal{ "many-levels", ErrorCode::Corrupt, "num_levels" },
        Refusal{ "many-components", ErrorCode::Corrupt, "num_components" },
        Refusal{ "more-components", ErrorCode::NotFound, "component_1" },
        Refusal{ "other-ratio", ErrorCode::Corrupt, "ref_ratio" },
        Refusal{ "no-name", ErrorCode::NotFound, "component_0" },
        Refusal{ "no-data", ErrorCode::NotFound, "checkpoint" },
        Refusal{ "short-data", ErrorCode::Corrupt, "data:datatype=0" },
        Refusal{ "node-values", ErrorCode::Unsupported, "cells" }),
    [](const auto& test)
    {
      std::string name = test.param.damage;
      std::erase(name, '-');
      return name;
    });

TEST(ChomboFile, CellsWithoutASizeAreRefused)
{
  const MadeDump made(kChombo + "--variable name=a --damage zero-spacing");
  const Result<AmrDump> dump = read_chombo(made.summary());
  ASSERT_FALSE(dump.has_value());
  EXPECT_NE(dump.error().describe().find("cell sizes"), std::string::npos) << dump.error().describe();
}

TEST(ReadPatchData, KnowsTheFormatByItsContent)
{
  const MadeDump made(kChombo + "--variable name=a --variable name=b");
  const std::vector<std::int32_t> patches{ 9, 0 };
  const std::vector<std::string> variables{ "b" };
  Result<PatchData> data = read_patch_data(made.summary(), patches, variables, {});
  ASSERT_TRUE(data.has_value()) << data.error().describe();
  EXPECT_GT(expect_linear(made.open(), *data), 0);
}

} // namespace
} // namespace rivulet::test
