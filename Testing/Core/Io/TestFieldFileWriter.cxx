// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Core/Io/FieldFiles.h"
#include "Curve/Hilbert.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/Writes/UnfinishedFiles.h"
#include "Support/LoweredLimit.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>
#include <sys/resource.h>
#include <thread>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;

namespace
{

std::size_t files_in(const TemporaryFolder& folder)
{
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

std::unique_ptr<FieldFileWriter> create(
    const std::string& path, const FieldInfo& info, const FieldFileOptions& options = {})
{
  Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::create(path, info, options);
  EXPECT_TRUE(writer) << writer.error().describe();
  return std::move(*writer);
}

ErrorCode refusal(const std::string& path, const FieldInfo& info, const FieldFileOptions& options = {})
{
  const Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::create(path, info, options);
  EXPECT_FALSE(writer);
  return writer ? ErrorCode::Cancelled : writer.error().code;
}

/// One variable of one component, so that a payload is just numbers.
FieldInfo scalar_field()
{
  FieldInfo info;
  info.grid.nodes = { 9, 9, 9 };
  info.variables = { { "p", ScalarType::Float32, 1, Centering::Node } };
  info.times = { 0.0 };
  return info;
}

/// All records of one step along the curve.
std::vector<std::byte> records_of(const FieldInfo& info, const BrickLayout& layout, int variable, int step)
{
  const HilbertCurve curve(layout.grid.count);
  std::vector<std::byte> records(static_cast<std::size_t>(layout.stride * layout.grid.size()), std::byte{ 0xEE });
  for (std::int64_t hilbert = 0; hilbert < layout.grid.size(); ++hilbert)
  {
    const BrickKey key{ variable, step, row_major(curve.at(hilbert), layout.grid.count) };
    const std::vector<std::byte> payload = payload_of(info, layout, key);
    std::memcpy(records.data() + hilbert * layout.stride, payload.data(), payload.size());
  }
  return records;
}

} // namespace

/// The way runs are written: through the page cache, or past it from page-aligned memory.
class FieldFileWriterRuns : public testing::TestWithParam<std::int64_t>
{
};

INSTANTIATE_TEST_SUITE_P(DirectFrom, FieldFileWriterRuns, testing::Values(0, kGiB));

TEST_P(FieldFileWriterRuns, GiveTheSameBytesAsSingleBricks)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  FieldFileOptions options{ .brick_cells = { 3, 3, 3 }, .uuid = std::string(36, 'a') }; // checksums cover it
  write_field(folder.file("single.rvf"), info, options);
  options.sync = true;
  options.direct_from = GetParam();
  const auto writer = create(folder.file("runs.rvf"), info, options);
  for (const BrickKey series : { BrickKey{ 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 } })
  {
    const BrickLayout& layout = writer->layout(series.variable);
    const std::vector<std::byte> values = records_of(info, layout, series.variable, series.step);
    const std::unique_ptr<void, decltype(&std::free)> aligned(std::aligned_alloc(4096, values.size()), &std::free);
    auto* records = static_cast<std::byte*>(aligned.get());
    std::memcpy(records, values.data(), values.size());
    const std::int64_t split = layout.grid.size() / 3;
    ASSERT_TRUE(writer->write_run(
        series.variable, series.step, split, layout.grid.size() - split, records + split * layout.stride));
    ASSERT_TRUE(writer->write_run(series.variable, series.step, 0, split, records));
  }
  ASSERT_TRUE(writer->finish());
  const FieldFile single = *FieldFile::open(folder.file("single.rvf"));
  const FieldFile runs = *FieldFile::open(folder.file("runs.rvf"));
  EXPECT_EQ(runs.info.ranges[0].components, single.info.ranges[0].components);
  EXPECT_EQ(*runs.brick_ranges(0, 1), *single.brick_ranges(0, 1));
  for (std::int64_t hilbert = 0; hilbert < runs.layouts[0].grid.size(); ++hilbert)
  {
    ASSERT_EQ(read_record(runs, { 0, 1, hilbert }), read_record(single, { 0, 1, hilbert }));
  }
}

