// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletSeedFilter
 * @brief Base of the unsteady filters that release particles at seeds: port 1 takes a dataset with them.
 */

#ifndef vtkRivuletSeedFilter_h
#define vtkRivuletSeedFilter_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletReleaseFilter.h"

class vtkDataSet;

class VTKRIVULETFILTERS_EXPORT vtkRivuletSeedFilter : public vtkRivuletReleaseFilter
{
public:
  vtkRivuletSeedFilter(const vtkRivuletSeedFilter&) = delete;
  void operator=(const vtkRivuletSeedFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletSeedFilter, vtkRivuletReleaseFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Dataset of the seeds: its points, curves or cells. */
  void SetSourceData(vtkDataSet* source);
  void SetSourceConnection(vtkAlgorithmOutput* output);
  ///@}
  ///@{
  /** Largest age of a particle; 0 (default) for no limit. */
  vtkSetClampMacro(MaximumTime, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaximumTime, double);
  ///@}

protected:
  vtkRivuletSeedFilter();
  ~vtkRivuletSeedFilter() override = default;

  double MaximumTime = 0.0;
};

#endif
