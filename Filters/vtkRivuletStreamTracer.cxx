// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreamTracer.h"

#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletStreamTracer);
