// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One budget for several stores of values during a run: each gets its working minimum and a share of the rest. The
/// destructor restores their earlier budgets. Their work during the run is counted.
///
///     SharedBudget budget(64 * kMiB);
///     budget.add(patches, { .weight = 3, .in_background = true });
///     budget.add(bricks);
///     if (!budget.fits(threads)) return tl::unexpected(budget.too_small(threads));
///     budget.share_out(threads);
///
/// Threads: one. Bytes.
#pragma once

#include "Store/Source/BudgetedStore.h"

#include <cmath>
#include <vector>

namespace rivulet
{

class SharedBudget
{
public:
  struct Share
  {
    std::int64_t weight = 1; ///< weight of its share of the rest
    /// Whether only background threads use it. There are as many of them as memory allows; one is enough, and their
    /// waiting delays no thread of the run.
    bool in_background = false;
  };

  explicit SharedBudget(std::int64_t bytes)
    : bytes_(bytes)
  {
  }
  SharedBudget(const SharedBudget&) = delete;
  SharedBudget& operator=(const SharedBudget&) = delete;
  ~SharedBudget();

  /// Counts the member's work from now on.
  void add(std::shared_ptr<BudgetedStore> member, const Share& share);
  void add(std::shared_ptr<BudgetedStore> member) { add(std::move(member), {}); }

  /// Runs to come will need so many times the memory of this one: fits() and too_small() count that.
  void expect(double times_as_much) { times_as_much_ = times_as_much; }

  [[nodiscard]] bool fits(int threads) const { return needed(threads) <= bytes_; }
  /// The error, with the smallest budget that would fit. `parts`: this budget is one of so many equal parts of the one
  /// that the user has set.
  [[nodiscard]] Error too_small(int threads, int bricks_per_thread = 1, int parts = 1) const;
  /// Sets the budgets of the members. Only if fits().
  void share_out(int threads);

  /// Sum over all members since they were added. peak_bytes is the most that they held, or an upper bound of it (the
  /// share) if a member held more before.
  [[nodiscard]] SourceStatistics statistics() const;

private:
  struct Member
  {
    std::shared_ptr<BudgetedStore> store;
    Share share;
    std::int64_t budget_before = 0;
    std::int64_t budget = 0;
    SourceStatistics before;

    [[nodiscard]] std::int64_t working_minimum(int threads) const
    {
      return store->working_minimum(share.in_background ? 1 : threads);
    }
  };

  [[nodiscard]] std::int64_t working_minimum(int threads) const;
  [[nodiscard]] std::int64_t needed(int threads) const
  {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(working_minimum(threads)) * times_as_much_));
  }

  const std::int64_t bytes_;
  double times_as_much_ = 1.0;
  std::vector<Member> members_;
};

} // namespace rivulet
