// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Core/Io/FieldFiles.h"
#include "Io/Files/File.h"
#include "Io/Writes/DirectWrites.h"
#include "Support/PageCache.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace rivulet
{

using namespace test;

TEST(File, ReadsWhatWasWrittenAndAppended)
{
  const TemporaryFolder folder;
  Result<File> file = File::create(folder.file("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("hello ", 6));
  ASSERT_TRUE(file->append("world", 5));
  ASSERT_TRUE(file->pwrite_full("J", 1, 0));
  std::array<char, 11> text{};
  ASSERT_TRUE(file->pread_full(text.data(), 11, 0));
  EXPECT_EQ(std::string(text.data(), 11), "Jello world");
  EXPECT_EQ(*file->size(), 11);
  EXPECT_TRUE(file->sync());
  EXPECT_TRUE(sync_folder_of(file->path()));
  EXPECT_TRUE(file->close());
}

TEST(File, NamesTheByteWhereItEnds)
{
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), std::vector<char>(100));
  const Result<File> file = File::open(folder.file("a"), File::Mode::Read);
  std::array<char, 64> bytes{};
  const Result<void> read = file->pread_full(bytes.data(), 64, 60);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Truncated);
  EXPECT_EQ(read.error().offset, 100);
  EXPECT_EQ(read.error().path, folder.file("a"));
}

TEST(File, SaysWhyItCannotBeWritten)
{
  const Result<File> full = File::open("/dev/full", File::Mode::ReadWrite);
  EXPECT_FALSE(full); // a device
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), { 'a' });
  const Result<File> file = File::open(folder.file("a"), File::Mode::Read);
  const Result<void> written = file->pwrite_full("b", 1, 7);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(written.error().sys_errno, EBADF);
  EXPECT_EQ(written.error().offset, 7);
}

TEST(File, RefusesFoldersPipesAndWhatIsNotThere)
{
  const TemporaryFolder folder;
  EXPECT_EQ(File::open(folder.path().string(), File::Mode::Read).error().code, ErrorCode::CannotRead);
  EXPECT_EQ(File::open(folder.file("none"), File::Mode::Read).error().code, ErrorCode::NotFound);
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(File::open(folder.file("pipe"), File::Mode::Read).error().code, ErrorCode::CannotRead); // without waiting
}

TEST(File, CreatesOnlyWhatIsNotThere)
{
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), { 'a' });
  const Result<File> file = File::create(folder.file("a"));
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().sys_errno, EEXIST);
}

namespace
{

/// Counts the waits that it is told of.
class CountedPause final : public ReadPause
{
public:
  void before_waiting() override { ++waits; }
  void after_waiting() override { ++ends; }
  int waits = 0;
  int ends = 0;
};

std::vector<std::uint32_t> write_numbers(const std::string& path, std::size_t count)
{
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  Result<File> file = File::create(path);
  EXPECT_TRUE(file && file->append(numbers.data(), static_cast<std::int64_t>(4 * count)) && file->sync());
  return numbers;
}

} // namespace

TEST(File, GivesTheSameBytesPastThePageCache)
{
  const TemporaryFolder folder;
  const std::vector<std::uint32_t> numbers = write_numbers(folder.file("a"), 1'500'001);
  const auto size = static_cast<std::int64_t>(4 * numbers.size());
  std::vector<std::byte> memory(static_cast<std::size_t>(size + 2 * kPage));
  for (const bool cached : { false, true })
  {
    Result<File> file = File::open(folder.file("a"), File::Mode::Read);
    ASSERT_TRUE(file);
    CountedPause pause;
    file->tell_of_waiting(&pause);
    if (!file->read_past_cache())
    {
      GTEST_SKIP() << "the file system has no direct reads";
    }
    (void)::posix_fadvise(file->descriptor(), 0, 0, cached ? POSIX_FADV_WILLNEED : POSIX_FADV_DONTNEED);
    for (const auto& [offset, bytes] : { std::pair<std::int64_t, std::int64_t>{ 0, size }, { 4, size - 4 },
             { 4096, 3 << 20 }, { 12345, (1 << 20) + 7 }, { size - (1 << 20) - 1, (1 << 20) + 1 }, { 8, 100 } })
    {
      // As it lies in the file's pages, and one byte off.
      for (const std::int64_t off : { 0, 1 })
      {
        const auto behind = static_cast<std::uintptr_t>(offset + off) - reinterpret_cast<std::uintptr_t>(memory.data());
        std::byte* out = memory.data() + behind % static_cast<std::uintptr_t>(kPage);
        std::memset(out, 255, static_cast<std::size_t>(bytes));
        ASSERT_TRUE(file->pread_full(out, bytes, offset));
        const auto* from = reinterpret_cast<const std::byte*>(numbers.data()) + offset;
        ASSERT_EQ(std::memcmp(out, from, static_cast<std::size_t>(bytes)), 0) << offset << " " << bytes << " " << off;
      }
    }
    EXPECT_EQ(pause.waits, pause.ends);
  }
}

