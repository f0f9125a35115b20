// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The memory of a lazily paged field during a run, as what has a budget: the field's own, or that of the same file
/// opened once more. The field has its own budget back when this goes.
///
/// Threads: one. Bytes.
#pragma once

#include "Pipeline/LazyField.h"
#include "Store/BudgetedStore.h"

namespace rivulet
{

class FieldMemory final : public BudgetedStore
{
public:
  explicit FieldMemory(std::shared_ptr<LazyField> field);
  ~FieldMemory() override;

  /// What the run reads from.
  [[nodiscard]] const std::shared_ptr<FileBricks>& source() const { return source_; }
  /// From now on it is `other`; the field's own cache makes room.
  void read_from(std::shared_ptr<FileBricks> other);

  [[nodiscard]] std::string path() const override { return source_->path(); }
  [[nodiscard]] std::int64_t memory_budget() const override;
  void set_memory_budget(std::int64_t bytes) override;
  /// With what copies in memory take of the field's budget.
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override { return source_->statistics(); }

private:
  [[nodiscard]] bool is_fields_own() const { return source_ == field_->source(); }

  std::shared_ptr<LazyField> field_;
  std::int64_t before_;
  std::shared_ptr<FileBricks> source_;
};

} // namespace rivulet
