// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays that lie in their files just as they are needed in memory, mapped: one brick for each variable and step,
/// nothing copied. Jiang's native-mmap. Use open_bov(). Who wants the whole array as plain memory gets a mapping that
/// may be written to without changing what others see.
///
/// Files are mapped when first asked for and stay so; what they hold is kept under the budget by a MappingWatch. A file
/// that turns out to be missing, too short or cut short fails its own brick, and no other.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Base/Bytes.h"
#include "Store/BlockBricks.h"
#include "Store/MappingWatch.h"

namespace rivulet
{

class MappedArrays final : public BlockBricks
{
public:
  /// One block, one part and native, aligned numbers for every variable and step.
  MappedArrays(BlockField&& field, std::string path, StrategyChoice&& choice, std::int64_t budget);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request(const BrickKey& key, BrickWaiter& waiter) override { waiter.brick_arrived(key, try_get(key)); }
  /// The pages that a cell's values lie in: up to four rows, each across two pages, and as many for the next cell.
  [[nodiscard]] std::int64_t working_minimum(int workers) const override
  {
    return std::int64_t{ workers } * 16 * kPage;
  }
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return watch_.budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::shared_ptr<const WholeArray> whole_array(int variable, int step) override;
  /// Whole planes.
  void read_ahead(const BrickKey& key, const Box& box) override;
  [[nodiscard]] Result<void> health() override;

private:
  struct Array
  {
    std::unique_ptr<MappedFile> file;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    std::shared_ptr<const Error> error; ///< why there is no file
  };
  [[nodiscard]] const Array& array_of(const BrickKey& key);
  [[nodiscard]] Array map(const BrickKey& key);
  [[nodiscard]] BrickView view_of(const BrickKey& key, const Array& array) const;
  void unpin(void*) override {}

  SeenFiles seen_;
  std::mutex mutex_;                                 ///< guards arrays_, while they are filled in
  std::vector<std::unique_ptr<const Array>> arrays_; ///< by variable, then step; never change once they are there
  std::vector<std::atomic<const Array*>> known_;     ///< the same, to be had without the mutex
  std::atomic<std::int64_t> hits_{ 0 };
  std::atomic<std::int64_t> misses_{ 0 };
  mutable MappingWatch watch_; ///< goes before the files it looks at
};

} // namespace rivulet
