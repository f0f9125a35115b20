// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/StorageTable.h"
#include "Support/TemporaryFolder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

class Tables : public testing::Test
{
protected:
  [[nodiscard]] Result<std::vector<StorageEntry>> read(const std::string& text) const
  {
    std::ofstream(file_) << text;
    return read_storage_table(file_);
  }
  void expect_refused(const std::string& text, const std::string& what) const
  {
    const Result<std::vector<StorageEntry>> table = read(text);
    ASSERT_FALSE(table) << text;
    EXPECT_NE(table.error().describe().find(what), std::string::npos) << table.error().describe();
    EXPECT_NE(table.error().describe().find(file_), std::string::npos) << table.error().describe();
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("storage.json");
};

TEST_F(Tables, GiveTheFirstEntryThatFits)
{
  const Result<std::vector<StorageEntry>> table =
      read(R"([ { "host": "login*", "mount": "/scratch?", "readers": 96, "others": 32 },
                { "type": "nfs*", "readers": 8 }, { "readers": 4 } ])");
  ASSERT_TRUE(table) << table.error().describe();
  const std::optional<StorageEntry> scratch = entry_for(*table, { "login7", "/scratch2", "lustre" });
  ASSERT_TRUE(scratch);
  EXPECT_EQ(scratch->readers, 96);
  EXPECT_EQ(scratch->others, 32);
  EXPECT_EQ(entry_for(*table, { "node1", "/scratch2", "nfs4" })->readers, 8);
  EXPECT_EQ(entry_for(*table, { "node1", "/scratch2", "lustre" })->readers, 4);
  EXPECT_FALSE(entry_for(std::span(*table).first(2), { "node1", "/scratch2", "lustre" }));
}

TEST_F(Tables, ThatAreWrongAreRefused)
{
  expect_refused("{", "not a JSON list");
  expect_refused("{}", "not a JSON list");
  expect_refused("[ 3 ]", "entry 0 is not an object");
  expect_refused(R"([ { "readers": 1 }, { "host": "a" } ])", "entry 1 is not an object with");
  expect_refused(R"([ { "readers": 0 } ])", "\"readers\" that cannot be");
  expect_refused(R"([ { "readers": 1e30 } ])", "not an integer");
  expect_refused(R"([ { "readers": 18446744073709551615 } ])", "cannot be");
  expect_refused(R"([ { "readers": 8, "others": -1 } ])", "\"others\" that cannot be");
  expect_refused(R"([ { "readers": 8, "mount": 3 } ])", "\"mount\" that is not text");
  expect_refused(R"([ { "readers": 8, "reader": 3 } ])", "unknown key \"reader\"");
  EXPECT_EQ(read_storage_table(folder_.file("none")).error().code, ErrorCode::NotFound);
}

TEST_F(Tables, OfTheSiteAreFound)
{
  (void)read(R"([ { "readers": 77 } ])");
  ::setenv("RIVULET_STORAGE_TABLE", file_.c_str(), 1);
  const Result<std::vector<StorageEntry>> table = read_site_table();
  ::unsetenv("RIVULET_STORAGE_TABLE");
  ASSERT_TRUE(table && table->size() == 1);
  EXPECT_EQ(table->front().readers, 77);
}

TEST_F(Tables, KnowWhereAFileIs)
{
  (void)read("[]");
  const StoragePlace place = storage_place_of(file_);
  EXPECT_FALSE(place.host.empty());
  EXPECT_FALSE(place.type.empty());
  EXPECT_TRUE(place.mount.starts_with("/")) << place.mount;
}

} // namespace
} // namespace rivulet::test
