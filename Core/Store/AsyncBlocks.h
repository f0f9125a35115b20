// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks put together from plain blocks that are read while those who asked for them do something else. Use
/// open_bov().
///
/// As AsyncBricks.h, but a brick is many reads (BlockReads.h). An eighth of the budget, 256 KiB at least and
/// kMostStaging at most, is for bytes on their way; the rest for bricks.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Io/BlockFiles.h"
#include "Store/BlockBricks.h"
#include "Store/FetchedCache.h"
#include "Store/StagingMemory.h"

#include <functional>

namespace rivulet
{

class AsyncBlocks final : public BlockBricks
{
public:
  /// What to do to the engine before it is used; tests put a broken one before it.
  using Wrap = std::function<std::unique_ptr<ReadEngine>(std::unique_ptr<ReadEngine>)>;

  /// Rows no further apart are read at once; where the device is far away, nearly whole blocks.
  static constexpr std::int64_t kGap = std::int64_t{ 32 } * 1024;
  static constexpr std::int64_t kFarGap = std::int64_t{ 128 } * 1024;
  static constexpr std::int64_t kMostStaging = 32 << 20;

  /// `choice` says whether reads are direct; the file system must allow it. Throws std::system_error if the system
  /// gives no threads.
  AsyncBlocks(BlockField&& field, std::string path, StrategyChoice&& choice, const OpenOptions& options,
      const std::shared_ptr<SeenFiles>& seen, const Wrap& wrap = {}, std::int64_t gap = kGap);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { request_for(key, waiter, 1); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  void withdraw(BrickWaiter& waiter) override { cache_.withdraw(waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override;
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::string strategy_reason() const override { return reason_; }
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_.load(std::memory_order_relaxed); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<void> health() override { return files_.health(); }

private:
  [[nodiscard]] static std::int64_t staging_share(std::int64_t budget);
  [[nodiscard]] static std::int64_t cache_share(std::int64_t budget);
  [[nodiscard]] WantedBrick wanted(const BrickKey& key) const;
  void unpin(void* token) override { cache_.unpin(token); }

  std::atomic<std::int64_t> budget_;
  std::string reason_;
  BlockFiles files_;
  StagingMemory staging_;
  FetchedCache cache_; ///< last: its thread uses all above until it is gone
};

} // namespace rivulet
