// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Common parts of flow filters towards the pipeline: the request for the whole input, the check of the input, and the
/// answer if it cannot be used.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"

class vtkAlgorithm;
class vtkDataObject;
class vtkDataSet;
class vtkInformation;

namespace rivulet
{

/// Asks the pipeline for the whole input, on every rank and without ghosts. Lazily paged arrays are not read for that.
void request_all_of(vtkInformation& input);

/// Input as a dataset. Fails with Unsupported for anything else, with BadArgument if it has no points.
[[nodiscard]] Result<vtkDataSet*> as_dataset(vtkDataObject* input);

/// Whether it is image data or a rectilinear grid.
[[nodiscard]] bool is_grid(vtkDataSet& dataset);

/// Reports the error once over all ranks. Returns the value for RequestData: success with empty outputs, because on
/// failure the pipeline adds a message without content.
[[nodiscard]] int refuse(vtkAlgorithm& filter, const Error& error);

} // namespace rivulet
