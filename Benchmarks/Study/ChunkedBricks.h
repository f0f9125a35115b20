// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// hilbert-user and native-user of Jiang et al., "Multi-Threaded Streamline Tracing for Data-Intensive Architectures",
/// LDAV 2014: a cache of chunks in memory, which the threads that need them fill. A chunk is a number of records that
/// follow each other along the Hilbert curve of a field file. It is the unit of transfer and of the cache.
///
/// Serves the first variable at the first step. Checksums are not compared.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Io/Files/File.h"
#include "Store/Cache/BrickCache.h"
#include "Store/Locate/RecordLocator.h"

namespace rivulet
{

class ChunkedBricks final : public BrickSource, private BrickLoader
{
public:
  struct Options
  {
    std::int64_t records = 1; ///< of a chunk
    bool direct = true;       ///< past the page cache (O_DIRECT)
    int banks = 0;            ///< parts of the cache with a lock of their own; 0: one per core
    std::int64_t memory_budget = 0;
  };

  /// Plain records only, because they are used where they are read.
  [[nodiscard]] static Result<std::unique_ptr<ChunkedBricks>> open(const std::string& path, const Options& options);
  ~ChunkedBricks() override;

  [[nodiscard]] const FieldInfo& info() const override { return records_->info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return records_->bricks(variable); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return records_->number(key); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return (workers + 1) * cache_.slot_bytes(); }
  [[nodiscard]] std::int64_t bricks_at_once() const override;
  [[nodiscard]] SourceStatistics statistics() const override { return cache_.statistics(); }

private:
  ChunkedBricks(std::shared_ptr<RecordLocator> records, File file, const Options& options);
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& chunk, std::byte* slot) override;
  void unpin(void* token) override;

  /// The owner of the pins of chunks.
  class Chunks;

  const std::shared_ptr<RecordLocator> records_;
  const File file_;
  const Options options_;
  const std::int64_t stride_; ///< of a record
  const std::unique_ptr<Chunks> chunks_;
  BrickCache cache_;
};

} // namespace rivulet
