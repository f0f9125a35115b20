// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Base of sources of bricks that stand before another source. Each call goes on to that source unless a subclass
/// overrides it. Pins are the other source's own. Threads: as the source, which must outlive this object.
#pragma once

#include "Store/Source/BrickSource.h"

namespace rivulet
{

class ForwardingSource : public BrickSource
{
public:
  [[nodiscard]] const FieldInfo& info() const override { return source_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return source_.bricks(variable); }
  [[nodiscard]] const BrickCut* own_cut() const override { return source_.own_cut(); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return source_.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    source_.request_for(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override { source_.withdraw(waiter); }
  void prefetch(std::span<const BrickKey> keys, std::int64_t priority) override { source_.prefetch(keys, priority); }
  [[nodiscard]] HintStore* hints() override { return source_.hints(); }
  void prepare(const Workload& workload) override { source_.prepare(workload); }
  [[nodiscard]] int useful_threads(int wanted) const override { return source_.useful_threads(wanted); }
  [[nodiscard]] std::int64_t bricks_at_once() const override { return source_.bricks_at_once(); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return source_.working_minimum(workers); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return source_.storage_order(key); }
  [[nodiscard]] SourceStatistics statistics() const override { return source_.statistics(); }
  [[nodiscard]] Result<void> health() override { return source_.health(); }

protected:
  explicit ForwardingSource(BrickSource& source)
    : source_(source)
  {
  }

  [[nodiscard]] BrickSource& source() const { return source_; }
  void unpin(void*) override {}

private:
  BrickSource& source_;
};

} // namespace rivulet
