// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interface of stores that keep values in a bounded amount of memory for several users, to divide memory among them:
/// patches read from files for many arrays, bricks assembled from them.
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

  [[nodiscard]] virtual std::string path() const = 0; ///< path of the file; empty if there is none
  [[nodiscard]] virtual std::int64_t memory_budget() const = 0;
  virtual void set_memory_budget(std::int64_t bytes) = 0; ///< 0 = default_memory_budget()
  /// Bytes that `workers` threads, each with one piece in use, need at least.
  [[nodiscard]] virtual std::int64_t working_minimum(int workers) const = 0;
  [[nodiscard]] virtual SourceStatistics statistics() const = 0;
};

} // namespace rivulet
