// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Inputs of an unsteady filter beside the field: seeds, surfaces. They are taken at the beginning of a request, and
/// stay the same while the field's pipeline is executed at other times.
///
///     others.take(filter, inputs, time);
///     UnsteadyPass pass{ others.with_field(inputs), ... };
///
/// They may be made of the same reader as the field, which has one time at a time. Then the first execution of a
/// request is for them alone, and they are copied (shallowly).
///
/// A port with one connection takes one dataset: the blocks of composite data become one, in their order.
///
/// Threads: the one that called RequestData.
#pragma once

#include "vtkInformationVector.h"
#include "vtkSmartPointer.h"
#include "vtkType.h"

#include <vector>

class vtkAlgorithm;

namespace rivulet
{

class OtherInputs
{
public:
  /// Whether an algorithm feeds both port 0 and another port.
  [[nodiscard]] static bool shares_source(vtkAlgorithm& filter);

  /// Takes the inputs as they are, asked for at `time`. `copies`: whether they may change while they are used.
  void take(vtkAlgorithm& filter, vtkInformationVector** inputs, double time, bool copies);
  /// Whether the inputs taken are of this time and no pipeline has changed since.
  [[nodiscard]] bool are_of(vtkAlgorithm& filter, double time) const;
  /// Inputs of all ports, the field as it is now. Valid until the next call.
  [[nodiscard]] vtkInformationVector** with_field(vtkInformationVector** inputs);

private:
  std::vector<vtkSmartPointer<vtkInformationVector>> ports_; ///< after the first
  std::vector<vtkInformationVector*> all_;
  std::vector<vtkMTimeType> changed_; ///< of the pipelines of these ports
  double time_ = 0.0;
};

} // namespace rivulet
