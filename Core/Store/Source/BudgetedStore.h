// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What keeps values in a bounded amount of memory on behalf of others, as those see it who share memory out: patches
/// read from files for many arrays, bricks put together of them.
///
/// Threads: every function may be called from any thread. Bytes.
#pragma once

#include "Store/Source/BrickSource.h"

namespace rivulet
{

class BudgetedStore
{
public:
  BudgetedStore() = default;
  BudgetedStore(const BudgetedStore&) = delete;
  BudgetedStore& operator=(const BudgetedStore&) = delete;
  virtual ~BudgetedStore() = default;

  [[nodiscard]] virtual std::string path() const = 0; ///< of the file; empty if there is none
  [[nodiscard]] virtual std::int64_t memory_budget() const = 0;
  virtual void set_memory_budget(std::int64_t bytes) = 0; ///< 0 = default_memory_budget()
  /// What so many threads, each with one piece in hand, cannot do without.
  [[nodiscard]] virtual std::int64_t working_minimum(int workers) const = 0;
  [[nodiscard]] virtual SourceStatistics statistics() const = 0;
};

} // namespace rivulet