TEST(FieldFileWriter, ThreadsMayWriteAtOnce)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  const auto writer = create(folder.file("flow.rvf"), info, { .brick_cells = { 2, 2, 2 } });
  std::vector<std::thread> team;
  for (const BrickKey series : { BrickKey{ 0, 0, 0 }, { 0, 1, 0 }, { 1, 0, 0 }, { 1, 1, 0 } })
  {
    team.emplace_back(
        [&, series]
        {
          const BrickLayout& layout = writer->layout(series.variable);
          for (BrickKey key = series; key.index < layout.grid.size(); ++key.index)
          {
            EXPECT_TRUE(writer->write_brick(key, payload_of(info, layout, key).data()));
          }
        });
  }
  for (std::thread& thread : team)
  {
    thread.join();
  }
  ASSERT_TRUE(writer->finish());
  const FieldFile file = *FieldFile::open(folder.file("flow.rvf"));
  const std::array<double, 2> expected{ value_at(0, 0, { 0, 0, 0 }, 2), value_at(0, 1, { 10, 7, 5 }, 2) };
  EXPECT_EQ(file.info.ranges[0].components[2], expected);
}

TEST(FieldFileWriter, LeavesNothingUnlessItFinishes)
{
  const TemporaryFolder folder;
  {
    const auto writer = create(folder.file("flow.rvf"), small_field());
    write_bricks(*writer, small_field());
    EXPECT_EQ(files_in(folder), 1U);
    EXPECT_FALSE(std::filesystem::exists(folder.file("flow.rvf")));
  }
  EXPECT_EQ(files_in(folder), 0U);
}

TEST(FieldFileWriter, ASignalHandlerRemovesWhatIsUnfinished)
{
  const TemporaryFolder folder;
  const auto writer = create(folder.file("flow.rvf"), small_field());
  EXPECT_EQ(files_in(folder), 1U);
  remove_unfinished_files();
  EXPECT_EQ(files_in(folder), 0U);
}

TEST(FieldFileWriter, AFinishedFileIsNoLongerUnfinished)
{
  const TemporaryFolder folder;
  write_field(folder.file("flow.rvf"), small_field());
  remove_unfinished_files();
  EXPECT_EQ(files_in(folder), 1U);
  EXPECT_TRUE(FieldFile::open(folder.file("flow.rvf")));
}

TEST(FieldFileWriter, ReplacesAFileOnlyWhenItIsWhole)
{
  const TemporaryFolder folder;
  write_bytes(folder.file("flow.rvf"), { 'o', 'l', 'd' });
  create(folder.file("flow.rvf"), small_field()).reset();
  EXPECT_EQ(bytes_of(folder.file("flow.rvf")).size(), 3U);
  write_field(folder.file("flow.rvf"), small_field());
  EXPECT_TRUE(FieldFile::open(folder.file("flow.rvf")));
}

TEST(FieldFileWriter, RefusesFoldersAndFoldersThatAreNotThere)
{
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder.path().string(), small_field()), ErrorCode::CannotWrite);
  EXPECT_EQ(refusal(folder.file("none/flow.rvf"), small_field()), ErrorCode::CannotWrite);
}

TEST(FieldFileWriter, RefusesFieldsThatMakeNoSense)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("flow.rvf");
  const auto spoiled = [&](auto spoil)
  {
    FieldInfo info = small_field();
    spoil(info);
    return refusal(path, info);
  };
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.grid.nodes[0] = 0; }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.times = { 1, 1 }; }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.times.clear(); }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.variables.clear(); }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.variables[0].components = 10; }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.variables[1].name = "velocity"; }), ErrorCode::BadArgument);
  EXPECT_EQ(spoiled([](FieldInfo& f) { f.variables[1].name = ""; }), ErrorCode::BadArgument);
  EXPECT_EQ(refusal(path, small_field(), { .brick_cells = { 0, 9, 9 } }), ErrorCode::BadArgument);
  EXPECT_EQ(files_in(folder), 0U);
}

TEST(FieldFileWriter, RefusesToFinishWithoutAllBricks)
{
  const TemporaryFolder folder;
  const FieldInfo info = scalar_field();
  const auto writer = create(folder.file("flow.rvf"), info, { .brick_cells = { 4, 4, 4 } });
  const BrickLayout& layout = writer->layout(0);
  for (std::int64_t index = 1; index < layout.grid.size(); ++index)
  {
    ASSERT_TRUE(writer->write_brick({ 0, 0, index }, payload_of(info, layout, { 0, 0, index }).data()));
  }
  const Result<void> early = writer->finish();
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().what, HasSubstr("1 bricks"));
  ASSERT_TRUE(writer->write_brick({ 0, 0, 0 }, payload_of(info, layout, { 0, 0, 0 }).data()));
  EXPECT_TRUE(writer->finish());
  EXPECT_FALSE(writer->finish());
}

