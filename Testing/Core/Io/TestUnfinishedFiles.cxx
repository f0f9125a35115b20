// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/TemporaryPlace.h"
#include "Io/Writes/UnfinishedFiles.h"
#include "Support/TemporaryFolder.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace rivulet::test
{

namespace
{

namespace fs = std::filesystem;

constexpr int kMostFiles = 64;
constexpr std::size_t kMostBytes = 4095; ///< of a path
constexpr int kRemoved = 3;              ///< exit status

void remove_and_leave(int)
{
  remove_unfinished_files();
  std::_Exit(kRemoved);
}

class Unfinished : public testing::Test
{
protected:
  /// A file that is remembered until the test ends.
  std::string begin(const std::string& name)
  {
    const std::string path = folder_.file(name);
    std::ofstream(path) << "begun";
    remember(path);
    return path;
  }
  void remember(const std::string& path)
  {
    EXPECT_TRUE(add_unfinished_file(path)) << path;
    remembered_.push_back(path);
  }
  void TearDown() override
  {
    for (const std::string& path : remembered_)
    {
      forget_unfinished_file(path);
    }
  }

  TemporaryFolder folder_;

private:
  std::vector<std::string> remembered_;
};

} // namespace

TEST_F(Unfinished, FilesAreRemovedAndOthersStay)
{
  const std::string first = begin("first");
  const std::string second = begin("second");
  const std::string finished = begin("finished");
  forget_unfinished_file(finished);
  remove_unfinished_files();
  EXPECT_FALSE(fs::exists(first));
  EXPECT_FALSE(fs::exists(second));
  EXPECT_TRUE(fs::exists(finished));
}

TEST_F(Unfinished, FoldersAreRemovedWithTheirUnfinishedFilesAndNothingElse)
{
  for (const char* name : { "empty", "with mine", "with theirs" })
  {
    fs::create_directory(folder_.file(name));
    remember(folder_.file(name)); // before the files in it
  }
  begin("with mine/values");
  std::ofstream(folder_.file("with theirs") + "/notes") << "of a user";
  remove_unfinished_files();
  EXPECT_FALSE(fs::exists(folder_.file("empty")));
  EXPECT_FALSE(fs::exists(folder_.file("with mine")));
  EXPECT_TRUE(fs::exists(folder_.file("with theirs/notes")));
}

TEST_F(Unfinished, LinksAreRemovedAndNotWhatTheyLeadTo)
{
  std::ofstream(folder_.file("theirs")) << "of a user";
  fs::create_symlink("theirs", folder_.file("link"));
  remember(folder_.file("link"));
  remove_unfinished_files();
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder_.file("link"))));
  EXPECT_TRUE(fs::exists(folder_.file("theirs")));
}

TEST_F(Unfinished, FilesAreRememberedUpToALimit)
{
  for (int file = 0; file < kMostFiles; ++file)
  {
    remember(folder_.file(std::to_string(file)));
  }
  EXPECT_FALSE(add_unfinished_file(folder_.file("one more")));
  forget_unfinished_file(folder_.file("17"));
  remember(folder_.file("one more"));
  EXPECT_FALSE(add_unfinished_file(folder_.file("yet another")));
}

TEST_F(Unfinished, FilesOfVeryLongPathsAreNotRememberedInPart)
{
  const std::string longest = "/" + std::string(kMostBytes - 1, 'n');
  remember(longest);
  EXPECT_FALSE(add_unfinished_file(longest + "n"));
}

/// Without leaks in the table, all its places are free in the end.
TEST_F(Unfinished, FilesOfManyThreadsAreRememberedAndForgotten)
{
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          for (int time = 0; time < 200; ++time)
          {
            const std::string path = folder_.file(std::to_string(thread) + "-" + std::to_string(time));
            EXPECT_TRUE(add_unfinished_file(path));
            forget_unfinished_file(path);
          }
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  for (int file = 0; file < kMostFiles; ++file)
  {
    remember(folder_.file(std::to_string(file)));
  }
}

TEST_F(Unfinished, PlacesGoWithTheProcessThatASignalEnds)
{
  const auto interrupted = [&]
  {
    const Result<TemporaryPlace> file = TemporaryPlace::file(folder_.file("flow.rvf"));
    const Result<TemporaryPlace> place = TemporaryPlace::folder(folder_.file("flow.rvs"));
    if (!file || !place || std::distance(fs::directory_iterator(folder_.path()), {}) != 2)
    {
      std::_Exit(1);
    }
    std::signal(SIGTERM, remove_and_leave);
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(interrupted(), testing::ExitedWithCode(kRemoved), "");
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

} // namespace rivulet::test
