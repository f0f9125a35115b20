// SPDX-License-Identifier: BSD-3-Clause
// The notes on missing pages of a mapping. Testing/Core/Store/TestMappedFile.cxx has what users of mapped files see.
#include "Base/Bytes.h"
#include "Io/Files/BusErrors.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

namespace
{

/// A file that is mapped and watched.
class WatchedFile
{
public:
  explicit WatchedFile(std::int64_t bytes)
    : bytes_(bytes)
  {
    EXPECT_TRUE(ensure_bus_error_handler());
    std::ofstream(path_).flush();
    std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(bytes)); // of zeros
    const File file = *File::open(path_, File::Mode::Read);
    identity_ = *FileIdentity::of(file);
    begin_ = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ, MAP_SHARED, file.descriptor(), 0);
    region_ = watch_for_bus_errors(begin_, bytes, identity_, path_.c_str());
  }
  WatchedFile(const WatchedFile&) = delete;
  WatchedFile& operator=(const WatchedFile&) = delete;
  ~WatchedFile()
  {
    stop_watching(region_);
    ::munmap(begin_, static_cast<std::size_t>(bytes_));
  }

  [[nodiscard]] BusErrorRegion& region() const { return *region_; }
  [[nodiscard]] std::uintptr_t address(std::int64_t offset) const
  {
    return reinterpret_cast<std::uintptr_t>(begin_) + static_cast<std::uintptr_t>(offset);
  }
  /// As if the storage had failed to read the page of this byte.
  void fail_at(std::int64_t offset) const { EXPECT_TRUE(repair_bus_error(address(offset))) << offset; }
  [[nodiscard]] float value(std::int64_t offset) const
  {
    float value = 0;
    std::memcpy(&value, static_cast<const std::byte*>(begin_) + offset, sizeof(value));
    return value;
  }
  [[nodiscard]] bool page_is_damaged(std::int64_t page) const { return region_->damaged(page * kPage, kPage); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string other_path() const { return folder_.file("other"); }

private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("values");
  std::int64_t bytes_;
  FileIdentity identity_;
  void* begin_ = nullptr;
  BusErrorRegion* region_ = nullptr;
};

} // namespace

TEST(BusErrors, OfOnePageLeaveItsNeighboursAlone)
{
  const WatchedFile file(8 * kPage);
  file.fail_at(2 * kPage + 77);
  EXPECT_TRUE(std::isnan(file.value(2 * kPage)));
  EXPECT_TRUE(std::isnan(file.value(3 * kPage - 4)));
  for (const std::int64_t page : { 1, 3 })
  {
    EXPECT_EQ(file.value(page * kPage), 0.0F);
    EXPECT_FALSE(file.page_is_damaged(page));
  }
  EXPECT_TRUE(file.page_is_damaged(2));
}

TEST(BusErrors, AreFoundByRangesThatTouchThem)
{
  const WatchedFile file(200 * kPage); // more pages than a word of notes has bits
  for (const std::int64_t page : { 63, 64, 130 })
  {
    file.fail_at(page * kPage);
  }
  const BusErrorRegion& region = file.region();
  EXPECT_FALSE(region.damaged(0, 63 * kPage));
  EXPECT_TRUE(region.damaged(0, 63 * kPage + 1));
  EXPECT_TRUE(region.damaged(65 * kPage - 1, 1));
  EXPECT_FALSE(region.damaged(65 * kPage, 65 * kPage));
  EXPECT_TRUE(region.damaged(129 * kPage + 5, kPage));
  EXPECT_FALSE(region.damaged(131 * kPage, 69 * kPage));
}

TEST(BusErrors, RememberTheFirstOne)
{
  const WatchedFile file(8 * kPage);
  EXPECT_EQ(file.region().first_fault(), -1);
  file.fail_at(5 * kPage + 9);
  file.fail_at(kPage);
  EXPECT_EQ(file.region().first_fault(), 5 * kPage);
}

