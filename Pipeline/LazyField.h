// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One open field, shared by the pipeline's arrays: the source of its bricks, the copies of whole arrays that filters
/// asked for, and the first error that was not shown yet.
///
///     auto field = std::make_shared<LazyField>(*open_field({ "flow.rvf" }));
///     LazyValues velocity(field, { 0, 0, box });
///
/// Copies count: while one lives, the source's budget is smaller by its size, so that both together stay within
/// memory_budget(). The process's account counts copies, too.
///
/// Threads: every function may be called from any thread. Lifetime: arrays and copies keep the field alive. Sizes are
/// bytes.
#pragma once

#include "Base/Result.h"
#include "Store/Field/OpenField.h"
#include "vtkRivuletPipelineModule.h"

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

namespace rivulet
{

/// The lattice points `box` of a variable at a step.
struct ValueBlock
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  Box box;

  [[nodiscard]] auto order() const { return std::tie(variable, step, box.begin, box.end); }
  friend bool operator<(const ValueBlock& a, const ValueBlock& b) { return a.order() < b.order(); }
};

/// Ranges of values, and whether they are exact.
struct ScannedRanges
{
  ValueRanges all;    ///< includes infinite values
  ValueRanges finite; ///< no components if no value is finite
  bool exact = false; ///< computed from all values of the box and no others
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

  /// The brick; waits until it is there. An empty pin if it cannot be had (take_error() then has the error).
  [[nodiscard]] BrickPin pin(const BrickKey& key);

  /// Bytes that source and copies may hold together; 0 = the default. Existing copies stay.
  void set_memory_budget(std::int64_t bytes);
  [[nodiscard]] std::int64_t memory_budget() const;

  /// A copy of the values in memory, x fastest: an existing one, or a new one if it fits the free part of the budget
  /// (BudgetTooSmall otherwise). Values of bricks that cannot be read are NaN, whole numbers 0. A copy that was
  /// written to is not shared any more.
  [[nodiscard]] Result<std::shared_ptr<const MemoryCopy>> copy(const ValueBlock& block);

  /// Checks that the files are the same as when they were opened. If not, take_error() gets that failure. Does nothing
  /// shortly after the last check or before any value was handed out, so that it may be called often.
  void look_at_files();
  /// Notes that a pointer to values will be handed out.
  void note_use() { used_ = true; }

  /// The first failure since the field was opened, and later that its files have changed, handed out once each; nullptr
  /// if there is none or it was taken.
  [[nodiscard]] std::shared_ptr<const Error> take_error();
  /// Whether take_error() has an error.
  [[nodiscard]] bool has_error() const { return has_error_.load(std::memory_order_relaxed); }

  /// Ranges of the values. Ranges in the file are the variable's over all steps. If the file has none, they are exact
  /// if the box is small enough to be read or exact ranges are wanted, else estimates from values of the step.
  [[nodiscard]] ScannedRanges ranges(const ValueBlock& block);

  /// Whether exact ranges are wanted, however long reading all values takes; false at first. Ranges that are known
  /// stay.
  void want_exact_ranges(bool wanted) { exact_wanted_ = wanted; }
  /// Names of the arrays whose ranges were asked for and are estimates, separated by commas.
  [[nodiscard]] std::string estimated_ranges();

private:
  friend class MemoryCopy;
  void note_error(const std::shared_ptr<const Error>& error);
  void look_now();
  void note_change(const Error& error);
  void forget_copy(std::int64_t bytes);
  void share_budget();
  [[nodiscard]] Result<std::shared_ptr<MemoryCopy>> reserve_copy(std::int64_t bytes, const ValueBlock& block);
  void fill(const ValueBlock& block, std::byte* out);
  [[nodiscard]] std::optional<ScannedRanges> exact_ranges(const ValueBlock& block);

  std::shared_ptr<FileBricks> source_;
  mutable std::mutex budget_mutex_; ///< guards budget_ and copied_
  std::int64_t budget_;
  std::int64_t copied_ = 0;
  std::mutex copies_mutex_; ///< guards copies_; held while a copy is made, so that it is made once
  std::map<ValueBlock, std::weak_ptr<const MemoryCopy>> copies_;
  std::mutex error_mutex_; ///< guards the next two
  std::shared_ptr<const Error> first_error_;
  bool change_noted_ = false;
  std::atomic<bool> has_error_{ false };
  std::atomic<bool> used_{ false };          ///< whether any value was handed out
  std::atomic<std::int64_t> next_look_{ 0 }; ///< next check of the files: nanoseconds of the steady clock
  std::atomic<bool> exact_wanted_{ false };
  std::mutex ranges_mutex_; ///< guards ranges_; held while ranges are computed, so that they are computed once
  std::map<ValueBlock, ScannedRanges> ranges_;
};

/// A copy of values in memory, counted in the field's budget and in the process's account as long as it lives.
class VTKRIVULETPIPELINE_EXPORT MemoryCopy final : public WholeArray
{
public:
  MemoryCopy(std::shared_ptr<LazyField> field, std::unique_ptr<CopiedArray> memory)
    : field_(std::move(field))
    , memory_(std::move(memory))
  {
  }
  ~MemoryCopy() override;

  [[nodiscard]] CopiedArray& memory() { return *memory_; }
  [[nodiscard]] void* values() const override { return memory_->values(); }
  [[nodiscard]] bool written() const override { return memory_->written(); }
  [[nodiscard]] std::int64_t bytes() const override { return memory_->bytes(); }

private:
  std::shared_ptr<LazyField> field_;
  std::unique_ptr<CopiedArray> memory_;
};

} // namespace rivulet
