// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SharedBudget.h"

#include "Base/Bytes.h"

#include <algorithm>

namespace rivulet
{

SharedBudget::~SharedBudget()
{
  for (const Member& member : members_)
  {
    member.store->set_memory_budget(member.budget_before);
  }
}

void SharedBudget::add(std::shared_ptr<BudgetedStore> member, const Share& share)
{
  const std::int64_t budget = member->memory_budget();
  const SourceStatistics before = member->statistics();
  members_.push_back({ std::move(member), share, budget, budget, before });
}

std::int64_t SharedBudget::working_minimum(int threads) const
{
  std::int64_t sum = 0;
  for (const Member& member : members_)
  {
    sum += member.working_minimum(threads);
  }
  return sum;
}

Error SharedBudget::too_small(int threads, int bricks_per_thread, int parts) const
{
  const std::int64_t bytes = parts * needed(threads * bricks_per_thread);
  Error error{ .code = ErrorCode::BudgetTooSmall,
    .what = "the memory budget of " + format_bytes(parts * bytes_) + " is below the " + format_bytes(bytes) + " that " +
            std::to_string(threads) + (threads == 1 ? " thread needs" : " threads need"),
    .remedy = "set Memory Budget to " + std::to_string((bytes + kMiB - 1) / kMiB) + " MiB or more",
    .path = {} };
  for (const Member& member : members_)
  {
    error.path = error.path.empty() ? member.store->path() : error.path;
  }
  return error;
}

void SharedBudget::share_out(int threads)
{
  std::int64_t weights = 0;
  for (const Member& member : members_)
  {
    weights += member.share.weight;
  }
  const std::int64_t rest = bytes_ - working_minimum(threads);
  for (Member& member : members_)
  {
    const double part =
        static_cast<double>(member.share.weight) / static_cast<double>(std::max<std::int64_t>(1, weights));
    member.budget = member.working_minimum(threads) + static_cast<std::int64_t>(static_cast<double>(rest) * part);
    member.store->set_memory_budget(std::max<std::int64_t>(1, member.budget)); // 0 would mean the default
  }
}

SourceStatistics SharedBudget::statistics() const
{
  SourceStatistics sum;
  for (const Member& member : members_)
  {
    SourceStatistics run = member.store->statistics().since(member.before);
    run.stall_seconds = member.share.in_background ? 0.0 : run.stall_seconds;
    // A peak as high as before is from an earlier run, which may have had a larger budget.
    run.peak_bytes =
        run.peak_bytes > member.before.peak_bytes ? run.peak_bytes : std::min(run.peak_bytes, member.budget);
    sum += run;
  }
  return sum;
}

} // namespace rivulet
