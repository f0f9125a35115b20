// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field of which only a few time steps are there at a time.
#pragma once

#include "Support/AnalyticBricks.h"
#include "Trace/Contract/TimeInterpolation.h"

#include <memory>

namespace rivulet::test
{

/// The bricks of a few steps; any other brick fails.
class SomeSteps final : public BrickSource
{
public:
  explicit SomeSteps(AnalyticBricks& all)
    : all_(all)
  {
  }
  void hold(const StepRange& steps) { held_ = steps; }

  [[nodiscard]] const FieldInfo& info() const override { return all_.info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return all_.bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    if (held_.has(key.step))
    {
      return all_.try_get(key);
    }
    Lookup lookup;
    lookup.state = Lookup::State::Failed;
    lookup.error = std::make_shared<const Error>(Error{ ErrorCode::NotFound, "a step that is not held", "", {} });
    return lookup;
  }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return all_.working_minimum(workers); }
  [[nodiscard]] SourceStatistics statistics() const override { return all_.statistics(); }

private:
  void unpin(void*) override {}

  AnalyticBricks& all_;
  StepRange held_{ 0, -1 };
};

} // namespace rivulet::test
