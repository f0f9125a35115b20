// SPDX-License-Identifier: BSD-3-Clause
#include "Io/KnownStorage.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

using namespace std::chrono_literals;

const StorageDevice kDisk{ 7, "ext4|/dev/vda|/" };
const StorageDevice kOther{ 8, "fuse.slow|slow|/mnt" };
const StorageSpeed kSpeed{ 0.25, 5000.0 };
const KnownStorage::Clock::time_point kNow = KnownStorage::Clock::from_time_t(1'800'000'000);

class KnownDevices : public testing::Test
{
protected:
  [[nodiscard]] std::optional<StorageSpeed> in_the_next_process(
      const StorageDevice& device, KnownStorage::Clock::time_point when = kNow) const
  {
    return KnownStorage(file_).find(device, 12288, when);
  }
  void write(const std::string& text) const
  {
    std::filesystem::create_directories(std::filesystem::path(file_).parent_path());
    std::ofstream(file_) << text;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("cache/rivulet/storage");
};

} // namespace

TEST_F(KnownDevices, AreKnownForTheLifeOfTheProcess)
{
  KnownStorage known("");
  EXPECT_FALSE(known.find(kDisk, 12288, kNow));
  known.keep(kDisk, 12288, kSpeed, kNow);
  ASSERT_TRUE(known.find(kDisk, 12288, kNow + 1000h));
  EXPECT_EQ(known.find(kDisk, 12288, kNow)->latency, kSpeed.latency);
  EXPECT_FALSE(known.find(kOther, 12288, kNow));
}

TEST_F(KnownDevices, AreKnownByTheSizeOfRequests)
{
  KnownStorage known("");
  known.keep(kDisk, 12288, kSpeed, kNow);
  EXPECT_TRUE(known.find(kDisk, 16384, kNow));
  EXPECT_FALSE(known.find(kDisk, 4096, kNow));
  EXPECT_FALSE(known.find(kDisk, 16385, kNow));
}

TEST_F(KnownDevices, AreKnownToTheNextProcessForADay)
{
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  const std::optional<StorageSpeed> found = in_the_next_process(kDisk, kNow + 23h);
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->latency, kSpeed.latency);
  EXPECT_DOUBLE_EQ(found->requests_per_second, kSpeed.requests_per_second);
  EXPECT_FALSE(in_the_next_process(kDisk, kNow + 24h));
  EXPECT_FALSE(in_the_next_process(kDisk, kNow - 1h)) << "a clock that was put back";
}

TEST_F(KnownDevices, AreFoundByNameOnceNumbersHaveChanged)
{
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  EXPECT_TRUE(in_the_next_process({ 99, kDisk.name }));
  EXPECT_FALSE(in_the_next_process({ kDisk.number, "" }));
}

