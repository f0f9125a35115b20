// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field file mapped into memory: the paper's hilbert-mmap, with the difference that the budget is kept at every
/// moment instead of dropping pages every few seconds. Use open_field() (BrickStore.h), which chooses among the
/// strategies.
///
/// Pins cost nothing: a brick that is dropped while it is pinned is brought in again by the kernel when it is read. So
/// a lookup of a brick that is there writes to no shared memory but a counter of the thread's own.
///
/// A file cut short while it is mapped reads as NaN (MappedFile.h); the brick is answered Failed from then on.
///
/// Statistics: a miss is a brick touched for the first time since it was opened or dropped. peak_bytes counts bricks;
/// what the kernel maps beside them is kept under the budget too (Residency.h), but not in it.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Base/Metrics.h"
#include "Io/MappedFile.h"
#include "Store/FieldBricks.h"
#include "Store/Residency.h"

#include <mutex>
#include <unordered_map>

namespace rivulet
{

class MappedBricks final : public FieldBricks, private ResidentOwner
{
public:
  [[nodiscard]] static Result<std::shared_ptr<FileBricks>> open(
      FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return residency_.budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<void> health() override;

private:
  MappedBricks(FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options);

  [[nodiscard]] Result<void> touch(const BrickKey& key, const StoredRecord& place);
  [[nodiscard]] Lookup fail_brick(const StoredRecord& place, Error&& error);
  [[nodiscard]] Lookup failed_before(const StoredRecord& place);
  [[nodiscard]] std::int64_t drop(std::int64_t bytes) override;
  void unpin(void*) override {}

  std::vector<std::unique_ptr<MappedFile>> files_;
  Residency residency_;
  std::int64_t hand_ = 0; ///< record where dropping goes on; used by one thread at a time

  ShardedCounter hits_;
  ShardedCounter misses_;
  ShardedCounter bytes_;
  ShardedCounter nanoseconds_;
  std::mutex failed_mutex_; ///< guards failed_
  std::unordered_map<std::int64_t, std::shared_ptr<const Error>> failed_;
};

} // namespace rivulet
