// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputOrigin.h"

#include "vtkAlgorithm.h"

namespace rivulet
{

bool comes_from_simulation(vtkAlgorithm& filter)
{
  vtkAlgorithm* from = &filter;
  while (from->GetNumberOfInputPorts() > 0 && from->GetNumberOfInputConnections(0) > 0)
  {
    from = from->GetInputAlgorithm(0, 0);
  }
  return from->IsA("vtkPVTrivialProducer") != 0;
}

bool comes_from_reader(vtkAlgorithm& filter)
{
  vtkAlgorithm* from = filter.GetNumberOfInputConnections(0) == 1 ? filter.GetInputAlgorithm(0, 0) : nullptr;
  while (from != nullptr && from->IsA("vtkPVPostFilter")) // ParaView puts one behind each source; it passes data on
  {
    from = from->GetNumberOfInputConnections(0) == 1 ? from->GetInputAlgorithm(0, 0) : nullptr;
  }
  return from != nullptr && from->IsA("vtkRivuletReader");
}

} // namespace rivulet
