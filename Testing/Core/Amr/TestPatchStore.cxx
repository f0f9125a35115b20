// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchStore.h"
#include "Core/Amr/MadeDump.h"
#include "Parallel/Team.h"
#include "Support/SlowDisk/SlowDisk.h"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>

namespace rivulet::test
{
namespace
{

const char* const kMade = "--cells 24 24 24 --levels 2 --patches 3 --variable name=a,type=f8 "
                          "--variable name=v,shape=vector,ghosts=1 --variable name=few,missing=L1";

/// The patch as PatchReader has it.
PatchVariable expected_of(AmrDump& dump, std::int32_t patch, std::int32_t variable)
{
  PatchReader reader;
  const std::array<std::int32_t, 1> patches{ patch };
  const std::array<std::int32_t, 1> variables{ variable };
  Result<PatchData> data = reader.read(dump, patches, variables, { .threads = 1 });
  return std::move(data->at(0, 0));
}

TEST(PatchStore, HandsOutThePatchesOfTheDump)
{
  const MadeDump made(kMade);
  AmrDump dump = made.open();
  PatchStore store(made.open(), 0);
  for (std::int32_t variable = 0; variable < 2; ++variable)
  {
    for (std::int32_t patch = 0; patch < static_cast<std::int32_t>(dump.patches.size()); ++patch)
    {
      const PatchVariable expected = expected_of(dump, patch, variable);
      const Result<PatchStore::Patch> held = store.hold(patch, variable);
      ASSERT_TRUE(held) << held.error().describe();
      ASSERT_EQ((*held)->components, expected.components);
      ASSERT_EQ((*held)->values.size(), expected.values.size());
      EXPECT_TRUE(std::equal(expected.values.begin(), expected.values.end(), (*held)->values.begin()));
      EXPECT_EQ(store.bytes_of(patch, variable, expected.type), static_cast<std::int64_t>(expected.values.size()));
    }
  }
}

TEST(PatchStore, ReadsAPatchOnceHoweverManyWantIt)
{
  const MadeDump made(kMade);
  PatchStore store(made.open(), 0);
  const auto patches = static_cast<std::int32_t>(store.dump().patches.size());
  std::atomic<int> good{ 0 };
  run_team(6,
      [&](int)
      {
        for (std::int32_t i = 0; i < 10 * patches; ++i)
        {
          good += store.hold(i % patches, 0).has_value() ? 1 : 0;
        }
      });
  EXPECT_EQ(good, 60 * patches);
  EXPECT_EQ(store.statistics().bricks_read, patches);
  EXPECT_EQ(store.statistics().cache_misses, patches);
}

/// What a store says of a patch on a disk that gives nothing of any file from `begin` on, and then all.
std::array<Result<PatchStore::Patch>, 2> hold_twice(SlowDisk& disk, const std::string& summary, std::int64_t begin)
{
  PatchStore store(*open_dump(disk.file(summary)), 0);
  disk.set_faults("eio " + std::to_string(begin) + " 1000000000\n");
  Result<PatchStore::Patch> refused = store.hold(0, 0);
  disk.set_faults("");
  return { std::move(refused), store.hold(0, 0) };
}

TEST(PatchStore, ReadsAgainWhatADiskDidNotGiveOnce)
{
  const MadeDump made("--cells 48 48 48 --levels 1 --patches 3 --processors 1 --variable name=a,type=f8");
  const std::string summary = std::filesystem::relative(made.summary(), made.folder());
  int refused = 0;
  for (std::int64_t begin = 0; begin <= 32768; begin += 4096)
  {
    SlowDisk disk(made.folder(), {});
    if (!disk.mounted())
    {
      GTEST_SKIP() << disk.why_not();
    }
    const auto [first, then] = hold_twice(disk, summary, begin);
    refused += !first && first.error().code == ErrorCode::CannotRead ? 1 : 0;
    EXPECT_TRUE(then) << begin << ": " << then.error().describe();
  }
  EXPECT_GE(refused, 3);
}

TEST(PatchStore, StaysWithinItsBudgetAndReadsAgain)
{
  const MadeDump made(kMade);
  const std::int64_t one = PatchStore(made.open(), 0).bytes_of(0, 0, StoredType::Float64);
  PatchStore store(made.open(), 3 * one);
  const auto patches = static_cast<std::int32_t>(store.dump().patches.size());
  for (int round = 0; round < 2; ++round)
  {
    for (std::int32_t i = 0; i < patches; ++i)
    {
      ASSERT_TRUE(store.hold(i, 0));
    }
  }
  EXPECT_EQ(store.statistics().bricks_read, 2 * patches);
  EXPECT_EQ(store.statistics().peak_bytes, 3 * one); // what is on its way is counted: room is made before
}

/// Whether a store hands out all patches as PatchReader has them.
bool hands_out_all(PatchStore& store, AmrDump& dump, std::int32_t variable)
{
  bool same = true;
  for (std::int32_t patch = 0; patch < static_cast<std::int32_t>(dump.patches.size()); ++patch)
  {
    const PatchVariable expected = expected_of(dump, patch, variable);
    const Result<PatchStore::Patch> held = store.hold(patch, variable);
    EXPECT_TRUE(held) << held.error().describe();
    same = same && held && expected.values.size() == (*held)->values.size() &&
           std::equal(expected.values.begin(), expected.values.end(), (*held)->values.begin());
  }
  return same;
}

TEST(PatchStore, ReadsAChunkForAllPatchesThatShareIt)
{
  const MadeDump made("--format chombo --cells 32 32 32 --levels 2 --patches 4x4x4 --storage chunked --filters deflate "
                      "--chunk 50000 --variable name=a,function=smooth,type=f8 "
                      "--variable name=v,shape=vector,function=smooth,type=f8 --vector-suffixes x y z");
  AmrDump dump = made.open();
  const auto patches = static_cast<std::int64_t>(dump.patches.size());
  const auto file = static_cast<std::int64_t>(std::filesystem::file_size(made.summary()));
  for (const std::int32_t variable : { 0, 1 })
  {
    PatchStore store(made.open(), 0);
    EXPECT_TRUE(hands_out_all(store, dump, variable));
    EXPECT_EQ(store.statistics().bricks_read, patches);
    EXPECT_LT(store.statistics().bytes_read, 2 * file);
  }
  const std::int64_t one = PatchStore(made.open(), 0).bytes_of(0, 1, StoredType::Float64);
  for (const std::int64_t budget : { one, 8 * one, 40 * one })
  {
    PatchStore little(made.open(), budget);
    EXPECT_TRUE(hands_out_all(little, dump, 1));
    EXPECT_LE(little.statistics().peak_bytes, budget);
  }
}

TEST(PatchStore, PatchesThatShareChunksAreReadOnceByManyThreads)
{
  const MadeDump made("--format chombo --cells 32 32 32 --levels 1 --patches 4x4x4 --storage chunked --chunk 9000 "
                      "--variable name=a,type=f8");
  PatchStore store(made.open(), 0);
  const auto patches = static_cast<std::int32_t>(store.dump().patches.size());
  std::atomic<int> good{ 0 };
  run_team(6,
      [&](int)
      {
        for (std::int32_t i = 0; i < 3 * patches; ++i)
        {
          good += store.hold(i * 29 % patches, 0).has_value() ? 1 : 0;
        }
      });
  EXPECT_EQ(good, 18 * patches);
  EXPECT_EQ(store.statistics().bricks_read, patches);
}

TEST(PatchStore, RefusesToKeepMoreThanTheBudget)
{
  const MadeDump made(kMade);
  const std::int64_t one = PatchStore(made.open(), 0).bytes_of(0, 0, StoredType::Float64);
  PatchStore store(made.open(), 2 * one);
  const Result<PatchStore::Patch> first = store.keep(0, 0, StoredType::Float64);
  const Result<PatchStore::Patch> second = store.keep(1, 0, StoredType::Float64);
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  const Result<PatchStore::Patch> third = store.keep(2, 0, StoredType::Float64);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().code, ErrorCode::BudgetTooSmall);
  EXPECT_THAT(third.error().describe(), testing::HasSubstr("Memory Budget"));
  EXPECT_EQ(store.statistics().bricks_read, 2) << "what is refused need not be read";
  store.let_go(*first);
  EXPECT_TRUE(store.keep(2, 0, StoredType::Float64));
}

TEST(PatchStore, SaysWhatIsNotThere)
{
  const MadeDump made(kMade);
  PatchStore store(made.open(), 0);
  const auto last = static_cast<std::int32_t>(store.dump().patches.size()) - 1;
  const Result<PatchStore::Patch> absent = store.hold(last, 2);
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().describe(), testing::HasSubstr("has no values of \"few\""));

