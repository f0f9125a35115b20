// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A lazily paged field during a FieldRun, as a store with a budget. The destructor restores the field's own budget and
/// access strategy.
///
/// Threads: one. Bytes.
#pragma once

#include "Pipeline/LazyField.h"
#include "Store/Source/BudgetedStore.h"

namespace rivulet
{

class FieldMemory final : public BudgetedStore
{
public:
  explicit FieldMemory(std::shared_ptr<LazyField> field);
  ~FieldMemory() override;

  [[nodiscard]] FileBricks& source() const { return *field_->source(); }

  [[nodiscard]] std::string path() const override { return source().path(); }
  [[nodiscard]] std::int64_t memory_budget() const override { return field_->memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override { field_->set_memory_budget(bytes); }
  /// Bytes; includes the part of the field's budget that copies of arrays take.
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override { return source().statistics(); }

private:
  const std::shared_ptr<LazyField> field_;
  const std::int64_t budget_before_;
  const AccessStrategy strategy_before_;
};

} // namespace rivulet
