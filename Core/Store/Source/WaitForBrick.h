// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Access to one brick at a time: wait_for_brick() for threads without other work, BrickInquiry for work that must not
/// wait.
///
///     std::shared_ptr<const Error> error;
///     if (const BrickPin pin = wait_for_brick(source, key, error)) use(pin.view());
///
///     BrickInquiry inquiry(source);
///     const Lookup found = inquiry.get(key); // after a Miss: call it again later
///
/// Threads: any. An inquiry is used by one thread at a time.
#pragma once

#include "Store/Source/BrickSource.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rivulet
{

/// The brick; waits until it is there. An empty pin and `error` if it cannot be had.
[[nodiscard]] BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error);

/// Requests one brick until it is there. Must live until all answers are there.
class BrickInquiry final : public BrickWaiter
{
public:
  explicit BrickInquiry(BrickSource& source)
    : source_(source)
  {
  }

  /// The brick. After a Miss, call again with the same key. Throws std::bad_alloc.
  [[nodiscard]] Lookup get(const BrickKey& key);
  /// Sleeps until get() can answer, for `most` at most.
  void wait(std::chrono::milliseconds most);
  /// Whether a request has no answer yet.
  [[nodiscard]] bool answer_missing();

  void brick_arrived(const BrickKey& key, Lookup&& found) override;

private:
  BrickSource& source_;
  bool requested_ = false; ///< whether a request was made whose answer was not taken yet
  std::mutex mutex_;       ///< guards the members below
  std::condition_variable condition_;
  bool arrived_ = false;
  Lookup found_;
};

} // namespace rivulet
