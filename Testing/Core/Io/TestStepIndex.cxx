// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Io/Series/StepIndex.h"
#include "Support/TemporaryFolder.h"

#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

using namespace test;
using testing::Each;
using testing::ElementsAre;

namespace
{

namespace fs = std::filesystem;

using Entries = std::vector<std::optional<StepEntry>>;

constexpr std::size_t kRecord = 24; ///< bytes

class StepIndices : public testing::Test
{
protected:
  void write(std::size_t step, const StepEntry& entry) const { write_step_entry(store_, identity_, step, entry); }
  void write_three() const
  {
    for (const std::size_t step : { 0U, 1U, 2U })
    {
      write(step, entry_at(step));
    }
  }
  [[nodiscard]] static StepEntry entry_at(std::size_t step) { return { 0.25 * static_cast<double>(step), 100 + step }; }
  [[nodiscard]] Entries read(std::size_t steps) const { return read_step_index(store_, identity_, steps); }
  [[nodiscard]] std::string path() const { return step_index(store_); }

  TemporaryFolder folder_;
  std::string store_ = folder_.path().string();
  StoreIdentity identity_{ "01234567-89ab-4def-a123-456789abcdef" };
};

template <class T>
T number_at(const std::vector<char>& bytes, std::size_t offset)
{
  T number{};
  std::memcpy(&number, bytes.data() + offset, sizeof(T));
  return number;
}

} // namespace

TEST_F(StepIndices, GiveBackWhatWasWritten)
{
  write_three();
  EXPECT_THAT(read(3), ElementsAre(entry_at(0), entry_at(1), entry_at(2)));
  EXPECT_THAT(read(5), ElementsAre(entry_at(0), entry_at(1), entry_at(2), std::nullopt, std::nullopt));
  EXPECT_THAT(read(1), ElementsAre(entry_at(0)));
  EXPECT_TRUE(read(0).empty());
}

TEST_F(StepIndices, HaveTheBytesThatTheFormatSays)
{
  write_three();
  const std::vector<char> bytes = bytes_of(path());
  ASSERT_EQ(bytes.size(), 3 * kRecord);
  for (const std::size_t step : { 0U, 1U, 2U })
  {
    const std::string name = identity_.uuid() + "/" + std::to_string(step);
    const XXH64_hash_t seed = XXH3_64bits(name.data(), name.size());
    EXPECT_EQ(number_at<double>(bytes, step * kRecord), entry_at(step).time);
    EXPECT_EQ(number_at<std::uint64_t>(bytes, step * kRecord + 8), entry_at(step).values);
    EXPECT_EQ(number_at<std::uint64_t>(bytes, step * kRecord + 16),
        XXH3_64bits_withSeed(bytes.data() + step * kRecord, 16, seed));
  }
}

