// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One open field as the pipeline's arrays share it: the source of its bricks, the copies that filters forced into
/// memory, and the first error that has not been shown yet.
///
///     auto field = std::make_shared<LazyField>(*open_field({ "flow.rvf" }));
///     LazyValues velocity(field, 0, 0, box);
///
/// Copies count: while one lives, the source's own budget is smaller by its size, so that both together stay within
/// memory_budget(), and the process's pool knows of it.
///
/// Threads: every function may be called from any thread. Lifetime: arrays and copies keep the field alive. Sizes are
/// bytes.
#pragma once

#include "Base/Result.h"
#include "Store/BrickStore.h"
#include "vtkRivuletPipelineModule.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

namespace rivulet
{

/// Which values: the lattice points `box` of a variable at a step.
struct ValueBlock
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  Box box;

  [[nodiscard]] auto order() const { return std::tie(variable, step, box.begin, box.end); }
  friend bool operator<(const ValueBlock& a, const ValueBlock& b) { return a.order() < b.order(); }
};

class MemoryCopy;

class VTKRIVULETPIPELINE_EXPORT LazyField : public std::enable_shared_from_this<LazyField>
{
public:
  explicit LazyField(std::shared_ptr<FileBricks> source);
  LazyField(const LazyField&) = delete;
  LazyField& operator=(const LazyField&) = delete;
  ~LazyField() = default;

  [[nodiscard]] const std::shared_ptr<FileBricks>& source() const { return source_; }
  [[nodiscard]] const FieldInfo& info() const { return source_->info(); }

  /// The brick, however long it takes; an empty pin if it cannot be had (the error is kept for take_error()).
  [[nodiscard]] BrickPin pin(const BrickKey& key);

  /// What source and copies may hold together; 0 = the default. Copies that are there stay.
  void set_memory_budget(std::int64_t bytes);
  [[nodiscard]] std::int64_t memory_budget() const;

  /// The values row by row in memory: the copy that is there, or a new one if it fits the budget that is free
  /// (BudgetTooSmall otherwise). Values of bricks that cannot be read are NaN.
  [[nodiscard]] Result<std::shared_ptr<const MemoryCopy>> copy(const ValueBlock& block);

  /// The first failure since the field was opened, once; nullptr if there is none or it was taken.
  [[nodiscard]] std::shared_ptr<const Error> take_error();
  [[nodiscard]] bool has_error() const { return has_error_.load(std::memory_order_relaxed); } ///< one to be taken

  /// The range of a variable: the file's, or, where the file has none, one estimated from values spread over the
  /// field. No components if that tells nothing.
  [[nodiscard]] ValueRanges ranges(int variable);

private:
  friend class MemoryCopy;
  void note_error(const std::shared_ptr<const Error>& error);
  void forget_copy(std::int64_t bytes);
  void share_budget();
  [[nodiscard]] Result<std::shared_ptr<MemoryCopy>> reserve_copy(std::int64_t bytes, const ValueBlock& block);
  void fill(const ValueBlock& block, std::byte* out);

  std::shared_ptr<FileBricks> source_;
  mutable std::mutex budget_mutex_; ///< guards budget_ and copied_
  std::int64_t budget_;
  std::int64_t copied_ = 0;
  std::mutex copies_mutex_; ///< guards copies_; held while one is made, so that it is made once
  std::map<ValueBlock, std::weak_ptr<const MemoryCopy>> copies_;
  std::mutex error_mutex_; ///< guards first_error_
  std::shared_ptr<const Error> first_error_;
  std::atomic<bool> has_error_{ false };
  std::mutex ranges_mutex_;
  std::vector<ValueRanges> ranges_;
};

/// Values in memory that are counted until they go.
class VTKRIVULETPIPELINE_EXPORT MemoryCopy
{
public:
  MemoryCopy(std::shared_ptr<LazyField> field, std::unique_ptr<std::byte[]> values, std::int64_t bytes)
    : field_(std::move(field))
    , values_(std::move(values))
    , bytes_(bytes)
  {
  }
  MemoryCopy(const MemoryCopy&) = delete;
  MemoryCopy& operator=(const MemoryCopy&) = delete;
  ~MemoryCopy();

  [[nodiscard]] std::byte* values() const { return values_.get(); }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

private:
  std::shared_ptr<LazyField> field_;
  std::unique_ptr<std::byte[]> values_;
  std::int64_t bytes_;
};

} // namespace rivulet
