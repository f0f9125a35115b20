// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads that a service answers, with services that fail in every way. The bytes are those of the file always.
#include "Io/Service/ServiceReads.h"
#include "Support/TemporaryFolder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <semaphore>
#include <unistd.h>

namespace rivulet::test
{
namespace
{

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr std::size_t kPiece = 8192;
constexpr std::size_t kPieces = 64;

/// What several connections share, and the way in which they fail.
struct Server
{
  std::mutex mutex;
  std::map<std::string, std::vector<std::byte>> values;
  std::function<void(std::vector<std::byte>&)> change; ///< of values on their way to a client
  std::chrono::milliseconds delay{ 0 };
  std::atomic<bool> silent{ false }; ///< get() ends by interrupt() alone
  std::atomic<bool> silent_puts{ false };
  std::atomic<bool> full{ false };
  std::atomic<bool> gone{ false };
  std::atomic<int> dies_after{ 1000000 }; ///< calls of get()
  std::atomic<int> connections{ 0 };
};

class Client final : public ByteService
{
public:
  explicit Client(Server& server)
    : server_(server)
  {
    ++server_.connections;
  }

  Result<void> get(std::span<const std::string> keys, const Take& take) override
  {
    std::this_thread::sleep_for(server_.delay);
    if (server_.silent)
    {
      interrupted_.acquire();
    }
    if (server_.silent || server_.dies_after.fetch_sub(1) <= 0)
    {
      return fail(ErrorCode::CannotRead, "the service does not answer: as the test asks");
    }
    const std::lock_guard lock(server_.mutex);
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
      if (const auto found = server_.values.find(keys[i]); found != server_.values.end())
      {
        std::vector<std::byte> value = found->second;
        if (server_.change)
        {
          server_.change(value);
        }
        take(i, value);
      }
    }
    return {};
  }

  Result<Refused> put(std::span<const Value> values) override
  {
    if (server_.silent_puts)
    {
      interrupted_.acquire();
      return fail(ErrorCode::CannotRead, "the service does not answer: as the test asks");
    }
    if (server_.full)
    {
      return Refused{ static_cast<std::int64_t>(values.size()), "OOM" };
    }
    const std::lock_guard lock(server_.mutex);
    for (const Value& value : values)
    {
      server_.values[value.key] = value.bytes;
    }
    return Refused{};
  }

  void interrupt() override { interrupted_.release(); }

private:
  Server& server_;
  std::counting_semaphore<1000> interrupted_{ 0 };
};

/// Counts the reads of a file, and delays them.
class CountedReads final : public ReadEngine
{
public:
  CountedReads(std::unique_ptr<ReadEngine> engine, std::atomic<int>& reads, std::chrono::milliseconds delay)
    : engine_(std::move(engine))
    , reads_(reads)
    , delay_(delay)
  {
  }
  std::string name() const override { return engine_->name(); }
  int depth() const override { return engine_->depth(); }
  void submit(FileRead& read) override
  {
    ++reads_;
    std::this_thread::sleep_for(delay_);
    engine_->submit(read);
  }
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override { engine_->wait(most, answers); }
  void wake() override { engine_->wake(); }

private:
  std::unique_ptr<ReadEngine> engine_;
  std::atomic<int>& reads_;
  std::chrono::milliseconds delay_;
};

class Reading : public testing::Test
{
protected:
  Reading()
  {
    std::mt19937 random(1);
    content_.resize(kPieces * kPiece + 100);
    std::generate(content_.begin(), content_.end(), [&] { return static_cast<char>(random()); });
    std::ofstream(path_, std::ios::binary).write(content_.data(), static_cast<std::streamsize>(content_.size()));
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  }
  ~Reading() override { ::close(descriptor_); }

  std::unique_ptr<ServiceReads> engine(std::int64_t memory = 4 << 20)
  {
    counts_ = std::make_shared<ServiceCounts>();
    return std::make_unique<ServiceReads>(
        std::make_unique<CountedReads>(open_read_engine({ descriptor_ }, EngineChoice::Threads), reads_, file_delay_),
        [this]() -> Result<std::unique_ptr<ByteService>>
        {
          if (server_.gone)
          {
            return fail(ErrorCode::CannotRead, "the service cannot be reached: as the test asks");
          }
          return std::make_unique<Client>(server_);
        },
        memory, counts_);
  }

