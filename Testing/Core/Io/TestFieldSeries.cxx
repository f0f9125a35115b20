// SPDX-License-Identifier: BSD-3-Clause
// Fields in several files, and stores with bad steps. TestStoreWriter has how stores are written.
#include "Core/Io/FieldFiles.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StepIndex.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreWriter.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <limits>

namespace rivulet
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

namespace fs = std::filesystem;

/// One variable of one component at some times.
FieldInfo scalar_field(const std::vector<double>& times)
{
  FieldInfo info;
  info.grid.nodes = { 5, 4, 3 };
  info.variables = { { "p", ScalarType::Float32, 1, Centering::Node } };
  info.times = times;
  return info;
}

/// Writes each brick with one value everywhere.
void fill(FieldFileWriter& writer, const FieldInfo& info, float value)
{
  const std::vector<float> values(static_cast<std::size_t>(writer.layout(0).values) / sizeof(float), value);
  for (int step = 0; step < static_cast<int>(info.times.size()); ++step)
  {
    for (std::int64_t brick = 0; brick < writer.layout(0).grid.size(); ++brick)
    {
      ASSERT_TRUE(writer.write_brick({ 0, step, brick }, values.data()));
    }
  }
  ASSERT_TRUE(writer.finish());
}

Error refusal(const std::vector<std::string>& paths)
{
  const Result<FieldSeries> series = FieldSeries::open(paths);
  EXPECT_FALSE(series);
  return series ? Error{} : series.error();
}

FieldSeries opened(const std::vector<std::string>& paths)
{
  Result<FieldSeries> series = FieldSeries::open(paths);
  EXPECT_TRUE(series) << series.error().describe();
  return series.value_or(FieldSeries{});
}

class FilesOfASeries : public testing::Test
{
protected:
  std::string write(const std::string& name, const FieldInfo& info, float value = 1, const FieldFileOptions& how = {})
  {
    const auto writer = FieldFileWriter::create(folder_.file(name), info, how);
    EXPECT_TRUE(writer) << writer.error().describe();
    fill(**writer, info, value);
    return folder_.file(name);
  }

  TemporaryFolder folder_;
};

class StoresWithBadSteps : public testing::Test
{
protected:
  void make(const std::string& path, const std::vector<double>& times, float value = 1)
  {
    const auto store = StoreWriter::open(path, { .sync = false, .uuid = "01234567-89ab-4def-a123-456789abcdef" });
    ASSERT_TRUE(store) << store.error().describe();
    for (const double time : times)
    {
      const FieldInfo info = scalar_field({ time });
      const auto step = (*store)->begin_step(info);
      ASSERT_TRUE(step) << step.error().describe();
      fill(**step, info, value + static_cast<float>(time));
    }
  }
  void spoil(std::int64_t step) const { std::ofstream(step_path(path_, step)) << "damaged"; }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("flow.rvs");
};

} // namespace

TEST_F(FilesOfASeries, AreJoinedInOrderOfTime)
{
  const std::string late = write("a.rvf", scalar_field({ 4.0 }));
  const std::string outer = write("b.rvf", scalar_field({ 1.0, 3.0 }));
  const std::string middle = write("c.rvf", scalar_field({ 2.0 }));
  const FieldSeries series = opened({ late, outer, middle });
  EXPECT_THAT(series.info.times, ElementsAre(1.0, 2.0, 3.0, 4.0));
  std::vector<std::string> places;
  for (int step = 0; step < 4; ++step)
  {
    const FieldSeries::Step& each = series.steps[static_cast<std::size_t>(step)];
    EXPECT_EQ(each.time, series.info.times[static_cast<std::size_t>(step)]);
    EXPECT_EQ(&series.file_of(step), &series.file_of(each));
    places.push_back(fs::path(series.file_of(step).path).filename().string() + std::to_string(each.step));
  }
  EXPECT_THAT(places, ElementsAre("b.rvf0", "c.rvf0", "b.rvf1", "a.rvf0"));
  EXPECT_EQ(series.path, late);
  EXPECT_FALSE(series.is_store());
  EXPECT_FALSE(series.is_bad(0));
  EXPECT_EQ(series.file_bytes(),
      static_cast<std::int64_t>(fs::file_size(late) + fs::file_size(outer) + fs::file_size(middle)));
}

TEST_F(FilesOfASeries, HoldNoTimeTwice)
{
  const std::string first = write("a.rvf", scalar_field({ 0.0, 0.5 }));
  const std::string second = write("b.rvf", scalar_field({ 0.5, 1.0 }));
  const Error error = refusal({ first, second });
  EXPECT_EQ(error.code, ErrorCode::BadArgument);
  EXPECT_THAT(error.what, HasSubstr("two files hold the time 0.5"));
  EXPECT_EQ(error.path, second);
  EXPECT_EQ(refusal({ first, first }).code, ErrorCode::BadArgument);
}

