// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads with a local cache that is empty, filled, small, damaged, or in trouble. The bytes are those of the file
/// always.
#include "LocalCacheFixture.h"

#include <cerrno>
#include <deque>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <random>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;
using testing::Not;

using LocalCacheReading = LocalCacheFixture;

TEST_F(LocalCacheReading, ServesWhatWasReadBefore)
{
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto first = engine(cache);
  EXPECT_EQ(read(*first), 0);
  const std::int64_t early =
      counts_->found; // second parts of pairs, which are read again by themselves, on a slow machine
  EXPECT_LE(early, kPieces / 5);
  EXPECT_EQ(counts_->missing, kPieces - early);
  cache->flush();
  const auto second = engine(cache);
  EXPECT_EQ(read(*second), 0);
  EXPECT_EQ(watch_.of_file, 0);
  EXPECT_EQ(counts_->found, kPieces);
  EXPECT_EQ(counts_->bytes, kPieces * kPiece * 7 / 5);
}

TEST_F(LocalCacheReading, OfOneSessionServesTheNext)
{
  fill();
  const auto next = engine(open_cache());
  EXPECT_EQ(read(*next), 0);
  EXPECT_EQ(watch_.of_file, 0);
}

TEST_F(LocalCacheReading, OfOtherContentsFindsNothing)
{
  fill();
  const auto reads = engine(open_cache());
  FileRead other;
  std::vector<char> memory(kPiece);
  other.descriptor = descriptor_;
  other.contents = kContents + 1;
  other.parts = { { memory.data(), memory.size() } };
  reads->submit(other);
  std::vector<ReadAnswer> answers;
  while (answers.empty())
  {
    reads->wait(std::chrono::milliseconds(100), answers);
  }
  EXPECT_EQ(watch_.of_file, 1);
  EXPECT_EQ(watch_.of_cache, 0);
}

TEST_F(LocalCacheReading, OfUnnamedContentsGoesToTheFile)
{
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache);
  FileRead unnamed;
  std::vector<char> memory(kPiece);
  unnamed.descriptor = descriptor_;
  unnamed.parts = { { memory.data(), memory.size() } };
  for (int turn = 0; turn < 2; ++turn)
  {
    reads->submit(unnamed);
    std::vector<ReadAnswer> answers;
    while (answers.empty())
    {
      reads->wait(std::chrono::milliseconds(100), answers);
    }
    cache->flush();
  }
  EXPECT_EQ(watch_.of_file, 2);
  EXPECT_EQ(cache->counts().kept, 0);
  EXPECT_EQ(cache->counts().dropped, 2);
}

TEST_F(LocalCacheReading, FromADamagedCacheGoesToTheFileAndMendsIt)
{
  fill();
  {
    std::fstream file(cache_path(), std::ios::in | std::ios::out | std::ios::binary);
    const CacheShape shape(*CacheShape::header_for(32 * kMiB, 0));
    for (std::int64_t at = shape.place_of_values(0); at < shape.place_of_values(2); at += 3 * kPiece)
    {
      file.seekp(at + 17);
      file.put('x');
    }
  }
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache);
  EXPECT_EQ(read(*reads), 0);
  EXPECT_GT(watch_.of_file, 0);
  EXPECT_GT(counts_->found, 0);
  cache->flush();
  const auto again = engine(cache);
  EXPECT_EQ(read(*again), 0);
  EXPECT_EQ(watch_.of_file, 0);
}

TEST_F(LocalCacheReading, ThatFailsOrIsShortGoesToTheFile)
{
  fill();
  for (const std::int64_t result : { std::int64_t{ -EIO }, std::int64_t{ 4096 }, std::int64_t{ 0 } })
  {
    const std::shared_ptr<LocalCache> cache = open_cache();
    const auto reads = engine(cache);
    int turn = 0;
    watch_.spoil = [&](ReadAnswer& answer)
    {
      answer.result = turn++ % 7 == 0 ? result : answer.result;
    };
    EXPECT_EQ(read(*reads), 0) << result;
    EXPECT_GT(watch_.of_file, 0) << result;
    watch_.spoil = {};
    EXPECT_EQ(cache->trouble().empty(), result >= 0) << cache->trouble();
    cache->flush();
    fill(); // for the next turn
  }
}

