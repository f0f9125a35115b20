// SPDX-License-Identifier: BSD-3-Clause
// Stores and series of curvilinear grids: a step has the places of its nodes, or they are those of the step before.
#include "Core/Io/FieldFiles.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreFolder.h"
#include "Io/Series/StoreWriter.h"
#include "Store/Field/OpenField.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

constexpr int kPoints = 2; ///< number of the variable with the places

class CurvilinearStore : public testing::Test
{
protected:
  std::unique_ptr<StoreWriter> open(StoreStart start = StoreStart::New)
  {
    auto store = StoreWriter::open(path_, { .start = start, .brick_cells = Int3{ 4, 3, 3 }, .sync = false });
    EXPECT_TRUE(store) << store.error().describe();
    return store ? std::move(*store) : nullptr;
  }
  static FieldInfo step_at(double time, bool moved)
  {
    FieldInfo info = curvilinear_field(1);
    info.times = { time };
    info.points_steps = { moved ? 0 : -1 };
    return info;
  }
  /// The error, or nothing.
  static std::string add(StoreWriter& store, double time, bool moved)
  {
    const FieldInfo info = step_at(time, moved);
    auto step = store.begin_step(info);
    if (!step)
    {
      return step.error().what;
    }
    EXPECT_EQ((*step)->wants(kPoints, 0), moved);
    write_bricks(**step, info);
    const Result<void> finished = (*step)->finish();
    return finished ? std::string() : finished.error().what;
  }
  void write(const std::vector<bool>& moved)
  {
    const auto store = open();
    for (std::size_t step = 0; step < moved.size(); ++step)
    {
      EXPECT_EQ(add(*store, static_cast<double>(step), moved[step]), "");
    }
  }
  [[nodiscard]] FieldSeries series() const
  {
    Result<FieldSeries> opened = FieldSeries::open({ path_ });
    EXPECT_TRUE(opened) << opened.error().describe();
    return opened.value_or(FieldSeries{});
  }
  [[nodiscard]] std::string step(int number) const { return step_path(path_, number); }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("bent.rvs");
};

} // namespace

TEST_F(CurvilinearStore, has_places_in_the_steps_at_which_they_change)
{
  write({ true, false, false, true, false });
  const FieldSeries all = series();
  EXPECT_EQ(all.info.points, kPoints);
  EXPECT_THAT(all.info.points_steps, ElementsAre(0, 0, 0, 3, 3));
  EXPECT_EQ(all.place(kPoints, 2).file, 0);
  EXPECT_EQ(all.place(kPoints, 4).file, 3);
  EXPECT_EQ(all.place(0, 4).file, 4);
  EXPECT_EQ(FieldFile::open(step(1))->info.points, -1);
  EXPECT_LT(std::filesystem::file_size(step(1)), std::filesystem::file_size(step(3)));
}

TEST_F(CurvilinearStore, reads_the_same_brick_at_all_steps_where_nodes_stay)
{
  write({ true, false, true, false });
  const auto field = open_field({ path_ }, { .strategy = AccessStrategy::BufferedCache });
  ASSERT_TRUE(field) << field.error().describe();
  const auto first = [&](int at)
  {
    const Lookup found = (*field)->try_get({ kPoints, at, 0 });
    EXPECT_EQ(found.state, Lookup::State::Ready);
    return static_cast<const double*>(found.pin.view().data)[0];
  };
  EXPECT_EQ(first(0), value_at(kPoints, 0, { 0, 0, 0 }, 0));
  EXPECT_EQ(first(1), first(0));
  EXPECT_EQ(first(3), first(2));
  const auto places = (*field)->brick_places(1);
  ASSERT_TRUE(places) << places.error().describe();
  EXPECT_EQ((*places)[0].box.lower[0], first(0));
  EXPECT_FALSE((*field)->brick_places(4));
}

TEST_F(CurvilinearStore, needs_places_at_its_first_step)
{
  const auto store = open();
  EXPECT_THAT(add(*store, 0.0, false), HasSubstr("no step before has the places"));
  EXPECT_EQ(add(*store, 0.0, true), "");
  EXPECT_EQ(add(*store, 1.0, false), "");
}