TEST_F(FilesOfASeries, HaveTheSameGridVariablesAndBricks)
{
  const std::string first = write("a.rvf", scalar_field({ 0.0 }));
  FieldInfo grid = scalar_field({ 1.0 });
  grid.grid.first[2] = 1;
  FieldInfo name = scalar_field({ 1.0 });
  name.variables[0].name = "q";
  FieldInfo more = scalar_field({ 1.0 });
  more.variables.push_back({ "q", ScalarType::Float32, 1, Centering::Node });
  struct Case
  {
    FieldInfo info;
    FieldFileOptions options;
    const char* what;
  };
  for (const Case& each : { Case{ grid, {}, "its grid is not that of" }, Case{ name, {}, "its variables" },
           Case{ more, {}, "its variables" },
           Case{ scalar_field({ 1.0 }), { .brick_cells = { 2, 2, 2 } }, "its bricks are not cut like" },
           Case{ scalar_field({ 1.0 }), { .encoding = Encoding::Fixed16 }, "its bricks" } })
  {
    const std::string other = folder_.file("b.rvf");
    FieldFileOptions sparse = each.options;
    sparse.sparse = true; // values do not matter
    ASSERT_TRUE((*FieldFileWriter::create(other, each.info, sparse))->finish());
    const Error error = refusal({ first, other });
    EXPECT_EQ(error.code, ErrorCode::BadArgument);
    EXPECT_EQ(error.path, other);
    EXPECT_THAT(error.what, HasSubstr(each.what));
    EXPECT_THAT(error.what, HasSubstr(first));
  }
}

TEST_F(FilesOfASeries, HaveARangeOverAllUnlessOneIsUnknown)
{
  const std::string one = write("a.rvf", scalar_field({ 0.0 }), -2);
  const std::string two = write("b.rvf", scalar_field({ 1.0 }), 3);
  const std::string none = write("c.rvf", scalar_field({ 2.0 }), std::numeric_limits<float>::quiet_NaN());
  const FieldSeries known = opened({ one, two });
  EXPECT_THAT(known.info.ranges[0].components, ElementsAre(std::array<double, 2>{ -2, 3 }));
  EXPECT_EQ(known.info.ranges[0].magnitude, (std::array<double, 2>{ -2, 3 }));
  for (const std::vector<std::string>& paths :
      { std::vector{ one, two, none }, std::vector{ none, one, two }, std::vector{ one, none, two } })
  {
    EXPECT_THAT(opened(paths).info.ranges[0].components, IsEmpty());
  }
}

TEST_F(FilesOfASeries, HaveAWholeTypeOnlyIfAllHaveIt)
{
  FieldInfo bytes = scalar_field({ 0.0 });
  bytes.variables[0].whole = WholeType::UInt8;
  const std::string first = write("a.rvf", bytes);
  bytes.times = { 1.0 };
  const std::string second = write("b.rvf", bytes);
  const std::string floats = write("c.rvf", scalar_field({ 2.0 }));
  EXPECT_EQ(opened({ first, second }).info.variables[0].whole, WholeType::UInt8);
  EXPECT_EQ(opened({ first, floats, second }).info.variables[0].whole, WholeType::None);
  EXPECT_EQ(opened({ floats, first }).info.variables[0].whole, WholeType::None);
}

TEST_F(FilesOfASeries, AreNamedWhereTheyCannotBeRead)
{
  const std::string first = write("a.rvf", scalar_field({ 0.0 }));
  EXPECT_EQ(refusal({}).code, ErrorCode::BadArgument);
  EXPECT_EQ(refusal({ first, folder_.file("none.rvf") }).code, ErrorCode::NotFound);
  EXPECT_EQ(refusal({ first, folder_.file("none.rvf") }).path, folder_.file("none.rvf"));
  const std::string folder = folder_.path().string();
  EXPECT_EQ(refusal({ folder }).code, ErrorCode::NotThisFormat);
  EXPECT_THAT(refusal({ folder }).what, HasSubstr("no store"));
  EXPECT_EQ(refusal({ first, folder }).code, ErrorCode::CannotRead);
  EXPECT_TRUE(FieldSeries::can_read(first));
  EXPECT_FALSE(FieldSeries::can_read(folder));
  EXPECT_FALSE(FieldSeries::can_read(folder_.file("none.rvf")));
}

TEST_F(StoresWithBadSteps, AreNoStepsOfASeries)
{
  make(path_, { 0.0 });
  make(folder_.file("other.rvs"), { 1.0 });
  EXPECT_TRUE(FieldSeries::can_read(path_));
  for (const std::vector<std::string>& paths :
      { std::vector{ path_, folder_.file("other.rvs") }, std::vector{ step_path(path_, 0), path_ } })
  {
    const Error error = refusal(paths);
    EXPECT_EQ(error.code, ErrorCode::BadArgument);
    EXPECT_EQ(error.path, path_);
  }
  EXPECT_THAT(opened({ step_path(path_, 0), step_path(folder_.file("other.rvs"), 0) }).info.times, ElementsAre(0, 1))
      << "its files alone may be";
}

