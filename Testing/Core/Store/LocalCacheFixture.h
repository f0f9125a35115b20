// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file of random bytes, and reads of its pieces through an engine with a local cache. Each answer is compared with
/// the file.
#pragma once

#include "Store/LocalCache/LocalCacheReads.h"
#include "Support/TemporaryFolder.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace rivulet::test
{

/// Counts the reads that are not of a cache, and may fail those of the cache.
class WatchedReads final : public ReadEngine
{
public:
  struct Watch
  {
    std::atomic<int> of_file{ 0 };
    std::atomic<int> of_cache{ 0 };
    std::function<void(ReadAnswer&)> spoil{}; ///< answers of the cache
  };
  WatchedReads(std::unique_ptr<ReadEngine> engine, Watch& watch, int file)
    : engine_(std::move(engine))
    , watch_(watch)
    , file_(file)
  {
  }
  std::string name() const override { return engine_->name(); }
  int depth() const override { return engine_->depth(); }
  void submit(FileRead& read) override
  {
    (read.descriptor == file_ ? watch_.of_file : watch_.of_cache)++;
    engine_->submit(read);
  }
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { engine_->wake(); }

private:
  std::unique_ptr<ReadEngine> engine_;
  Watch& watch_;
  int file_;
};

class LocalCacheFixture : public testing::Test
{
protected:
  static constexpr std::int64_t kPiece = 12288;
  static constexpr std::int64_t kPieces = 200;
  static constexpr std::uint64_t kContents = 77;

  LocalCacheFixture();
  ~LocalCacheFixture() override;

  [[nodiscard]] std::string cache_path() const { return cache_folder() + "/" + kCacheFileName; }
  [[nodiscard]] std::string cache_folder() const { return folder_.file("cache"); }
  [[nodiscard]] std::shared_ptr<LocalCache> open_cache(std::int64_t limit = 32 * kMiB) const;
  /// By default one that keeps all, and is never compared with the file, whose times are those of memory here.
  [[nodiscard]] std::unique_ptr<ReadEngine> engine(std::shared_ptr<LocalCache> cache,
      const LocalCacheReads::Options& options = { LocalCache::IfBusy::Wait, 1000.0 });

  /// Reads pieces, several at a time, of which some are pairs with a gap between them. Returns the number of wrong
  /// bytes.
  std::int64_t read(ReadEngine& engine, std::int64_t first = 0, std::int64_t last = kPieces);
  /// Fills a cache with all pieces.
  void fill(std::int64_t limit = 32 * kMiB);

  TemporaryFolder folder_;
  std::vector<std::byte> content_;
  int descriptor_ = -1;
  WatchedReads::Watch watch_;
  std::shared_ptr<LocalCacheCounts> counts_;
};

} // namespace rivulet::test
