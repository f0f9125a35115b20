// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/DataFiles.h"
#include "Io/Files/MappedFile.h"
#include "Support/LoweredLimit.h"
#include "Support/TemporaryFolder.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

std::int64_t open_descriptors()
{
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

class ManyDataFiles : public testing::Test
{
protected:
  ManyDataFiles()
  {
    for (int number = 0; number < 300; ++number)
    {
      paths_.push_back(folder_.file(std::to_string(number)));
      std::ofstream(paths_.back()) << number << std::string(16, ' ');
    }
  }

  TemporaryFolder folder_;
  std::vector<std::string> paths_;
};

} // namespace

TEST_F(ManyDataFiles, KeepAShareOfTheDescriptorsForAllFieldsTogether)
{
  const LoweredLimit few(RLIMIT_NOFILE, 200);
  EXPECT_EQ(DataFiles::most_kept(), 50);
  const std::int64_t before = open_descriptors();
  {
    DataFiles one;
    DataFiles two;
    for (int turn = 0; turn < 2; ++turn)
    {
      for (const std::string& path : paths_)
      {
        for (DataFiles* files : { &one, &two })
        {
          const auto file = files->open(path, 8);
          ASSERT_TRUE(file) << file.error().describe();
        }
      }
    }
    EXPECT_EQ(DataFiles::kept(), 50);
    EXPECT_EQ(open_descriptors() - before, 50);
    EXPECT_TRUE(one.health());
  }
  EXPECT_EQ(DataFiles::kept(), 0);
  EXPECT_EQ(open_descriptors(), before);
}

TEST_F(ManyDataFiles, GiveUpTheirsWhereTheProcessHasNoneLeft)
{
  const LoweredLimit few(RLIMIT_NOFILE, 100);
  DataFiles files;
  for (int number = 0; number < 25; ++number)
  {
    ASSERT_TRUE(files.open(paths_[static_cast<std::size_t>(number)], 1));
  }
  std::vector<File> others; // the rest of the program opens files as long as it can
  while (Result<File> file = File::open(paths_[0], File::Mode::Read))
  {
    others.push_back(std::move(*file));
  }
  const Result<File> refused = File::open(paths_[0], File::Mode::Read);
  EXPECT_NE(refused.error().remedy.find("ulimit -n"), std::string::npos) << refused.error().describe();
  const auto file = files.open(paths_[200], 1);
  EXPECT_TRUE(file) << file.error().describe();
}

TEST_F(ManyDataFiles, StayOpenWhileTheyAreHeldOrPinned)
{
  const LoweredLimit few(RLIMIT_NOFILE, 100);
  DataFiles files;
  const auto held = *files.open(paths_[0], 1);
  ASSERT_TRUE(files.open(paths_[1], 1));
  EXPECT_TRUE(files.pin(paths_[1]));
  EXPECT_FALSE(files.pin(paths_[2])) << "it is not open";
  for (const std::string& path : paths_)
  {
    ASSERT_TRUE(files.open(path, 1));
  }
  char byte = 0;
  EXPECT_TRUE(held->read(0, 1, &byte));
  EXPECT_EQ(byte, '0');
  EXPECT_EQ(DataFiles::kept(), 25);
  int pinned = 1;
  for (const std::string& path : paths_)
  {
    ASSERT_TRUE(files.open(path, 1));
    pinned += files.pin(path) ? 1 : 0;
  }
  EXPECT_EQ(pinned - 1, 12) << "half of the share; the first one again";
}

TEST_F(ManyDataFiles, AreOpenedByAnyNumberOfThreads)
{
  const LoweredLimit few(RLIMIT_NOFILE, 200);
  DataFiles files;
  std::vector<std::thread> threads;
  std::atomic<int> wrong{ 0 };
  for (int number = 0; number < 4; ++number)
  {
    threads.emplace_back(
        [&, number]
        {
          for (std::size_t i = 0; i < 3000; ++i)
          {
            const std::string& path = paths_[(i * 7 + static_cast<std::size_t>(number) * 3) % paths_.size()];
            char byte = 0;
            const auto file = files.open(path, 1);
            wrong += file && (*file)->read(0, 1, &byte) && byte == path[path.rfind('/') + 1] ? 0 : 1;
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(wrong.load(), 0);
}

TEST_F(ManyDataFiles, NeedNoDescriptorWhileTheyAreMapped)
{
  static_cast<void>(MappedFile::open(paths_[0])); // what the handler needs once
  const std::int64_t before = open_descriptors();
  std::vector<std::unique_ptr<MappedFile>> mapped;
  for (const std::string& path : paths_)
  {
    mapped.push_back(std::move(*MappedFile::open(path)));
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(static_cast<char>(mapped[299]->data()[0]), '2');
}

} // namespace rivulet::test