TEST_F(StoresWithBadSteps, SayWhyTheirDescriptionCannotBeRead)
{
  fs::create_directory(path_);
  fs::create_symlink("nowhere", store_description(path_));
  EXPECT_EQ(refusal({ path_ }).code, ErrorCode::NotFound);
  EXPECT_EQ(refusal({ path_ }).path, store_description(path_));
}

TEST_F(StoresWithBadSteps, TakeTheirTimesFromTheIndex)
{
  make(path_, { 0.0, 0.25, 1.0 });
  spoil(1);
  const FieldSeries series = opened({ path_ });
  EXPECT_THAT(series.info.times, ElementsAre(0.0, 0.25, 1.0));
  ASSERT_TRUE(series.is_bad(1));
  EXPECT_FALSE(series.is_bad(0) || series.is_bad(2));
  EXPECT_EQ(series.defects.at(1).code, ErrorCode::Corrupt);
  EXPECT_EQ(series.defects.at(1).path, step_path(path_, 1));
  fs::remove(step_index(path_));
  EXPECT_THAT(opened({ path_ }).info.times, ElementsAre(0.0, 0.5, 1.0)) << "between its neighbours";
}

TEST_F(StoresWithBadSteps, BelieveNoIndexWhoseTimesDoNotIncrease)
{
  make(path_, { 0.0, 0.25, 1.0 });
  const StoreIdentity identity = StoreFolder::open(path_)->identity;
  spoil(1);
  write_step_entry(path_, identity, 1, { 5.0, 7 });
  EXPECT_THAT(opened({ path_ }).info.times, ElementsAre(0.0, 0.5, 1.0));
}

TEST_F(StoresWithBadSteps, TakeTheRestFromASoundStep)
{
  make(path_, { 0.0, 1.0, 2.0 });
  const auto bytes = static_cast<std::int64_t>(fs::file_size(step_path(path_, 2)));
  spoil(0);
  fs::resize_file(step_path(path_, 1), 5000);
  const FieldSeries series = opened({ path_ });
  EXPECT_EQ(series.defects.size(), 2U);
  EXPECT_EQ(series.defects.at(1).code, ErrorCode::Truncated);
  EXPECT_EQ(series.info.grid.nodes, (Int3{ 5, 4, 3 }));
  EXPECT_EQ(series.files[0].path, step_path(path_, 0));
  EXPECT_EQ(series.files[0].layouts.size(), 1U);
  EXPECT_FALSE(series.files[0].hides(Centering::Node, 0));
  EXPECT_TRUE(series.files[0].uuid.empty()) << "no cache may take it for the other";
  EXPECT_EQ(series.file_bytes(), bytes);
  EXPECT_THAT(series.info.ranges[0].components, ElementsAre(std::array<double, 2>{ 3, 3 })) << "of sound steps";
}

TEST_F(StoresWithBadSteps, OnlyFailWithTheFirstError)
{
  make(path_, { 0.0, 1.0 });
  fs::remove(step_path(path_, 0));
  spoil(1);
  const Error error = refusal({ path_ });
  EXPECT_EQ(error.path, step_path(path_, 0));
  EXPECT_THAT(error.what, HasSubstr("step 0 is missing"));
}

/// Copies of a store have one identity, so that only the index tells their steps apart.
TEST_F(StoresWithBadSteps, KnowAStepOfACopyOfTheStoreByItsValues)
{
  make(path_, { 0.0, 1.0 });
  make(folder_.file("copy.rvs"), { 0.0, 1.0 }, 7);
  fs::remove(step_path(path_, 1));
  fs::copy_file(step_path(folder_.file("copy.rvs"), 1), step_path(path_, 1));
  const FieldSeries series = opened({ path_ });
  ASSERT_TRUE(series.is_bad(1));
  EXPECT_THAT(series.defects.at(1).what, HasSubstr("its values are others"));
  EXPECT_THAT(series.defects.at(1).remedy, HasSubstr("steps.index"));
  fs::remove(step_index(path_));
  EXPECT_THAT(opened({ path_ }).defects, IsEmpty());
}

TEST_F(StoresWithBadSteps, KnowAStepOfAnotherGridOrTime)
{
  make(path_, { 0.0, 1.0, 2.0 });
  fs::remove(step_index(path_));
  const std::string uuid = StoreFolder::open(path_)->identity.of_step(1);
  FieldInfo other = scalar_field({ 1.0 });
  other.grid.spacing[0] = 2;
  ASSERT_TRUE((*FieldFileWriter::create(step_path(path_, 1), other, { .sparse = true, .uuid = uuid }))->finish());
  EXPECT_THAT(opened({ path_ }).defects.at(1).what, HasSubstr("its grid is not that of"));
  other = scalar_field({ -1.0 });
  ASSERT_TRUE((*FieldFileWriter::create(step_path(path_, 1), other, { .sparse = true, .uuid = uuid }))->finish());
  EXPECT_THAT(opened({ path_ }).defects.at(1).what, HasSubstr("the time of step 1 is not after"));
  EXPECT_FALSE(opened({ path_ }).is_bad(2)) << "it is after step 0";
}

} // namespace rivulet