TEST_F(StepIndices, SayNothingWhereThereAreNone)
{
  EXPECT_THAT(read(2), ElementsAre(std::nullopt, std::nullopt));
  write_bytes(path(), {});
  EXPECT_THAT(read(2), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(read_step_index(folder_.file("none"), identity_, 1), ElementsAre(std::nullopt));
}

TEST_F(StepIndices, SayNothingOfAnEntryWithAnyTornByteAndStillTellTheOthers)
{
  write_three();
  const std::vector<char> sound = bytes_of(path());
  for (std::size_t byte = kRecord; byte < 2 * kRecord; ++byte)
  {
    std::vector<char> torn = sound;
    torn[byte] = static_cast<char>(torn[byte] ^ 0x10);
    write_bytes(path(), torn);
    EXPECT_THAT(read(3), ElementsAre(entry_at(0), std::nullopt, entry_at(2))) << byte;
  }
}

TEST_F(StepIndices, SayNothingOfAnEntryThatIsCutOff)
{
  write_three();
  for (const std::size_t bytes : { 3 * kRecord - 1, 2 * kRecord + 1, 2 * kRecord })
  {
    fs::resize_file(path(), bytes);
    EXPECT_THAT(read(3), ElementsAre(entry_at(0), entry_at(1), std::nullopt)) << bytes;
  }
}

TEST_F(StepIndices, SayNothingOfEntriesInOtherPlacesAndOfOtherStores)
{
  write_three();
  const StoreIdentity other("11234567-89ab-4def-a123-456789abcdef");
  EXPECT_THAT(read_step_index(store_, other, 3), Each(std::nullopt));
  std::vector<char> bytes = bytes_of(path());
  std::swap_ranges(bytes.begin(), bytes.begin() + kRecord, bytes.begin() + kRecord);
  write_bytes(path(), bytes);
  EXPECT_THAT(read(3), ElementsAre(std::nullopt, std::nullopt, entry_at(2)));
}

TEST_F(StepIndices, OfARestartedStoreTellItsOwnStepsOnly)
{
  write_three();
  identity_.restart(1, "11234567-89ab-4def-a123-456789abcdef");
  EXPECT_THAT(read(3), ElementsAre(entry_at(0), std::nullopt, std::nullopt)) << "later entries are of the run before";
  write(1, { 7.0, 8 });
  EXPECT_THAT(read(3), ElementsAre(entry_at(0), StepEntry{ 7.0, 8 }, std::nullopt));
}

TEST_F(StepIndices, TakeEntriesInAnyOrderAndAnew)
{
  write(3, entry_at(3)); // those before are a hole of zeros
  EXPECT_THAT(read(4), ElementsAre(std::nullopt, std::nullopt, std::nullopt, entry_at(3)));
  write(1, { 5.0, 6 });
  write(1, entry_at(1));
  EXPECT_THAT(read(4), ElementsAre(std::nullopt, entry_at(1), std::nullopt, entry_at(3)));
  EXPECT_EQ(fs::file_size(path()), 4 * kRecord);
}

TEST_F(StepIndices, AreNotNeededAndTheirFailuresHarmless)
{
  fs::create_directory(path());
  write(0, entry_at(0));
  EXPECT_THAT(read(1), ElementsAre(std::nullopt));
  EXPECT_TRUE(cut_step_index(store_, 0));
  write_step_entry(folder_.file("none"), identity_, 0, entry_at(0));
  EXPECT_FALSE(fs::exists(folder_.file("none")));
}

TEST_F(StepIndices, AreCutToTheStepsThatAreThere)
{
  write_three();
  ASSERT_TRUE(cut_step_index(store_, 1));
  EXPECT_EQ(fs::file_size(path()), kRecord);
  ASSERT_TRUE(cut_step_index(store_, 2)) << "it is shorter already";
  EXPECT_EQ(fs::file_size(path()), kRecord);
  EXPECT_THAT(read(3), ElementsAre(entry_at(0), std::nullopt, std::nullopt));
  ASSERT_TRUE(cut_step_index(store_, 0));
  EXPECT_EQ(fs::file_size(path()), 0U);
  fs::remove(path());
  EXPECT_TRUE(cut_step_index(store_, 0));
  EXPECT_FALSE(fs::exists(path()));
}

TEST(StepEntry, IsMadeOfTheTimeAndTheRangesOfTheValues)
{
  FieldFile step;
  step.info.times = { 2.5 };
  step.info.ranges = { { { { 1.0, 2.0 }, { -3.0, 4.0 } }, { 0.5, 5.0 } }, {} };
  const std::vector<double> numbers{ 2, 1, 2, -3, 4, 0.5, 5, 0, 0, 0 };
  const StepEntry entry = entry_of(step);
  EXPECT_EQ(entry.time, 2.5);
  EXPECT_EQ(entry.values, XXH3_64bits(numbers.data(), numbers.size() * sizeof(double)));
  step.info.times = { 3.5 };
  EXPECT_NE(entry_of(step), entry);
  EXPECT_EQ(entry_of(step).values, entry.values);
  step.info.times = { 2.5 };
  EXPECT_EQ(entry_of(step), entry);
  step.info.ranges[0].components[1][0] = -3.5;
  EXPECT_NE(entry_of(step), entry);
}

TEST(StepEntry, OfEqualStepsIsTheSameInEveryFile)
{
  const TemporaryFolder folder;
  FieldInfo info = small_field();
  info.times = { 1.0 };
  write_field(folder.file("a.rvf"), info);
  write_field(folder.file("b.rvf"), info, { .brick_cells = { 3, 3, 3 } });
  EXPECT_EQ(entry_of(*FieldFile::open(folder.file("a.rvf"))), entry_of(*FieldFile::open(folder.file("b.rvf"))));
}

} // namespace rivulet
