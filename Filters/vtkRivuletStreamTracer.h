// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStreamTracer
 * @brief Streamlines of vector fields on image data, rectilinear grids, composite data of them, and levels of uniform
 * grids (overlapping AMR), which need not fit into memory.
 *
 * Properties, outputs and termination codes are vtkStreamTracer's, see there. What comes on top: lazily paged arrays
 * are read brick by brick within a memory budget; a limit on integration time; a second output with a vertex per seed;
 * statistics in the field data; codes 7 (out of time), 8 (data that could not be read), 9 (stopped on request), 11 (the
 * run had taken MaximumSeconds) and, in the second output only, 10 (seed outside).
 *
 * Port 0 takes the field, port 1 a dataset whose points are the seeds. Output 0 holds the lines, output 1 the seeds.
 *
 * Composite data whose blocks make no grid together is traced block by block: a line ends at its block's border.
 *
 * A request that would give the last result again gets it without a run: one for other pieces or ghost layers, or for a
 * time that means the same step. A result that is incomplete is given again, too; one that met an error is not.
 *
 * With several MPI ranks each one traces a contiguous share of the seeds through the whole field. The lines do not
 * depend on ranks, threads, budget or strategy. MPI is called only from the thread that runs RequestData.
 */

#ifndef vtkRivuletStreamTracer_h
#define vtkRivuletStreamTracer_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletFlowFilter.h"

#include <memory>
#include <string>

class vtkDataSet;

namespace rivulet
{
class AmrCache;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletStreamTracer : public vtkRivuletFlowFilter
{
public:
  vtkRivuletStreamTracer(const vtkRivuletStreamTracer&) = delete;
  void operator=(const vtkRivuletStreamTracer&) = delete;
  static vtkRivuletStreamTracer* New();
  vtkTypeMacro(vtkRivuletStreamTracer, vtkRivuletFlowFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Directions
  {
    FORWARD = 0,
    BACKWARD = 1,
    BOTH = 2
  };
  enum Integrators
  {
    RUNGE_KUTTA2 = 0,
    RUNGE_KUTTA4 = 1,
    RUNGE_KUTTA45 = 2
  };
  enum StepUnits
  {
    LENGTH_UNIT = 1,
    CELL_LENGTH_UNIT = 2
  };

  ///@{
  /** The dataset whose points are the seeds. */
  void SetSourceData(vtkDataSet* source);
  void SetSourceConnection(vtkAlgorithmOutput* output);
  ///@}

  ///@{
  /** Where to go from a seed: FORWARD, BACKWARD or BOTH (default). */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BOTH);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** RUNGE_KUTTA2, RUNGE_KUTTA4 or RUNGE_KUTTA45 (default; the only one that controls its error). */
  vtkSetClampMacro(IntegratorType, int, RUNGE_KUTTA2, RUNGE_KUTTA45);
  vtkGetMacro(IntegratorType, int);
  ///@}
  ///@{
  /** For scripts of vtkStreamTracer. The first has no effect, because the cell of a point is computed, not searched
     for; a run with the second is refused. */
  void SetInterpolatorType(int) {}
  vtkSetMacro(SurfaceStreamlines, bool);
  vtkGetMacro(SurfaceStreamlines, bool);
  ///@}
  ///@{
  /** What step lengths count: LENGTH_UNIT, or CELL_LENGTH_UNIT (default), the diagonal of the cell at hand. */
  vtkSetClampMacro(IntegrationStepUnit, int, LENGTH_UNIT, CELL_LENGTH_UNIT);
  vtkGetMacro(IntegrationStepUnit, int);
  ///@}
  ///@{
  /** First step, and every step of integrators without error control. */
  vtkSetMacro(InitialIntegrationStep, double);
  vtkGetMacro(InitialIntegrationStep, double);
  ///@}
  ///@{
  /** Bounds of the step under error control. */
  vtkSetMacro(MinimumIntegrationStep, double);
  vtkGetMacro(MinimumIntegrationStep, double);
  vtkSetMacro(MaximumIntegrationStep, double);
  vtkGetMacro(MaximumIntegrationStep, double);
  ///@}
  ///@{
  /** Error allowed per step, as a length. */
  vtkSetMacro(MaximumError, double);
  vtkGetMacro(MaximumError, double);
  ///@}
  ///@{
  /** Steps of a line in each direction. */
  vtkSetMacro(MaximumNumberOfSteps, vtkIdType);
  vtkGetMacro(MaximumNumberOfSteps, vtkIdType);
  ///@}
  ///@{
  /** Length of a line in each direction. */
  vtkSetMacro(MaximumPropagation, double);
  vtkGetMacro(MaximumPropagation, double);
  ///@}
  ///@{
  /** Integration time of a line in each direction; 0 (default) for no limit. */
  vtkSetClampMacro(MaximumTime, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaximumTime, double);
  ///@}
  ///@{
  /** Speed at which a line counts as come to rest. */
  vtkSetMacro(TerminalSpeed, double);
  vtkGetMacro(TerminalSpeed, double);
  ///@}
  ///@{
  /** Whether to add Vorticity, Rotation, AngularVelocity and Normals. */
  vtkSetMacro(ComputeVorticity, bool);
  vtkGetMacro(ComputeVorticity, bool);
  ///@}
  ///@{
  /** Factor on AngularVelocity and Rotation. */
  vtkSetMacro(RotationScale, double);
  vtkGetMacro(RotationScale, double);
  ///@}

  /** Wall time after which the lines end where they are; 0 (default) for no limit. It changes no result that is
      complete, and acts at the next run as the memory budget does. */
  void SetMaximumSeconds(double seconds) { this->SetOfRun(this->MaximumSeconds, seconds > 0.0 ? seconds : 0.0); }
  vtkGetMacro(MaximumSeconds, double);

  /** What the last run took its input for: one grid, blocks as one grid, levels, or blocks each by itself. */
  const char* GetInputLayout() const { return this->InputLayout.c_str(); }

protected:
  vtkRivuletStreamTracer();
  ~vtkRivuletStreamTracer() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int IntegrationDirection = BOTH;
  int IntegratorType = RUNGE_KUTTA45;
  bool SurfaceStreamlines = false;
  int IntegrationStepUnit = CELL_LENGTH_UNIT;
  double InitialIntegrationStep = 0.2;
  double MinimumIntegrationStep = 0.01;
  double MaximumIntegrationStep = 0.5;
  double MaximumError = 1e-6;
  vtkIdType MaximumNumberOfSteps = 2000;
  double MaximumPropagation = 1.0;
  double MaximumTime = 0.0;
  double TerminalSpeed = 1e-12;
  bool ComputeVorticity = true;
  double RotationScale = 1.0;
  double MaximumSeconds = 0.0;

private:
  std::string InputLayout;

  class Run;
  struct LastRun;
  std::unique_ptr<LastRun> Last;            ///< given again where nothing that it depends on has changed
  std::unique_ptr<rivulet::AmrCache> Cache; ///< of levels
};

#endif
