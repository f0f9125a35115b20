// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Regions of a source-destination query from objects of VTK.
///
/// Threads: the one that called RequestData makes them; workers ask them. Lifetime: functions, and the labels made
/// here, must outlive the regions.
#pragma once

#include "Filters/FlowInput.h"
#include "Trace/Regions/Region.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

class vtkDataObject;
class vtkDataSet;
class vtkImplicitFunction;

namespace rivulet
{

/// Regions and their names, for tables.
struct FlowRegions
{
  std::vector<Region> regions;
  std::vector<std::string> names;
  std::vector<std::shared_ptr<std::vector<std::int32_t>>> labels; ///< kept for regions of labels
};

/// Where a function is not positive. Boxes and spheres have bounds, in which seeds lie. Fails with BadArgument without
/// a function.
[[nodiscard]] Result<FlowRegions> function_regions(vtkImplicitFunction* function, const std::string& role);

/// The insides of closed surfaces, one for each dataset and for each block of composite data. Fails with BadArgument if
/// there are none, or one is not closed.
[[nodiscard]] Result<FlowRegions> surface_regions(std::span<vtkDataObject* const> surfaces, const std::string& role);

/// One for each label; without labels, for all values of the array but 0. `dataset`: one of the grid of `field`. Fails
/// with BadArgument if it has no such array of integers at points or cells.
[[nodiscard]] Result<FlowRegions> label_regions(
    vtkDataSet& dataset, const TraceField& field, const std::string& array, std::vector<int> labels);

} // namespace rivulet
