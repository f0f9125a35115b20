// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A read engine that answers when the test says so, and a source of reads that does nothing but the least.
///
///     Script script;
///     source.cache.start(std::make_unique<PlainReads>(script), std::make_unique<ScriptedEngine>(script));
///     script.wait_until_submitted(1);
///     script.answer();
#pragma once

#include "Core/Store/FetchedUnderTest.h"

#include <chrono>
#include <functional>
#include <limits>
#include <optional>

namespace rivulet::test
{

/// What the test and the fetcher's engine share: the engine is the fetcher's own, and goes with it.
class Script
{
public:
  // The engine's side.
  void submit(FileRead& read)
  {
    const std::lock_guard lock(mutex_);
    ++submitted_;
    most_ = std::max(most_, submitted_ - answered_);
    under_way_.push_back(&read);
    changed_.notify_all();
  }
  void wait(std::vector<ReadAnswer>& answers, bool may_sleep)
  {
    std::unique_lock lock(mutex_);
    if (may_sleep && !woken_ && answers_.empty())
    {
      ++slept_;
      changed_.notify_all();
      const bool in_time = changed_.wait_for(lock, kFarTooLong, [&] { return woken_ || !answers_.empty(); });
      overslept_ += in_time ? 0 : 1;
    }
    woken_ = false;
    answers.insert(answers.end(), answers_.begin(), answers_.end());
    answers_.clear();
  }
  void wake()
  {
    std::function<void()> act;
    {
      const std::lock_guard lock(mutex_);
      woken_ = true;
      ++wakes_;
      act = std::exchange(at_wake, nullptr);
      changed_.notify_all();
    }
    if (act)
    {
      act();
    }
  }

  // The test's.
  void answer(std::int64_t result = kSlot)
  {
    const std::lock_guard lock(mutex_);
    answers_.push_back({ under_way_.front(), result });
    under_way_.pop_front();
    ++answered_;
    changed_.notify_all();
  }
  void wait_until_submitted(int count)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return submitted_ >= count; });
  }
  /// Until the fetcher's thread has gone to sleep so often.
  void wait_until_asleep(int times)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return slept_ >= times; });
  }
  void wait_until_woken(int times)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return wakes_ >= times; });
  }
  [[nodiscard]] int submitted()
  {
    const std::lock_guard lock(mutex_);
    return submitted_;
  }
  [[nodiscard]] int most() const { return most_; }
  /// How often nobody woke the thread though there was something to do, or nothing at all for a very long time.
  [[nodiscard]] int overslept()
  {
    const std::lock_guard lock(mutex_);
    return overslept_;
  }
  /// Nobody will sleep any more: who waits for that goes on.
  void end()
  {
    const std::lock_guard lock(mutex_);
    slept_ = std::numeric_limits<int>::max();
    changed_.notify_all();
  }

  int depth = 3;
  std::function<void()> at_nothing; ///< once, on the fetcher's thread, when it found nothing to read
  std::function<void()> at_wake;    ///< once, on the thread that wakes; set before the fetcher starts

private:
  static constexpr std::chrono::seconds kFarTooLong{ 20 };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<FileRead*> under_way_;
  std::vector<ReadAnswer> answers_;
  bool woken_ = false;
  int submitted_ = 0;
  int answered_ = 0;
  int most_ = 0;
  int slept_ = 0;
  int overslept_ = 0;
  int wakes_ = 0;
};

class ScriptedEngine final : public ReadEngine
{
public:
  explicit ScriptedEngine(Script& script)
    : script_(script)
  {
  }
  [[nodiscard]] std::string name() const override { return "a script"; }
  [[nodiscard]] int depth() const override { return script_.depth; }
  void submit(FileRead& read) override { script_.submit(read); }
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override
  {
    script_.wait(answers, most.count() > 0);
  }
  void wake() override { script_.wake(); }

private:
  Script& script_;
};

/// One read for each brick.
class PlainReads final : public BrickReads
{
public:
  explicit PlainReads(Script& script)
    : script_(script)
  {
  }
  bool start(BrickFetcher& fetcher) override
  {
    const std::optional<WantedBrick> brick = fetcher.take_best();
    if (!brick)
    {
      if (const auto act = std::exchange(script_.at_nothing, nullptr))
      {
        act();
      }
      return false;
    }
    Slot* slot = fetcher.begin(*brick);
    if (slot == nullptr)
    {
      fetcher.wait_for_slot(*brick);
      return false;
    }
    reads_.push_back(std::make_unique<Read>(*brick, *slot));
    reads_.back()->parts = { { slot->data, kSlot } };
    fetcher.submit(*reads_.back());
    return true;
  }
  void answer(BrickFetcher& fetcher, const ReadAnswer& answered) override
  {
    const auto& read = *static_cast<Read*>(answered.read);
    fetcher.finish(read.brick, read.slot, fill(read.brick.key.index, read.slot.data, answered.result > 0));
    std::erase_if(reads_, [&](const auto& each) { return each.get() == &read; });
  }
  void end(BrickFetcher&) override { EXPECT_TRUE(reads_.empty()); }

private:
  struct Read : FileRead
  {
    Read(const WantedBrick& of, Slot& to)
      : brick(of)
      , slot(to)
    {
    }
    WantedBrick brick;
    Slot& slot;
  };
  Script& script_;
  std::vector<std::unique_ptr<Read>> reads_;
};

} // namespace rivulet::test
