// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletPathTracer
 * @brief Pathlines and particles of a flow that changes with time, on image data, rectilinear grids, and blocks of
 * these that tile a box, which need not fit into memory.
 *
 * Port 0 takes the field, port 1 a dataset whose points are the seeds. A particle is released at each seed at each
 * release time. Output 0 holds the paths between their release and the requested time, output 1 the particles at that
 * time, output 2 a vertex for each release, output 3 a vertex for each crossing of the surface (fill_crossings() in
 * Output/PathOutput.h has its arrays). Lines of TerminationTime, if that is not 0, instead of the requested time.
 *
 * Velocities are linear or cubic in time between the time steps of the input. If the input's arrays are paged from
 * files that have all steps, bricks of any step are read where lines pass. Any other input is executed step by step,
 * and two to four steps are held. The lines so far are kept: a time slider that goes back to a step takes nothing from
 * the input, and the next step of an animation asks for one more.
 *
 * Point arrays: the input's arrays, SimulationTime, ParticleAge, and with ComputeVorticity Vorticity, Rotation,
 * AngularVelocity and Normals. Termination codes as in vtkRivuletStreamTracer; 7 is a particle on its way, 12 a
 * particle that reached the EndFunction.
 *
 * With several MPI ranks each one has the lines of a contiguous share of the seeds. Ranks without work trace for
 * others. The lines do not depend on ranks, threads, budget, strategy, the way to the steps, or the times requested
 * before.
 */

#ifndef vtkRivuletPathTracer_h
#define vtkRivuletPathTracer_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletSeedFilter.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkImplicitFunction;

namespace rivulet
{
struct PathlineSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletPathTracer : public vtkRivuletSeedFilter
{
public:
  vtkRivuletPathTracer(const vtkRivuletPathTracer&) = delete;
  void operator=(const vtkRivuletPathTracer&) = delete;
  static vtkRivuletPathTracer* New();
  vtkTypeMacro(vtkRivuletPathTracer, vtkRivuletSeedFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;
  /** Includes the function, if particles end at it. */
  vtkMTimeType GetMTime() override;

  enum Releases
  {
    AT_FIRST_STEP = 0,
    REPEATEDLY = 1,
    AT_TIMES = 2,
    FROM_ARRAY = 3
  };
  enum EndSurfaces
  {
    NO_SURFACE = 0,
    FUNCTION = 1
  };
  enum AtSurfaces
  {
    END = 0,
    GO_ON = 1
  };

  ///@{
  /** FORWARD (default), BACKWARD in time, or BOTH: the lines after the releases up to the requested time, and the
      whole lines before the releases, back to the first time. */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BOTH);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** Off (default): a particle is released where its seed is at the time of the release. On: where it is at the first
      time step, backward the last. Seeds whose source has no time steps, or with FROM_ARRAY, are always static. */
  vtkSetMacro(StaticSeeds, bool);
  vtkGetMacro(StaticSeeds, bool);
  vtkBooleanMacro(StaticSeeds, bool);
  ///@}
  ///@{
  /** Release times: AT_FIRST_STEP (default) is the first time step, backward the last. REPEATEDLY: from ReleaseStart to
      ReleaseEnd (defaults: the first and the last time of the field), every ReleaseInterval (0, the default: the mean
      time between its steps). AT_TIMES: at the times added. FROM_ARRAY: of each seed from its value in
      ReleaseArray. */
  vtkSetClampMacro(Release, int, AT_FIRST_STEP, FROM_ARRAY);
  vtkGetMacro(Release, int);
  ///@}
  ///@{
  /** Time of the last release, with REPEATEDLY; a time after the end of the data (default) stands for their end. */
  vtkSetMacro(ReleaseEnd, double);
  vtkGetMacro(ReleaseEnd, double);
  ///@}
  ///@{
  void AddReleaseTime(double time);
  void RemoveAllReleaseTimes();
  int GetNumberOfReleaseTimes() const { return static_cast<int>(this->ReleaseTimes.size()); }
  double GetReleaseTime(int i) const { return this->ReleaseTimes.at(static_cast<std::size_t>(i)); }
  ///@}
  ///@{
  /** Name of a point array of the seeds. */
  void SetReleaseArray(const char* name);
  const char* GetReleaseArray() const { return this->ReleaseArray.c_str(); }
  ///@}
  ///@{
  /** With AT_FIRST_STEP: releases again at every n-th time step; 0 (default) never. */
  vtkSetClampMacro(ForceReinjectionEveryNSteps, int, 0, VTK_INT_MAX);
  vtkGetMacro(ForceReinjectionEveryNSteps, int);
  ///@}
  ///@{
  /** Time of the field up to which lines go instead of the requested time; 0 (default): the requested time. */
  vtkSetMacro(TerminationTime, double);
  vtkGetMacro(TerminationTime, double);
  ///@}
  ///@{
  /** Lines show only their points of the last time of this length; 0 (default): all points. */
  vtkSetClampMacro(TailDuration, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(TailDuration, double);
  ///@}
  ///@{
  /** Whether to make paths (default). Off: output 0 is empty, memory grows with particles and not with their steps, and
      a request for an earlier time begins at the releases again. */
  vtkSetMacro(ComputePaths, bool);
  vtkGetMacro(ComputePaths, bool);
  ///@}
  ///@{
  /** Largest length of a line in world units; 0 (default) for no limit. */
  vtkSetClampMacro(MaximumPropagation, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(MaximumPropagation, double);
  ///@}
  ///@{
  /** A line ends as stagnant where its speed is below this at both ends of a step. 0 (default): a particle at rest
     waits for the flow. */
  vtkSetMacro(TerminalSpeed, double);
  vtkGetMacro(TerminalSpeed, double);
  ///@}
  ///@{
  /** Surface that particles cross, or end at (AtSurface): NO_SURFACE (default) or FUNCTION, where EndFunction changes
      its sign, in either direction. Places where it is 0 count as negative: a particle released there crosses at once
     if it moves to where the function is positive, and does not if it moves to where it is negative. */
  vtkSetClampMacro(EndSurface, int, NO_SURFACE, FUNCTION);
  vtkGetMacro(EndSurface, int);
  ///@}
  ///@{
  /** END (default): particles end at the surface. GO_ON: they go on. Output 3 has all crossings in either case. */
  vtkSetClampMacro(AtSurface, int, END, GO_ON);
  vtkGetMacro(AtSurface, int);
  ///@}
  ///@{
  void SetEndFunction(vtkImplicitFunction* function);
  vtkImplicitFunction* GetEndFunction() const;
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

  /** Text: how many paths there are at the time of the last request, or why there is none. */
  const char* GetPathsShown() const { return this->PathsShown.c_str(); }

protected:
  vtkRivuletPathTracer();
  ~vtkRivuletPathTracer() override;

  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int IntegrationDirection = FORWARD;
  bool StaticSeeds = false;
  int Release = AT_FIRST_STEP;
  double ReleaseEnd = VTK_DOUBLE_MAX;
  std::vector<double> ReleaseTimes;
  std::string ReleaseArray;
  int ForceReinjectionEveryNSteps = 0;
  double TerminationTime = 0.0;
  double TailDuration = 0.0;
  bool ComputePaths = true;
  double MaximumPropagation = 0.0;
  double TerminalSpeed = 0.0;
  int EndSurface = NO_SURFACE;
  int AtSurface = END;
  vtkSmartPointer<vtkImplicitFunction> EndFunction;
  bool ComputeVorticity = true;
  double RotationScale = 1.0;

private:
  rivulet::PathlineSettings GetSettings() const;

  std::string PathsShown;
};

#endif
