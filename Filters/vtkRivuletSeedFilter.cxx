// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletSeedFilter.h"

#include "vtkDataSet.h"

vtkRivuletSeedFilter::vtkRivuletSeedFilter()
{
  this->SetNumberOfInputPorts(2);
}

void vtkRivuletSeedFilter::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletSeedFilter::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

void vtkRivuletSeedFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "MaximumTime: " << this->MaximumTime << "\n";
}
