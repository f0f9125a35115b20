// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a simulation as VTK arrays, in place where they lie densely.
///
///     vtkSmartPointer<vtkDataArray> array = array_of("density", RIVULET_FLOAT64, 1, values, count);
///
/// An array in place is valid as long as the simulation's values are, that is until execute() returns.
/// Threads: any.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <array>
#include <cstdint>

namespace rivulet::insitu
{

/// Boxes of values, [begin, end) along each axis.
struct Range
{
  std::array<std::int64_t, 3> begin{ 0, 0, 0 };
  std::array<std::int64_t, 3> end{ 0, 0, 0 };

  [[nodiscard]] std::int64_t size(int axis) const
  {
    const auto a = static_cast<std::size_t>(axis);
    return end[a] - begin[a];
  }
  [[nodiscard]] std::int64_t count() const { return size(0) * size(1) * size(2); }
  friend bool operator==(const Range&, const Range&) = default;
};

/// `count` tuples that lie one after the other. The type must be one of rivulet_insitu_data.h, as the runtime checks.
[[nodiscard]] vtkSmartPointer<vtkDataArray> array_of(
    const char* name, std::int32_t type, std::int32_t components, const void* values, std::int64_t count);

/// The part `wanted` of values that are stored for the box `stored`, the first axis fastest; in place if it is all.
[[nodiscard]] vtkSmartPointer<vtkDataArray> part_of(
    const rivulet_variable& variable, const void* values, const Range& stored, const Range& wanted);

} // namespace rivulet::insitu