TEST_F(KnownDevices, AreKeptSideBySideAndReplaced)
{
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  KnownStorage(file_).keep(kOther, 12288, { 0.5, 60.0 }, kNow);
  KnownStorage(file_).keep(kDisk, 12288, { 0.125, 9000.0 }, kNow);
  EXPECT_EQ(in_the_next_process(kDisk)->requests_per_second, 9000.0);
  EXPECT_EQ(in_the_next_process(kOther)->requests_per_second, 60.0);
  // Nothing unfinished is left.
  const std::filesystem::directory_iterator files(std::filesystem::path(file_).parent_path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(KnownDevices, AreNotTooMany)
{
  KnownStorage known(file_);
  for (std::uint64_t i = 0; i < 3 * KnownStorage::kMostLines; ++i)
  {
    known.keep({ i, "disk" + std::to_string(i) }, 12288, kSpeed, kNow);
  }
  EXPECT_FALSE(in_the_next_process({ 0, "disk0" }));
  EXPECT_TRUE(in_the_next_process({ 0, "disk" + std::to_string(3 * KnownStorage::kMostLines - 1) }));
}

TEST_F(KnownDevices, AreNotTakenFromWhatMakesNoSense)
{
  const std::string line = kDisk.name + " 16384 1800000000 ";
  write("rivulet storage 1\n" + line + "0.001 500\n");
  EXPECT_TRUE(in_the_next_process(kDisk));
  for (const std::string& bad :
      { "rivulet storage 2\n" + line + "0.001 500\n", "rivulet storage 1\n" + line + "0.001\n",
          "rivulet storage 1\n" + line + "-1 500\n", "rivulet storage 1\n" + line + "nan 500\n",
          "rivulet storage 1\n" + line + "0.001 1e300\n", std::string("\0\xff\x80 garbage", 11), std::string() })
  {
    write(bad);
    EXPECT_FALSE(in_the_next_process(kDisk)) << bad;
  }
  KnownStorage known("");
  known.keep(kDisk, 12288, { 0.0, 0.0 }, kNow);
  EXPECT_FALSE(known.find(kDisk, 12288, kNow));
}

TEST_F(KnownDevices, NeedNoPlaceOnDisk)
{
  std::ofstream(folder_.file("cache")) << "a file, not a folder";
  KnownStorage known(file_);
  known.keep(kDisk, 12288, kSpeed, kNow);
  EXPECT_TRUE(known.find(kDisk, 12288, kNow));
}

TEST_F(KnownDevices, AreKeptByManyThreads)
{
  KnownStorage known(file_);
  std::vector<std::jthread> team;
  for (std::uint64_t i = 0; i < 4; ++i)
  {
    team.emplace_back(
        [&known, i]
        {
          for (int turn = 0; turn < 50; ++turn)
          {
            known.keep({ i, "disk" + std::to_string(i) }, 12288, kSpeed, kNow);
            EXPECT_TRUE(known.find({ i, "disk" + std::to_string(i) }, 12288, kNow));
          }
        });
  }
  team.clear();
  for (std::uint64_t i = 0; i < 4; ++i)
  {
    EXPECT_TRUE(in_the_next_process({ i, "disk" + std::to_string(i) }));
  }
}

TEST(StorageDevices, AreThoseOfTheFile)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("a")) << "a";
  std::ofstream(folder.file("b")) << "b";
  const std::optional<StorageDevice> device = device_of(folder.file("a"));
  ASSERT_TRUE(device);
  EXPECT_EQ(device->number, device_of(folder.file("b"))->number);
  EXPECT_EQ(device->name, device_of(folder.file("b"))->name);
  EXPECT_FALSE(device_of(folder.file("none")));
}

TEST_F(KnownDevices, AreNotSoughtInAPipe)
{
  std::filesystem::create_directories(std::filesystem::path(file_).parent_path());
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_FALSE(in_the_next_process(kDisk)); // and does not wait for ever
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  EXPECT_TRUE(in_the_next_process(kDisk)) << "the pipe was replaced";
}

TEST_F(KnownDevices, AreNotWrittenThroughLinks)
{
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  const std::string mine = folder_.file("mine");
  std::ofstream(mine) << "mine";
  const std::string unfinished = file_ + "." + std::to_string(::getpid());
  for (const std::string& planted : { file_, unfinished })
  {
    std::filesystem::remove(planted);
    std::filesystem::create_symlink(mine, planted);
    EXPECT_EQ(in_the_next_process(kDisk).has_value(), planted == unfinished);
    KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
    std::string text;
    std::ifstream(mine) >> text;
    EXPECT_EQ(text, "mine");
    EXPECT_TRUE(in_the_next_process(kDisk));
  }
}

TEST_F(KnownDevices, AreNotKeptWhereOthersMayWrite)
{
  namespace fs = std::filesystem;
  KnownStorage(file_).keep(kDisk, 12288, kSpeed, kNow);
  const fs::path folder = fs::path(file_).parent_path();
  EXPECT_EQ(fs::status(folder).permissions() & (fs::perms::group_all | fs::perms::others_all), fs::perms::none);
  fs::permissions(file_, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(in_the_next_process(kDisk)) << "a file that others may write to";
  fs::permissions(file_, fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(in_the_next_process(kDisk));
  for (const fs::perms others : { fs::perms::group_write, fs::perms::others_write })
  {
    fs::permissions(folder, others, fs::perm_options::add);
    EXPECT_FALSE(in_the_next_process(kDisk));
    KnownStorage(file_).keep(kOther, 12288, kSpeed, kNow);
    fs::permissions(folder, others, fs::perm_options::remove);
    EXPECT_FALSE(in_the_next_process(kOther));
  }
}

} // namespace rivulet::test
