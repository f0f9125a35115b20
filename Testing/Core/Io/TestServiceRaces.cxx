// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A service that fails at the moment when a value is on its way to it.
#include "Io/Reads/ReadEngine.h"
#include "Io/Service/ServiceReads.h"
#include "Support/SyncPoints.h"

#include <atomic>
#include <gtest/gtest.h>
#include <semaphore>
#include <thread>

namespace rivulet::test
{
namespace
{

using namespace std::chrono_literals;

constexpr std::int64_t kPiece = 8192;

/// Has no value, and takes each until it is armed: the next call then lasts until it is told to fail.
class FailingService final : public ByteService
{
public:
  FailingService(std::atomic<bool>& armed, std::binary_semaphore& puts, std::binary_semaphore& fails)
    : armed_(armed)
    , puts_(puts)
    , fails_(fails)
  {
  }

  Result<void> get(std::span<const std::string>, const Take&) override { return {}; }
  Result<Refused> put(std::span<const Value>) override
  {
    if (!armed_)
    {
      return Refused{};
    }
    puts_.release();
    fails_.acquire();
    return fail(ErrorCode::CannotRead, "the service has ended: as the test asks");
  }
  void interrupt() override {}

private:
  std::atomic<bool>& armed_;
  std::binary_semaphore& puts_;
  std::binary_semaphore& fails_;
};

/// Answers all reads at once.
class NoFile final : public ReadEngine
{
public:
  void submit(FileRead& read) override { answers_.push_back({ &read, kPiece }); }
  void wait(std::chrono::milliseconds, std::vector<ReadAnswer>& answers) override
  {
    std::this_thread::sleep_for(1ms);
    answers.insert(answers.end(), answers_.begin(), answers_.end());
    answers_.clear();
  }
  void wake() override {}
  [[nodiscard]] std::string name() const override { return "no file"; }
  [[nodiscard]] int depth() const override { return 1; }

private:
  std::vector<ReadAnswer> answers_;
};

void read_piece(ReadEngine& engine, std::int64_t number)
{
  std::vector<char> memory(kPiece);
  FileRead read;
  read.contents = 5;
  read.offset = number * kPiece;
  read.parts = { { memory.data(), static_cast<std::size_t>(kPiece) } };
  engine.submit(read);
  std::vector<ReadAnswer> answers;
  while (answers.empty())
  {
    engine.wait(10ms, answers);
  }
  EXPECT_EQ(answers.front().result, kPiece);
}

TEST(ServiceRaces, AServiceThatFailsWhileAValueIsCopiedGetsNone)
{
  std::atomic<bool> armed{ false };
  std::binary_semaphore puts{ 0 };
  std::binary_semaphore fails{ 0 };
  const auto counts = std::make_shared<ServiceCounts>();
  ServiceReads reads(
      std::make_unique<NoFile>(),
      [&]() -> Result<std::unique_ptr<ByteService>> { return std::make_unique<FailingService>(armed, puts, fails); },
      1 << 20, counts);
  for (std::int64_t piece = 0; piece < 63; ++piece)
  {
    armed = piece == 62;
    read_piece(reads, piece);
  }
  ASSERT_TRUE(puts.try_acquire_for(10s));

  const AtSyncPoint at("ServiceReads::keep: has copied",
      [&]
      {
        fails.release();
        while (counts->trouble().empty())
        {
          std::this_thread::sleep_for(1ms);
        }
      });
  read_piece(reads, 63);             // the 64th read goes to the file without asking
  std::this_thread::sleep_for(20ms); // for the thread of the service
  EXPECT_NE(counts->trouble(), "");
}

} // namespace
} // namespace rivulet::test
