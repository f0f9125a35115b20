// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/ReadEngine.h"
#include "Support/LoweredLimit.h"
#include "Support/TemporaryFolder.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

using namespace std::chrono_literals;

constexpr std::int64_t kBytes = 1 << 20;

char byte_at(std::int64_t offset)
{
  return static_cast<char>(offset * 7 + offset / 251);
}

class ReadEngines : public testing::TestWithParam<EngineChoice>
{
protected:
  ReadEngines()
  {
    std::ofstream file(path_, std::ios::binary);
    for (std::int64_t i = 0; i < kBytes; ++i)
    {
      file.put(byte_at(i));
    }
    file.close();
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    engine_ = open_read_engine(GetParam());
  }
  ~ReadEngines() override
  {
    engine_.reset();
    ::close(descriptor_);
  }

  std::vector<ReadAnswer> wait_for(std::size_t count)
  {
    std::vector<ReadAnswer> answers;
    for (int turn = 0; answers.size() < count && turn < 1000; ++turn)
    {
      engine_->wait(100ms, answers);
    }
    return answers;
  }

  [[nodiscard]] FileRead read_of(std::int64_t offset, std::vector<iovec> parts) const
  {
    FileRead read;
    read.descriptor = descriptor_;
    read.offset = offset;
    read.parts = std::move(parts);
    return read;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("bytes");
  int descriptor_ = -1;
  std::unique_ptr<ReadEngine> engine_;
};

} // namespace

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY
TEST_P(ReadEngines, KeepAnswersThatThereIsNoMemoryFor)
{
  std::array<char, 4> bytes{};
  FileRead read = read_of(8, { { bytes.data(), bytes.size() } });
  engine_->submit(read);
  std::vector<ReadAnswer> answers((std::size_t{ 64 } << 20) / sizeof(ReadAnswer)); // the next one needs 128 MiB at once
  answers.shrink_to_fit();
  const std::size_t before = answers.size();
  {
    const LoweredLimit little(RLIMIT_AS, memory_and(32 << 20));
    for (int turn = 0; turn < 20; ++turn)
    {
      engine_->wait(10ms, answers);
    }
    EXPECT_EQ(answers.size(), before);
  }
  for (int turn = 0; turn < 100 && answers.size() == before; ++turn)
  {
    engine_->wait(100ms, answers);
  }
  ASSERT_EQ(answers.size(), before + 1);
  EXPECT_EQ(answers.back().read, &read);
  EXPECT_EQ(answers.back().result, 4);
}
#endif

TEST_P(ReadEngines, BringTheBytesAskedFor)
{
  std::array<char, 1000> bytes{};
  FileRead read = read_of(12345, { { bytes.data(), bytes.size() } });
  engine_->submit(read);
  const std::vector<ReadAnswer> answers = wait_for(1);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].read, &read);
  EXPECT_EQ(answers[0].result, 1000);
  EXPECT_EQ(bytes.front(), byte_at(12345));
  EXPECT_EQ(bytes.back(), byte_at(13344));
}

TEST_P(ReadEngines, ForgetWhatHasNoPlaceToGo)
{
  std::array<char, 100> first{};
  std::array<char, 100> last{};
  FileRead read = read_of(50, { { first.data(), 100 }, { nullptr, 20000 }, { last.data(), 100 } });
  engine_->submit(read);
  const std::vector<ReadAnswer> answers = wait_for(1);
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].result, 20200);
  EXPECT_EQ(first[99], byte_at(149));
  EXPECT_EQ(last[0], byte_at(20150));
}

TEST_P(ReadEngines, AnswerEveryReadOnce)
{
  const auto depth = static_cast<std::size_t>(engine_->depth());
  std::vector<std::array<char, 512>> memory(depth);
  std::vector<FileRead> reads;
  for (std::size_t i = 0; i < depth; ++i)
  {
    reads.push_back(read_of(static_cast<std::int64_t>(1000 * i), { { memory[i].data(), 512 } }));
  }
  for (FileRead& read : reads)
  {
    engine_->submit(read);
  }
  std::vector<int> times(depth, 0);
  for (const ReadAnswer& answer : wait_for(depth))
  {
    EXPECT_EQ(answer.result, 512);
    ++times[static_cast<std::size_t>(answer.read - reads.data())];
  }
  EXPECT_EQ(times, std::vector<int>(depth, 1));
  EXPECT_EQ(memory[depth - 1][3], byte_at(static_cast<std::int64_t>(1000 * (depth - 1) + 3)));
}

TEST_P(ReadEngines, SayHowFarTheyCame)
{
  std::array<char, 4096> bytes{};
  FileRead at_the_end = read_of(kBytes - 100, { { bytes.data(), bytes.size() } });
  engine_->submit(at_the_end);
  EXPECT_EQ(wait_for(1).at(0).result, 100);
  FileRead beyond = read_of(kBytes + 100, { { bytes.data(), bytes.size() } });
  engine_->submit(beyond);
  EXPECT_EQ(wait_for(1).at(0).result, 0);
}

TEST_P(ReadEngines, PassErrorsOn)
{
  const int folder = ::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::array<char, 64> bytes{};
  FileRead read = read_of(0, { { bytes.data(), bytes.size() } });
  read.descriptor = folder;
  engine_->submit(read);
  EXPECT_EQ(wait_for(1).at(0).result, -EISDIR);
  ::close(folder);
}

TEST_P(ReadEngines, WakeFromAnotherThread)
{
  std::vector<ReadAnswer> answers;
  std::jthread other([this] { engine_->wake(); });
  const auto start = std::chrono::steady_clock::now();
  engine_->wait(60s, answers);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  EXPECT_TRUE(answers.empty());
}

TEST_P(ReadEngines, ReturnAfterTheTimeGiven)
{
  std::vector<ReadAnswer> answers;
  engine_->wait(5ms, answers);
  EXPECT_TRUE(answers.empty());
}

INSTANTIATE_TEST_SUITE_P(Choices, ReadEngines, testing::Values(EngineChoice::Best, EngineChoice::Threads),
    [](const auto& choice) { return choice.param == EngineChoice::Best ? "Best" : "Threads"; });

TEST(ReadEngine, SaysWhyThreadsRead)
{
  EXPECT_NE(open_read_engine(EngineChoice::Threads)->name().find("asked for"), std::string::npos);
}

} // namespace rivulet::test
