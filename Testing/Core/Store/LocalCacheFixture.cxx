// SPDX-License-Identifier: BSD-3-Clause
#include "LocalCacheFixture.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

constexpr std::size_t kAtOnce = 16;

struct FreePages
{
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Pages = std::unique_ptr<std::byte, FreePages>;

/// A read of one piece, or of two with a gap of a piece between them.
struct PieceRead : FileRead
{
  std::int64_t first = 0;
  Pages memory;
};

} // namespace

void WatchedReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  const std::size_t before = answers.size();
  engine_->wait(most, answers);
  for (std::size_t i = before; i < answers.size(); ++i)
  {
    if (watch_.spoil && answers[i].read->descriptor != file_)
    {
      watch_.spoil(answers[i]);
    }
  }
}

LocalCacheFixture::LocalCacheFixture()
  : content_(static_cast<std::size_t>(kPieces * kPiece))
{
  std::mt19937_64 random(7);
  std::generate(content_.begin(), content_.end(), [&] { return static_cast<std::byte>(random()); });
  const std::string path = folder_.file("field");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(content_.data()), static_cast<std::streamsize>(content_.size()));
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

LocalCacheFixture::~LocalCacheFixture()
{
  ::close(descriptor_);
}

std::shared_ptr<LocalCache> LocalCacheFixture::open_cache(std::int64_t limit) const
{
  Result<std::shared_ptr<LocalCache>> cache = LocalCache::open({ cache_folder(), limit });
  EXPECT_TRUE(cache) << cache.error().describe();
  return cache ? *cache : nullptr;
}

std::unique_ptr<ReadEngine> LocalCacheFixture::engine(
    std::shared_ptr<LocalCache> cache, const LocalCacheReads::Options& options)
{
  counts_ = std::make_shared<LocalCacheCounts>();
  watch_.of_file = 0;
  watch_.of_cache = 0;
  auto watched = std::make_unique<WatchedReads>(open_read_engine(EngineChoice::Best), watch_, descriptor_);
  return std::make_unique<LocalCacheReads>(std::move(watched), std::move(cache), counts_, options);
}

std::int64_t LocalCacheFixture::read(ReadEngine& engine, std::int64_t first, std::int64_t last)
{
  std::int64_t wrong = 0;
  std::vector<std::unique_ptr<PieceRead>> reads;
  const auto finish = [&]
  {
    std::vector<ReadAnswer> answers;
    while (answers.size() < reads.size())
    {
      engine.wait(std::chrono::milliseconds(100), answers);
    }
    for (const ReadAnswer& answer : answers)
    {
      const auto* piece = static_cast<const PieceRead*>(answer.read);
      const std::int64_t bytes = piece->first % 5 == 0 ? 3 * kPiece : kPiece;
      wrong += answer.result == bytes ? 0 : bytes;
      const auto compare = [&](std::int64_t number, std::int64_t at)
      {
        for (std::int64_t i = 0; i < kPiece; ++i)
        {
          wrong += piece->memory.get()[at + i] == content_[static_cast<std::size_t>(number * kPiece + i)] ? 0 : 1;
        }
      };
      compare(piece->first, 0);
      if (piece->first % 5 == 0)
      {
        compare(piece->first + 2, kPiece);
      }
    }
    reads.clear();
  };
  for (std::int64_t number = first; number < last; ++number)
  {
    auto one = std::make_unique<PieceRead>();
    one->first = number;
    one->memory.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, 2 * kPiece)));
    one->descriptor = descriptor_;
    one->contents = kContents;
    one->offset = number * kPiece;
    one->parts = { { one->memory.get(), kPiece } };
    if (number % 5 == 0)
    {
      one->parts.push_back({ nullptr, kPiece });
      one->parts.push_back({ one->memory.get() + kPiece, kPiece });
    }
    engine.submit(*one);
    reads.push_back(std::move(one));
    if (reads.size() == kAtOnce)
    {
      finish();
    }
  }
  finish();
  return wrong;
}

void LocalCacheFixture::fill(std::int64_t limit)
{
  const std::shared_ptr<LocalCache> cache = open_cache(limit);
  const std::unique_ptr<ReadEngine> reads = engine(cache);
  for (int turn = 0; turn < 100; ++turn)
  {
    EXPECT_EQ(read(*reads), 0);
    cache->flush();
    const int before = watch_.of_file;
    EXPECT_EQ(read(*reads), 0);
    if (watch_.of_file == before)
    {
      return;
    }
  }
  FAIL() << "the cache does not keep what it gets";
}

} // namespace rivulet::test
