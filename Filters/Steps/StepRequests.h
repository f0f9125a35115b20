// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times in the pipeline of an unsteady filter: times of its input's steps, time requested of its output, and
/// time that its input has.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"
#include "vtkType.h"

#include <cstdint>
#include <vector>

class vtkAlgorithm;
class vtkDataObject;
class vtkInformation;
class vtkInformationVector;

namespace rivulet
{

/// Times of the input's steps; with `least` 1 a time for an input without steps. Fails with BadArgument if there are
/// fewer than `least`, which is 1 or 2, or if they do not increase.
[[nodiscard]] Result<std::vector<double>> times_of(vtkInformation& input, int least = 2);

/// Time at which an output was requested; NaN if the request has none.
[[nodiscard]] double requested_time(vtkInformation& request, vtkInformationVector& outputs);

/// Fails with BadArgument if the input says that it has another time than that of the step it was asked for.
[[nodiscard]] Result<void> check_time(vtkDataObject& input, const std::vector<double>& times, std::int32_t asked);

/// Last change of the pipeline that feeds a port. Other times of the same pipeline change nothing.
[[nodiscard]] vtkMTimeType pipeline_time(vtkAlgorithm& filter, int port);

} // namespace rivulet
