// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The flow of one time step, as a field with the time steps 0 and `duration` that are both this step. So
/// particles advected through time go along the streamlines of the step.
///
/// Threads: the one that called RequestData. Lifetime: the field frozen must live as long as it is used.
#pragma once

#include "Store/Derived/StepBricks.h"
#include "Trace/Contract/TraceField.h"

#include <memory>
#include <vector>

namespace rivulet
{

class FrozenField
{
public:
  /// `step`: number of the field's step. Fails as StepBricks::hold().
  [[nodiscard]] Result<void> freeze(const TraceField& field, std::int32_t step, double duration);
  [[nodiscard]] const TraceField& field() const { return field_; }

private:
  [[nodiscard]] Result<BrickSource*> freeze(const SourceArray& array, std::int32_t step, double duration);

  TraceField field_;
  std::vector<std::unique_ptr<StepBricks>> sources_;
};

} // namespace rivulet
