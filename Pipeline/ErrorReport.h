// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Shows one Core error as one message in ParaView's Output Messages, and returns the result for RequestData.
///
///     if (!field) return rivulet::report_error(this, field.error());
///
/// Threads: the thread that called RequestData only.
#pragma once

#include "Base/Result.h"
#include "vtkRivuletPipelineModule.h"

class vtkObject;

namespace rivulet
{

/// Always 0, the pipeline's "failed". `who` is the object that the message names; nullptr if there is none.
VTKRIVULETPIPELINE_EXPORT int report_error(vtkObject* who, const Error& error);
VTKRIVULETPIPELINE_EXPORT void report_warning(vtkObject* who, const Error& error);

} // namespace rivulet