TEST_F(LocalCacheReading, KeepsWhatWasUsedLastWhereTheCacheIsSmall)
{
  // 16 MiB hold all 2.4 MB of this file, but not those of ten.
  const std::shared_ptr<LocalCache> cache = open_cache(CacheShape::kLeastLimit);
  const auto reads = engine(cache);
  EXPECT_EQ(read(*reads), 0);
  cache->flush();
  std::vector<std::byte> other(kPiece);
  for (std::int64_t number = 0; number < 4000; ++number)
  {
    cache->keep({ kContents + 5, number * kPiece, kPiece }, other, LocalCache::IfBusy::Wait);
    if (number % 50 == 0) // these stay in use
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      EXPECT_EQ(read(*reads, 0, 20), 0);
    }
  }
  cache->flush();
  std::int64_t kept = 0;
  for (std::int64_t number = 0; number < 4000; ++number)
  {
    kept += cache->file().find({ kContents + 5, number * kPiece, kPiece }) ? 1 : 0;
  }
  EXPECT_LE(kept * kPiece, CacheShape::kLeastLimit);
  EXPECT_GE(kept * kPiece, CacheShape::kLeastLimit / 2);
  EXPECT_TRUE(cache->file().find({ kContents + 5, 3999 * kPiece, kPiece }));
  EXPECT_FALSE(cache->file().find({ kContents + 5, 0, kPiece }));
  EXPECT_LE(std::filesystem::file_size(cache_path()), static_cast<std::uintmax_t>(CacheShape::kLeastLimit));
}

TEST_F(LocalCacheReading, FindsMoreValuesOfOnePlaceThanABucketHas)
{
  const std::shared_ptr<LocalCache> cache = open_cache();
  std::vector<std::byte> value(2 * kPage);
  constexpr std::int64_t kMany = 2 * CacheShape::kEntries;
  const auto key = [](std::int64_t number)
  {
    return CacheKey{ 9, number % 100 * kPage, kPage + number };
  };
  for (std::int64_t number = 0; number < kMany; ++number)
  {
    cache->keep(key(number), { value.data(), static_cast<std::size_t>(kPage + number) }, LocalCache::IfBusy::Wait);
  }
  cache->flush();
  std::int64_t found = 0;
  for (std::int64_t number = 0; number < kMany; ++number)
  {
    found += cache->file().find(key(number)) ? 1 : 0;
  }
  EXPECT_EQ(found, kMany);
  for (std::int64_t number = 0; number < kMany; number += 2)
  {
    cache->file().forget(key(number));
  }
  for (std::int64_t number = 0; number < kMany; ++number)
  {
    EXPECT_EQ(cache->file().find(key(number)).has_value(), number % 2 == 1);
  }
}

TEST_F(LocalCacheReading, GoesOnWhereTheCacheVanishes)
{
  fill();
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache);
  std::filesystem::remove_all(cache_folder());
  EXPECT_EQ(read(*reads), 0);
  EXPECT_EQ(watch_.of_file, 0); // the file is still there for this process
  std::vector<std::byte> other(kPiece);
  cache->keep({ 1, 0, kPiece }, other);
  cache->flush();
  EXPECT_FALSE(cache->usable());
  EXPECT_THAT(cache->trouble(), HasSubstr("removed"));
  EXPECT_EQ(read(*reads), 0);
  EXPECT_EQ(watch_.of_file, kPieces);
  EXPECT_NE(open_cache(), cache); // a new one
}

TEST_F(LocalCacheReading, GoesOnWhereTheCacheIsCutShort)
{
  fill();
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache);
  std::filesystem::resize_file(cache_path(), 100);
  EXPECT_EQ(read(*reads), 0);
  cache->flush();
  EXPECT_FALSE(cache->usable());
  EXPECT_THAT(cache->trouble(), HasSubstr("cut short"));
}

TEST_F(LocalCacheReading, TellsWhetherACacheWouldPay)
{
  LocalCacheCounts counts;
  EXPECT_EQ(report_on(nullptr, counts), "");
  for (int i = 0; i < 64; ++i)
  {
    counts.file.add(0.005 + 0.001 * i);
  }
  EXPECT_THAT(report_on(nullptr, counts), HasSubstr("A read of the file takes 11 ms: a Local Cache Directory"));
  const std::shared_ptr<LocalCache> cache = open_cache();
  for (int i = 0; i < 64; ++i)
  {
    counts.cache.add(0.0001);
  }
  counts.found = 3;
  counts.missing = 1;
  EXPECT_EQ(report_on(cache.get(), counts),
      " The local cache had 3 of 4 reads. A read of the file takes 11 ms, of the cache 0.1 ms.");
  for (int i = 0; i < 64; ++i)
  {
    counts.file.add(0.0002);
  }
  EXPECT_EQ(report_on(nullptr, counts), "");
}

