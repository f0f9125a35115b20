// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletReleaseFilter.h"

void vtkRivuletReleaseFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n";
}
