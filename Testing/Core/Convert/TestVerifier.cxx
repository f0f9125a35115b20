// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Verifier.h"
#include "Sources.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace rivulet
{

namespace
{

using test::TemporaryFolder;

class Verifier : public testing::Test
{
protected:
  Verifier()
    : path_(folder_.file("field.rvf"))
  {
    test::NumberedSource source({ 40, 30, 20 }, { test::velocity(), test::cell_pressure() }, 2);
    EXPECT_TRUE(convert(source, path_, {}).has_value());
    file_ = FieldFile::open(path_).value_or(FieldFile{});
  }

  // Overwrites bytes of the record, counted from its start, or from its end when negative.
  void damage(const RecordPlace& id, std::int64_t at, const std::string& bytes)
  {
    const BrickLayout& layout = file_.layouts[static_cast<std::size_t>(id.variable)];
    const std::int64_t record = layout.steps[static_cast<std::size_t>(id.step)].offset + id.hilbert * layout.stride;
    std::fstream stream(path_, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(record + at + (at < 0 ? layout.stride : 0));
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  void write_at(std::int64_t offset, const void* bytes, std::size_t count)
  {
    std::fstream stream(path_, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(offset);
    stream.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count));
  }

  VerifyReport checked(const VerifyOptions& options = {})
  {
    Result<VerifyReport> report = verify(file_, options);
    EXPECT_TRUE(report.has_value());
    return report.value_or(VerifyReport{});
  }

  TemporaryFolder folder_;
  std::string path_;
  FieldFile file_;
};

} // namespace

TEST_F(Verifier, finds_nothing_in_a_sound_file)
{
  const VerifyReport report = checked();
  EXPECT_EQ(report.bricks, 2 * (file_.layouts[0].grid.size() + file_.layouts[1].grid.size()));
  EXPECT_EQ(report.bad, 0);
  EXPECT_TRUE(report.listed.empty());
}

TEST_F(Verifier, finds_one_changed_value_and_says_where)
{
  damage({ 0, 1, 7 }, 100, "x");
  const VerifyReport report = checked();
  ASSERT_EQ(report.bad, 1);
  EXPECT_EQ(report.listed[0].offset, file_.layouts[0].steps[1].offset + 7 * file_.layouts[0].stride);
  EXPECT_EQ(report.listed[0].what, "the brick's checksum does not match");
}

TEST_F(Verifier, finds_a_brick_in_the_place_of_another)
{
  damage({ 1, 0, 2 }, -32, std::string(1, '\3'));
  const VerifyReport report = checked();
  ASSERT_EQ(report.bad, 1);
  EXPECT_EQ(report.listed[0].what, "another brick lies where this one belongs");
}

TEST_F(Verifier, finds_a_lost_trailer)
{
  damage({ 0, 0, 0 }, -4, std::string(4, '\0'));
  EXPECT_EQ(checked().listed.at(0).what, describe(RecordState::NoTrailer));
}

TEST_F(Verifier, finds_a_brick_of_another_file_of_the_same_field)
{
  const std::string other = folder_.file("other.rvf");
  test::NumberedSource source({ 40, 30, 20 }, { test::velocity(), test::cell_pressure() }, 2);
  ASSERT_TRUE(convert(source, other, {}).has_value());
  const std::vector<char> bytes = test::bytes_of(other);
  const FieldFile theirs = *FieldFile::open(other);
  const std::int64_t stride = theirs.layouts[0].stride;
  const std::int64_t from = theirs.layouts[0].steps[1].offset + 5 * stride;
  write_at(file_.layouts[0].steps[1].offset + 5 * stride, bytes.data() + from, static_cast<std::size_t>(2 * stride));
  const VerifyReport report = checked();
  ASSERT_EQ(report.bad, 2);
  EXPECT_EQ(report.listed[0].what, "the brick's checksum does not match");
}

TEST_F(Verifier, finds_a_table_of_ranges_that_was_written_over)
{
  const float range = 7e7F;
  write_at(file_.range_table(0, 1)->offset + 16, &range, sizeof range);
  const VerifyReport report = checked();
  EXPECT_EQ(report.bad, 0);
  EXPECT_FALSE(report.sound());
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0], "the ranges of bricks of variable \"velocity\", step 1: the checksum does not match");
}

/// A whole record with other values: only the tables tell.
TEST_F(Verifier, finds_a_brick_whose_values_are_not_in_its_range)
{
  const BrickLayout& layout = file_.layouts[0];
  const RecordPlace place{ 0, 0, 3 };
  const std::int64_t at = layout.steps[0].offset + place.hilbert * layout.stride;
  const std::vector<char> bytes = test::bytes_of(path_);
  std::vector<char> record(bytes.begin() + at, bytes.begin() + at + layout.stride);
  const float value = 3e7F;
  std::copy_n(reinterpret_cast<const char*>(&value), sizeof value, record.begin());
  write_trailer(record.data(), layout, place, 0);
  write_at(at, record.data(), record.size());
  const VerifyReport report = checked();
  ASSERT_EQ(report.bad, 1) << testing::PrintToString(report.findings);
  EXPECT_EQ(report.listed[0].what, "the brick's range in the table is not that of its values");
  EXPECT_EQ(report.listed[0].id.hilbert, 3);
}

TEST_F(Verifier, finds_a_range_of_all_that_is_not_that_of_the_values)
{
  file_.info.ranges[0].components[1][0] -= 1.0; // as if the header said so
  EXPECT_EQ(checked().findings.at(0), "the range of variable \"velocity\" is not that of its values");
}

TEST_F(Verifier, lists_what_it_is_allowed_to_and_counts_all)
{
  for (std::int64_t brick = 0; brick < 5; ++brick)
  {
    damage({ 0, 0, brick }, 0, "broken");
  }
  VerifyOptions options;
  options.most_listed = 2;
  options.threads = 3;
  const VerifyReport report = checked(options);
  EXPECT_EQ(report.bad, 5);
  EXPECT_EQ(report.listed.size(), 2U);
}

TEST_F(Verifier, reports_the_bricks_that_a_file_cut_short_has_lost)
{
  const BrickLayout& layout = file_.layouts[1];
  std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(layout.steps[1].offset + layout.stride));
  const VerifyReport report = checked();
  EXPECT_GE(report.bad, layout.grid.size() - 1);
  EXPECT_EQ(report.listed.back().what, "the file ends too early");
}

TEST_F(Verifier, stops_when_cancelled)
{
  const std::atomic<bool> cancel{ true };
  VerifyOptions options;
  options.cancel = &cancel;
  const Result<VerifyReport> report = verify(file_, options);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
}

TEST_F(Verifier, fails_when_the_file_has_gone)
{
  std::filesystem::remove(path_);
  const Result<VerifyReport> report = verify(file_, {});
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::NotFound);
}

} // namespace rivulet
