// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What flow filters have in common towards the pipeline: the request for all of an input, the check of what came, and
/// the answer when it cannot be used.
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

/// Asks the pipeline for the whole of an input, on every rank and without ghosts. Lazily paged arrays make it free.
void request_all_of(vtkInformation& input);

/// The input as image data or a rectilinear grid with points. Unsupported for anything else, BadArgument if it is
/// empty.
[[nodiscard]] Result<vtkDataSet*> as_dataset(vtkDataObject* input);

/// Reports the error, once over all ranks, and gives what RequestData returns then: success with empty outputs, because
/// the pipeline would add a message of its own that says nothing.
[[nodiscard]] int refuse(vtkAlgorithm& filter, const Error& error);

} // namespace rivulet
