// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStreakLine
 * @brief Streak lines of a flow that changes with time and need not fit into memory: as smoke from a nozzle.
 *
 * Port 1 takes a dataset whose points are the seeds. Each seed releases particles one after the other. Output 0 has a
 * line for each seed, which joins the places of its particles at the requested time in the order of their releases,
 * from the oldest to the seed itself. A line is interrupted where the particle of a release has ended. Output 1 has a
 * vertex for each release, as output 2 of vtkRivuletPathTracer.
 *
 * Point arrays: the input's arrays, SimulationTime, ParticleAge, ReleaseTime, ParticleId and InjectionStepId (-1 at the
 * seed, if nothing is released at the requested time), and with ComputeVorticity Vorticity, Rotation and
 * AngularVelocity. Cell array: SeedIds.
 *
 * The field and the ways to its steps are as in vtkRivuletUnsteadyFilter. The particles are kept: the next time of
 * an animation asks for one more step, an earlier time begins anew.
 *
 * With several MPI ranks each one has a contiguous share of the seeds. The lines do not depend on ranks, threads,
 * budget, strategy, the way to the steps, or the times requested before.
 */

#ifndef vtkRivuletStreakLine_h
#define vtkRivuletStreakLine_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletSeedFilter.h"

#include <memory>

namespace rivulet
{
struct PathlineSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletStreakLine : public vtkRivuletSeedFilter
{
public:
  vtkRivuletStreakLine(const vtkRivuletStreakLine&) = delete;
  void operator=(const vtkRivuletStreakLine&) = delete;
  static vtkRivuletStreakLine* New();
  vtkTypeMacro(vtkRivuletStreakLine, vtkRivuletSeedFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Releases
  {
    AT_STEPS = 0,
    REPEATEDLY = 1
  };

  ///@{
  /** Release times: AT_STEPS (default): at the first time step and at every ForceReinjectionEveryNSteps-th after it.
      REPEATEDLY: every ReleaseInterval (0, the default: the mean time between time steps) from ReleaseStart to
      ReleaseEnd (defaults: the first and the last time of the field). */
  vtkSetClampMacro(Release, int, AT_STEPS, REPEATEDLY);
  vtkGetMacro(Release, int);
  vtkSetClampMacro(ForceReinjectionEveryNSteps, int, 1, VTK_INT_MAX);
  vtkGetMacro(ForceReinjectionEveryNSteps, int);
  vtkSetMacro(ReleaseEnd, double);
  vtkGetMacro(ReleaseEnd, double);
  ///@}
  ///@{
  /** Time of the field of which the lines are, instead of the requested time; 0 (default): the requested time. */
  vtkSetMacro(TerminationTime, double);
  vtkGetMacro(TerminationTime, double);
  ///@}
  ///@{
  /** Speed below which a particle ends as stagnant; 0 (default): a particle at rest waits for the flow. */
  vtkSetMacro(TerminalSpeed, double);
  vtkGetMacro(TerminalSpeed, double);
  ///@}
  ///@{
  /** Whether to add Vorticity, Rotation and AngularVelocity. */
  vtkSetMacro(ComputeVorticity, bool);
  vtkGetMacro(ComputeVorticity, bool);
  ///@}

protected:
  vtkRivuletStreakLine();
  ~vtkRivuletStreakLine() override;

  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int Release = AT_STEPS;
  int ForceReinjectionEveryNSteps = 1;
  double ReleaseEnd = VTK_DOUBLE_MAX;
  double TerminationTime = 0.0;
  double TerminalSpeed = 0.0;
  bool ComputeVorticity = true;

private:
  rivulet::PathlineSettings GetSettings() const;
};

#endif
