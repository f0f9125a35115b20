// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Run/FieldMemory.h"

namespace rivulet
{

FieldMemory::FieldMemory(std::shared_ptr<LazyField> field)
  : field_(std::move(field))
  , budget_before_(field_->memory_budget())
  , strategy_before_(field_->source()->asked_strategy())
{
}

FieldMemory::~FieldMemory()
{
  (void)source().set_strategy(strategy_before_); // cannot fail: the field was open with this strategy before
  field_->set_memory_budget(budget_before_);
}

std::int64_t FieldMemory::working_minimum(int workers) const
{
  // Copies of arrays take the difference between the field's budget and its source's budget.
  return field_->memory_budget() - source().memory_budget() + source().working_minimum(workers);
}

} // namespace rivulet
