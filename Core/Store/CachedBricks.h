// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field file read brick by brick into a cache of our own, through the page cache (pread) or past it (O_DIRECT): the
/// paper's hilbert-user. Use open_field() (BrickStore.h), which chooses among the strategies.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Store/BrickCache.h"
#include "Store/FieldBricks.h"
#include "Store/RecordFiles.h"

namespace rivulet
{

class CachedBricks final : public FieldBricks, private BrickLoader
{
public:
  /// `choice` says whether reads are direct; the files must allow it.
  [[nodiscard]] static Result<std::shared_ptr<FileBricks>> open(
      FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { cache_.request(key, waiter); }
  [[nodiscard]] SourceStatistics statistics() const override { return cache_.statistics(); }
  [[nodiscard]] std::int64_t memory_budget() const override { return cache_.memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<void> health() override { return files_.health(); }

private:
  CachedBricks(FieldRecords&& records, StrategyChoice&& choice, const OpenOptions& options);
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override;
  void unpin(void* token) override { cache_.unpin(token); }

  RecordFiles files_;
  BrickCache cache_;
};

} // namespace rivulet
