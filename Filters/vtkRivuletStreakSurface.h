// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStreakSurface
 * @brief Streak surfaces, time surfaces and stream surfaces of a flow that need not fit into memory, sampled as densely
 * as their shape asks for (Core/Trace/FlowSurface.h).
 *
 * Port 1 takes the seeds. STREAK_SURFACE: the particles at the requested time of curves that release them all the time,
 * as smoke from a slot. TIME_SURFACE: the particles of a surface that were all released at ReleaseStart.
 * STREAM_SURFACE: the streamlines of curves in the flow of the last time step not after the requested time, StreamTime
 * long; this one needs one time step only.
 *
 * Each point is traced from its own release. The surface is refined where neighbours part or fold, and coarse where
 * they crowd; triangles whose points have parted too far, or have left the domain, are left out.
 *
 * Arrays at points: the input's arrays, Normals, texture coordinates (share of the curve, share of the time),
 * ReleaseTime, ParticleAge, CurveLength (length of the seed curve up to the point), and ReleasePoint. Field data: the
 * statistics of all filters, and Vertices, LostVertices, TornTriangles and VerticesStarted.
 *
 * The field and the ways to its steps are as in vtkRivuletUnsteadyFilter. Particles are kept: the next time of an
 * animation takes one more step for them, and all steps since their release for new ones.
 *
 * With several MPI ranks each one traces a share of the points. The surface is on the first rank. It does not depend on
 * ranks, threads, budget, strategy, the way to the steps, or the times requested before.
 */

#ifndef vtkRivuletStreakSurface_h
#define vtkRivuletStreakSurface_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletSeedFilter.h"

#include <memory>

namespace rivulet
{
struct StreakSurfaceSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletStreakSurface : public vtkRivuletSeedFilter
{
public:
  vtkRivuletStreakSurface(const vtkRivuletStreakSurface&) = delete;
  void operator=(const vtkRivuletStreakSurface&) = delete;
  static vtkRivuletStreakSurface* New();
  vtkTypeMacro(vtkRivuletStreakSurface, vtkRivuletSeedFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum SurfaceTypes
  {
    STREAK_SURFACE = 0,
    TIME_SURFACE = 1,
    STREAM_SURFACE = 2
  };
  enum Samplings
  {
    ADAPTIVE = 0,
    DENSE = 1
  };

  ///@{
  vtkSetClampMacro(SurfaceType, int, STREAK_SURFACE, STREAM_SURFACE);
  vtkGetMacro(SurfaceType, int);
  ///@}
  ///@{
  /** Stream surface: time along the streamlines, and number of rows of points before refinement. */
  vtkSetMacro(StreamTime, double);
  vtkGetMacro(StreamTime, double);
  vtkSetClampMacro(StreamRows, int, 1, 1000000);
  vtkGetMacro(StreamRows, int);
  ///@}
  ///@{
  /** ADAPTIVE (default), or DENSE: each cell between two points of the curve and two rows is cut into 2^DenseLevel
     times 2^DenseLevel. */
  vtkSetClampMacro(Sampling, int, ADAPTIVE, DENSE);
  vtkGetMacro(Sampling, int);
  vtkSetClampMacro(DenseLevel, int, 0, 10);
  vtkGetMacro(DenseLevel, int);
  ///@}
  ///@{
  /** Largest edge of a triangle in world units; 0 (default): a 40th of the longest side of the domain. */
  vtkSetClampMacro(LargestEdge, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(LargestEdge, double);
  ///@}
  ///@{
  /** Largest angle between neighbouring triangles in degrees; 180: folds are not refined. */
  vtkSetClampMacro(LargestAngle, double, 1.0, 180.0);
  vtkGetMacro(LargestAngle, double);
  ///@}
  ///@{
  /** Number of times that an edge may be split; the same for edges at the border of a hole. */
  vtkSetClampMacro(MaximumLevel, int, 0, 20);
  vtkGetMacro(MaximumLevel, int);
  vtkSetClampMacro(BoundaryLevel, int, 0, 20);
  vtkGetMacro(BoundaryLevel, int);
  ///@}
  ///@{
  /** Length above which an edge that may not be split any more tears the surface; 0 (default): four times LargestEdge.
   */
  vtkSetClampMacro(TearLength, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(TearLength, double);
  ///@}
  ///@{
  /** Largest number of points; the longest edges are split first. */
  vtkSetClampMacro(MaximumVertices, vtkIdType, 3, 100000000);
  vtkGetMacro(MaximumVertices, vtkIdType);
  ///@}

protected:
  vtkRivuletStreakSurface();
  ~vtkRivuletStreakSurface() override;

  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int SurfaceType = STREAK_SURFACE;
  double StreamTime = 1.0;
  int StreamRows = 16;
  int Sampling = ADAPTIVE;
  int DenseLevel = 2;
  double LargestEdge = 0.0;
  double LargestAngle = 30.0;
  int MaximumLevel = 8;
  int BoundaryLevel = 4;
  double TearLength = 0.0;
  vtkIdType MaximumVertices = 250000;

private:
  rivulet::StreakSurfaceSettings GetSettings() const;
};

#endif
