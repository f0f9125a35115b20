// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/RecordLocator.h"

#include "Core/Store/FieldOnDisk.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace rivulet::test
{

namespace
{

class Records : public testing::Test
{
protected:
  std::string part(const std::string& name, const std::vector<double>& times, std::int32_t first_step = 0)
  {
    write_field(folder.file(name), small_field(times), first_step);
    return folder.file(name);
  }
  static std::shared_ptr<RecordLocator> open(const std::vector<std::string>& paths)
  {
    Result<std::shared_ptr<RecordLocator>> records = RecordLocator::open(paths, true);
    EXPECT_TRUE(records) << records.error().describe();
    return *records;
  }
  static std::vector<BrickKey> keys_of(const RecordLocator& records)
  {
    std::vector<BrickKey> keys;
    for (std::int32_t variable = 0; variable < static_cast<std::int32_t>(records.info().variables.size()); ++variable)
    {
      for (std::int32_t step = 0; step < static_cast<std::int32_t>(records.info().times.size()); ++step)
      {
        for (std::int64_t index = 0; index < records.layout(variable).grid.size(); ++index)
        {
          keys.push_back({ variable, step, index });
        }
      }
    }
    return keys;
  }
  static std::vector<std::byte> record_at(const std::string& path, const RecordLocator& records, const BrickKey& key)
  {
    std::vector<std::byte> record(static_cast<std::size_t>(records.layout(key.variable).stride));
    std::ifstream(path, std::ios::binary)
        .seekg(records.record(key).offset)
        .read(reinterpret_cast<char*>(record.data()), static_cast<std::streamsize>(record.size()));
    return record;
  }

  TemporaryFolder folder;
};

/// Two files of two steps each, named in the wrong order.
class Series : public Records
{
protected:
  const std::string late = part("late.rvf", { 2.0, 3.0 }, 2);
  const std::string early = part("early.rvf", { 0.0, 1.0 });
  const std::shared_ptr<RecordLocator> owner = open({ late, early });
  const RecordLocator& records = *owner;
};

} // namespace

TEST_F(Series, NumbersEveryRecordOnce)
{
  const std::vector<BrickKey> keys = keys_of(records);
  std::map<std::int64_t, BrickKey> numbers;
  for (const BrickKey& key : keys)
  {
    numbers[records.record(key).number] = key;
  }
  EXPECT_EQ(numbers.size(), keys.size());
  EXPECT_EQ(records.count(), static_cast<std::int64_t>(keys.size()));
  EXPECT_EQ(numbers.begin()->first, 0);
  EXPECT_EQ(numbers.rbegin()->first, records.count() - 1);
}

TEST_F(Series, NumbersNeighboursInTheFileOneAfterTheOther)
{
  std::map<std::int64_t, BrickKey> numbers;
  for (const BrickKey& key : keys_of(records))
  {
    numbers[records.record(key).number] = key;
  }
  for (auto at = numbers.begin(); std::next(at) != numbers.end(); ++at)
  {
    const BrickKey& key = at->second;
    const BrickKey& next = std::next(at)->second;
    const bool same_run = key.variable == next.variable && key.step == next.step;
    ASSERT_TRUE(same_run || next.variable > key.variable || next.step > key.step);
    if (same_run)
    {
      ASSERT_EQ(records.record(next).offset, records.record(key).offset + records.layout(key.variable).stride);
      ASSERT_EQ(records.record(next).hilbert, records.record(key).hilbert + 1);
    }
  }
}

TEST_F(Series, KnowsFileStepAndOffsetOfEveryRecord)
{
  for (const BrickKey& key : keys_of(records))
  {
    const StoredRecord place = records.record(key);
    const std::string& path = key.step < 2 ? early : late;
    ASSERT_EQ(records.files()[static_cast<std::size_t>(place.file)].path, path);
    ASSERT_EQ(place.step, key.step % 2);
    ASSERT_EQ(place.number, records.number(key));
    if (key.index % 17 == 0)
    {
      ASSERT_EQ(place.offset, offset_of(path, { key.variable, key.step % 2, key.index }));
    }
  }
}

TEST_F(Series, SaysHowManyRecordsFollowEachOtherFromAnyOne)
{
  for (const BrickKey& key : keys_of(records))
  {
    const StoredRecord place = records.record(key);
    const std::int64_t left = records.layout(key.variable).grid.size() - place.hilbert;
    for (const std::int64_t wanted : { std::int64_t{ 1 }, left - 1, left, left + 1, records.count() })
    {
      const BrickRange range = records.range(place.number, wanted);
      ASSERT_EQ(range.file, place.file);
      ASSERT_EQ(range.offset, place.offset);
      ASSERT_EQ(range.stride, records.layout(key.variable).stride);
      ASSERT_EQ(range.count, std::min(wanted, left));
    }
  }
}

TEST_F(Series, KnowsWhichBricksThereAre)
{
  const std::int64_t bricks = records.layout(1).grid.size();
  EXPECT_TRUE(records.exists({ 1, 3, bricks - 1 }));
  for (const BrickKey& key :
      std::vector<BrickKey>{ { 1, 3, bricks }, { 1, 4, 0 }, { 3, 0, 0 }, { 1, 3, -1 }, { 1, -1, 0 }, { -1, 0, 0 } })
  {
    EXPECT_FALSE(records.exists(key)) << key.variable << ' ' << key.step << ' ' << key.index;
  }
}

TEST_F(Series, FindsTheRangesOfAStepInItsFile)
{
  for (std::int32_t step = 0; step < 4; ++step)
  {
    const auto ranges = records.brick_ranges(1, step);
    ASSERT_TRUE(ranges);
    EXPECT_EQ(ranges->front()[0], static_cast<float>(value_at({ 1, step, 0 }, 0, { 0, 0, 0 })));
  }
  for (const auto& [variable, step] : { std::pair{ 1, 4 }, std::pair{ 3, 0 }, std::pair{ -1, 0 }, std::pair{ 0, -1 } })
  {
    const auto ranges = records.brick_ranges(variable, step);
    ASSERT_FALSE(ranges);
    EXPECT_EQ(ranges.error().code, ErrorCode::BadArgument);
  }
}

TEST_F(Series, HasTheRangesOfAllItsFiles)
{
  const ValueRanges& ranges = records.info().ranges[1];
  ASSERT_EQ(ranges.components.size(), 1U);
  EXPECT_EQ(ranges.components[0][0], value_at({ 1, 0, 0 }, 0, { 0, 0, 0 }));
  EXPECT_EQ(ranges.components[0][1], value_at({ 1, 3, 0 }, 0, { 22, 16, 10 }));
}

TEST_F(Records, AreCheckedAgainstTheirOwnTrailers)
{
  const std::string path = part("a.rvf", { 0.0, 1.0 });
  const BrickKey key{ 0, 1, 7 };
  std::vector<std::byte> record = record_at(path, *open({ path }), key);
  EXPECT_TRUE(open({ path })->check(key, record.data()));
  for (const BrickKey& other : { BrickKey{ 0, 1, 8 }, BrickKey{ 0, 0, 7 }, BrickKey{ 1, 1, 7 } })
  {
    EXPECT_FALSE(open({ path })->check(other, record.data()));
  }
  const std::shared_ptr<RecordLocator> records = open({ path });
  for (const std::size_t byte : { std::size_t{ 0 }, std::size_t{ 777 }, record.size() - 1, record.size() - 32 })
  {
    record[byte] ^= std::byte{ 0x10 };
    const Result<void> checked = records->check(key, record.data());
    ASSERT_FALSE(checked) << byte;
    EXPECT_EQ(checked.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(checked.error().path, path);
    EXPECT_EQ(checked.error().offset, records->record(key).offset);
    record[byte] ^= std::byte{ 0x10 };
  }
}

TEST_F(Records, AreCheckedOnceAndOnlyIfThatIsWanted)
{
  const std::string path = part("a.rvf", { 0.0 });
  const BrickKey key{ 0, 0, 7 };
  const std::shared_ptr<RecordLocator> records = open({ path });
  std::vector<std::byte> record = record_at(path, *records, key);
  EXPECT_TRUE(records->check(key, record.data()));
  record[777] ^= std::byte{ 0x10 };
  EXPECT_TRUE(records->check(key, record.data()));
  EXPECT_FALSE(open({ path })->check(key, record.data()));
  EXPECT_TRUE((*RecordLocator::open({ path }, false))->check(key, record.data()));
}

TEST_F(Records, ShowTheValuesWhereTheyLie)
{
  const std::string path = part("a.rvf", { 0.0 });
  const std::shared_ptr<RecordLocator> records = open({ path });
  for (const BrickKey& key : { BrickKey{ 0, 0, 3 }, BrickKey{ 1, 0, 40 }, BrickKey{ 2, 0, 11 } })
  {
    std::vector<std::byte> record = record_at(path, *records, key);
    const std::vector<std::byte> before = record;
    const Result<BrickView> view = records->finish(key, record.data()); // plain records are values already
    ASSERT_TRUE(view);
    EXPECT_EQ(record, before);
    EXPECT_EQ(wrong_values(*view, key, records->bricks(key.variable)), 0);
  }
}

TEST_F(Records, OfEncodedFilesNeedRoomForValuesAndRecord)
{
  const std::string path = folder.file("small.rvf");
  write_field(path, small_field(), 0, Encoding::Fixed16);
  const std::shared_ptr<RecordLocator> encoded = open({ path });
  const std::shared_ptr<RecordLocator> plain = open({ part("plain.rvf", { 0.0 }) });
  EXPECT_TRUE(encoded->encoded());
  EXPECT_FALSE(plain->encoded());
  for (const std::shared_ptr<RecordLocator>& records : { encoded, plain })
  {
    std::int64_t largest = 0;
    for (std::int32_t variable = 0; variable < 3; ++variable)
    {
      const BrickLayout& layout = records->layout(variable);
      EXPECT_GE(layout.slot_bytes(), layout.values);
      EXPECT_EQ(layout.record_in_slot() % 4096, 0);
      EXPECT_EQ(records->slot_bytes({ variable, 0, 0 }), layout.slot_bytes());
      largest = std::max(largest, layout.slot_bytes());
    }
    EXPECT_EQ(records->slot_bytes(), largest);
    EXPECT_TRUE(records->files().front().page_aligned);
  }
}

TEST_F(Records, AreNotOfFilesThatAreNoSeries)
{
  const std::string first = part("first.rvf", { 0.0 });
  const auto refusal = [&](const FieldInfo& info)
  {
    write_field(folder.file("other.rvf"), info);
    const auto records = RecordLocator::open({ first, folder.file("other.rvf") }, true);
    EXPECT_FALSE(records);
    EXPECT_EQ(records.error().code, ErrorCode::BadArgument);
    EXPECT_EQ(records.error().path, folder.file("other.rvf"));
    return records.error().what;
  };
  FieldInfo other = small_field({ 1.0 });
  other.variables[1].name = "density";
  EXPECT_NE(refusal(other).find("variables"), std::string::npos);
  other = small_field({ 1.0 });
  other.variables.pop_back();
  other.ranges.pop_back();
  EXPECT_NE(refusal(other).find("variables"), std::string::npos);
  other = small_field({ 1.0 });
  other.grid.origin[2] = 1.0;
  EXPECT_NE(refusal(other).find("grid"), std::string::npos);
  EXPECT_NE(refusal(small_field({ 0.0, 1.0 })).find("time"), std::string::npos);
}

TEST_F(Records, AreOfSeveralFilesOnlyIfAllCanBeOpened)
{
  const std::string first = part("first.rvf", { 0.0 });
  const auto missing = RecordLocator::open({ first, folder.file("none.rvf") }, true);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_EQ(missing.error().path, folder.file("none.rvf"));
  EXPECT_FALSE(RecordLocator::open({}, true));
}

} // namespace rivulet::test
