// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMRivuletTimeDomain.h"

#include "vtkObjectFactory.h"
#include "vtkPVDataInformation.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMUncheckedPropertyHelper.h"

vtkStandardNewMacro(vtkSMRivuletTimeDomain);

void vtkSMRivuletTimeDomain::Update(vtkSMProperty*)
{
  std::vector<vtkEntry> entries;
  if (vtkSMProperty* const input = this->GetRequiredProperty("Input"))
  {
    vtkSMUncheckedPropertyHelper helper(input);
    auto* const source =
        helper.GetNumberOfElements() > 0 ? vtkSMSourceProxy::SafeDownCast(helper.GetAsProxy(0)) : nullptr;
    vtkPVDataInformation* const data =
        source != nullptr ? source->GetDataInformation(helper.GetOutputPort(0)) : nullptr;
    if (data != nullptr && data->GetNumberOfTimeSteps() > 0)
    {
      entries.emplace_back(data->GetTimeRange()[0], data->GetTimeRange()[1]);
    }
  }
  this->SetEntries(entries);
}
