// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ranks that are threads of one process, for tests of what ranks do together.
///
///     ThreadRanks ranks(3);
///     ranks.run([&](RankLink& link) { ... link.rank() ... });
///
/// Messages arrive after a random time, each pair's in their order. With `faults`, some calls fail for lack of memory.
#pragma once

#include "Parallel/RankLink.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <random>
#include <thread>

namespace rivulet::test
{

class ThreadRanks
{
public:
  /// `faults`: the share of calls that throw std::bad_alloc.
  explicit ThreadRanks(int size, double faults = 0.0)
    : boxes_(static_cast<std::size_t>(size))
  {
    for (int rank = 0; rank < size; ++rank)
    {
      links_.push_back(std::make_unique<Link>(*this, rank, faults));
    }
  }

  /// Calls `work` for each rank, each on a thread of its own, and returns when all have returned.
  void run(const std::function<void(RankLink&)>& work)
  {
    std::vector<std::jthread> threads;
    for (const std::unique_ptr<Link>& link : links_)
    {
      threads.emplace_back([&work, &link] { work(*link); });
    }
  }

  /// Whether no message is left.
  [[nodiscard]] bool quiet() const
  {
    return std::all_of(boxes_.begin(), boxes_.end(), [](const Box& box) { return box.messages.empty(); });
  }

private:
  struct Box
  {
    std::mutex mutex;
    std::deque<RankMessage> messages;
  };

  class Link final : public RankLink
  {
  public:
    Link(ThreadRanks& ranks, int rank, double faults)
      : ranks_(ranks)
      , rank_(rank)
      , faults_(faults)
      , random_(static_cast<unsigned>(rank) + 1)
    {
    }
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return static_cast<int>(ranks_.boxes_.size()); }

    void send(int to, std::vector<std::byte> bytes) override
    {
      fail_sometimes();
      Box& box = ranks_.boxes_[static_cast<std::size_t>(to)];
      const std::lock_guard lock(box.mutex);
      unsent_ += static_cast<std::int64_t>(bytes.size());
      box.messages.push_back({ rank_, std::move(bytes) });
    }
    [[nodiscard]] std::int64_t unsent() const override { return unsent_; }
    [[nodiscard]] std::optional<RankMessage> receive() override
    {
      fail_sometimes();
      Box& box = ranks_.boxes_[static_cast<std::size_t>(rank_)];
      const std::lock_guard lock(box.mutex);
      if (box.messages.empty() || random_() % 4 == 0)
      {
        return {};
      }
      RankMessage message = std::move(box.messages.front());
      box.messages.pop_front();
      ranks_.links_[static_cast<std::size_t>(message.from)]->unsent_ -= static_cast<std::int64_t>(message.bytes.size());
      return message;
    }

  private:
    void fail_sometimes()
    {
      if (std::uniform_real_distribution<double>()(random_) < faults_)
      {
        throw std::bad_alloc();
      }
    }

    ThreadRanks& ranks_;
    int rank_;
    double faults_;
    std::atomic<std::int64_t> unsent_{ 0 };
    std::mt19937 random_;
  };

  std::vector<Box> boxes_;
  std::vector<std::unique_ptr<Link>> links_;
};

} // namespace rivulet::test
