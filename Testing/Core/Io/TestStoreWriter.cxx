// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StepIndex.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreWriter.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

/// small_field() at one time.
FieldInfo field_at(double time)
{
  FieldInfo info = small_field();
  info.times = { time };
  return info;
}

class TestStoreWriter : public testing::Test
{
protected:
  std::unique_ptr<StoreWriter> open(const StoreOptions& options = {})
  {
    Result<std::unique_ptr<StoreWriter>> store = StoreWriter::open(path_, options);
    EXPECT_TRUE(store) << store.error().describe();
    return store ? std::move(*store) : nullptr;
  }
  static Error refusal(const Result<std::unique_ptr<StoreWriter>>& store)
  {
    EXPECT_FALSE(store);
    return store ? Error{} : store.error();
  }
  /// Writes every brick; finishes the step if it is told to.
  static void add_step(StoreWriter& store, double time, bool finish = true)
  {
    const FieldInfo info = field_at(time);
    Result<std::unique_ptr<FieldFileWriter>> step = store.begin_step(info);
    ASSERT_TRUE(step) << step.error().describe();
    write_bricks(**step, info);
    if (finish)
    {
      const Result<void> finished = (*step)->finish();
      ASSERT_TRUE(finished) << finished.error().describe();
    }
  }
  static std::string refused_step(StoreWriter& store, const FieldInfo& info)
  {
    const Result<std::unique_ptr<FieldFileWriter>> step = store.begin_step(info);
    EXPECT_FALSE(step);
    return step ? std::string() : step.error().what;
  }
  [[nodiscard]] std::vector<double> times() const
  {
    const Result<FieldSeries> series = FieldSeries::open({ path_ });
    return series ? series->info.times : std::vector<double>();
  }
  [[nodiscard]] Error reading() const
  {
    const Result<FieldSeries> series = FieldSeries::open({ path_ });
    EXPECT_FALSE(series);
    return series ? Error{} : series.error();
  }
  [[nodiscard]] Error defect(std::int32_t step) const
  {
    const Result<FieldSeries> series = FieldSeries::open({ path_ });
    EXPECT_TRUE(series && series->is_bad(step));
    return series && series->is_bad(step) ? series->defects.at(step) : Error{};
  }
  [[nodiscard]] std::ptrdiff_t entries() const
  {
    return std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator());
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("flow.rvs");
};

} // namespace

