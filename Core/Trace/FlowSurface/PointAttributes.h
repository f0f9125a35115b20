// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a field's arrays at points and one time: at the points of a flow surface, for example.
#pragma once

#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Kernel/AdvectionContext.h"

#include <memory>
#include <span>
#include <vector>

namespace rivulet
{

struct PointAttributes
{
  std::vector<AttributeValues> arrays;       ///< TraceField::attributes, in their order
  std::shared_ptr<const Error> data_error{}; ///< the first brick that could not be read; its points are NaN
};

/// Interpolates all arrays of the field. The context is unsteady, and `time` lies within an interval that it holds
/// (else BadArgument). Values of points outside the mesh have all bits set (NaN). Fails with BudgetTooSmall if the
/// system has no memory, and with Cancelled if the run was stopped. Progress is a half as long as it runs.
[[nodiscard]] Result<PointAttributes> attributes_at(
    const AdvectionContext& context, std::span<const Vec3> points, double time, const RunOptions& run);

} // namespace rivulet
