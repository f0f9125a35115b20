// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A box of one variable of an open field at one step, read at the first access. Whole numbers are of their own type
/// (Base/WholeType.h), other values floats or doubles.
///
/// Element access copies a short row (at most 16 tuples) into a table of the calling thread and unpins the brick at
/// once. Hence no array and no idle thread holds a brick: no pin outlives the source, nothing has to be reclaimed when
/// memory is short, and the smallest budget, of which a running filter may pin every slot, cannot deadlock. The table
/// (16 rows, about 19 KiB per thread) is keyed by numbers that are never used twice. Interpolation at a cell's corners
/// finds its four rows there.
///
/// Threads: every function may be called from any thread. The result of tuple() is valid until the thread's next call.
#pragma once

#include "Pipeline/ArrayValues.h"
#include "Pipeline/LazyField.h"

#include <atomic>

class vtkAbstractArray;

namespace rivulet
{

class MissingRegion;
class LazyValues;

/// An array that may be a box of an open field, whatever the type of its values (vtkRivuletArray).
class VTKRIVULETPIPELINE_EXPORT PagedArray
{
public:
  PagedArray() = default;
  PagedArray(const PagedArray&) = delete;
  PagedArray& operator=(const PagedArray&) = delete;
  virtual ~PagedArray();

  /// nullptr: the values do not come from a field.
  [[nodiscard]] virtual const LazyValues* of_field() const = 0;
};

class VTKRIVULETPIPELINE_EXPORT LazyValues final : public ArrayValues
{
public:
  LazyValues(std::shared_ptr<LazyField> field, const ValueBlock& block);
  ~LazyValues() override;

  [[nodiscard]] const std::shared_ptr<LazyField>& field() const { return field_; }
  [[nodiscard]] const ValueBlock& block() const { return block_; }
  [[nodiscard]] const Variable& variable() const { return variable_; }

  [[nodiscard]] const std::string& name() const override { return variable_.name; }
  [[nodiscard]] std::int32_t components() const override { return variable_.components; }
  [[nodiscard]] std::int64_t tuples() const override { return block_.box.count(); }
  [[nodiscard]] std::string path() const override { return field_->source()->path(); }

  /// Tuple number `index` of the box, x fastest.
  [[nodiscard]] const void* tuple(std::int64_t index) const override;

  /// A mapping of the file if its layout is that of the box; else a copy that is counted; else, if the budget has no
  /// room for a copy, NaN or, for whole numbers, 0, which cost no memory, and `problem`. A user that writes there keeps
  /// the written values as long as this object lives. The next user gets the file's values, and tuple() always gives
  /// them.
  [[nodiscard]] void* whole(std::shared_ptr<const Error>& problem) override;

  [[nodiscard]] std::int64_t bytes_held() const override;
  [[nodiscard]] ValueRanges ranges() override { return field_->ranges(block_).finite; }
  [[nodiscard]] ScannedRanges scanned_ranges() const { return field_->ranges(block_); }
  [[nodiscard]] bool has_error() const override { return field_->has_error() || was_written(); }
  /// Fails with Unsupported if a user wrote to the values: what reads bricks would not see it.
  [[nodiscard]] Result<void> check_unchanged() const;
  /// The field's error, or one that says that a user wrote to the values.
  [[nodiscard]] std::shared_ptr<const Error> take_error() override;

private:
  [[nodiscard]] const std::byte* load_row(std::int64_t index) const;
  [[nodiscard]] bool is_changed() const;
  [[nodiscard]] bool was_written() const { return !told_.load(std::memory_order_relaxed) && is_changed(); }
  [[nodiscard]] Error error_of_change() const;
  [[nodiscard]] Result<void> hand_out();

  std::shared_ptr<LazyField> field_;
  ValueBlock block_;
  Variable variable_;
  std::uint64_t id_;
  std::atomic<const MemoryCopy*> copied_{ nullptr }; ///< the memory handed out, if it is a copy; read without the lock
  std::atomic<const WholeArray*> handed_out_{ nullptr };  ///< the memory handed out; read without the lock
  std::atomic<bool> wrote_{ false };                      ///< whether a user wrote to memory that was handed out before
  std::atomic<bool> told_{ false };                       ///< whether the error about writing was taken
  mutable std::mutex mutex_;                              ///< guards the members below
  std::vector<std::shared_ptr<const WholeArray>> wholes_; ///< the last one is handed out; the others were written to
  std::unique_ptr<MissingRegion> missing_;
};

/// The values of an array that is a box of an open field; nullptr for any other array, and none.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT const LazyValues* lazy_values(vtkAbstractArray* array);

} // namespace rivulet