TEST(FieldFileWriter, RefusesBricksThatDoNotExistAndBricksWrittenTwice)
{
  const TemporaryFolder folder;
  const FieldInfo info = scalar_field();
  const auto writer = create(folder.file("flow.rvf"), info);
  std::vector<std::byte> record(static_cast<std::size_t>(writer->layout(0).stride));
  EXPECT_FALSE(writer->write_brick({ 1, 0, 0 }, record.data()));
  EXPECT_FALSE(writer->write_brick({ 0, 1, 0 }, record.data()));
  EXPECT_FALSE(writer->write_brick({ 0, 0, 1 }, record.data()));
  EXPECT_FALSE(writer->write_brick({ 0, 0, -1 }, record.data()));
  EXPECT_FALSE(writer->write_run(0, 0, 0, 2, record.data()));
  EXPECT_FALSE(writer->write_run(0, 0, 0, 0, record.data()));
  EXPECT_TRUE(writer->write_brick({ 0, 0, 0 }, record.data()));
  EXPECT_FALSE(writer->write_brick({ 0, 0, 0 }, record.data()));
  EXPECT_FALSE(writer->finish()); // which of the two would it be?
}

TEST(FieldFileWriter, KnowsThatTheDiskIsFullBeforeAnythingIsWritten)
{
  const TemporaryFolder folder;
  FieldInfo info = scalar_field();
  info.grid.nodes = { 20001, 20001, 2001 }; // 3.6 TB
  info.times = { 0, 1, 2, 3 };
  const Result<std::unique_ptr<FieldFileWriter>> writer =
      FieldFileWriter::create(folder.file("flow.rvf"), info, { .brick_cells = { 255, 255, 255 } });
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(writer.error().path, folder.file("flow.rvf"));
  EXPECT_EQ(files_in(folder), 0U);
}

