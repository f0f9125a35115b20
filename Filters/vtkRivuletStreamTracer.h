// SPDX-License-Identifier: BSD-3-Clause
#ifndef vtkRivuletStreamTracer_h
#define vtkRivuletStreamTracer_h

#include "vtkRivuletFiltersModule.h"
#include "vtkPolyDataAlgorithm.h"

class VTKRIVULETFILTERS_EXPORT vtkRivuletStreamTracer : public vtkPolyDataAlgorithm
{
public:
  static vtkRivuletStreamTracer* New();
  vtkTypeMacro(vtkRivuletStreamTracer, vtkPolyDataAlgorithm);

protected:
  vtkRivuletStreamTracer() = default;
  ~vtkRivuletStreamTracer() override = default;
};

#endif
