// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/WorkQueue.h"

namespace rivulet
{

void WorkQueue::push(std::int64_t item)
{
  if (!context_.is_unsteady())
  {
    in_turn_.push_back(item);
    return;
  }
  const std::int32_t interval = context_.interval_of_item(item);
  const std::int64_t order = context_.field().velocity.source->storage_order(context_.key_of(item));
  sorted_.emplace(latest_first_ ? -interval : interval, order, item);
}

std::int64_t WorkQueue::pop()
{
  if (!context_.is_unsteady())
  {
    const std::int64_t item = in_turn_.front();
    in_turn_.pop_front();
    return item;
  }
  return std::get<2>(sorted_.extract(sorted_.begin()).value());
}

} // namespace rivulet
