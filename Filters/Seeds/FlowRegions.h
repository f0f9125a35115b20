// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Regions of a source-destination query from objects of VTK.
///
/// Threads: the one that called RequestData makes them; workers ask them. Lifetime: functions, and the labels made
/// here, must outlive the regions.
#pragma once

#include "Filters/Input/FlowInput.h"
#include "Trace/Regions/Region.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataObject;
class vtkDataSet;
class vtkImplicitFunction;

namespace rivulet
{

/// An array of whole numbers, at points or at cells. Field files keep these as floating-point numbers.
struct LabelArray
{
  vtkDataArray* array = nullptr;
  Centering centering = Centering::Node;

  /// Fails with BadArgument if the dataset has no such array.
  [[nodiscard]] static Result<LabelArray> find(vtkDataSet& dataset, const std::string& name);
  /// All labels; exact for any type of whole numbers, unsigned 64-bit numbers modulo 2^64. NaN is 0. Fails with
  /// BadArgument if a value is no whole number, or too large to be exact.
  [[nodiscard]] Result<std::vector<std::int64_t>> labels() const;
};

/// Regions and their names, for tables.
struct FlowRegions
{
  std::vector<Region> regions;
  std::vector<std::string> names;
  std::vector<std::shared_ptr<std::vector<std::int32_t>>> labels; ///< kept for regions of labels: their numbers
  std::vector<std::int64_t> of_numbers;                           ///< the label with each of these numbers
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
    vtkDataSet& dataset, const TraceField& field, const std::string& array, const std::vector<int>& labels);

/// Whether a dataset has the labels of which such regions were made. Fails as label_regions().
[[nodiscard]] Result<bool> has_labels(vtkDataSet& dataset, const std::string& array, const FlowRegions& regions);

} // namespace rivulet