TEST_F(TestStoreWriter, LeavesNoStoreWithoutAStep)
{
  {
    const auto store = open();
    EXPECT_TRUE(std::filesystem::exists(path_));
    add_step(*store, 0.0, false);
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
  {
    const auto store = open();
    add_step(*store, 0.0);
  }
  {
    const auto store = open({ .start = StoreStart::Append });
  }
  EXPECT_TRUE(StoreFolder::can_read(path_));
}

TEST_F(TestStoreWriter, shows_each_step_when_it_is_finished)
{
  const auto store = open();
  EXPECT_EQ(reading().code, ErrorCode::Unfinished);
  for (int step = 0; step < 3; ++step)
  {
    add_step(*store, 0.5 * step);
    EXPECT_EQ(times().size(), static_cast<std::size_t>(step) + 1);
  }
  EXPECT_THAT(times(), ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(store->times(), ElementsAre(0.0, 0.5, 1.0));
  const FieldSeries series = *FieldSeries::open({ path_ });
  EXPECT_TRUE(series.is_store());
  EXPECT_EQ(series.store_uuid, store->uuid());
  EXPECT_EQ(FieldSeries::open({ path_ + "/store.json" })->path, path_);
  EXPECT_EQ(FieldSeries::open({ path_ + "/" })->path, path_);
}

TEST_F(TestStoreWriter, leaves_nothing_of_a_step_that_is_not_finished)
{
  const auto store = open();
  add_step(*store, 0.0);
  add_step(*store, 1.0, false);
  EXPECT_EQ(entries(), 3) << "the description, the index and one step";
  EXPECT_EQ(store->times().size(), 1U);
  add_step(*store, 0.5);
  EXPECT_THAT(times(), ElementsAre(0.0, 0.5));
}

TEST_F(TestStoreWriter, goes_on_after_the_last_step)
{
  add_step(*open(), 0.0);
  const auto store = open({ .start = StoreStart::Append });
  EXPECT_THAT(store->times(), ElementsAre(0.0));
  EXPECT_THAT(refused_step(*store, field_at(0.0)), HasSubstr("is not after"));
  EXPECT_THAT(refused_step(*store, field_at(std::nan(""))), HasSubstr("is not after"));
  EXPECT_THAT(refused_step(*store, small_field()), HasSubstr("one time"));
  add_step(*store, 0.25);
  EXPECT_THAT(times(), ElementsAre(0.0, 0.25));
}

TEST_F(TestStoreWriter, keeps_the_cut_of_the_first_step_and_refuses_another)
{
  add_step(*open({ .brick_cells = Int3{ 4, 3, 2 } }), 0.0);
  {
    const auto store = open({ .start = StoreStart::Append });
    add_step(*store, 1.0);
    FieldInfo other = field_at(2.0);
    other.grid.spacing[0] *= 2;
    EXPECT_THAT(refused_step(*store, other), HasSubstr("grid"));
    other = field_at(2.0);
    other.variables.pop_back();
    EXPECT_THAT(refused_step(*store, other), HasSubstr("variables"));
  }
  EXPECT_EQ(FieldSeries::open({ path_ })->files.back().layouts.front().cells, (Int3{ 4, 3, 2 }));
  const auto store = open({ .start = StoreStart::Append, .brick_cells = Int3{ 5, 5, 5 } });
  EXPECT_THAT(refused_step(*store, field_at(2.0)), HasSubstr("bricks"));
  EXPECT_EQ(entries(), 4) << "a refused step leaves nothing";
}

TEST_F(TestStoreWriter, is_the_only_one_while_it_lives)
{
  {
    const auto store = open();
    EXPECT_THAT(refusal(StoreWriter::open(path_, { .start = StoreStart::Append })).what, HasSubstr("another process"));
    EXPECT_THAT(refusal(StoreWriter::open(path_, { .start = StoreStart::Replace })).what, HasSubstr("another process"));
    add_step(*store, 0.0);
  }
  EXPECT_EQ(open({ .start = StoreStart::Append })->times().size(), 1U);
}

TEST_F(TestStoreWriter, replaces_a_store_and_never_a_folder)
{
  add_step(*open(), 0.0);
  EXPECT_EQ(refusal(StoreWriter::open(path_, {})).code, ErrorCode::CannotWrite);
  const std::string before = FieldSeries::open({ path_ })->store_uuid;
  const auto store = open({ .start = StoreStart::Replace });
  EXPECT_NE(store->uuid(), before);
  EXPECT_EQ(FieldSeries::open({ path_ })->store_uuid, before);
  ASSERT_TRUE(store->publish());
  EXPECT_EQ(entries(), 1) << "the description";
  for (const StoreStart start : { StoreStart::New, StoreStart::Append, StoreStart::Replace })
  {
    EXPECT_THAT(refusal(StoreWriter::open(folder_.path().string(), { .start = start })).what, HasSubstr("no store"));
  }
  EXPECT_EQ(refusal(StoreWriter::open(folder_.file("no/such/flow.rvs"), {})).code, ErrorCode::CannotWrite);
  EXPECT_TRUE(StoreFolder::can_read(path_));
}

TEST_F(TestStoreWriter, goes_on_where_one_was_killed_while_it_removed_a_store)
{
  for (const StoreStart start : { StoreStart::New, StoreStart::Append, StoreStart::Replace })
  {
    {
      const auto killed = open({ .start = StoreStart::Replace });
      add_step(*killed, 0.0);
      add_step(*killed, 1.0);
      ASSERT_TRUE(killed->publish());
    }
    std::filesystem::rename(
        std::filesystem::path(path_) / "store.json", std::filesystem::path(path_) / "store.json.removed");
    std::ofstream(std::filesystem::path(path_) / ".step-00000007.rvf.tmp-1-2-3") << "begun";
    EXPECT_FALSE(StoreFolder::can_read(path_));
    const auto store = open({ .start = start });
    EXPECT_EQ(store->times().size(), 0U);
    EXPECT_EQ(entries(), 1) << "the description";
    add_step(*store, 5.0);
    EXPECT_EQ(FieldSeries::open({ path_ })->info.times, std::vector<double>{ 5.0 });
  }
}

TEST_F(TestStoreWriter, gives_equal_steps_of_equal_stores_the_same_bytes)
{
  const std::string uuid = "01234567-89ab-4def-a123-456789abcdef";
  add_step(*open({ .uuid = uuid }), 0.5);
  const std::string first = path_;
  path_ = folder_.file("other.rvs");
  add_step(*open({ .uuid = uuid }), 0.5);
  EXPECT_EQ(bytes_of(step_path(first, 0)), bytes_of(step_path(path_, 0)));
  path_ = folder_.file("third.rvs");
  add_step(*open(), 0.5);
  EXPECT_NE(bytes_of(step_path(first, 0)), bytes_of(step_path(path_, 0))) << "checksums cover the store's identity";
}

TEST_F(TestStoreWriter, takes_over_a_name_that_a_killed_writer_had_claimed)
{
  add_step(*open(), 0.0);
  std::ofstream(step_path(path_, 1)).flush();
  EXPECT_THAT(times(), ElementsAre(0.0)) << "an empty file is no step";
  const auto store = open({ .start = StoreStart::Append });
  add_step(*store, 1.0);
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0));
}

