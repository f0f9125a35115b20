// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReaderThreads.h"
#include "Core/Amr/MadeDump.h"

#include <cstdlib>
#include <fstream>

namespace rivulet::test
{
namespace
{

TEST(ReaderThreads, AreWhatOthersLeaveSharedAmongTheProcesses)
{
  EXPECT_EQ(threads_by_rule(96, 32, 4), 16);
  EXPECT_EQ(threads_by_rule(96, 0, 1), 96);
  EXPECT_EQ(threads_by_rule(8, 0, 64), 1);
  EXPECT_EQ(threads_by_rule(8, 8, 1), 1);
  EXPECT_EQ(threads_by_rule(8, 9, 1), 1);
}

class ChosenThreads : public testing::Test
{
protected:
  ChosenThreads() { set_table(""); }
  ~ChosenThreads() override { ::unsetenv("RIVULET_STORAGE_TABLE"); }

  void set_table(const std::string& text)
  {
    std::ofstream(folder_.file("table")) << (text.empty() ? "[]" : text);
    ::setenv("RIVULET_STORAGE_TABLE", folder_.file("table").c_str(), 1);
  }

  TemporaryFolder folder_;
};

TEST_F(ChosenThreads, FollowTheTableOfTheSite)
{
  set_table(R"([ { "mount": "/*", "readers": 40, "others": 10 } ])");
  const ThreadChoice choice = choose_threads({ .file = folder_.file("table"), .processes = 3, .most = 16 });
  EXPECT_EQ(choice.threads, 10);
  EXPECT_NE(choice.why.find("40 readers, of which 10 are others, for 3 processes"), std::string::npos) << choice.why;
}

TEST_F(ChosenThreads, AreTheUsualOnesWhereTheTableSaysNothing)
{
  set_table(R"([ { "mount": "/no such place", "readers": 40 } ])");
  const auto chosen = [&](int processes)
  {
    return choose_threads({ .file = folder_.file("table"), .processes = processes, .most = 16 });
  };
  EXPECT_EQ(chosen(1).threads, 16);
  EXPECT_EQ(chosen(8).threads, 8);
  EXPECT_EQ(chosen(1000).threads, 1);
  EXPECT_NE(chosen(8).why.find("up to 8 threads"), std::string::npos) << chosen(8).why;
}

TEST_F(ChosenThreads, DoNotFailWithATableThatIsWrong)
{
  set_table("{");
  const ThreadChoice choice = choose_threads({ .file = folder_.file("table"), .most = 16 });
  EXPECT_EQ(choice.threads, 16);
  EXPECT_NE(choice.why.find("not a JSON list"), std::string::npos) << choice.why;
}

TEST_F(ChosenThreads, AreSaidByTheReader)
{
  const MadeDump made("--variable name=a");
  AmrDump dump = made.open();
  set_table(R"([ { "readers": 3 } ])");
  EXPECT_NE(MadeDump::read(dump, {}).statistics.threads_because.find("3 readers"), std::string::npos);
  EXPECT_EQ(MadeDump::read(dump, { .threads = 2 }).statistics.threads_because, "");
}

} // namespace
} // namespace rivulet::test
