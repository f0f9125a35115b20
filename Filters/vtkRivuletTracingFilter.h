// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletTracingFilter
 * @brief Base of the filters that follow particles: the control of their steps, and the limit of wall time.
 *
 * A filter has the integrators and units of its enums, unless it says otherwise.
 */

#ifndef vtkRivuletTracingFilter_h
#define vtkRivuletTracingFilter_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletFlowFilter.h"

namespace rivulet
{
struct TraceOptions;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletTracingFilter : public vtkRivuletFlowFilter
{
public:
  vtkRivuletTracingFilter(const vtkRivuletTracingFilter&) = delete;
  void operator=(const vtkRivuletTracingFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletTracingFilter, vtkRivuletFlowFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Directions
  {
    FORWARD = 0,
    BACKWARD = 1,
    BOTH = 2 ///< vtkRivuletStreamTracer and vtkRivuletPathTracer only
  };
  enum Integrators
  {
    RUNGE_KUTTA2 = 0,
    RUNGE_KUTTA4 = 1,
    RUNGE_KUTTA45 = 2
  };
  enum StepUnits
  {
    TIME_UNIT = 0, ///< not for vtkRivuletStreamTracer
    LENGTH_UNIT = 1,
    CELL_LENGTH_UNIT = 2,
    CELL_CROSSING_UNIT = 3
  };

  ///@{
  /** RUNGE_KUTTA2, RUNGE_KUTTA4 or RUNGE_KUTTA45 (default; the only one that controls its error). */
  vtkSetClampMacro(IntegratorType, int, RUNGE_KUTTA2, RUNGE_KUTTA45);
  vtkGetMacro(IntegratorType, int);
  ///@}
  ///@{
  /** Unit of the steps: TIME_UNIT, LENGTH_UNIT (world units), CELL_LENGTH_UNIT, the diagonal of the particle's cell, or
      CELL_CROSSING_UNIT, the same of a cell whose sides all have the length of the way through the particle's cell
     along its velocity: for cells whose sides have unlike lengths or units. */
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
      error; 0: errors alone decide. */
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
  /** Largest number of steps of a particle, or of a line in each direction. */
  vtkSetMacro(MaximumNumberOfSteps, vtkIdType);
  vtkGetMacro(MaximumNumberOfSteps, vtkIdType);
  ///@}
  ///@{
  /** Wall time in seconds after which a request ends with the results so far; includes the time of the input's steps.
      0 (default) for no limit. It changes no complete result and, like the memory budget, acts at the next run. */
  void SetMaximumSeconds(double seconds) { this->SetOfRun(this->MaximumSeconds, seconds > 0.0 ? seconds : 0.0); }
  vtkGetMacro(MaximumSeconds, double);
  ///@}

protected:
  vtkRivuletTracingFilter() = default;
  ~vtkRivuletTracingFilter() override = default;

  /** Puts the properties of this class into the options. */
  void SetStepOptions(rivulet::TraceOptions& options) const;
  rivulet::FilterSettings GetFilterSettings() override;

  int IntegratorType = RUNGE_KUTTA45;
  int IntegrationStepUnit = CELL_CROSSING_UNIT;
  double InitialIntegrationStep = 0.2;
  double MinimumIntegrationStep = 0.0;
  double MaximumIntegrationStep = 0.5;
  double MaximumError = 1e-6;
  vtkIdType MaximumNumberOfSteps = 100000;
  double MaximumSeconds = 0.0;
};

#endif