  const MadeDump gone("--cells 16 16 16 --levels 1 --variable name=a");
  PatchStore empty(gone.open(), 0);
  for (const std::string& file : empty.dump().files)
  {
    std::filesystem::remove(file);
  }
  EXPECT_FALSE(empty.hold(0, 0));
}

/// Leaves with 0 if threads read all patches within the process's limit, which is two patches, and none is kept beyond
/// it.
[[noreturn]] void leave_within_the_limit(const MadeDump& made)
{
  int wrong = 0;
  {
    PatchStore store(made.open(), 0);
    const auto patches = static_cast<std::int32_t>(store.dump().patches.size());
    std::atomic<int> good{ 0 };
    run_team(4,
        [&](int)
        {
          for (std::int32_t i = 0; i < 5 * patches; ++i)
          {
            good += store.hold(i * 7 % patches, 0).has_value() ? 1 : 0;
          }
        });
    wrong |= good == 20 * patches ? 0 : 1;
    // A thread has one in hand while another one reads.
    wrong |= MemoryAccount::process().peak() <= 3 * MemoryAccount::process().cap() ? 0 : 2;
    const Result<PatchStore::Patch> first = store.keep(0, 0, StoredType::Float64);
    const Result<PatchStore::Patch> second = store.keep(1, 0, StoredType::Float64);
    const Result<PatchStore::Patch> third = store.keep(2, 0, StoredType::Float64);
    wrong |= first && second && !third && third.error().code == ErrorCode::BudgetTooSmall ? 0 : 4;
    wrong |= MemoryAccount::process().used() == MemoryAccount::process().cap() ? 0 : 8;
    wrong |= store.hold(2, 0).has_value() ? 0 : 16; // one that is needed for a moment
  }
  wrong |= MemoryAccount::process().used() == 0 ? 0 : 32;
  std::_Exit(wrong);
}

