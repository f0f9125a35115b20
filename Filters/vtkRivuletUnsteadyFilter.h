// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletUnsteadyFilter
 * @brief Base of the filters that follow particles through the time steps of a flow: the ways to the time
 * steps.
 *
 * Port 0 takes the field, with two or more time steps: image data, a rectilinear grid, or blocks of these that tile a
 * box. Other ports, if a filter has them, are requested at the first time, backward the last.
 *
 * Velocities are linear in time between the time steps of the input, or cubic on request. If the input's arrays are
 * paged from files that have all steps, bricks of any step are read where particles pass. Any other input is executed
 * step by step, and two steps are held, or four.
 *
 * With several MPI ranks all of them go through the steps together.
 */

#ifndef vtkRivuletUnsteadyFilter_h
#define vtkRivuletUnsteadyFilter_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletTracingFilter.h"

#include <memory>
#include <string>

namespace rivulet
{
class UnsteadyWork;
struct TraceOptions;
struct UnsteadyRequest;
} // namespace rivulet

class VTKRIVULETFILTERS_EXPORT vtkRivuletUnsteadyFilter : public vtkRivuletTracingFilter
{
public:
  vtkRivuletUnsteadyFilter(const vtkRivuletUnsteadyFilter&) = delete;
  void operator=(const vtkRivuletUnsteadyFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletUnsteadyFilter, vtkRivuletTracingFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum TimeInterpolations
  {
    LINEAR_IN_TIME = 0,
    CUBIC_IN_TIME = 1
  };

  ///@{
  /** LINEAR_IN_TIME (default) or CUBIC_IN_TIME: velocities and arrays between two time steps. Cubic takes the step
     before and the one after these two, too, and is exact for values quadratic in time. */
  vtkSetClampMacro(TimeInterpolation, int, LINEAR_IN_TIME, CUBIC_IN_TIME);
  vtkGetMacro(TimeInterpolation, int);
  ///@}
  /** Text: whether the time steps are read as bricks or step by step, and why. */
  const char* GetTimeAccess() const { return this->TimeAccess.c_str(); }
  /** Number of time steps that the last run asked its input for. */
  int GetStepsRequested() const { return this->StepsRequested; }

protected:
  vtkRivuletUnsteadyFilter();
  ~vtkRivuletUnsteadyFilter() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  /** Work for the requests to come, until the filter forgets it. */
  virtual std::unique_ptr<rivulet::UnsteadyWork> MakeWork() = 0;
  /** Puts the properties of this class and of its base into the options. */
  void SetStepOptions(rivulet::TraceOptions& options) const;

  int TimeInterpolation = LINEAR_IN_TIME;

private:
  rivulet::UnsteadyRequest& GetRequest();

  std::unique_ptr<rivulet::UnsteadyRequest> Request; ///< results and steps kept, and the state of the present request
  std::string TimeAccess;
  int StepsRequested = 0;
};

#endif