TEST_F(TestStoreWriter, steps_of_others_are_bad_and_named)
{
  for (const double time : { 0.0, 1.0, 2.0 })
  {
    add_step(*open({ .start = StoreStart::Append }), time);
  }
  const std::string one = step_path(path_, 1);
  const std::string two = step_path(path_, 2);
  const std::vector<char> first = bytes_of(one);
  const std::vector<char> second = bytes_of(two);
  write_bytes(one, second);
  EXPECT_EQ(defect(1).path, one);
  EXPECT_THAT(defect(1).what, HasSubstr("not step 1 of this store"));
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0, 2.0)) << "it keeps its place and its time";
  write_bytes(one, first);
  EXPECT_EQ(times().size(), 3U);
  write_field(two, small_field(), { .uuid = StoreIdentity(FieldSeries::open({ path_ })->store_uuid).of_step(2) });
  EXPECT_THAT(defect(2).what, HasSubstr("holds 2 steps"));
  std::filesystem::remove(two);
  add_step(*open({ .start = StoreStart::Append }), 3.0);
  FieldInfo early = field_at(0.5);
  write_field(
      step_path(path_, 3), early, { .uuid = StoreIdentity(FieldSeries::open({ path_ })->store_uuid).of_step(3) });
  EXPECT_THAT(defect(3).what, HasSubstr("not after"));
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0, 3.0, 5.0));
  std::filesystem::remove(one);
  EXPECT_THAT(defect(1).what, HasSubstr("step 1 is missing"));
  EXPECT_EQ(defect(1).path, one);
  for (const std::int64_t step : { 0, 2, 3 })
  {
    write_bytes(step_path(path_, step), {});
  }
  EXPECT_EQ(reading().code, ErrorCode::Corrupt) << "no step can be read";
}

TEST_F(TestStoreWriter, a_link_that_leads_nowhere_is_a_bad_step_and_an_empty_file_none)
{
  for (const double time : { 0.0, 1.0 })
  {
    add_step(*open({ .start = StoreStart::Append }), time);
  }
  std::filesystem::remove(step_path(path_, 1));
  std::filesystem::create_symlink("nowhere", step_path(path_, 1));
  EXPECT_EQ(defect(1).code, ErrorCode::NotFound);
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0));
  EXPECT_EQ(refusal(StoreWriter::open(path_, { .start = StoreStart::Append })).path, step_path(path_, 1));
  std::filesystem::remove(step_path(path_, 1));
  std::ofstream(step_path(path_, 1)).flush();
  EXPECT_THAT(times(), ElementsAre(0.0));
}

