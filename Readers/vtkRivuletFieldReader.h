// SPDX-License-Identifier: BSD-3-Clause
#ifndef vtkRivuletFieldReader_h
#define vtkRivuletFieldReader_h

#include "vtkRivuletReadersModule.h"
#include "vtkDataObjectAlgorithm.h"

class VTKRIVULETREADERS_EXPORT vtkRivuletFieldReader : public vtkDataObjectAlgorithm
{
public:
  static vtkRivuletFieldReader* New();
  vtkTypeMacro(vtkRivuletFieldReader, vtkDataObjectAlgorithm);

protected:
  vtkRivuletFieldReader() = default;
  ~vtkRivuletFieldReader() override = default;
};

#endif