TEST_F(CurvilinearStore, goes_on_with_the_places_of_its_last_step)
{
  write({ true, true });
  const auto store = open(StoreStart::Append);
  EXPECT_EQ(add(*store, 2.0, false), "");
  EXPECT_THAT(series().info.points_steps, ElementsAre(0, 1, 1));
}

TEST_F(CurvilinearStore, goes_on_after_a_restart_with_the_places_of_the_step_that_stays)
{
  write({ true, true, true });
  const auto store = open(StoreStart::Append);
  ASSERT_TRUE(store->restart(2.0));
  EXPECT_EQ(add(*store, 2.5, false), "");
  ASSERT_TRUE(store->publish());
  const FieldSeries all = series();
  EXPECT_THAT(all.info.times, ElementsAre(0.0, 1.0, 2.5));
  EXPECT_THAT(all.info.points_steps, ElementsAre(0, 1, 1));
  EXPECT_EQ(all.place(kPoints, 2).file, 1);
}

TEST_F(CurvilinearStore, is_opened_as_a_whole_for_steps_without_places)
{
  write({ true, false });
  const auto alone = FieldSeries::open({ step(1) });
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().what, HasSubstr("another step of its store"));
  EXPECT_THAT(alone.error().remedy, HasSubstr("open the store"));
  const auto both = FieldSeries::open({ step(0), step(1) });
  ASSERT_TRUE(both) << both.error().describe();
  EXPECT_THAT(both->info.points_steps, ElementsAre(0, 0));
}

TEST_F(CurvilinearStore, loses_the_steps_whose_places_are_lost_and_no_others)
{
  write({ true, false, true, false });
  std::filesystem::remove(step(2));
  const auto field = open_field({ path_ }, { .strategy = AccessStrategy::BufferedCache });
  ASSERT_TRUE(field) << field.error().describe();
  EXPECT_EQ((*field)->try_get({ kPoints, 1, 0 }).state, Lookup::State::Ready);
  EXPECT_EQ((*field)->try_get({ 0, 3, 0 }).state, Lookup::State::Ready) << "values are there";
  const Lookup lost = (*field)->try_get({ kPoints, 3, 0 });
  ASSERT_EQ(lost.state, Lookup::State::Failed);
  EXPECT_EQ(lost.error->path, step(2));
  EXPECT_FALSE((*field)->brick_places(3));
}

TEST_F(CurvilinearStore, fails_by_the_name_of_the_first_step_if_no_places_are_left)
{
  write({ true, false });
  std::filesystem::remove(step(0));
  const auto opened = FieldSeries::open({ path_ });
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().path, step(0));
}

TEST_F(CurvilinearStore, does_not_take_places_of_a_step_without_any)
{
  write({ true, false });
  const StoreIdentity identity(series().store_uuid);
  for (const int holder : { 2, 1 }) // the step itself, and one before that has none
  {
    FieldInfo info = step_at(2.0, false);
    const FieldFileOptions options{
      .brick_cells = { 4, 3, 3 }, .uuid = identity.of_step(2), .points_in = identity.of_step(holder)
    };
    write_field(step(2), info, options);
    const auto opened = FieldSeries::open({ path_ });
    ASSERT_FALSE(opened) << holder;
    EXPECT_EQ(opened.error().path, step(2));
    EXPECT_THAT(opened.error().what, HasSubstr("another file, which is not there"));
  }
}

TEST_F(CurvilinearStore, takes_places_of_separate_files_for_those_of_a_grid_that_moves)
{
  std::vector<std::string> files;
  for (int number = 0; number < 2; ++number)
  {
    FieldInfo info = curvilinear_field(1);
    info.times = { 1.0 * number };
    files.push_back(folder_.file("part" + std::to_string(number) + ".rvf"));
    write_field(files.back(), info);
  }
  const auto both = FieldSeries::open(files);
  ASSERT_TRUE(both) << both.error().describe();
  EXPECT_THAT(both->info.points_steps, ElementsAre(0, 1));
  EXPECT_EQ(both->place(kPoints, 1).file, 1);
}

} // namespace rivulet
