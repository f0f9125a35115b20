// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The answers of a source to requests of one thread, which that thread takes when it likes, rather than being called
/// on threads of the source.
///
///     BrickAnswers answers(source);
///     if (!answers.ask(key)) ... later ...              // no memory now
///     while (auto answer = answers.take()) ...
///     answers.wait();                                    // until take() has an answer
///
/// Threads: one asks, takes and waits. The destructor waits for requests without an answer. The source must outlive
/// this.
#pragma once

#include "Store/Source/BrickSource.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

namespace rivulet
{

class BrickAnswers final : public BrickWaiter
{
public:
  explicit BrickAnswers(BrickSource& source)
    : source_(source)
  {
  }
  BrickAnswers(const BrickAnswers&) = delete;
  BrickAnswers& operator=(const BrickAnswers&) = delete;
  ~BrickAnswers()
  {
    source_.withdraw(*this);
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] { return open_ == 0; });
  }

  /// False, without a request: there is no memory for it.
  [[nodiscard]] bool ask(const BrickKey& key)
  {
    try
    {
      const std::lock_guard lock(mutex_);
      there_.reserve(there_.size() + open_ + 1); // brick_arrived() must not fail
      ++open_;
    }
    catch (const std::bad_alloc&)
    {
      return false;
    }
    try
    {
      source_.request(key, *this);
      return true;
    }
    catch (const std::bad_alloc&)
    {
      const std::lock_guard lock(mutex_);
      --open_;
      return false;
    }
  }

  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    there_.emplace_back(key, std::move(found));
    --open_;
    answered_.notify_all();
  }

  /// An answer, in any order; none: there is none now.
  [[nodiscard]] std::optional<std::pair<BrickKey, Lookup>> take()
  {
    const std::lock_guard lock(mutex_);
    if (there_.empty())
    {
      return std::nullopt;
    }
    std::optional answer(std::move(there_.back()));
    there_.pop_back();
    return answer;
  }

  /// Waits for an answer, if there is none and one is due.
  void wait()
  {
    std::unique_lock lock(mutex_);
    answered_.wait(lock, [&] { return open_ == 0 || !there_.empty(); });
  }

  /// Answers that are there.
  [[nodiscard]] std::size_t count()
  {
    const std::lock_guard lock(mutex_);
    return there_.size();
  }

private:
  BrickSource& source_;
  std::mutex mutex_;
  std::condition_variable answered_;
  std::size_t open_ = 0; ///< requests without an answer
  std::vector<std::pair<BrickKey, Lookup>> there_;
};

} // namespace rivulet
