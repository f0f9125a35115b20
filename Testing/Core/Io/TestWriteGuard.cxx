// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/File.h"
#include "Io/Files/WriteGuard.h"
#include "Support/TemporaryFolder.h"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kPageBytes = 4096;

/// Pages of a file of ones, private and read-only, as users get them.
class UserPages
{
public:
  explicit UserPages(std::int64_t pages)
    : bytes_(pages * kPageBytes)
  {
    const std::string path = folder_.file("values");
    std::ofstream(path, std::ios::binary) << std::string(static_cast<std::size_t>(bytes_), '\1');
    const File file = *File::open(path, File::Mode::Read);
    begin_ = ::mmap(nullptr, static_cast<std::size_t>(bytes_), PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  }
  UserPages(const UserPages&) = delete;
  UserPages& operator=(const UserPages&) = delete;
  ~UserPages() { ::munmap(begin_, static_cast<std::size_t>(bytes_)); }

  [[nodiscard]] std::unique_ptr<WriteGuard> guard() const { return WriteGuard::over(begin_, bytes_); }
  [[nodiscard]] int value(std::int64_t offset) const { return static_cast<const volatile char*>(begin_)[offset]; }
  void write(std::int64_t offset, int value) const
  {
    static_cast<volatile char*>(begin_)[offset] = static_cast<char>(value);
  }
  [[nodiscard]] void* begin() const { return begin_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
  TemporaryFolder folder_;
  std::int64_t bytes_;
  void* begin_ = nullptr;
};

} // namespace

TEST(WriteGuard, TakesNoReadForAWrite)
{
  const UserPages pages(4);
  const auto guard = pages.guard();
  ASSERT_TRUE(guard);
  for (std::int64_t offset = 0; offset < pages.bytes(); offset += kPageBytes / 2)
  {
    EXPECT_EQ(pages.value(offset), 1);
  }
  EXPECT_FALSE(guard->written());
}

TEST(WriteGuard, LetsTheFirstWriteSucceedAndAllAfterIt)
{
  const UserPages pages(4);
  const auto guard = pages.guard();
  ASSERT_TRUE(guard);
  pages.write(pages.bytes() - 1, 7); // the very last byte
  EXPECT_TRUE(guard->written());
  pages.write(0, 8);
  EXPECT_EQ(pages.value(pages.bytes() - 1), 7);
  EXPECT_EQ(pages.value(0), 8);
  EXPECT_EQ(pages.value(1), 1);
}

TEST(WriteGuard, TellsWhichOfSeveralMemoriesWasWrittenTo)
{
  const UserPages first(2);
  const UserPages second(2);
  const auto of_first = first.guard();
  const auto of_second = second.guard();
  ASSERT_TRUE(of_first && of_second);
  second.write(kPageBytes, 5);
  EXPECT_FALSE(of_first->written());
  EXPECT_TRUE(of_second->written());
}

TEST(WriteGuard, BeginsAnewWhereOneWasBefore)
{
  const UserPages first(1);
  {
    const auto guard = first.guard();
    ASSERT_TRUE(guard);
    first.write(0, 5);
    ASSERT_TRUE(guard->written());
  }
  const UserPages second(1);
  const auto guard = second.guard(); // takes the place of the one that is gone
  ASSERT_TRUE(guard);
  EXPECT_FALSE(guard->written());
  second.write(0, 6);
  EXPECT_TRUE(guard->written());
}

TEST(WriteGuard, KeepsWrittenPagesWhenTheyAreDropped)
{
  const UserPages pages(3);
  const auto guard = pages.guard();
  ASSERT_TRUE(guard);
  guard->drop(pages.begin(), pages.bytes());
  EXPECT_EQ(pages.value(kPageBytes), 1) << "it comes from the file again";
  pages.write(0, 9);
  guard->drop(pages.begin(), pages.bytes());
  EXPECT_EQ(pages.value(0), 9);
}

/// The system does not ask the handler: the call fails, and nothing has changed.
TEST(WriteGuard, RefusesToBeReadInto)
{
  const UserPages pages(2);
  const auto guard = pages.guard();
  ASSERT_TRUE(guard);
  const TemporaryFolder folder;
  std::ofstream(folder.file("other")) << "other values";
  const File file = *File::open(folder.file("other"), File::Mode::Read);
  const Result<void> read = file.pread_full(pages.begin(), 12, 0);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::CannotRead);
  EXPECT_EQ(read.error().sys_errno, EFAULT);
  EXPECT_FALSE(guard->written());
  EXPECT_EQ(pages.value(0), 1);
}

TEST(WriteGuard, LeavesWritesAloneOnceItIsGone)
{
  const UserPages pages(1);
  const auto write = [&]
  {
    pages.guard().reset();
    pages.write(0, 2);
  };
  EXPECT_DEATH(write(), ""); // by the signal, or by what a sanitizer makes of it
}

TEST(WriteGuard, KeepsTheFirstWritesOfManyThreads)
{
  constexpr int kThreads = 8;
  for (int round = 0; round < 20; ++round)
  {
    const UserPages pages(kThreads);
    const auto guard = pages.guard();
    ASSERT_TRUE(guard);
    std::atomic<int> ready{ 0 };
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread)
    {
      threads.emplace_back(
          [&, thread]
          {
            ++ready;
            while (ready.load() < kThreads)
            {
              std::this_thread::yield();
            }
            pages.write(thread * kPageBytes, 10 + thread);
          });
    }
    for (std::thread& thread : threads)
    {
      thread.join();
    }
    EXPECT_TRUE(guard->written());
    for (int thread = 0; thread < kThreads; ++thread)
    {
      EXPECT_EQ(pages.value(thread * kPageBytes), 10 + thread);
    }
  }
}

/// What was written exists nowhere else, so that no page may be given back once there was a write.
TEST(WriteGuard, LosesNoWriteWhileAnotherThreadDropsPages)
{
  for (int round = 0; round < 30; ++round)
  {
    const UserPages pages(2);
    const auto guard = pages.guard();
    ASSERT_TRUE(guard);
    std::atomic<bool> dropped{ false };
    std::thread dropper(
        [&]
        {
          do
          {
            guard->drop(pages.begin(), pages.bytes());
            dropped.store(true);
          } while (!guard->written());
          guard->drop(pages.begin(), pages.bytes());
        });
    while (!dropped.load())
    {
      std::this_thread::yield();
    }
    pages.write(kPageBytes, 3);
    dropper.join();
    EXPECT_EQ(pages.value(kPageBytes), 3) << round;
  }
}

} // namespace rivulet::test
