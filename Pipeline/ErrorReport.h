// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Turns one Core error into one message in ParaView's Output Messages, and returns what RequestData returns then.
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

/// Always 0, the pipeline's "failed". `who` may be nullptr where no object speaks.
VTKRIVULETPIPELINE_EXPORT int report_error(vtkObject* who, const Error& error);
VTKRIVULETPIPELINE_EXPORT void report_warning(vtkObject* who, const Error& error);

} // namespace rivulet