TEST_F(TestStoreWriter, a_number_far_beyond_the_others_is_an_error)
{
  add_step(*open(), 0.0);
  std::filesystem::copy(step_path(path_, 0), step_path(path_, 99999999));
  EXPECT_EQ(reading().code, ErrorCode::Corrupt);
  EXPECT_THAT(reading().what, HasSubstr("more are missing"));
}

TEST_F(TestStoreWriter, appends_to_a_store_without_an_index_and_makes_one)
{
  for (const double time : { 0.0, 1.0, 2.0 })
  {
    add_step(*open({ .start = StoreStart::Append }), time);
  }
  const std::vector<char> index = bytes_of(step_index(path_));
  std::filesystem::remove(step_index(path_)); // as earlier versions leave stores
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0, 2.0));
  EXPECT_THAT(open({ .start = StoreStart::Append })->times(), ElementsAre(0.0, 1.0, 2.0));
  EXPECT_EQ(bytes_of(step_index(path_)), index);
}

TEST_F(TestStoreWriter, opens_the_first_and_the_last_step_only)
{
  for (const double time : { 0.0, 1.0, 2.0, 3.0 })
  {
    add_step(*open({ .start = StoreStart::Append }), time);
  }
  write_bytes(step_path(path_, 1), { 'x' });
  EXPECT_THAT(open({ .start = StoreStart::Append })->times(), ElementsAre(0.0, 1.0, 2.0, 3.0));
  write_bytes(step_path(path_, 3), { 'x' });
  EXPECT_EQ(refusal(StoreWriter::open(path_, { .start = StoreStart::Append })).path, step_path(path_, 3));
}

TEST_F(TestStoreWriter, replaces_the_steps_from_the_time_of_a_restart)
{
  {
    const auto run = open();
    for (const double time : { 0.0, 0.5, 1.0, 1.5 })
    {
      add_step(*run, time);
    }
  }
  const std::vector<char> lost = bytes_of(step_path(path_, 2));
  const std::vector<char> kept = bytes_of(step_path(path_, 1));
  const std::string before = FieldSeries::open({ path_ })->store_uuid;
  {
    const auto run = open({ .start = StoreStart::Append });
    ASSERT_TRUE(run->restart(1.0 + 1e-12));
    EXPECT_TRUE(run->is_replacing());
    EXPECT_THAT(run->times(), ElementsAre(0.0, 0.5));
    add_step(*run, 1.0);
    EXPECT_THAT(times(), ElementsAre(0.0, 0.5, 1.0, 1.5)) << "until the new step is complete";
    ASSERT_TRUE(run->publish());
    EXPECT_THAT(times(), ElementsAre(0.0, 0.5, 1.0));
    add_step(*run, 1.25);
  }
  EXPECT_THAT(times(), ElementsAre(0.0, 0.5, 1.0, 1.25));
  EXPECT_EQ(bytes_of(step_path(path_, 1)), kept);
  EXPECT_NE(FieldSeries::open({ path_ })->store_uuid, before) << "no cache may take one for the other";
  EXPECT_EQ(entries(), 6) << "the description, the index and four steps";
  write_bytes(step_path(path_, 2), lost);
  EXPECT_EQ(FieldSeries::open({ path_ })->defects.size(), 1U) << "a step of the run before is none of this one's";
}

TEST_F(TestStoreWriter, leaves_the_store_as_it_was_if_a_restarted_run_writes_nothing)
{
  {
    const auto run = open();
    add_step(*run, 0.0);
    add_step(*run, 1.0);
  }
  {
    const auto run = open({ .start = StoreStart::Append });
    ASSERT_TRUE(run->restart(1.0));
    add_step(*run, 1.0, false);
  }
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0));
  const auto later = open({ .start = StoreStart::Append });
  ASSERT_TRUE(later->restart(2.0));
  EXPECT_FALSE(later->is_replacing()) << "there is nothing to replace";
  add_step(*later, 2.0);
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0, 2.0));
}

