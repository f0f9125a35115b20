// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletReleaseFilter
 * @brief Base of the unsteady filters that release particles at times of their own.
 */

#ifndef vtkRivuletReleaseFilter_h
#define vtkRivuletReleaseFilter_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletUnsteadyFilter.h"

class VTKRIVULETFILTERS_EXPORT vtkRivuletReleaseFilter : public vtkRivuletUnsteadyFilter
{
public:
  vtkRivuletReleaseFilter(const vtkRivuletReleaseFilter&) = delete;
  void operator=(const vtkRivuletReleaseFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletReleaseFilter, vtkRivuletUnsteadyFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Time of the first release. A time before the data begin (default) stands for their beginning; backward, the
      beginning stands for their end. */
  vtkSetMacro(ReleaseStart, double);
  vtkGetMacro(ReleaseStart, double);
  ///@}
  ///@{
  /** Time between releases. 0 (default): the mean time between time steps, or one release
   * (vtkRivuletSourceDestination).
   */
  vtkSetMacro(ReleaseInterval, double);
  vtkGetMacro(ReleaseInterval, double);
  ///@}

protected:
  vtkRivuletReleaseFilter() = default;
  ~vtkRivuletReleaseFilter() override = default;

  double ReleaseStart = VTK_DOUBLE_MIN;
  double ReleaseInterval = 0.0;
};

#endif
