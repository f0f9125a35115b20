// SPDX-License-Identifier: BSD-3-Clause
// Every value of a dump is where its closed form says, whatever the mesh, type and layout.
#include "Core/Amr/MadeDump.h"
#include "Core/Hdf5/Hdf5Files.h"
#include "Io/Files/File.h"
#include "Support/LoweredLimit.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <numeric>

namespace rivulet::test
{
namespace
{

struct Case
{
  const char* name;
  const char* options;
  bool by_library = false;   ///< only the library reads it
  double float_error = 6e-8; ///< of the type, relative
};

class Dumps : public ::testing::TestWithParam<Case>
{
};

TEST_P(Dumps, HoldTheValuesOfTheirClosedForm)
{
  const MadeDump made(GetParam().options);
  AmrDump dump = made.open();
  ASSERT_FALSE(dump.patches.empty());
  PatchData data = MadeDump::read(dump, { .threads = 3 });
  EXPECT_GT(expect_linear(dump, data, false, GetParam().float_error), 1000);
  EXPECT_EQ(data.statistics.by_library > 0, GetParam().by_library);
  PatchData with_ghosts = MadeDump::read(dump, { .threads = 1, .keep_ghosts = true });
  EXPECT_GE(expect_linear(dump, with_ghosts, true, GetParam().float_error), 1000);
}

INSTANTIATE_TEST_SUITE_P(Made, Dumps,
    ::testing::Values(Case{ "Usual", "--variable name=a --variable name=b,shape=vector" },
        Case{ "Plane", "--variable name=a,centre=node --dimensions 2 --cells 64 64 --levels 3 --ratio 2 4x2 --holes" },
        Case{ "Negative",
            "--variable name=a --lower -7 -30 5 --shuffle 1 --processors 6 --procs-per-file 2 --empty-processors 1" },
        Case{ "Shapes", "--variable name=a,shape=vector,centre=node,ghosts=2 --variable 'name=a b::c,shape=tensor' "
                        "--variable name=d,type=f8,ghosts=1" },
        Case{ "Types", "--variable name=a,type=f8 --variable name=b,type=i4 --variable name=c,type=u8 "
                       "--variable name=d,type=i2 --endian little" },
        Case{ "Ibamr",
            "--variable name=a --storage chunked --filters shuffle deflate --extents ibsamrai2 --cells 32 32 32" },
        Case{ "Checked", "--variable name=a --storage chunked --filters shuffle deflate fletcher32 --larger-than 0" },
        Case{ "Lz4", "--variable name=a --storage chunked --filters lz4" },
        Case{ "Zstd", "--variable name=a --storage chunked --filters shuffle zstd" },
        Case{ "Compact", "--variable name=a --storage compact" }, Case{ "Rank3", "--variable name=a --rank 3" },
        Case{ "HalfFloats", "--variable name=a,type=f2", true, 5e-4 }, Case{ "Times", "--variable name=a --times" },
        Case{ "Members", "--variable name=a --damage member-order" }),
    [](const auto& test) { return test.param.name; });

TEST(PatchReader, GivesTheSameValuesPastThePageCache)
{
  // 64^3 doubles are 2 MiB: large enough to be read so; vectors and ghost layers come by way of other memory.
  for (const char* options :
      { "--cells 128 64 64 --patches 2x1x1 --levels 1 --variable name=a,type=f8 "
        "--variable name=b,shape=vector,type=f8 --variable name=c,type=f8,ghosts=2 --endian little",
          "--format chombo --cells 128 64 64 --patches 2x1x1 --levels 1 --variable name=a,type=f8" })
  {
    const MadeDump made(options);
    AmrDump dump = made.open();
    const PatchData usual = MadeDump::read(dump, { .threads = 2, .page_cache = PatchReadOptions::PageCache::Use });
    for (const bool ghosts : { false, true })
    {
      for (const bool cold : { false, true })
      {
        for (const std::string& file : dump.files)
        {
          const Result<File> opened = File::open(file, File::Mode::Read);
          ASSERT_TRUE(opened);
          (void)::fsync(opened->descriptor());
          (void)::posix_fadvise(opened->descriptor(), 0, 0, cold ? POSIX_FADV_DONTNEED : POSIX_FADV_WILLNEED);
        }
        PatchData past = MadeDump::read(
            dump, { .threads = 3, .keep_ghosts = ghosts, .page_cache = PatchReadOptions::PageCache::GoPast });
        EXPECT_GT(expect_linear(dump, past, ghosts), 1000);
        if (!ghosts)
        {
          expect_same_values(usual, past);
        }
      }
    }
  }
}

TEST(PatchReader, AnotherVariableOfTheSameFilesNeedsNoSearch)
{
  const MadeDump made("--variable name=a --variable name=b");
  AmrDump dump = made.open();
  PatchReader reader;
  const std::vector<std::int32_t> patches{ 0, 3, 5 };
  const std::vector<std::int32_t> first{ 0 };
  const std::vector<std::int32_t> both{ 1, 0 };
  Result<PatchData> one = reader.read(dump, patches, first, {});
  Result<PatchData> two = reader.read(dump, patches, both, {});
  ASSERT_TRUE(one && two);
  EXPECT_GT(expect_linear(dump, *one), 0);
  EXPECT_GT(expect_linear(dump, *two), 0);
  EXPECT_EQ(two->at(1, 0).components, 1);
}

TEST(PatchReader, AFileThatChangesIsSearchedAnew)
{
  const MadeDump made("--variable name=a --steps 2");
  AmrDump dump = made.open(0);
  AmrDump later = made.open(1);
  PatchReader reader;
  const std::vector<std::int32_t> patches{ 0 };
  const std::vector<std::int32_t> variables{ 0 };
  ASSERT_TRUE(reader.read(dump, patches, variables, {}).has_value());
  for (std::size_t i = 0; i < dump.files.size(); ++i)
  {
    std::filesystem::copy_file(later.files[i], dump.files[i], std::filesystem::copy_options::overwrite_existing);
  }
  dump.time = later.time;
  Result<PatchData> data = reader.read(dump, patches, variables, {});
  ASSERT_TRUE(data.has_value());
  EXPECT_GT(expect_linear(dump, *data), 0);
}

TEST(PatchReader, WhatIsNotStoredIsAbsent)
{
  const MadeDump made("--variable name=a --variable name=b,missing=L1+P0");
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, {});
  EXPECT_EQ(data.at(0, 1).state, PatchVariable::State::Absent);
  EXPECT_EQ(data.at(1, 1).state, PatchVariable::State::Read);
  EXPECT_EQ(data.at(static_cast<std::size_t>(dump.levels[1].first_patch), 1).state, PatchVariable::State::Absent);
  EXPECT_GT(expect_linear(dump, data), 0);
}

/// What stands around a dataset's description was read with it.
TEST(PatchReader, AnotherVariableCostsItsValuesOnly)
{
  std::string options = "--levels 1 --cells 64 64 64 --patches 2 2 2";
  for (const char name : std::string("abcdefghijkl")) // one of few would have all of the file read
  {
    options += std::string(" --variable name=") + name;
  }
  const MadeDump made(options);
  AmrDump dump = made.open();
  std::vector<std::int32_t> patches(dump.patches.size());
  std::iota(patches.begin(), patches.end(), 0);
  PatchReader reader;
  std::vector<std::int64_t> bytes_read;
  for (const char* name : { "a", "b", "c" })
  {
    const std::vector<std::int32_t> variable{ dump.variable_of(name) };
    Result<PatchData> data = reader.read(dump, patches, variable, { .threads = 2 });
    ASSERT_TRUE(data);
    EXPECT_EQ(expect_linear(dump, *data), 64 * 64 * 64);
    bytes_read.push_back(data->statistics.bytes_read);
  }
  EXPECT_EQ(bytes_read.back(), 64 * 64 * 64 * 4) << bytes_read[0] << " " << bytes_read[1];
}

TEST(PatchReader, ReadsNothingWhenToldToStop)
{
  const MadeDump made("");
  AmrDump dump = made.open();
  const auto stop = [](double)
  {
    return false;
  };
  const PatchData data = MadeDump::read(dump, { .threads = 1, .progress = stop });
  EXPECT_TRUE(data.cancelled);
  EXPECT_EQ(data.statistics.bytes_read, 0);
  for (const PatchVariable& array : data.values)
  {
    EXPECT_EQ(array.state, PatchVariable::State::NotRead);
  }
}

TEST(PatchReader, MoreFilesThanMayBeOpen)
{
  const MadeDump made("--variable name=a --levels 1 --cells 16 16 16 --patches 4 4 4 --processors 64");
  AmrDump dump = made.open();
  ASSERT_EQ(dump.files.size(), 64U);
  const LoweredLimit few_files(RLIMIT_NOFILE, 40);
  PatchData data = MadeDump::read(dump, { .threads = 2 });
  EXPECT_EQ(expect_linear(dump, data), 16 * 16 * 16);
}

TEST(PatchReader, PatchesAndVariablesThatThereAreNotAreRefused)
{
  const MadeDump made("");
  AmrDump dump = made.open();
  PatchReader reader;
  const std::vector<std::int32_t> none{ 1000 };
  const std::vector<std::int32_t> zero{ 0 };
  EXPECT_EQ(reader.read(dump, none, zero, {}).error().code, ErrorCode::BadArgument);
  EXPECT_EQ(reader.read(dump, zero, none, {}).error().code, ErrorCode::BadArgument);
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

/// Patches of 32 MiB each in a file that nobody wrote a value to: all are the fill value.
AmrDump dump_of_fill_values(const std::string& path, int patches)
{
  const hid_t file = create_hdf5(path);
  const hsize_t cells = 128 * 128 * 256;
  const hid_t space = H5Screate_simple(1, &cells, nullptr);
  AmrDump dump;
  dump.files = { path };
  dump.levels = { { 0, patches, { 1, 1, 1 }, {} } };
  dump.patches.resize(static_cast<std::size_t>(patches));
  for (int patch = 0; patch < patches; ++patch)
  {
    AmrPatch& of = dump.patches[static_cast<std::size_t>(patch)];
    of.group = "p" + std::to_string(patch);
    of.cells = { { 0, 0, 256 * patch }, { 128, 128, 256 * patch + 256 } };
    const hid_t group = H5Gcreate2(file, of.group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(group, "v", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(group);
  }
  H5Sclose(space);
  H5Fclose(file);
  dump.variables.resize(1);
  dump.variables[0].name = "v";
  dump.variables[0].components = { { "v", 0, {} } };
  return dump;
}

TEST(PatchReader, MemoryThatTheSystemRefusesIsAnError)
{
  const TemporaryFolder folder;
  AmrDump dump = dump_of_fill_values(folder.file("cluster.samrai"), 16);
  std::vector<std::int32_t> patches(16);
  std::iota(patches.begin(), patches.end(), 0);
  const std::vector<std::int32_t> variables{ 0 };
  PatchReader reader;
  for (const int threads : { 1, 3 })
  {
    const LoweredLimit little(RLIMIT_AS, memory_and(rlim_t{ 256 } << 20));
    const Result<PatchData> data = reader.read(dump, patches, variables, { .threads = threads });
    ASSERT_FALSE(data);
    EXPECT_EQ(data.error().code, ErrorCode::BudgetTooSmall);
    EXPECT_NE(data.error().what.find("1 variables of 16 patches"), std::string::npos) << data.error().what;
  }
  Result<PatchData> data = reader.read(dump, patches, variables, { .threads = 3 });
  ASSERT_TRUE(data);
  for (const PatchVariable& value : data->values)
  {
    EXPECT_EQ(value.state, PatchVariable::State::Read) << (value.error ? value.error->describe() : "");
  }
}

#endif

/// A file that says it holds more than any memory, without a byte of it.
TEST(DamagedDumps, GhostsAndComponentsBeyondAllBounds)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("cluster.samrai");
  {
    const hid_t file = create_hdf5(path);
    const std::array<hsize_t, 3> dims{ (1 << 30) + 2000, 2001, 2001 };
    const hid_t space = H5Screate_simple(3, dims.data(), nullptr);
    H5Dclose(H5Dcreate2(file, "v", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
  }
  AmrDump dump;
  dump.files = { path };
  dump.levels = { { 0, 1, { 1, 1, 1 }, {} } };
  dump.patches.resize(1);
  dump.patches[0].cells = { { 0, 0, 0 }, { 1, 1, 1 << 30 } };
  dump.variables.resize(1);
  dump.variables[0].ghosts = { 1000, 1000, 1000 };
  dump.variables[0].components.assign(1000, { "v", 0, {} });
  PatchData data = MadeDump::read(dump, {});
  ASSERT_EQ(data.at(0, 0).state, PatchVariable::State::Failed);
  EXPECT_EQ(data.at(0, 0).error->code, ErrorCode::Corrupt);
}

/// How many arrays of the last dump fail, and with which errors.
struct Outcome
{
  std::size_t read = 0;
  std::size_t failed = 0;
  std::string text;
  ErrorCode code = ErrorCode::BadArgument;
};

Outcome outcome_of(const std::string& options)
{
  const MadeDump made(options);
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, {});
  Outcome outcome;
  for (const PatchVariable& array : data.values)
  {
    outcome.read += array.state == PatchVariable::State::Read ? 1 : 0;
    if (array.state == PatchVariable::State::Failed)
    {
      ++outcome.failed;
      outcome.text = array.error->describe();
      outcome.code = array.error->code;
    }
  }
  return outcome;
}

TEST(DamagedDumps, WhatIsSoundIsReadAndTheRestSaysWhy)
{
  const Outcome cut = outcome_of("--damage truncated-cluster");
  EXPECT_GT(cut.read, 0U);
  EXPECT_GT(cut.failed, 0U);
  EXPECT_EQ(cut.code, ErrorCode::Truncated) << cut.text;

  const Outcome gone = outcome_of("--damage missing-cluster");
  EXPECT_GT(gone.read, 0U);
  EXPECT_GT(gone.failed, 0U);
  EXPECT_EQ(gone.code, ErrorCode::NotFound) << gone.text;

  const Outcome short_one = outcome_of("--damage short-dataset");
  EXPECT_EQ(short_one.failed, 1U);
  EXPECT_NE(short_one.text.find("patch takes"), std::string::npos) << short_one.text;

  const Outcome absent = outcome_of("--damage absent-dataset");
  EXPECT_EQ(absent.failed, 1U);
  EXPECT_NE(absent.text.find("missing"), std::string::npos) << absent.text;

  const Outcome stream = outcome_of("--damage corrupt-deflate");
  EXPECT_EQ(stream.failed, 1U);
  EXPECT_EQ(stream.code, ErrorCode::Corrupt) << stream.text;

  const Outcome sum = outcome_of("--damage corrupt-fletcher32");
  EXPECT_EQ(sum.failed, 1U);
  EXPECT_NE(sum.text.find("checksum"), std::string::npos) << sum.text;

  const Outcome filter = outcome_of("--damage unknown-filter");
  EXPECT_GE(filter.failed, 1U);
  EXPECT_NE(filter.text.find("filter"), std::string::npos) << filter.text;

  const Outcome processor = outcome_of("--damage no-such-processor");
  EXPECT_GE(processor.failed, 1U);
}

} // namespace
} // namespace rivulet::test