TEST(BusErrors, MendTheLastPageOfAFileThatEndsWithinIt)
{
  const WatchedFile file(3 * kPage + 100);
  file.fail_at(3 * kPage + 99);
  EXPECT_TRUE(std::isnan(file.value(3 * kPage + 96)));
  EXPECT_TRUE(file.region().damaged(3 * kPage, 100));
  EXPECT_FALSE(file.page_is_damaged(2));
}

TEST(BusErrors, OfOtherMemoryAreNotTheirs)
{
  std::uintptr_t gone = 0;
  {
    const WatchedFile file(2 * kPage);
    EXPECT_FALSE(repair_bus_error(file.address(-1)));
    EXPECT_FALSE(repair_bus_error(file.address(2 * kPage)));
    EXPECT_EQ(file.region().first_fault(), -1);
    gone = file.address(0);
  }
  EXPECT_FALSE(repair_bus_error(gone));
}

TEST(BusErrors, BehindANotedEndAreKnownWithoutASignal)
{
  const WatchedFile file(4 * kPage);
  file.region().note_end(2 * kPage + 10);
  EXPECT_FALSE(file.region().damaged(2 * kPage, 10));
  EXPECT_TRUE(file.region().damaged(2 * kPage, 11));
  file.region().note_end(3 * kPage); // a file that was cut stays cut
  EXPECT_TRUE(file.page_is_damaged(2));
  EXPECT_EQ(file.region().first_fault(), -1);
}

/// How long the other file is says nothing about the pages of the first one.
TEST(BusErrors, OfAFileThatLostItsNameAreMendedOneByOne)
{
  const WatchedFile file(4 * kPage);
  std::filesystem::rename(file.path(), file.other_path());
  std::ofstream(file.path()) << "another file";
  std::filesystem::resize_file(file.other_path(), kPage);
  EXPECT_TRUE(std::isnan(file.value(2 * kPage)));
  EXPECT_TRUE(file.page_is_damaged(2));
  EXPECT_FALSE(file.page_is_damaged(3));
  EXPECT_TRUE(std::isnan(file.value(3 * kPage)));
  EXPECT_TRUE(file.page_is_damaged(3));
  EXPECT_FALSE(file.page_is_damaged(0));
}

/// A process may have about 65000 mappings.
TEST(BusErrors, MendLargerPiecesWhereThereAreVeryMany)
{
  constexpr std::int64_t kMany = 4096;
  {
    const WatchedFile file(4 * kMiB + kMany * kPage);
    for (std::int64_t page = 0; page < kMany; ++page)
    {
      ASSERT_TRUE(repair_bus_error(file.address(page * kPage)));
    }
    const std::int64_t next = kMany * kPage + kMiB + 5 * kPage;
    EXPECT_FALSE(file.region().damaged(kMany * kPage, 4 * kMiB));
    file.fail_at(next);
    EXPECT_FALSE(file.region().damaged(kMany * kPage, kMiB));
    EXPECT_TRUE(file.region().damaged(kMany * kPage + kMiB, 1));
    EXPECT_TRUE(std::isnan(file.value(kMany * kPage + 2 * kMiB - 4)));
    EXPECT_FALSE(file.region().damaged(kMany * kPage + 2 * kMiB, 2 * kMiB));
  }
  const WatchedFile file(4 * kPage);
  file.fail_at(kPage);
  EXPECT_FALSE(file.page_is_damaged(2)) << "a mapping that is gone counts no more";
}

/// A reader may use NaN only if it is told that the file does not hold it.
TEST(BusErrors, AreNotedBeforeAnyThreadSeesNan)
{
  constexpr std::int64_t kPages = 512;
  const WatchedFile file(kPages * kPage);
  std::filesystem::resize_file(file.path(), 3 * kPage);
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          for (std::int64_t page = thread; page < kPages; page += 2)
          {
            const bool missing = std::isnan(file.value(page * kPage));
            EXPECT_EQ(missing, page >= 3) << page;
            EXPECT_TRUE(!missing || file.page_is_damaged(page)) << page;
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  EXPECT_FALSE(file.region().damaged(0, 3 * kPage));
}

} // namespace rivulet::test