  /// Reads each piece by itself, a few at a time, and compares. Returns the number of reads of the file.
  int read_pieces(ReadEngine& engine, std::size_t first = 0, std::size_t last = kPieces, std::uint64_t contents = 5)
  {
    reads_ = 0;
    for (std::size_t piece = first; piece < last; piece += 4)
    {
      std::vector<std::vector<char>> memory(4, std::vector<char>(kPiece));
      std::vector<FileRead> reads(4);
      for (std::size_t i = 0; i < 4; ++i)
      {
        reads[i].contents = contents;
        reads[i].offset = static_cast<std::int64_t>((piece + i) * kPiece);
        reads[i].parts = { { memory[i].data(), kPiece } };
        engine.submit(reads[i]);
      }
      for (const ReadAnswer& answer : answers_of(engine, 4))
      {
        EXPECT_EQ(answer.result, static_cast<std::int64_t>(kPiece));
      }
      for (std::size_t i = 0; i < 4; ++i)
      {
        EXPECT_TRUE(std::equal(memory[i].begin(), memory[i].end(), content_.begin() + reads[i].offset)) << piece + i;
      }
    }
    return reads_;
  }

  static std::vector<ReadAnswer> answers_of(ReadEngine& engine, std::size_t count)
  {
    std::vector<ReadAnswer> answers;
    const auto start = std::chrono::steady_clock::now();
    while (answers.size() < count && std::chrono::steady_clock::now() - start < 20s)
    {
      engine.wait(100ms, answers);
    }
    EXPECT_EQ(answers.size(), count);
    return answers;
  }

  /// Lets runs give all pieces to the service. On a busy machine a run can be over before it has its connection.
  void fill()
  {
    const auto start = std::chrono::steady_clock::now();
    while (values() < kPieces && std::chrono::steady_clock::now() - start < 20s)
    {
      read_pieces(*connected());
    }
    ASSERT_EQ(values(), kPieces);
  }

  std::size_t values()
  {
    const std::lock_guard lock(server_.mutex);
    return server_.values.size();
  }

  /// The same, when no more of them come.
  std::size_t settled_values()
  {
    std::size_t before = 0;
    do
    {
      before = values();
      std::this_thread::sleep_for(50ms);
    } while (values() != before);
    return before;
  }

