// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkSMRivuletTimeDomain
 * @brief Range between the first and the last time of an input, and defaults at its ends.
 *
 * In XML: <RivuletTimeDomain> in a property of one number, with the required property Input of the function Input;
 * default_mode "min" or "max". While the times of the input are not known the default is that of the property.
 */

#ifndef vtkSMRivuletTimeDomain_h
#define vtkSMRivuletTimeDomain_h

#include "vtkRivuletProxiesModule.h"
#include "vtkSMDoubleRangeDomain.h"

class VTKRIVULETPROXIES_EXPORT vtkSMRivuletTimeDomain : public vtkSMDoubleRangeDomain
{
public:
  vtkSMRivuletTimeDomain(const vtkSMRivuletTimeDomain&) = delete;
  void operator=(const vtkSMRivuletTimeDomain&) = delete;
  static vtkSMRivuletTimeDomain* New();
  vtkTypeMacro(vtkSMRivuletTimeDomain, vtkSMDoubleRangeDomain);

  void Update(vtkSMProperty* requestingProperty) override;

protected:
  vtkSMRivuletTimeDomain() = default;
  ~vtkSMRivuletTimeDomain() override = default;
};

#endif
