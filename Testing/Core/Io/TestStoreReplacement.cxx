// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreReplacement.h"
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

namespace fs = std::filesystem;

void add_step(StoreWriter& store, double time)
{
  FieldInfo info = small_field();
  info.times = { time };
  Result<std::unique_ptr<FieldFileWriter>> step = store.begin_step(info);
  ASSERT_TRUE(step) << step.error().describe();
  write_bricks(**step, info);
  ASSERT_TRUE((*step)->finish());
}

class StoreReplacements : public testing::TestWithParam<ExchangeWay>
{
protected:
  StoreReplacements() { make(path_, 0.0); }

  static void make(const std::string& path, double time)
  {
    const auto store = StoreWriter::open(path, { .sync = false });
    ASSERT_TRUE(store) << store.error().describe();
    add_step(**store, time);
  }
  static void describe(const std::string& folder)
  {
    std::ofstream(folder + "/store.json") << describe_store(StoreIdentity("01234567-89ab-4def-a123-456789abcdef"));
  }
  [[nodiscard]] std::vector<double> times() const
  {
    const Result<FieldSeries> series = FieldSeries::open({ path_ });
    return series ? series->info.times : std::vector<double>();
  }
  [[nodiscard]] std::vector<std::string> names() const
  {
    std::vector<std::string> all;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path()))
    {
      all.push_back(entry.path().filename().string());
    }
    return all;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("flow.rvs");
};

/// Ways of the test alone do not matter here.
class LeftBehind : public StoreReplacements
{
};

} // namespace

INSTANTIATE_TEST_SUITE_P(InEachWay, StoreReplacements, testing::Values(ExchangeWay::AtOnce, ExchangeWay::InTurn));

TEST_P(StoreReplacements, TakeThePlaceAndKeepWhatIsNotTheStores)
{
  std::ofstream(path_ + "/mine.txt") << "mine";
  fs::create_directory(path_ + "/my folder");
  fs::permissions(path_, fs::perms(0750));
  Result<StoreReplacement> beside = StoreReplacement::beside(path_);
  ASSERT_TRUE(beside) << beside.error().describe();
  describe(beside->path());
  EXPECT_THAT(times(), ElementsAre(0.0));
  ASSERT_TRUE(beside->take_place(true, GetParam()));
  EXPECT_EQ(FieldSeries::open({ path_ }).error().code, ErrorCode::Unfinished) << "the new store has no step";
  EXPECT_TRUE(fs::exists(path_ + "/mine.txt"));
  EXPECT_TRUE(fs::exists(path_ + "/my folder"));
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms(0750));
  EXPECT_THAT(names(), ElementsAre("flow.rvs"));
}

TEST_P(StoreReplacements, LeaveTheOldStoreIfTheyCannotTakeItsPlace)
{
  Result<StoreReplacement> beside = StoreReplacement::beside(path_);
  ASSERT_TRUE(beside);
  fs::remove_all(beside->path());
  const Result<void> placed = beside->take_place(false, GetParam());
  ASSERT_FALSE(placed);
  EXPECT_EQ(placed.error().code, ErrorCode::CannotWrite);
  EXPECT_THAT(times(), ElementsAre(0.0));
}

TEST_P(StoreReplacements, AreRemovedIfNothingComesOfThem)
{
  {
    const Result<StoreReplacement> beside = StoreReplacement::beside(path_);
    ASSERT_TRUE(beside);
    describe(beside->path());
    EXPECT_EQ(names().size(), 2U);
  }
  EXPECT_THAT(names(), ElementsAre("flow.rvs"));
  EXPECT_THAT(times(), ElementsAre(0.0));
}

TEST_F(LeftBehind, AnOldStoreWithoutItsNameGetsItBack)
{
  fs::rename(path_, folder_.file(".flow.rvs.old-17-01234567-89abcdef"));
  clean_up_beside(path_);
  EXPECT_THAT(times(), ElementsAre(0.0));
  EXPECT_THAT(names(), ElementsAre("flow.rvs"));
}

