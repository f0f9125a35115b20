// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field of which only a few time steps are there at a time.
#pragma once

#include "Store/Source/ForwardingSource.h"
#include "Trace/Contract/TimeInterpolation.h"

#include <memory>

namespace rivulet::test
{

/// The bricks of a few steps; any other brick fails.
class SomeSteps final : public ForwardingSource
{
public:
  explicit SomeSteps(BrickSource& all)
    : ForwardingSource(all)
  {
  }
  void hold(const StepRange& steps) { held_ = steps; }

  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    if (held_.has(key.step))
    {
      return source().try_get(key);
    }
    Lookup lookup;
    lookup.state = Lookup::State::Failed;
    lookup.error = std::make_shared<const Error>(Error{ ErrorCode::NotFound, "a step that is not held", "", {} });
    return lookup;
  }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t) override
  {
    waiter.brick_arrived(key, try_get(key));
  }

private:
  StepRange held_{ 0, -1 };
};

} // namespace rivulet::test