  /// An engine that has its connection.
  std::unique_ptr<ServiceReads> connected(std::int64_t memory = 4 << 20)
  {
    auto made = engine(memory);
    const int before = server_.connections;
    for (int turn = 0; turn < 1000 && server_.connections == before; ++turn)
    {
      read_pieces(*made, 0, 4);
      std::this_thread::sleep_for(1ms);
    }
    std::this_thread::sleep_for(20ms);
    read_pieces(*made, 0, 8);
    return made;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("bytes");
  std::vector<char> content_;
  int descriptor_ = -1;
  std::atomic<int> reads_{ 0 };
  std::chrono::milliseconds file_delay_{ 0 };
  std::shared_ptr<ServiceCounts> counts_;
  Server server_; ///< outlives the engines
};

TEST_F(Reading, OfOneRunServesTheNext)
{
  fill();
  file_delay_ = 10ms; // else the file is faster where threads wait for a core
  const auto next = connected();
  EXPECT_LE(read_pieces(*next), 2) << "but for those that tell how long the file takes";
  EXPECT_GE(counts_->found.load(), 62);
  EXPECT_EQ(counts_->trouble(), "");
}

TEST_F(Reading, OfSeveralPiecesTakesEachFromItsKey)
{
  fill();
  file_delay_ = 10ms; // else the file is faster where threads wait for a core
  const auto next = connected();
  std::vector<char> memory(2 * kPiece);
  FileRead read;
  read.contents = 5;
  read.offset = 3 * kPiece;
  read.parts = { { memory.data(), kPiece }, { nullptr, 3 * kPiece }, { memory.data() + kPiece, kPiece } };
  reads_ = 1;
  for (int turn = 0; turn < 20 && reads_ > 0; ++turn) // one read may tell how long the file takes
  {
    reads_ = 0;
    next->submit(read);
    EXPECT_EQ(answers_of(*next, 1).front().result, static_cast<std::int64_t>(5 * kPiece));
    EXPECT_TRUE(std::equal(memory.begin(), memory.begin() + kPiece, content_.begin() + 3 * kPiece));
    EXPECT_TRUE(std::equal(memory.begin() + kPiece, memory.end(), content_.begin() + 7 * kPiece));
  }
  EXPECT_EQ(reads_, 0);
}

TEST_F(Reading, OfSmallPiecesAndUnknownFilesAsksNoService)
{
  const auto made = connected();
  const std::size_t before = settled_values();
  std::vector<char> memory(kPiece);
  FileRead read;
  read.contents = 5;
  read.parts = { { memory.data(), kPiece - 100 }, { memory.data(), 100 } };
  made->submit(read);
  EXPECT_EQ(answers_of(*made, 1).front().result, static_cast<std::int64_t>(kPiece));
  EXPECT_EQ(read_pieces(*made, 0, kPieces, 0), static_cast<int>(kPieces));
  EXPECT_EQ(settled_values(), before);
}

TEST_F(Reading, AtTheEndOfTheFileKeepsWholePiecesOnly)
{
  const auto made = connected();
  const std::size_t before = settled_values();
  std::vector<char> memory(kPiece);
  for (int turn = 0; turn < 2; ++turn)
  {
    FileRead read;
    read.contents = 5;
    read.offset = kPieces * kPiece;
    read.parts = { { memory.data(), kPiece } };
    made->submit(read);
    EXPECT_EQ(answers_of(*made, 1).front().result, 100);
  }
  EXPECT_EQ(settled_values(), before);
}

TEST_F(Reading, OfAFileThatHasChangedFindsNothing)
{
  fill();
  const auto next = connected();
  EXPECT_EQ(read_pieces(*next, 0, kPieces, 6), static_cast<int>(kPieces));
}

TEST_F(Reading, TakesNoWrongValue)
{
  fill();
  const std::vector<std::function<void(std::vector<std::byte>&)>> changes{
    [](auto& value) { value[17] ^= std::byte{ 1 }; }, [](auto& value) { value.pop_back(); },
    [](auto& value) { value.clear(); }, [](auto& value) { value.resize(100 << 20); },
    [this](auto& value) { value = server_.values.begin()->second; }, // of another key
  };
  for (const auto& change : changes)
  {
    const auto next = connected();
    {
      const std::lock_guard lock(server_.mutex);
      server_.change = change;
    }
    EXPECT_GE(read_pieces(*next, 16, 32), 15);
    const std::lock_guard lock(server_.mutex);
    server_.change = {};
  }
}

TEST_F(Reading, DoesWithoutAServiceThatIsGone)
{
  server_.gone = true;
  const auto made = engine();
  EXPECT_EQ(read_pieces(*made), static_cast<int>(kPieces));
  for (int turn = 0; turn < 1000 && counts_->trouble().empty(); ++turn)
  {
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_THAT(counts_->trouble(), HasSubstr("cannot be reached"));
}

TEST_F(Reading, DoesWithoutAServiceThatDies)
{
  fill();
  file_delay_ = 10ms; // else the file is faster where threads wait for a core
  const auto next = connected();
  server_.dies_after = 3;
  server_.gone = true;
  EXPECT_GE(read_pieces(*next), 40);
  EXPECT_THAT(counts_->trouble(), HasSubstr("does not answer"));
}

TEST_F(Reading, DoesNotWaitForAServiceThatIsSilent)
{
  fill();
  const auto next = connected();
  server_.silent = true;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(read_pieces(*next), static_cast<int>(kPieces));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST_F(Reading, DoesNotWaitForAServiceThatTakesNoValues)
{
  server_.silent_puts = true;
  const auto start = std::chrono::steady_clock::now();
  {
    const auto made = connected();
    EXPECT_EQ(read_pieces(*made), static_cast<int>(kPieces));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 8s);
  EXPECT_EQ(values(), 0U);
}

TEST_F(Reading, AsksAServiceThatIsFullButGivesItNothing)
{
  fill();
  {
    const std::lock_guard lock(server_.mutex);
    server_.values.erase(std::next(server_.values.begin(), 20), server_.values.end());
  }
  server_.full = true;
  file_delay_ = 10ms; // as above
  const auto next = connected();
  read_pieces(*next);
  read_pieces(*next);
  EXPECT_GE(counts_->found.load(), 30);
  EXPECT_EQ(counts_->kept.load(), 0);
  EXPECT_THAT(counts_->trouble(), HasSubstr("OOM"));
}

TEST_F(Reading, LeavesAServiceAloneThatIsSlowerThanTheFile)
{
  fill();
  const auto next = connected();
  read_pieces(*next, 0, kPieces, 6); // to know the file's time: 64 reads
  server_.delay = 30ms;
  read_pieces(*next);
  EXPECT_THAT(counts_->trouble(), HasSubstr("slower than the file"));
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(read_pieces(*next), static_cast<int>(kPieces));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
}

TEST_F(Reading, KeepsToItsMemory)
{
  const auto made = connected(4 * kPiece); // room for one piece with its hash
  read_pieces(*made);
  EXPECT_GT(counts_->dropped.load(), 0);
  const auto none = connected(kPiece);
  const std::size_t before = settled_values();
  EXPECT_EQ(read_pieces(*none), static_cast<int>(kPieces));
  EXPECT_EQ(settled_values(), before);
}

} // namespace
} // namespace rivulet::test
