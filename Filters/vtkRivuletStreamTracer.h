// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStreamTracer
 * @brief Streamlines of vector fields on image data, rectilinear grids, composite data of them, and levels of uniform
 * grids (overlapping AMR), which need not fit into memory.
 *
 * Properties, outputs and termination codes are as in vtkStreamTracer. Additions: lazily paged arrays are read brick
 * by brick within a memory budget; a limit on integration time; a second output with a vertex per seed; statistics in
 * the field data; codes 7 (out of time), 8 (unreadable data), 9 (stopped on request), 11 (the run has taken
 * MaximumSeconds) and, in the second output only, 10 (seed outside).
 *
 * Port 0 takes the field, port 1 a dataset whose points are the seeds. Output 0 holds the lines, output 1 the seeds.
 *
 * Blocks of composite data that form neither one grid nor levels are traced one by one: a line ends at the border of
 * its block.
 *
 * The last result is returned without a run while nothing that it depends on has changed: other pieces, other ghost
 * layers and another time of the same step change nothing. So is an incomplete result, but not one with an error.
 *
 * With several MPI ranks each one has the lines of a contiguous share of the seeds. Ranks without work trace for
 * others. The lines do not depend on ranks, threads, budget or strategy. MPI is called only from the thread that runs
 * RequestData.
 */

#ifndef vtkRivuletStreamTracer_h
#define vtkRivuletStreamTracer_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletTracingFilter.h"

#include <memory>

class vtkDataSet;

namespace rivulet
{
struct StreamTracerKept;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletStreamTracer : public vtkRivuletTracingFilter
{
public:
  vtkRivuletStreamTracer(const vtkRivuletStreamTracer&) = delete;
  void operator=(const vtkRivuletStreamTracer&) = delete;
  static vtkRivuletStreamTracer* New();
  vtkTypeMacro(vtkRivuletStreamTracer, vtkRivuletTracingFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Dataset whose points are the seeds. */
  void SetSourceData(vtkDataSet* source);
  void SetSourceConnection(vtkAlgorithmOutput* output);
  ///@}

  ///@{
  /** Direction of lines from a seed: FORWARD, BACKWARD or BOTH (default). */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BOTH);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** For scripts of vtkStreamTracer. InterpolatorType has no effect, because the cell of a point is computed without a
      search. With SurfaceStreamlines on, a run is refused. */
  void SetInterpolatorType(int) {}
  vtkSetMacro(SurfaceStreamlines, bool);
  vtkGetMacro(SurfaceStreamlines, bool);
  ///@}
  /** LENGTH_UNIT, CELL_LENGTH_UNIT (default) or CELL_CROSSING_UNIT: a streamline has no unit of time. */
  void SetIntegrationStepUnit(int unit) override;

  ///@{
  /** Largest length of a line in each direction, in world units. */
  vtkSetMacro(MaximumPropagation, double);
  vtkGetMacro(MaximumPropagation, double);
  ///@}
  ///@{
  /** Largest integration time of a line in each direction; 0 (default) for no limit. */
  vtkSetClampMacro(MaximumTime, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaximumTime, double);
  ///@}
  ///@{
  /** Speed at or below which a line ends as stagnant. */
  vtkSetMacro(TerminalSpeed, double);
  vtkGetMacro(TerminalSpeed, double);
  ///@}
  ///@{
  /** Whether a line that leaves the domain ends exactly on its border. Off (default): at the last point before it, up
     to a step away, as vtkStreamTracer's. */
  vtkSetMacro(EndOnBoundary, bool);
  vtkGetMacro(EndOnBoundary, bool);
  vtkBooleanMacro(EndOnBoundary, bool);
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

protected:
  vtkRivuletStreamTracer();
  ~vtkRivuletStreamTracer() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int IntegrationDirection = BOTH;
  bool SurfaceStreamlines = false;
  double MaximumPropagation = 1.0;
  double MaximumTime = 0.0;
  double TerminalSpeed = 1e-12;
  bool EndOnBoundary = false;
  bool ComputeVorticity = true;
  double RotationScale = 1.0;

private:
  std::unique_ptr<rivulet::StreamTracerKept> Kept; ///< the last result, and cached data of the input's mesh
};

#endif
