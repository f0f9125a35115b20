// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletUnsteadyFilter
 * @brief Base of the filters that follow particles through the time steps of a flow: the ways to the steps, and the
 * control of the particles' steps.
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
#include "vtkRivuletFlowFilter.h"

#include <memory>
#include <string>

namespace rivulet
{
class UnsteadyWork;
struct TraceOptions;
struct UnsteadyRequest;
} // namespace rivulet

class VTKRIVULETFILTERS_EXPORT vtkRivuletUnsteadyFilter : public vtkRivuletFlowFilter
{
public:
  vtkRivuletUnsteadyFilter(const vtkRivuletUnsteadyFilter&) = delete;
  void operator=(const vtkRivuletUnsteadyFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletUnsteadyFilter, vtkRivuletFlowFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Directions
  {
    FORWARD = 0,
    BACKWARD = 1,
    BOTH = 2 ///< vtkRivuletPathTracer only
  };
  enum Integrators
  {
    RUNGE_KUTTA2 = 0,
    RUNGE_KUTTA4 = 1,
    RUNGE_KUTTA45 = 2
  };
  enum StepUnits
  {
    TIME_UNIT = 0,
    LENGTH_UNIT = 1,
    CELL_LENGTH_UNIT = 2,
    CELL_CROSSING_UNIT = 3
  };

  enum TimeInterpolations
  {
    LINEAR_IN_TIME = 0,
    CUBIC_IN_TIME = 1
  };

  ///@{
  /** LINEAR_IN_TIME (default) or CUBIC_IN_TIME: velocities and arrays between two time steps. Cubic takes the step
     before and the one after these two, too, and is exact for what is quadratic in time. */
  vtkSetClampMacro(TimeInterpolation, int, LINEAR_IN_TIME, CUBIC_IN_TIME);
  vtkGetMacro(TimeInterpolation, int);
  ///@}
  ///@{
  /** RUNGE_KUTTA2, RUNGE_KUTTA4 or RUNGE_KUTTA45 (default; the only one that controls its error). */
  vtkSetClampMacro(IntegratorType, int, RUNGE_KUTTA2, RUNGE_KUTTA45);
  vtkGetMacro(IntegratorType, int);
  ///@}
  ///@{
  /** Unit of the steps: TIME_UNIT, LENGTH_UNIT (world units), CELL_LENGTH_UNIT, the diagonal of the particle's cell, or
      CELL_CROSSING_UNIT (default), the same of a cell whose sides all have the length of the way through the particle's
      cell along its velocity: for cells whose sides have unlike lengths or units. */
  vtkSetClampMacro(IntegrationStepUnit, int, TIME_UNIT, CELL_CROSSING_UNIT);
  vtkGetMacro(IntegrationStepUnit, int);
  ///@}
  ///@{
  /** First step, and every step without error control, in IntegrationStepUnit. */
  vtkSetMacro(InitialIntegrationStep, double);
  vtkGetMacro(InitialIntegrationStep, double);
  ///@}
  ///@{
  /** Bounds of the step under error control, in IntegrationStepUnit. A step of the shortest length is taken for any
      error; 0 (default): errors alone decide. */
  vtkSetMacro(MinimumIntegrationStep, double);
  vtkGetMacro(MinimumIntegrationStep, double);
  vtkSetMacro(MaximumIntegrationStep, double);
  vtkGetMacro(MaximumIntegrationStep, double);
  ///@}
  ///@{
  /** Largest error per step, a length in world units. */
  vtkSetMacro(MaximumError, double);
  vtkGetMacro(MaximumError, double);
  ///@}
  ///@{
  /** Largest number of steps of a particle. */
  vtkSetMacro(MaximumNumberOfSteps, vtkIdType);
  vtkGetMacro(MaximumNumberOfSteps, vtkIdType);
  ///@}

  ///@{
  /** Wall time in seconds after which a request ends with what there is, the time of the input's steps included; 0
      (default) for no limit. It changes no complete result and, like the memory budget, acts at the next run. */
  void SetMaximumSeconds(double seconds) { this->SetOfRun(this->MaximumSeconds, seconds > 0.0 ? seconds : 0.0); }
  vtkGetMacro(MaximumSeconds, double);
  ///@}

  /** Text: how the last run interpreted its input. */
  const char* GetInputLayout() const { return this->InputLayout.c_str(); }
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
  /** Puts the properties of this class into the options. */
  void SetStepOptions(rivulet::TraceOptions& options) const;

  int IntegratorType = RUNGE_KUTTA45;
  int IntegrationStepUnit = CELL_CROSSING_UNIT;
  double InitialIntegrationStep = 0.2;
  double MinimumIntegrationStep = 0.0;
  double MaximumIntegrationStep = 0.5;
  double MaximumError = 1e-6;
  vtkIdType MaximumNumberOfSteps = 100000;
  int TimeInterpolation = LINEAR_IN_TIME;
  double MaximumSeconds = 0.0;

private:
  class Run;
  std::unique_ptr<rivulet::UnsteadyRequest>
      Kept; ///< results and steps kept, and where the present execution of the pipeline is
  std::string InputLayout;
  std::string TimeAccess;
  int StepsRequested = 0;
};

#endif
