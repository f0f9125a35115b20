// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkSMRivuletSourceProxy
 * @brief A reader or filter whose information properties are those of its last run.
 *
 * ParaView fetches information properties when a source is selected and before Apply runs the pipeline, so that after
 * the run it would show those of the run before. This proxy fetches them after each run, and those of the readers and
 * filters upstream, from which the run has read.
 *
 * In XML: <RivuletSourceProxy> in place of <SourceProxy>.
 */

#ifndef vtkSMRivuletSourceProxy_h
#define vtkSMRivuletSourceProxy_h

#include "vtkRivuletProxiesModule.h"
#include "vtkSMSourceProxy.h"

class VTKRIVULETPROXIES_EXPORT vtkSMRivuletSourceProxy : public vtkSMSourceProxy
{
public:
  vtkSMRivuletSourceProxy(const vtkSMRivuletSourceProxy&) = delete;
  void operator=(const vtkSMRivuletSourceProxy&) = delete;
  static vtkSMRivuletSourceProxy* New();
  vtkTypeMacro(vtkSMRivuletSourceProxy, vtkSMSourceProxy);

protected:
  vtkSMRivuletSourceProxy() = default;
  ~vtkSMRivuletSourceProxy() override = default;

  void PostUpdateData(bool using_cache) override;
};

#endif
