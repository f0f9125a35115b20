// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMRivuletSourceProxy.h"

#include "vtkObjectFactory.h"

#include <set>

vtkStandardNewMacro(vtkSMRivuletSourceProxy);

namespace
{

void FetchInformation(vtkSMProxy* proxy, std::set<vtkSMProxy*>& visited)
{
  if (proxy == nullptr || !visited.insert(proxy).second)
  {
    return;
  }
  if (vtkSMRivuletSourceProxy::SafeDownCast(proxy) != nullptr)
  {
    proxy->UpdatePropertyInformation();
  }
  for (unsigned int i = 0; i < proxy->GetNumberOfProducers(); ++i)
  {
    FetchInformation(proxy->GetProducerProxy(i), visited);
  }
}

} // namespace

void vtkSMRivuletSourceProxy::PostUpdateData(bool using_cache)
{
  this->Superclass::PostUpdateData(using_cache);
  if (!using_cache)
  {
    std::set<vtkSMProxy*> visited;
    FetchInformation(this, visited);
  }
}