TEST(FieldFileWriter, ASparseFileMayBeLargerThanTheDisk)
{
  const TemporaryFolder folder;
  FieldInfo info = scalar_field();
  info.grid.nodes = { 3001, 3001, 3001 };
  const auto writer = create(folder.file("flow.rvf"), info, { .brick_cells = { 63, 63, 63 }, .sparse = true });
  ASSERT_TRUE(writer->finish());
  const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
  ASSERT_TRUE(file) << file.error().describe();
  EXPECT_GT(file->file_bytes, std::int64_t{ 100'000'000'000 });
  const std::vector<std::byte> hole = read_record(*file, { 0, 0, 77 });
  EXPECT_EQ(check_record(hole.data(), file->layouts[0], { 0, 0, 77 }), RecordState::NoTrailer);
  EXPECT_TRUE(file->info.ranges[0].components.empty());
}

TEST(FieldFileWriter, NotesNonFiniteValuesAndLeavesThemOutOfTheRanges)
{
  const TemporaryFolder folder;
  const FieldInfo info = scalar_field();
  const auto writer = create(folder.file("flow.rvf"), info, { .brick_cells = { 8, 8, 4 } });
  std::vector<float> payload(9 * 9 * 5, 2.5F);
  ASSERT_TRUE(writer->write_brick({ 0, 0, 0 }, payload.data()));
  payload[17] = std::numeric_limits<float>::infinity();
  payload[18] = std::numeric_limits<float>::quiet_NaN();
  payload[19] = -4.0F;
  ASSERT_TRUE(writer->write_brick({ 0, 0, 1 }, payload.data()));
  ASSERT_TRUE(writer->finish());
  const FieldFile file = *FieldFile::open(folder.file("flow.rvf"));
  EXPECT_EQ(file.info.ranges[0].components[0], (std::array<double, 2>{ -4.0, 2.5 }));
  const std::vector<std::array<float, 2>> ranges = *file.brick_ranges(0, 0);
  EXPECT_EQ(ranges[0], (std::array<float, 2>{ 2.5F, 2.5F }));
  EXPECT_EQ(ranges[1], (std::array<float, 2>{ -4.0F, 2.5F }));
  EXPECT_EQ(flags_of(read_record(file, { 0, 0, 0 }).data(), file.layouts[0]), 0U);
  EXPECT_EQ(flags_of(read_record(file, { 0, 0, 1 }).data(), file.layouts[0]), BrickTrailer::kNotAllFinite);
}

TEST(FieldFileWriter, AFieldWithoutFiniteValuesHasNoRange)
{
  const TemporaryFolder folder;
  const auto writer = create(folder.file("flow.rvf"), scalar_field());
  const std::vector<float> payload(9 * 9 * 9, std::numeric_limits<float>::quiet_NaN());
  ASSERT_TRUE(writer->write_brick({ 0, 0, 0 }, payload.data()));
  ASSERT_TRUE(writer->finish());
  const FieldFile file = *FieldFile::open(folder.file("flow.rvf"));
  EXPECT_TRUE(file.info.ranges[0].components.empty());
  EXPECT_GT((*file.brick_ranges(0, 0))[0][0], (*file.brick_ranges(0, 0))[0][1]);
}

TEST(FieldFileWriter, TakesAnyName)
{
  const TemporaryFolder folder;
  FieldInfo info = scalar_field();
  const std::vector<std::string> names{ "rho/U", ".", "..", "100%", "p [Pa]", "\xC3\xB6" };
  info.variables.clear();
  for (const std::string& name : names)
  {
    info.variables.push_back({ name, ScalarType::Float32, 1, Centering::Node });
  }
  write_field(folder.file("flow.rvf"), info);
  const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
  ASSERT_TRUE(file) << file.error().describe();
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    EXPECT_EQ(file->info.variables[i].name, names[i]);
    EXPECT_TRUE(file->brick_ranges(static_cast<int>(i), 0));
  }
}

TEST(FieldFileWriter, KeepsFlatGridsAndSingleNodes)
{
  const TemporaryFolder folder;
  for (const Int3& nodes : { Int3{ 30, 20, 1 }, { 1, 1, 1 }, { 1, 25, 1 }, { 2, 1, 13 } })
  {
    FieldInfo info = small_field();
    info.grid.nodes = nodes;
    write_field(folder.file("flow.rvf"), info);
    const Result<FieldFile> file = FieldFile::open(folder.file("flow.rvf"));
    ASSERT_TRUE(file) << file.error().describe();
    EXPECT_EQ(file->info.grid.nodes, nodes);
  }
}

TEST(FieldFileWriter, ManyStepsOpenInOrder)
{
  const TemporaryFolder folder;
  FieldInfo info = scalar_field();
  info.times.clear();
  for (int step = 0; step < 150; ++step)
  {
    info.times.push_back(0.5 * step);
  }
  write_field(folder.file("flow.rvf"), info);
  const FieldFile file = *FieldFile::open(folder.file("flow.rvf"));
  ASSERT_EQ(file.info.times, info.times);
  for (int step = 0; step < 150; ++step)
  {
    const std::vector<std::byte> record = read_record(file, { 0, step, 0 });
    ASSERT_EQ(check_record(record.data(), file.layouts[0], { 0, step, 0 }), RecordState::Sound);
  }
  // No heap of links, which nobody looks into before libhdf5 follows them.
  std::ifstream stream(folder.file("flow.rvf"), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_NE(bytes.find("OHDR"), std::string::npos);
  EXPECT_EQ(bytes.find("FRHP"), std::string::npos);
}

TEST(FieldFileWriter, RefusesAFileThatIsLargerThanTheProcessMayWrite)
{
  const TemporaryFolder folder;
  FieldInfo large = small_field();
  large.grid.nodes = { 129, 65, 65 };
  {
    const LoweredLimit little(RLIMIT_FSIZE, 1 << 20); // a write beyond it would end the process
    const auto refused = FieldFileWriter::create(folder.file("large.rvf"), large, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::CannotWrite);
    EXPECT_THAT(refused.error().describe(),
        testing::AllOf(HasSubstr("the process may write files of 1 MiB"), HasSubstr("ulimit -f")));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(FieldFileWriter::create(folder.file("large.rvf"), large, {}));
}

} // namespace rivulet
