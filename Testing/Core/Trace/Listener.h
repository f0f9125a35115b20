// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Another source, and what it was told of the last run before that began.
#pragma once

#include "Store/Source/BrickSource.h"

namespace rivulet::test
{

class Listener final : public BrickSource
{
public:
  explicit Listener(BrickSource& source)
    : source_(source)
  {
  }

  [[nodiscard]] const FieldInfo& info() const override { return source_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return source_.bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return source_.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    source_.request_for(key, waiter, particles);
  }
  void prepare(const Workload& workload) override { told_ = workload; }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return source_.working_minimum(workers); }
  [[nodiscard]] SourceStatistics statistics() const override { return source_.statistics(); }

  [[nodiscard]] const Workload& told() const { return told_; }

private:
  void unpin(void*) override {}

  BrickSource& source_;
  Workload told_;
};

} // namespace rivulet::test
