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

/// Ranges, and how they are known.
struct ScannedRanges
{
  ValueRanges all;    ///< infinity included
  ValueRanges finite; ///< no components where there is no such value
  bool exact = false; ///< of just these values, and all of them
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

  /// Bytes that source and copies may hold together; 0 = the default. Existing copies stay.
  void set_memory_budget(std::int64_t bytes);
  [[nodiscard]] std::int64_t memory_budget() const;

  /// The values row by row in memory: the copy that is there, or a new one if it fits the budget that is free
  /// (BudgetTooSmall otherwise). Values of bricks that cannot be read are NaN. A copy that somebody wrote to is nobody
  /// else's.
  [[nodiscard]] Result<std::shared_ptr<const MemoryCopy>> copy(const ValueBlock& block);

  /// Looks whether the files are still what they were when they were opened; if they are not, that is the failure to be
  /// taken. Does nothing where it was done a moment ago, or before any value was handed out: so it may be called often.
  void look_at_files();
  /// A pointer to values is about to be handed out.
  void note_use() { used_ = true; }

  /// The first failure since the field was opened, once; nullptr if there is none or it was taken.
  [[nodiscard]] std::shared_ptr<const Error> take_error();
  [[nodiscard]] bool has_error() const { return has_error_.load(std::memory_order_relaxed); } ///< one to be taken

  /// Ranges of the values. From the file, they are those of the variable at all steps. If the file has none, they are
  /// exact if the box is small enough to be read or exact ranges were wanted, else estimated from values of the step.
  [[nodiscard]] ScannedRanges ranges(const ValueBlock& block);

  /// Whether exact ranges are wanted however long it takes to read all values; false at first. Those that are known
  /// stay.
  void want_exact_ranges(bool wanted) { exact_wanted_ = wanted; }
  /// The arrays whose ranges are estimates, as far as they were asked for; parted by commas.
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
  std::mutex copies_mutex_; ///< guards copies_; held while one is made, so that it is made once
  std::map<ValueBlock, std::weak_ptr<const MemoryCopy>> copies_;
  std::mutex error_mutex_; ///< guards first_error_
  std::shared_ptr<const Error> first_error_;
  std::atomic<bool> has_error_{ false };
  std::atomic<bool> used_{ false };          ///< some value was handed out
  std::atomic<std::int64_t> next_look_{ 0 }; ///< at the files: nanoseconds of the steady clock
  std::atomic<bool> exact_wanted_{ false };
  std::mutex ranges_mutex_; ///< guards what follows; held while ranges are found, so that they are found once
  std::map<ValueBlock, ScannedRanges> ranges_;
};

/// Values in memory that are counted until they go.
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
