// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// hilbert-mmap and native-mmap of Jiang et al., "Multi-Threaded Streamline Tracing for Data-Intensive Architectures",
/// LDAV 2014: a mapped field file, whose pages the kernel brings in and evicts. If asked to, all pages are given up
/// with MADV_DONTNEED at an interval, so that the kernel evicts them at less cost. Nothing is read ahead (MADV_RANDOM),
/// and there is no budget.
///
/// Serves the first variable at the first step. Checksums are not compared.
///
/// Threads, lifetime and errors as in BrickSource.h. Seconds.
#pragma once

#include "Base/Metrics.h"
#include "Io/Files/MappedFile.h"
#include "Store/Locate/RecordLocator.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace rivulet
{

class KernelMapping final : public BrickSource
{
public:
  /// `drop_every`: 0 never drops. Plain records only.
  [[nodiscard]] static Result<std::unique_ptr<KernelMapping>> open(const std::string& path, double drop_every);
  ~KernelMapping() override;

  [[nodiscard]] const FieldInfo& info() const override { return records_->info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return records_->bricks(variable); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return records_->number(key); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * records_->slot_bytes(); }
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] Result<void> health() override { return file_->health(); }

private:
  KernelMapping(std::shared_ptr<RecordLocator> records, std::unique_ptr<MappedFile> file, double drop_every);
  void drop_again_and_again(double seconds);
  void unpin(void*) override {}

  const std::shared_ptr<RecordLocator> records_;
  const std::unique_ptr<MappedFile> file_;
  ShardedCounter lookups_;
  std::mutex mutex_; ///< guards ended_
  std::condition_variable end_;
  bool ended_ = false;
  std::thread dropping_; ///< only if pages are dropped
};

} // namespace rivulet
