// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Check of inputs that may have time steps of their own and must not move: surfaces that bound regions, seed curves of
/// a surface. They are looked at at each of their times, one execution of their pipeline after the other.
///
///     Result<std::optional<double>> next = still.look(inputs, { first, last }, anew, "surface");
///     if (next && *next) ... execute the pipeline for that time, and look again
///
/// Memory: points and cells of the inputs. Threads: the one that called RequestData.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"
#include "vtkType.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

class vtkDataObject;
class vtkInformationVector;

namespace rivulet
{

class StillInputs
{
public:
  /// Looks at the inputs of a port as they are. `asked`: time they were asked for. `range`: times that matter. `anew`:
  /// earlier looks do not count. Returns the next time to look at them; none if all their time steps in the range
  /// were seen. Fails with Unsupported if something has moved; `role` names it.
  [[nodiscard]] Result<std::optional<double>> look(vtkInformationVector& inputs, double asked,
      const std::array<double, 2>& range, bool anew, const std::string& role);

private:
  /// Points and cells.
  struct Shape
  {
    std::vector<Vec3> points;
    std::vector<vtkIdType> cells; ///< number of points of each, and these

    [[nodiscard]] bool operator==(const Shape&) const = default;
  };
  [[nodiscard]] static Shape shape_of(vtkDataObject* object);

  std::vector<Shape> first_;
  double first_time_ = 0.0;
  std::vector<double> left_; ///< times to look at, the next one last
  bool looking_ = false;
};

} // namespace rivulet
