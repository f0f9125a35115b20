// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A box of one variable of an open field at one step, read when it is touched.
///
/// Element access copies a short row (at most 16 tuples) into a table that belongs to the calling thread and gives the
/// brick back at once. So no array and no idle thread ever holds a brick: nothing can dangle when the array goes
/// first, nothing has to be called back under pressure, and the smallest budget, in which every place of the cache may
/// be pinned by a running filter, cannot deadlock. The table (16 rows, about 19 KiB per thread) is keyed by numbers
/// that are never used twice. Interpolation at a cell's corners finds its four rows there.
///
/// Threads: every function may be called from any thread. What tuple() returns is valid until the thread's next call.
#pragma once

#include "Pipeline/ArrayValues.h"
#include "Pipeline/LazyField.h"

#include <atomic>

namespace rivulet
{

class NanRegion;

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

  /// Tuples are those of the box, x fastest.
  [[nodiscard]] const void* tuple(std::int64_t index) const override;

  /// A mapping of the file if it is laid out so, else a copy that is counted, else, when the budget has no room for
  /// one, NaN that costs no memory and `problem`. Whoever writes there keeps what was written, until this goes; the
  /// next one who asks gets the file's values, and tuple() gives them always.
  [[nodiscard]] void* whole(std::shared_ptr<const Error>& problem) override;

  [[nodiscard]] std::int64_t bytes_held() const override;
  [[nodiscard]] ValueRanges ranges() override { return field_->ranges(block_).finite; }
  [[nodiscard]] ScannedRanges scanned_ranges() const { return field_->ranges(block_); }
  [[nodiscard]] bool has_error() const override { return field_->has_error() || was_written(); }
  /// The field's, or that somebody wrote to the values.
  [[nodiscard]] std::shared_ptr<const Error> take_error() override;

private:
  [[nodiscard]] const std::byte* load_row(std::int64_t index) const;
  [[nodiscard]] bool was_written() const;
  [[nodiscard]] Result<void> hand_out();

  std::shared_ptr<LazyField> field_;
  ValueBlock block_;
  Variable variable_;
  std::uint64_t id_;
  std::atomic<const MemoryCopy*> copied_{ nullptr };      ///< what is handed out, if it is a copy; for readers ...
  std::atomic<const WholeArray*> handed_out_{ nullptr };  ///< ... and what it is, without the lock
  std::atomic<bool> wrote_{ false };                      ///< somebody, to what was handed out before
  std::atomic<bool> told_{ false };                       ///< that somebody wrote
  mutable std::mutex mutex_;                              ///< guards what follows
  std::vector<std::shared_ptr<const WholeArray>> wholes_; ///< the last one is handed out; the others were written to
  std::unique_ptr<NanRegion> nan_;
};

} // namespace rivulet
