// SPDX-License-Identifier: BSD-3-Clause
// Patches that share datasets: every value where its closed form says, whoever reads it.
#include "Core/Amr/MadeDump.h"
#include "Hdf5/LibraryFile.h"

#include <cstring>
#include <filesystem>
#include <fstream>

namespace rivulet::test
{
namespace
{

struct Case
{
  const char* name;
  const char* options;
  bool by_library = false; ///< only the library reads it
};

class PlotFiles : public ::testing::TestWithParam<Case>
{
};

TEST_P(PlotFiles, HoldTheValuesOfTheirClosedForm)
{
  const MadeDump made(GetParam().options);
  AmrDump dump = made.open();
  ASSERT_FALSE(dump.patches.empty());
  PatchData data = MadeDump::read(dump, { .threads = 3 });
  EXPECT_GT(expect_linear(dump, data), 1000);
  EXPECT_EQ(data.statistics.by_library > 0, GetParam().by_library);
  PatchData with_ghosts = MadeDump::read(dump, { .threads = 1, .keep_ghosts = true });
  EXPECT_GE(expect_linear(dump, with_ghosts, true), 1000);
}

TEST_P(PlotFiles, AnyNumberOfThreadsReadsTheSame)
{
  const MadeDump made(GetParam().options);
  AmrDump dump = made.open();
  const PatchData one = MadeDump::read(dump, { .threads = 1 });
  for (int threads = 2; threads <= 8; ++threads)
  {
    expect_same_values(one, MadeDump::read(dump, { threads, false, {} }));
  }
}

/// Run after run, as the library reads it.
TEST_P(PlotFiles, TheLibraryReadsTheSame)
{
  const MadeDump made(GetParam().options);
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, { .threads = 2, .keep_ghosts = true });
  const Result<hdf5::LibraryFile> file = hdf5::LibraryFile::open(dump.path);
  ASSERT_TRUE(file.has_value());
  for (std::size_t p = 0; p < dump.patches.size(); ++p)
  {
    for (std::size_t v = 0; v < dump.variables.size(); ++v)
    {
      const PatchVariable& array = data.at(p, v);
      const std::int64_t count = volume(array.size);
      const std::int64_t bytes = size_of(array.type);
      for (std::int64_t c = 0; c < array.components; ++c)
      {
        const AmrComponent& component = dump.variables[v].components[static_cast<std::size_t>(c)];
        const Result<hdf5::LibraryValues> values = file->values(
            dump.patches[p].group + "/" + component.dataset, dump.patches[p].first + component.run * count, count);
        ASSERT_TRUE(values.has_value()) << values.error().describe();
        for (std::int64_t i = 0; i < count; ++i)
        {
          ASSERT_EQ(std::memcmp(array.values.data() + (i * array.components + c) * bytes,
                        values->bytes.data() + i * bytes, static_cast<std::size_t>(bytes)),
              0);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Made, PlotFiles,
    ::testing::Values(
        Case{ "Chombo", "--format chombo --spacing 0.25 0.25 0.25 --levels 3 --variable name=a,type=f8,ghosts=2x1x3 "
                        "--variable name=v,type=f8,shape=vector,ghosts=2x1x3 --vector-suffixes x y z" },
        Case{ "Plane", "--format chombo --dimensions 2 --cells 64 64 --levels 3 --ratio 2 4x2 --holes "
                       "--variable name=a --variable name=v,shape=vector --vector-suffixes _x _y" },
        Case{ "BigEndian",
            "--format chombo --spacing 0.25 0.25 0.25 --endian big --lower -7 -30 5 --shuffle 1 "
            "--variable name=a,ghosts=1 --variable name=v,shape=vector,ghosts=1 --vector-suffixes X Y Z" },
        Case{ "Integers", "--format chombo --spacing 0.5 0.5 0.5 --variable name=a,type=i4" },
        Case{ "Amrex", "--format amrex --lower -7 -30 5 --ratio 4x2x1 --variable name=a,type=f8,ghosts=1 "
                       "--variable name=v,type=f8,shape=vector,ghosts=1 --vector-suffixes x y z" },
        Case{ "AmrexDeflated", "--format amrex --storage chunked --chunk 1000 --filters shuffle deflate "
                               "--variable name=a --variable name=v,shape=vector --vector-suffixes x y z" },
        Case{ "AmrexMulti", "--format amrex-multi --dimensions 2 --cells 64 64 --variable name=a --variable name=b" },
        Case{ "AmrexMultiDeflated", "--format amrex-multi --storage chunked --chunk 512 --filters deflate fletcher32 "
                                    "--variable name=a --variable name=v,shape=vector --vector-suffixes x y z" },
        Case{ "OneChunk", "--format amrex --storage chunked --chunk 10000000 --filters shuffle deflate "
                          "--variable name=a --variable name=b" },
        Case{ "ManyBoxes", "--format chombo --cells 64 64 32 --spacing 0.25 0.25 0.25 --patches 16x16x8 --levels 2 "
                           "--variable name=a --variable name=v,shape=vector --vector-suffixes x y z" },
        Case{ "ManyBoxesDeflated", "--format amrex --cells 64 64 32 --patches 16x16x8 --levels 1 --storage chunked "
                                   "--chunk 1024 --filters shuffle deflate --variable name=a --variable name=b" },
        Case{ "Newest",
            "--format chombo --newest --spacing 0.25 0.25 0.25 --variable name=a,ghosts=1 "
            "--variable name=v,shape=vector,ghosts=1 --vector-suffixes x y z",
            true },
        Case{ "NewestDeflated",
            "--format amrex-multi --newest --storage chunked --filters shuffle deflate "
            "--variable name=a --variable name=b",
            true }),
    [](const auto& test) { return test.param.name; });

std::string large_patch(const std::string& more)
{
  return "--format chombo --levels 1 --cells 130 110 150 --patches 1 --spacing 0.25 0.25 0.25 "
         "--variable name=a,type=f8,ghosts=1x2x3 " +
         more;
}

TEST(SharedDatasets, ALargePatchIsReadInParts)
{
  const MadeDump made(large_patch("--variable name=v,type=f8,shape=vector,ghosts=1x2x3 --vector-suffixes x y z"));
  AmrDump dump = made.open();
  PatchData cropped = MadeDump::read(dump, { .threads = 3 });
  EXPECT_EQ(expect_linear(dump, cropped), std::int64_t{ 4 } * 130 * 110 * 150);
  EXPECT_EQ(cropped.statistics.datasets, 4);
  PatchData whole = MadeDump::read(dump, { .threads = 3, .keep_ghosts = true });
  EXPECT_EQ(expect_linear(dump, whole, true), std::int64_t{ 4 } * 132 * 114 * 156);
}

TEST(SharedDatasets, ALargePatchInChunksIsReadInParts)
{
  const MadeDump made(large_patch("--storage chunked --chunk 4096 --filters deflate --level 1"));
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, { .threads = 3 });
  EXPECT_EQ(expect_linear(dump, data), std::int64_t{ 130 } * 110 * 150);
}

TEST(SharedDatasets, ALargePlaneIsReadInParts)
{
  const MadeDump made("--format chombo --dimensions 2 --levels 1 --cells 1500 1600 --patches 1 "
                      "--variable name=a,type=f8,ghosts=1");
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, { .threads = 2 });
  EXPECT_EQ(expect_linear(dump, data), std::int64_t{ 1500 } * 1600);
}

TEST(SharedDatasets, SomePatchesAndVariablesInAnyOrder)
{
  const MadeDump made("--format chombo --spacing 0.25 0.25 0.25 --variable name=a --variable name=b --variable name=c");
  AmrDump dump = made.open();
  const std::vector<std::int32_t> patches{ 11, 2, 0, 13, 2 };
  const std::vector<std::int32_t> variables{ 2, 0 };
  PatchReader reader;
  for (int again = 0; again < 2; ++again)
  {
    Result<PatchData> data = reader.read(dump, patches, variables, {});
    ASSERT_TRUE(data.has_value());
    EXPECT_GT(expect_linear(dump, *data), 1000);
    EXPECT_EQ(data->statistics.datasets, 10);
  }
}

TEST(SharedDatasets, AChunkWithManyPatchesIsDecodedOnce)
{
  const MadeDump made("--format amrex --cells 64 64 64 --patches 8x8x8 --levels 1 --storage chunked --chunk 65536 "
                      "--filters shuffle deflate --variable name=a,function=smooth");
  AmrDump dump = made.open();
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(dump.path));
  const PatchData data = MadeDump::read(dump, { .threads = 4 });
  EXPECT_LE(data.statistics.bytes_read, 2 * size); // the search of a small file reads all of it, too
  for (const PatchVariable& array : data.values)
  {
    EXPECT_EQ(array.state, PatchVariable::State::Read);
  }
}

TEST(SharedDatasets, ADamagedChunkConcernsItsPatchesOnly)
{
  const MadeDump made("--format amrex --cells 32 32 32 --patches 4x4x4 --levels 1 --damage corrupt-deflate "
                      "--chunk 1000 --variable name=a --variable name=b");
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, { .threads = 2 });
  std::size_t failed = 0;
  for (const PatchVariable& array : data.values)
  {
    failed += array.state == PatchVariable::State::Failed ? 1 : 0;
    EXPECT_TRUE(array.state == PatchVariable::State::Failed || array.state == PatchVariable::State::Read);
  }
  EXPECT_EQ(failed, 2U); // 1000 values: the first patch has 512 of each variable
  const PatchVariable& first = data.at(0, 0);
  ASSERT_EQ(first.state, PatchVariable::State::Failed);
  EXPECT_EQ(first.error->code, ErrorCode::Corrupt);
  EXPECT_NE(first.error->describe().find("level_0/data:datatype=0"), std::string::npos) << first.error->describe();
  EXPECT_EQ(first.error->path, dump.path);
}

TEST(SharedDatasets, AFileThatIsReplacedByAnotherIsFoundOut)
{
  const MadeDump made("--format amrex --variable name=a --variable name=b");
  const MadeDump less("--format amrex --variable name=a --cells 8 8 8");
  const MadeDump samrai("");
  AmrDump dump = made.open();
  for (const std::string& other : { less.summary(), samrai.summary() })
  {
    std::filesystem::copy_file(other, dump.path, std::filesystem::copy_options::overwrite_existing);
    PatchData data = MadeDump::read(dump, {});
    EXPECT_EQ(data.at(5, 1).state, PatchVariable::State::Failed);
    ASSERT_TRUE(data.at(5, 1).error);
    EXPECT_EQ(data.at(5, 1).error->path, dump.path);
  }
  std::ofstream(dump.path) << "no HDF5";
  PatchData data = MadeDump::read(dump, {});
  EXPECT_EQ(data.at(0, 0).state, PatchVariable::State::Failed);
}

TEST(SharedDatasets, NothingIsReadWhenToldToStop)
{
  const MadeDump made("--format chombo --spacing 0.25 0.25 0.25 --variable name=a");
  AmrDump dump = made.open();
  const PatchData data = MadeDump::read(dump, { .threads = 2,
                                                  .progress = [](double)
                                                  {
                                                    return false;
                                                  } });
  EXPECT_TRUE(data.cancelled);
  EXPECT_EQ(data.statistics.bytes_read, 0);
}

} // namespace
} // namespace rivulet::test
