// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFieldReader.h"

#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletFieldReader);