TEST(File, LeavesNoTraceInThePageCache)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  const std::vector<std::uint32_t> numbers = write_numbers(path, 2 << 20);
  std::optional<File> file = cold_file(path);
  if (!file || !file->read_past_cache())
  {
    GTEST_SKIP() << "the file system has no direct reads, or keeps its files in memory";
  }
  const std::size_t bytes = 4 * numbers.size();
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(kPage, bytes), &std::free);
  ASSERT_TRUE(file->pread_full(memory.get(), static_cast<std::int64_t>(bytes), 0));
  EXPECT_EQ(std::memcmp(memory.get(), numbers.data(), bytes), 0);
  EXPECT_LT(
      cached_pages(path, 0, static_cast<std::int64_t>(bytes)), 0.01); // what looks whether it is there takes a page
  // What lies otherwise in memory than in the file comes through the page cache.
  ASSERT_TRUE(file->pread_full(memory.get(), static_cast<std::int64_t>(bytes) - 4, 4));
  EXPECT_EQ(cached_pages(path, 0, static_cast<std::int64_t>(bytes)), 1);
}

TEST(File, BringsWhatWillBeNeededIntoThePageCache)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("a");
  (void)write_numbers(path, 2 << 20);
  const std::optional<File> file = cold_file(path);
  if (!file)
  {
    GTEST_SKIP() << "the file system keeps its files in memory";
  }
  file->will_need(2 * kMiB, 3 * kMiB);
  EXPECT_TRUE(comes_into_cache(path, 2 * kMiB, 5 * kMiB));
  EXPECT_LT(cached_pages(path, 0, kMiB), 0.5);
}

TEST(File, NamesTheByteWhereItEndsPastThePageCacheToo)
{
  const TemporaryFolder folder;
  (void)write_numbers(folder.file("a"), 1 << 20);
  Result<File> file = File::open(folder.file("a"), File::Mode::Read);
  ASSERT_TRUE(file);
  if (!file->read_past_cache())
  {
    GTEST_SKIP() << "the file system has no direct reads";
  }
  (void)::posix_fadvise(file->descriptor(), 0, 0, POSIX_FADV_DONTNEED);
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(4096, 8 << 20), &std::free);
  const Result<void> read = file->pread_full(memory.get(), 8 << 20, 0);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Truncated);
  EXPECT_EQ(read.error().offset, 4 << 20);
}

TEST(File, MovesItsDescriptor)
{
  const TemporaryFolder folder;
  File first = *File::create(folder.file("a"));
  const int descriptor = first.descriptor();
  File second = std::move(first);
  EXPECT_EQ(second.descriptor(), descriptor);
  File third;
  EXPECT_FALSE(third);
  third = std::move(second);
  EXPECT_TRUE(third.append("x", 1));
}

TEST(File, ReservesRoomAndKnowsWhenThereIsNone)
{
  const TemporaryFolder folder;
  const Result<File> file = File::create(folder.file("a"));
  ASSERT_TRUE(file->reserve(100000));
  EXPECT_EQ(*file->size(), 100000);
  const Result<void> much = file->reserve(std::int64_t{ 1 } << 60);
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().code, ErrorCode::CannotWrite);
  EXPECT_NE(much.error().sys_errno, 0);
}

TEST(DirectWrites, TakesOnlyWhatIsAligned)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("direct");
  ASSERT_TRUE(File::create(path));
  alignas(4096) std::array<std::byte, 8192> values{};
  values.fill(std::byte{ 7 });
  EXPECT_FALSE(DirectWrites().take(values.data(), 4096, 0));
  EXPECT_FALSE(DirectWrites::to(folder.file("nothing")).take(values.data(), 4096, 0));
  const DirectWrites direct = DirectWrites::to(path);
  if (const Result<DirectLimits> limits = direct_limits(path); !limits)
  {
    EXPECT_FALSE(direct.take(values.data(), 4096, 0));
    GTEST_SKIP() << limits.error().describe();
  }
  EXPECT_TRUE(direct.take(values.data(), 4096, 4096));
  EXPECT_FALSE(direct.take(values.data() + 1, 4096, 0));
  EXPECT_FALSE(direct.take(values.data(), 4095, 0));
  EXPECT_FALSE(direct.take(values.data(), 4096, 1));
  ASSERT_TRUE(direct.write(values.data(), 8192, 4096));
  std::array<std::byte, 8192> back{};
  const Result<File> file = File::open(path, File::Mode::Read);
  ASSERT_TRUE(file && file->pread_full(back.data(), 8192, 4096));
  EXPECT_EQ(back, values);
}

TEST(File, ReadsDirectlyWithinTheLimitsItNames)
{
  const TemporaryFolder folder;
  write_bytes(folder.file("a"), std::vector<char>(65536, 'd'));
  const Result<DirectLimits> limits = direct_limits(folder.file("a"));
  if (!limits)
  {
    EXPECT_EQ(limits.error().code, ErrorCode::Unsupported);
    GTEST_SKIP() << limits.error().describe();
  }
  EXPECT_GT(limits->memory, 0);
  const auto bytes = static_cast<std::size_t>(std::max(limits->memory, limits->offset));
  const std::unique_ptr<void, void (*)(void*)> buffer(std::aligned_alloc(bytes, bytes), std::free);
  const Result<File> file = File::open(folder.file("a"), File::Mode::ReadDirect);
  ASSERT_TRUE(file->pread_full(buffer.get(), limits->offset, limits->offset));
  EXPECT_EQ(static_cast<const char*>(buffer.get())[limits->offset - 1], 'd');
}

} // namespace rivulet