TEST(PatchStore, KeepsWithinTheProcessesLimit)
{
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a fresh process reads the environment anew
  const MadeDump made(kMade);
  const std::int64_t one = PatchStore(made.open(), 0).bytes_of(0, 0, StoredType::Float64);
  ::setenv("RIVULET_MEMORY_LIMIT", std::to_string(2 * one).c_str(), 1);
  EXPECT_EXIT(leave_within_the_limit(made), testing::ExitedWithCode(0), "");
  ::unsetenv("RIVULET_MEMORY_LIMIT");
}

TEST(PatchStore, HandsOutTheFirstErrorOnce)
{
  const MadeDump made("--cells 16 16 16 --levels 1 --variable name=a");
  PatchStore store(made.open(), 0);
  EXPECT_EQ(store.take_error(), nullptr);
  for (const char* what : { "first", "second" })
  {
    store.note_error(std::make_shared<const Error>(Error{ ErrorCode::Corrupt, what, {}, {} }));
  }
  EXPECT_TRUE(store.has_error());
  EXPECT_EQ(store.take_error()->what, "first");
  store.note_error(std::make_shared<const Error>(Error{ ErrorCode::Corrupt, "third", {}, {} }));
  EXPECT_FALSE(store.has_error());
  EXPECT_EQ(store.take_error(), nullptr);
}

TEST(PatchStore, VectorsInThePlaneHaveThreeComponents)
{
  const MadeDump made("--dimensions 2 --cells 16 16 --variable name=v,shape=vector,type=f8");
  AmrDump dump = made.open();
  PatchStore store(made.open(), 0);
  const PatchVariable plane = expected_of(dump, 0, 0);
  const Result<PatchStore::Patch> held = store.hold(0, 0);
  ASSERT_TRUE(held);
  ASSERT_EQ((*held)->components, 3);
  const auto* values = reinterpret_cast<const double*>((*held)->values.data());
  for (std::int64_t i = 0; i < volume(plane.size); ++i)
  {
    EXPECT_EQ(values[3 * i], value_of(plane, i, 0));
    EXPECT_EQ(values[3 * i + 1], value_of(plane, i, 1));
    EXPECT_EQ(values[3 * i + 2], 0.0);
  }
}

TEST(PatchReader, TellsTheTypeOfAVariableWithoutReadingIt)
{
  const MadeDump made(kMade);
  const AmrDump dump = made.open();
  PatchReader reader;
  EXPECT_EQ(*reader.stored_type(dump, 0, 0), StoredType::Float64);
  EXPECT_EQ(*reader.stored_type(dump, 0, 1), StoredType::Float32);
  const auto last = static_cast<std::int32_t>(dump.patches.size()) - 1;
  EXPECT_EQ(reader.stored_type(dump, last, 2).error().code, ErrorCode::NotFound);
}

} // namespace
} // namespace rivulet::test
