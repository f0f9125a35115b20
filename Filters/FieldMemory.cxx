// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FieldMemory.h"

namespace rivulet
{

FieldMemory::FieldMemory(std::shared_ptr<LazyField> field)
  : field_(std::move(field))
  , before_(field_->memory_budget())
  , source_(field_->source())
{
}

FieldMemory::~FieldMemory()
{
  field_->set_memory_budget(before_);
  if (!is_fields_own())
  {
    source_->set_memory_budget(1); // what was opened for the run may stay open for longer, but keeps next to nothing
  }
}

void FieldMemory::read_from(std::shared_ptr<FileBricks> other)
{
  source_ = std::move(other);
  field_->set_memory_budget(1);
}

std::int64_t FieldMemory::memory_budget() const
{
  return is_fields_own() ? field_->memory_budget() : source_->memory_budget();
}

void FieldMemory::set_memory_budget(std::int64_t bytes)
{
  is_fields_own() ? field_->set_memory_budget(bytes) : source_->set_memory_budget(bytes);
}

std::int64_t FieldMemory::working_minimum(int workers) const
{
  // What the field's source has not of the field's budget, copies have.
  const std::int64_t copies = is_fields_own() ? field_->memory_budget() - source_->memory_budget() : 0;
  return copies + source_->working_minimum(workers);
}

} // namespace rivulet
