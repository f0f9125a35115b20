// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFTLE
 * @brief Finite-time Lyapunov exponent of a flow that changes with time and need not fit into memory: how fast
 * particles part that are neighbours at the requested time.
 *
 * The output is image data, or the curvilinear grid of the input, as it is at that time. A particle is released at each
 * of its points at the requested time, and goes Duration forward or backward in time. The exponent is ln(sqrt(l)) /
 * Duration, l the largest eigenvalue of the Cauchy-Green tensor of the flow map, by central differences, one-sided
 * where one neighbour is missing (Core/Trace/FlowMap/FlowMap.h has the sources). It is NaN where the particle, or both
 * neighbours along an axis, left the domain before.
 *
 * The field is that of vtkRivuletPathTracer, with the same two ways to the time steps. Pieces of the output are
 * computed by themselves. The flow map is computed in chunks of layers within the memory budget; step by step, each
 * chunk needs all steps of its time.
 *
 * Arrays: FTLE (double, 1 / time), and on request FlowMap (double, 3; the place that the particle reached) and
 * ReasonForTermination (int; 7: it reached the end of its time; 0: it was not released, and FlowMap is NaN). Field
 * data: the statistics of all filters, and IntegrationTime, the length of time that particles went: 0 at the end of the
 * field's times, where all exponents are NaN.
 *
 * With AdaptiveSampling most particles are not traced: their ends are interpolated between ends of a coarser lattice
 * (Core/Trace/FlowMap/AdaptiveMap.h has the rule). Then there are two more arrays of unsigned char: Traced (1: the
 * particle of the point was traced; 0: its FlowMap is interpolated, and its ReasonForTermination supposed), and
 * Estimated (1: the exponent is made of at least one interpolated end; 0: it has the bytes that it has without). Field
 * data: ParticlesTraced; particles that two tiles trace count twice. Step by step, each of SamplingLevels + 1
 * passes of each chunk needs all steps of its time.
 *
 * With several MPI ranks each one computes its piece. The values do not depend on ranks, threads, budget, strategy or
 * the way to the steps.
 */

#ifndef vtkRivuletFTLE_h
#define vtkRivuletFTLE_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletUnsteadyFilter.h"

#include <memory>

namespace rivulet
{
struct FtleSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletFTLE : public vtkRivuletUnsteadyFilter
{
public:
  vtkRivuletFTLE(const vtkRivuletFTLE&) = delete;
  void operator=(const vtkRivuletFTLE&) = delete;
  static vtkRivuletFTLE* New();
  vtkTypeMacro(vtkRivuletFTLE, vtkRivuletUnsteadyFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Lattices
  {
    OF_THE_FIELD = 0,
    BOX = 1
  };

  ///@{
  /** FORWARD (default): repelling structures; BACKWARD: attracting ones. */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BACKWARD);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** Length of time that particles go; 0 (default): up to the end of the field's times. It is shortened there, with one
      warning. */
  vtkSetClampMacro(Duration, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(Duration, double);
  ///@}
  ///@{
  /** Lattice of the output: OF_THE_FIELD (default), which must be image data, a curvilinear grid, with Refinement
      times as many cells along each axis, or an unstructured grid; or BOX with Bounds and Dimensions. With low
      ends above high ones along all axes (default), or all ends at 0, the box is that of the input. */
  vtkSetClampMacro(Lattice, int, OF_THE_FIELD, BOX);
  vtkGetMacro(Lattice, int);
  vtkSetClampMacro(Refinement, int, 1, 64);
  vtkGetMacro(Refinement, int);
  vtkSetVector6Macro(Bounds, double);
  vtkGetVector6Macro(Bounds, double);
  vtkSetVector3Macro(Dimensions, int);
  vtkGetVector3Macro(Dimensions, int);
  ///@}
  ///@{
  /** Whether particles are traced only where a coarser lattice does not predict their ends. The other ends are
      interpolated. Off by default. */
  vtkSetMacro(AdaptiveSampling, bool);
  vtkGetMacro(AdaptiveSampling, bool);
  vtkBooleanMacro(AdaptiveSampling, bool);
  ///@}
  ///@{
  /** Largest distance between the place that a particle reached and the one that a coarser lattice foretold, as a share
      of the distance between the places that neighbours reach. Where it is larger, the particles around are traced.
      Most errors of the exponent are far below this share over the IntegrationTime. 0: all particles are traced. */
  vtkSetMacro(SamplingTolerance, double);
  vtkGetMacro(SamplingTolerance, double);
  ///@}
  ///@{
  /** Number of lattices beyond the coarsest one, each with half the spacing: 1 to 5. With 3 (default) every 8th point
      along each axis is traced always. */
  vtkSetMacro(SamplingLevels, int);
  vtkGetMacro(SamplingLevels, int);
  ///@}
  ///@{
  /** Whether to add FlowMap and ReasonForTermination. */
  vtkSetMacro(ComputeFlowMap, bool);
  vtkGetMacro(ComputeFlowMap, bool);
  ///@}

protected:
  vtkRivuletFTLE();
  ~vtkRivuletFTLE() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int IntegrationDirection = FORWARD;
  double Duration = 0.0;
  int Lattice = OF_THE_FIELD;
  int Refinement = 1;
  double Bounds[6] = { VTK_DOUBLE_MAX, VTK_DOUBLE_MIN, VTK_DOUBLE_MAX, VTK_DOUBLE_MIN, VTK_DOUBLE_MAX, VTK_DOUBLE_MIN };
  int Dimensions[3] = { 101, 101, 101 };
  bool AdaptiveSampling = false;
  double SamplingTolerance = 0.2;
  int SamplingLevels = 3;
  bool ComputeFlowMap = false;

private:
  rivulet::FtleSettings GetSettings();
};

#endif
