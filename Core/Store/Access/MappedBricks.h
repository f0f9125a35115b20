// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that are used in place, in files mapped into memory: hilbert-mmap and native-mmap of Jiang et al.,
/// "Multi-Threaded Streamline Tracing for Data-Intensive Architectures", LDAV 2014.
///
/// Bricks that are records stay within the budget at every moment (Residency.h); the paper drops pages every few
/// seconds. Whole arrays are read through plain pointers, too, and a MappingWatch keeps them within the budget.
///
/// Pins cost nothing: a pinned brick may be dropped, and the kernel brings it in again when it is read. So a lookup of
/// a resident brick writes to no shared memory but a counter of its thread.
///
/// Files are mapped at the first access and stay mapped; none keeps a descriptor. A file that is missing, too short or
/// cut short fails its own bricks only: missing pages read as NaN (MappedFile.h), and the brick is answered Failed from
/// then on.
///
/// Statistics: a miss is the first lookup of a brick since it was opened or dropped. peak_bytes counts bricks; pages
/// that the kernel maps beside them are within the budget but not in peak_bytes.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Base/Metrics.h"
#include "Io/Files/FileChangeGuard.h"
#include "Io/Files/MappedFile.h"
#include "Store/Access/LocatedBricks.h"
#include "Store/Locate/BrickFlags.h"
#include "Store/Memory/MappingWatch.h"
#include "Store/Memory/Residency.h"

#include <mutex>
#include <unordered_map>

namespace rivulet
{

class MappedBricks final : public LocatedBricks, private ResidentOwner
{
public:
  /// The values of the locator's bricks must be usable in place. Fails if its first sound file cannot be mapped.
  [[nodiscard]] static Result<std::shared_ptr<LocatedBricks>> open(
      std::shared_ptr<BrickLocator> locator, std::shared_ptr<FileChangeGuard> seen, std::int64_t memory_budget);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return residency_.budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::shared_ptr<const WholeArray> whole_array(int variable, int step) override;
  void read_ahead(const BrickKey& key, const Box& box) override;
  [[nodiscard]] Result<void> health() override;

private:
  /// A file of the field, or the error if it cannot be mapped.
  struct Mapping
  {
    std::unique_ptr<MappedFile> file;
    std::shared_ptr<const Error> error;
  };

  MappedBricks(
      std::shared_ptr<BrickLocator> locator, std::shared_ptr<FileChangeGuard> seen, std::int64_t memory_budget);

  [[nodiscard]] const Mapping& mapping(std::int64_t number);
  [[nodiscard]] Mapping map(std::int64_t number);
  [[nodiscard]] Result<void> touch(const BrickKey& key, const BrickInPlace& place, const MappedFile& file);
  [[nodiscard]] Lookup fail_brick(const BrickInPlace& place, std::shared_ptr<const Error> error);
  [[nodiscard]] Lookup failed_before(const BrickInPlace& place);
  [[nodiscard]] std::int64_t drop(std::int64_t bytes) override;
  void unpin(void*) override {}

  const std::shared_ptr<FileChangeGuard> seen_;
  std::mutex mapping_mutex_; ///< held while a file is mapped
  std::vector<std::unique_ptr<const Mapping>> mappings_;
  std::vector<std::atomic<const Mapping*>> known_; ///< the same, readable without the mutex
  BrickFlags flags_;
  std::int64_t hand_ = 0; ///< brick where dropping continues; used by one thread at a time

  ShardedCounter hits_;
  ShardedCounter misses_;
  ShardedCounter bytes_;
  ShardedCounter nanoseconds_;
  std::mutex failed_mutex_; ///< guards failed_
  std::unordered_map<std::int64_t, std::shared_ptr<const Error>> failed_;

  Residency residency_;
  mutable MappingWatch watch_; ///< destroyed before the files that it watches
};

} // namespace rivulet
