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
