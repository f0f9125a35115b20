// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ways in which the time steps of a flow may differ. Steps may hide other cells (TraceField::hidden), levels may have
/// other boxes, the nodes of a curvilinear grid may lie elsewhere, and meshes of other cells may be others at each
/// step. All else must be alike.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Steps/HeldStep.h"

#include <string>

namespace rivulet
{

/// When the points and cells of datasets were last written to.
[[nodiscard]] vtkMTimeType structure_written(vtkDataObject& data);

/// Checks that a step has the grid of the step before, but for the ways above (of levels, see
/// FlowSteps::cut_alike()). `where`: the words for the message, such as "at time 2". Fails with Unsupported.
[[nodiscard]] Result<void> check_alike(const HeldStep& before, const HeldStep& more, const std::string& where);

} // namespace rivulet