TEST_F(TestStoreWriter, is_restarted_any_number_of_times_and_from_the_beginning)
{
  add_step(*open(), 0.0);
  for (const double time : { 3.0, 2.0, 2.5, 1.0 })
  {
    const auto run = open({ .start = StoreStart::Append });
    ASSERT_TRUE(run->restart(time));
    add_step(*run, time);
    ASSERT_TRUE(run->publish());
    add_step(*run, time + 0.25);
    EXPECT_EQ(times().back(), time + 0.25);
    EXPECT_TRUE(FieldSeries::open({ path_ })->defects.empty());
  }
  EXPECT_THAT(times(), ElementsAre(0.0, 1.0, 1.25));
  const auto run = open({ .start = StoreStart::Append });
  ASSERT_TRUE(run->restart(-1.0));
  FieldInfo other = field_at(-1.0);
  other.grid.spacing[0] *= 2;
  Result<std::unique_ptr<FieldFileWriter>> step = run->begin_step(other);
  ASSERT_TRUE(step) << "nothing stays, so that the field may be another one";
  write_bricks(**step, other);
  ASSERT_TRUE((*step)->finish());
  ASSERT_TRUE(run->publish());
  EXPECT_THAT(times(), ElementsAre(-1.0));
  EXPECT_TRUE(StoreFolder::open(path_)->identity.restarts().empty());
}

TEST(StoreFolder, gives_each_step_of_each_store_a_uuid_of_its_own)
{
  const std::string store = "01234567-89ab-4def-a123-456789abcdef";
  EXPECT_EQ(StoreIdentity(store).of_step(3), StoreIdentity(store).of_step(3));
  EXPECT_NE(StoreIdentity(store).of_step(3), StoreIdentity(store).of_step(4));
  EXPECT_NE(StoreIdentity(store).of_step(3), StoreIdentity("11234567-89ab-4def-a123-456789abcdef").of_step(3));
  EXPECT_THAT(StoreIdentity(store).of_step(3),
      testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(StoreFolder, knows_descriptions_and_no_other_files)
{
  const TemporaryFolder folder;
  EXPECT_FALSE(StoreFolder::can_read(folder.path().string()));
  EXPECT_FALSE(StoreFolder::can_read(folder.file("none.rvs")));
  const std::string description = folder.file("store.json");
  const auto text_read = [&](const std::string& text)
  {
    std::ofstream(description) << text;
    const Result<StoreFolder> store = StoreFolder::open(folder.path().string());
    return store ? ErrorCode::Cancelled : store.error().code;
  };
  const std::string uuid = "01234567-89ab-4def-a123-456789abcdef";
  EXPECT_EQ(text_read(describe_store(StoreIdentity(uuid))), ErrorCode::Cancelled) << "no error";
  EXPECT_TRUE(StoreFolder::can_read(description));
  for (const char* text : { "", "[]", "null", "{", R"({"format":"other"})", R"({"format":7})" })
  {
    EXPECT_EQ(text_read(text), ErrorCode::NotThisFormat) << text;
    EXPECT_FALSE(StoreFolder::can_read(description)) << text;
  }
  const std::string start = R"({"format":"rivulet-store","format_version":)";
  EXPECT_EQ(text_read(start + "3}"), ErrorCode::OtherVersion);
  EXPECT_TRUE(StoreFolder::can_read(description)) << "so that open() says which version it has";
  EXPECT_EQ(text_read(start + "\"1\"}"), ErrorCode::Corrupt);
  EXPECT_EQ(text_read(start + R"(1,"uuid":"short"})"), ErrorCode::Corrupt);
  EXPECT_EQ(text_read(start + "1}"), ErrorCode::Corrupt);
  const std::string restarted = start + R"(2,"uuid":")" + uuid + R"(","restarts":)";
  const std::string at = R"("uuid":")" + uuid + R"("})";
  EXPECT_EQ(text_read(restarted + R"([{"step":3,)" + at + R"(,{"step":7,)" + at + "]}"), ErrorCode::Cancelled);
  for (const std::string& wrong : { std::string("[]"), R"([{"step":0,)" + at + "]", R"([{"step":"1",)" + at + "]",
           R"([{"step":3,)" + at + R"(,{"step":3,)" + at + "]", std::string(R"([{"step":3}])"), std::string("7") })
  {
    EXPECT_EQ(text_read(restarted + wrong + "}"), ErrorCode::Corrupt) << wrong;
  }
}

} // namespace rivulet