TEST_F(LocalCacheReading, LeavesACacheAloneThatIsSlowerThanTheFile)
{
  fill();
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache, { LocalCache::IfBusy::Drop, 0.002 });
  watch_.spoil = [](ReadAnswer&)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  EXPECT_EQ(read(*reads), 0);
  EXPECT_GT(watch_.of_file, kPieces / 2); // the verdict takes some 50 reads
  EXPECT_GT(watch_.of_cache, 0);
  EXPECT_THAT(report_on(cache.get(), *counts_), HasSubstr("does not pay here"));
}

/// A file of 0.4 ms for a read, one at a time, and a cache whose reads all wait for 2 ms, as behind a write.
class StallingReads final : public ReadEngine
{
public:
  StallingReads(int file, WatchedReads::Watch& watch)
    : file_(file)
    , watch_(watch)
  {
  }
  std::string name() const override { return "stalling"; }
  int depth() const override { return 64; }
  void submit(FileRead& read) override
  {
    const bool of_file = read.descriptor == file_;
    (of_file ? watch_.of_file : watch_.of_cache)++;
    (of_file ? of_file_ : of_cache_).push_back(&read);
  }
  void wait(std::chrono::milliseconds, std::vector<ReadAnswer>& answers) override
  {
    const bool cached = !of_cache_.empty();
    std::deque<FileRead*>& from = cached ? of_cache_ : of_file_;
    std::this_thread::sleep_for(std::chrono::microseconds(cached ? 2000 : 400));
    for (std::size_t left = cached ? from.size() : std::min<std::size_t>(1, from.size()); left > 0; --left)
    {
      answers.push_back({ from.front(), read_parts(*from.front()) });
      from.pop_front();
    }
  }
  void wake() override {}

private:
  static std::int64_t read_parts(const FileRead& read)
  {
    std::int64_t bytes = 0;
    for (const iovec& part : read.parts)
    {
      const auto wanted = static_cast<std::int64_t>(part.iov_len);
      const bool read_it = part.iov_base == nullptr ||
                           ::pread(read.descriptor, part.iov_base, part.iov_len, read.offset + bytes) == wanted;
      bytes += read_it ? wanted : 0;
    }
    return bytes;
  }

  int file_;
  WatchedReads::Watch& watch_;
  std::deque<FileRead*> of_file_;
  std::deque<FileRead*> of_cache_;
};

TEST_F(LocalCacheReading, TriesMoreReadsAtOnceOfACacheThatSeemsSlower)
{
  fill();
  const std::shared_ptr<LocalCache> cache = open_cache();
  LocalCacheReads reads(std::make_unique<StallingReads>(descriptor_, watch_), cache, counts_,
      { .if_busy = LocalCache::IfBusy::Drop, .quick = 0.0001 });
  EXPECT_EQ(read(reads), 0);
  EXPECT_GT(watch_.of_file, kPieces / 10); // beyond four at once, until the cache is known to be good
  watch_.of_file = 0;
  EXPECT_EQ(read(reads), 0);
  EXPECT_LT(watch_.of_file, kPieces / 4);
  EXPECT_THAT(report_on(cache.get(), *counts_), Not(HasSubstr("does not pay")));
}

TEST_F(LocalCacheReading, GivesValuesToACacheThatIsSlowerThanTheFile)
{
  const std::shared_ptr<LocalCache> cache = open_cache();
  const auto reads = engine(cache, { LocalCache::IfBusy::Drop, 0.002 });
  EXPECT_EQ(read(*reads, 0, kPieces / 2), 0);
  cache->flush();
  watch_.spoil = [](ReadAnswer&)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  for (int turn = 0; turn < 4 && !counts_->slow.load(); ++turn)
  {
    EXPECT_EQ(read(*reads, 0, kPieces / 2), 0); // until it is found to be slow, and rests
  }
  EXPECT_THAT(report_on(cache.get(), *counts_), HasSubstr("does not pay here"));
  EXPECT_EQ(read(*reads, kPieces / 2), 0);
  cache->flush();
  watch_.spoil = {};
  watch_.of_file = 0;
  const auto later = engine(cache);
  EXPECT_EQ(read(*later, kPieces / 2), 0);
  EXPECT_LT(watch_.of_file, kPieces / 4);
}

} // namespace
} // namespace rivulet::test
