// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field file whose bricks are read while those who asked for them do something else. Use open_field()
/// (BrickStore.h), which chooses among the strategies.
///
/// try_get() looks into the cache and request() leaves a note: neither ever waits for the disk. One thread of the
/// source's own (BrickFetcher.h) reads, verifies and tells the waiters.
///
/// Threads, lifetime and errors as in BrickSource.h. On destruction reads under way are waited for and every request
/// is answered. Bytes.
#pragma once

#include "Store/FetchedCache.h"
#include "Store/FieldBricks.h"
#include "Store/RecordFiles.h"

#include <functional>

namespace rivulet
{

class AsyncBricks final : public FieldBricks
{
public:
  /// What to do to the engine before it is used; tests put a broken one before it.
  using Wrap = std::function<std::unique_ptr<ReadEngine>(std::unique_ptr<ReadEngine>)>;

  /// `choice` says whether reads are direct; the files must allow it. Throws std::system_error if the system gives no
  /// threads.
  [[nodiscard]] static Result<std::shared_ptr<FileBricks>> open(
      FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options, const Wrap& wrap = {});

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { request_for(key, waiter, 1); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  void withdraw(BrickWaiter& waiter) override { cache_.withdraw(waiter); }
  [[nodiscard]] SourceStatistics statistics() const override { return cache_.statistics(); }
  [[nodiscard]] std::string strategy_reason() const override { return reason_; }
  [[nodiscard]] std::int64_t memory_budget() const override { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<void> health() override { return files_.health(); }

private:
  AsyncBricks(FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options);
  void start(std::unique_ptr<ReadEngine> engine, bool direct);
  void unpin(void* token) override { cache_.unpin(token); }

  std::string reason_;
  RecordFiles files_;
  FetchedCache cache_; ///< last: its thread uses all above until it is gone
};

} // namespace rivulet