TEST_F(LeftBehind, AnOldStoreWhoseNameIsTakenIsRemovedButNotWhatIsNotItsOwn)
{
  const std::string old = folder_.file(".flow.rvs.old-17-01234567-89abcdef");
  make(folder_.file("other.rvs"), 5.0);
  fs::rename(path_, old);
  fs::rename(folder_.file("other.rvs"), path_);
  std::ofstream(old + "/mine.txt") << "mine";
  clean_up_beside(path_);
  EXPECT_THAT(times(), ElementsAre(5.0));
  EXPECT_TRUE(fs::exists(path_ + "/mine.txt"));
  EXPECT_THAT(names(), ElementsAre("flow.rvs"));
  fs::create_directory(old);
  describe(old);
  std::ofstream(old + "/mine.txt") << "other";
  clean_up_beside(path_);
  EXPECT_TRUE(fs::exists(old + "/mine.txt")) << "the new store has a file of this name";
}

TEST_F(LeftBehind, TheStoreOfALivingWriterIsLeftAlone)
{
  const std::string old = folder_.file(".flow.rvs.old-17-01234567-89abcdef");
  const auto writer = StoreWriter::open(path_, { .start = StoreStart::Append, .sync = false });
  ASSERT_TRUE(writer);
  fs::rename(path_, old);
  clean_up_beside(path_);
  EXPECT_TRUE(fs::exists(old));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(LeftBehind, NamesOfStoresAreKnown)
{
  for (const char* name :
      { "store.json", "steps.index", "step-00000012.rvf", ".step-00000001.rvf.tmp-1-01234567-01234567", "hints",
          "store.json.removed", ".store.json.tmp-1-01234567-01234567" })
  {
    EXPECT_TRUE(is_of_store(name)) << name;
  }
  for (const char* name : { "mine.txt", "step-notes.txt", "step-1.rvf", "store.json.bak", "hints.txt", "steps.index2" })
  {
    EXPECT_FALSE(is_of_store(name)) << name;
  }
}

TEST_F(LeftBehind, AWriterThatReplacesShowsNothingBeforeItPublishes)
{
  {
    const auto store = StoreWriter::open(path_, { .start = StoreStart::Replace, .sync = false });
    ASSERT_TRUE(store) << store.error().describe();
    EXPECT_TRUE((*store)->is_replacing());
    EXPECT_EQ((*store)->path(), path_);
    add_step(**store, 5.0);
    add_step(**store, 6.0);
    EXPECT_THAT((*store)->times(), ElementsAre(5.0, 6.0));
    EXPECT_THAT(times(), ElementsAre(0.0));
  }
  EXPECT_THAT(names(), ElementsAre("flow.rvs"));
  EXPECT_THAT(times(), ElementsAre(0.0)) << "nothing was published";
  const auto store = StoreWriter::open(path_, { .start = StoreStart::Replace, .sync = false });
  ASSERT_TRUE(store);
  add_step(**store, 5.0);
  ASSERT_TRUE((*store)->publish());
  EXPECT_FALSE((*store)->is_replacing());
  EXPECT_THAT(times(), ElementsAre(5.0));
  EXPECT_TRUE((*store)->publish()) << "nothing to do";
  add_step(**store, 6.0);
  EXPECT_THAT(times(), ElementsAre(5.0, 6.0)) << "it goes on under its name";
  const auto other = StoreWriter::open(path_, { .start = StoreStart::Append, .sync = false });
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().what, HasSubstr("another process"));
}

TEST_F(LeftBehind, AMessageOfAStoreThatReplacesNamesTheStore)
{
  const auto store = StoreWriter::open(path_, { .start = StoreStart::Replace, .sync = false });
  ASSERT_TRUE(store);
  FieldInfo info = small_field();
  info.times = { 1.0 };
  auto step = (*store)->begin_step(info);
  ASSERT_TRUE(step);
  const Result<void> finished = (*step)->finish(); // without bricks
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().path, step_path(path_, 0));
}

} // namespace rivulet
