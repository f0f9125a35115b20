// SPDX-License-Identifier: BSD-3-Clause
// Names in the folder of a store, and which of them are steps. TestStoreWriter has the texts of descriptions.
#include "Io/Series/StoreFolder.h"
#include "Support/TemporaryFolder.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace rivulet::test
{

namespace
{

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kUuid = "01234567-89ab-4def-a123-456789abcdef";

class StoreFolders : public testing::Test
{
protected:
  StoreFolders()
  {
    fs::create_directory(store_);
    describe(describe_store(StoreIdentity(kUuid)));
  }
  void describe(const std::string& text) const { std::ofstream(store_description(store_)) << text; }
  void add(std::int64_t step, const std::string& text = "a step") const
  {
    std::ofstream(step_path(store_, step)) << text;
  }
  [[nodiscard]] Error refusal(const std::string& path) const
  {
    const Result<StoreFolder> store = StoreFolder::open(path);
    EXPECT_FALSE(store);
    return store ? Error{} : store.error();
  }
  [[nodiscard]] StoreFolder open() const
  {
    const Result<StoreFolder> store = StoreFolder::open(store_);
    EXPECT_TRUE(store) << store.error().describe();
    return store.value_or(StoreFolder{});
  }

  TemporaryFolder folder_;
  std::string store_ = folder_.file("flow.rvs");
};

} // namespace

TEST_F(StoreFolders, NumberTheirStepsWithEightDigits)
{
  EXPECT_EQ(step_path("a/b", 0), "a/b/step-00000000.rvf");
  EXPECT_EQ(step_path("a/b", StoreFolder::kMostSteps - 1), "a/b/step-99999999.rvf");
  EXPECT_TRUE(is_step_name("step-00000000.rvf"));
  EXPECT_TRUE(is_step_name("step-99999999.rvf"));
  for (const char* name : { "", "step-.rvf", "step-0000000.rvf", "step-000000000.rvf", "step-0000000x.rvf",
           "step--0000001.rvf", "step- 0000001.rvf", "Step-00000000.rvf", "step-00000000.RVF", ".step-0000000.rvf",
           "step-00000000.rvf~", "step_00000000.rvf" })
  {
    EXPECT_FALSE(is_step_name(name)) << name;
  }
}

TEST_F(StoreFolders, ListTheirStepsInOrderAndNothingElse)
{
  for (const std::int64_t step : { 11, 2, 0, 99999999 })
  {
    add(step);
  }
  std::ofstream(store_ + "/notes.txt") << "mine";
  std::ofstream(store_ + "/.step-00000003.rvf.tmp-1-01234567-89abcdef") << "begun";
  fs::create_directory(step_path(store_, 7)); // in the way of a step, and none
  EXPECT_THAT(*steps_in(store_), ElementsAre(0, 2, 7, 11, 99999999));
  const Result<std::vector<std::int64_t>> nowhere = steps_in(folder_.file("none"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::CannotRead);
  EXPECT_EQ(nowhere.error().path, folder_.file("none"));
  EXPECT_EQ(nowhere.error().sys_errno, ENOENT);
}

TEST_F(StoreFolders, HoldAStepUnlessItsFileIsEmpty)
{
  EXPECT_FALSE(holds_step(store_, 0));
  add(0, "");
  EXPECT_FALSE(holds_step(store_, 0)) << "a claim";
  fs::create_symlink(step_path(store_, 0), step_path(store_, 1));
  EXPECT_FALSE(holds_step(store_, 1)) << "a link to a claim";
  add(0, "x");
  EXPECT_TRUE(holds_step(store_, 0));
  EXPECT_TRUE(holds_step(store_, 1));
  fs::create_symlink("nowhere", step_path(store_, 2));
  EXPECT_TRUE(holds_step(store_, 2)) << "a step that cannot be read";
}

TEST_F(StoreFolders, AreNamedInMoreThanOneWay)
{
  add(0);
  for (const std::string& path : { store_, store_ + "/", store_ + "//", store_ + "/store.json" })
  {
    EXPECT_TRUE(StoreFolder::can_read(path)) << path;
    const Result<StoreFolder> store = StoreFolder::open(path);
    ASSERT_TRUE(store) << store.error().describe();
    EXPECT_EQ(store->path, store_);
    EXPECT_THAT(store->steps, ElementsAre(step_path(store_, 0)));
    EXPECT_EQ(store->identity.uuid(), kUuid);
  }
  const fs::path before = fs::current_path();
  fs::current_path(store_);
  const Result<StoreFolder> here = StoreFolder::open("store.json");
  const bool known = StoreFolder::can_read(".");
  fs::current_path(before);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->path, ".");
  EXPECT_TRUE(known);
}

TEST_F(StoreFolders, NameTheStepsThatAreMissing)
{
  add(0);
  add(3);
  const StoreFolder store = open();
  EXPECT_EQ(store.steps.size(), 4U);
  EXPECT_EQ(store.steps[2], step_path(store_, 2));
  EXPECT_THAT(store.missing, ElementsAre(1, 2));
  const Error gap = store.gap_at(2);
  EXPECT_EQ(gap.code, ErrorCode::Corrupt);
  EXPECT_EQ(gap.path, step_path(store_, 2));
  EXPECT_THAT(gap.what, HasSubstr("step 2 is missing, and the store goes on to step 3"));
}

TEST_F(StoreFolders, BelieveNoNumberWithMoreMissingStepsBeforeItThanSteps)
{
  add(1);
  EXPECT_THAT(open().missing, ElementsAre(0)) << "one of two";
  fs::rename(step_path(store_, 1), step_path(store_, 2));
  const Error error = refusal(store_);
  EXPECT_EQ(error.code, ErrorCode::Corrupt);
  EXPECT_EQ(error.path, step_path(store_, 0));
  add(1);
  EXPECT_THAT(open().missing, ElementsAre(0));
}

/// There is one writer, so that any other empty file is a step that was lost, and is to be named.
TEST_F(StoreFolders, TakeTheLastEmptyFileOnlyForAClaim)
{
  add(0, "");
  EXPECT_THAT(open().steps, IsEmpty());
  add(0);
  add(1, "");
  EXPECT_THAT(open().steps, ElementsAre(step_path(store_, 0)));
  add(2, "");
  EXPECT_THAT(open().steps, ElementsAre(step_path(store_, 0), step_path(store_, 1)));
}

TEST_F(StoreFolders, WithADamagedDescriptionAreStoresIfTheyHaveSteps)
{
  describe("{ damaged");
  EXPECT_EQ(refusal(store_).code, ErrorCode::NotThisFormat);
  EXPECT_FALSE(StoreFolder::can_read(store_));
  add(0);
  const Error error = refusal(store_);
  EXPECT_EQ(error.code, ErrorCode::Corrupt);
  EXPECT_EQ(error.path, store_description(store_));
  EXPECT_TRUE(StoreFolder::can_read(store_)) << "so that open() says what is wrong";
}

TEST_F(StoreFolders, HaveADescriptionOfSixtyFourKibibytesAtMost)
{
  const std::string text = describe_store(StoreIdentity(kUuid));
  describe(text + std::string(65536 - text.size(), ' '));
  EXPECT_TRUE(StoreFolder::open(store_));
  describe(text + std::string(65537 - text.size(), ' '));
  EXPECT_THAT(refusal(store_).what, HasSubstr("too long"));
  EXPECT_EQ(refusal(store_).code, ErrorCode::NotThisFormat);
}

TEST_F(StoreFolders, WhoseDescriptionCannotBeReadAreNone)
{
  fs::remove(store_description(store_));
  EXPECT_EQ(refusal(store_).code, ErrorCode::NotFound);
  EXPECT_FALSE(StoreFolder::can_read(store_));
  fs::create_directory(store_description(store_));
  EXPECT_EQ(refusal(store_).code, ErrorCode::CannotRead);
  EXPECT_FALSE(StoreFolder::can_read(store_));
  EXPECT_FALSE(StoreFolder::can_read(store_description(store_)));
  EXPECT_EQ(refusal(folder_.file("none")).code, ErrorCode::NotFound);
}

TEST_F(StoreFolders, AreDescribedAsTheyAreReadAgain)
{
  EXPECT_THAT(describe_store(StoreIdentity(kUuid)), HasSubstr("\"format_version\": 1"));
  StoreIdentity restarted(kUuid);
  restarted.restart(3, "11234567-89ab-4def-a123-456789abcdef");
  restarted.restart(8, "21234567-89ab-4def-a123-456789abcdef");
  EXPECT_THAT(describe_store(restarted), HasSubstr("\"format_version\": 2"));
  describe(describe_store(restarted));
  EXPECT_EQ(open().identity.uuid(), kUuid);
  EXPECT_EQ(open().identity.restarts(), restarted.restarts());
}

TEST_F(StoreFolders, KeepTheNamesOfTheirStepsForTheirOwnWriter)
{
  for (const std::string& path : { step_path(store_, 0), step_path(store_ + "/.", 5) })
  {
    const Result<void> free = check_no_step(path);
    ASSERT_FALSE(free) << path;
    EXPECT_EQ(free.error().code, ErrorCode::BadArgument);
    EXPECT_EQ(free.error().path, path);
  }
  EXPECT_TRUE(check_no_step(store_ + "/other.rvf"));
  EXPECT_TRUE(check_no_step(step_path(folder_.path().string(), 0))) << "not in a store";
  const fs::path before = fs::current_path();
  fs::current_path(store_);
  const Result<void> here = check_no_step("step-00000001.rvf");
  fs::current_path(before);
  EXPECT_FALSE(here);
}

} // namespace rivulet::test
