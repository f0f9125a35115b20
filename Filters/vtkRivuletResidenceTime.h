// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletResidenceTime
 * @brief Time that particles spend in regions of a flow that changes with time and need not fit into memory
 * (Core/Trace/ResidenceTimes.h).
 *
 * Port 0 takes the field (vtkRivuletUnsteadyFilter), port 1 the seeds: the points of any dataset, a lattice as well as
 * a cloud. Particles are released there at the requested time, and go for Duration. Port 2 takes closed surfaces, if
 * these are the regions.
 *
 * Output 0: the dataset of the seeds with point arrays. These have a component for each region: ResidenceTime (of the
 * first visit), ExposureTime (of all visits), FirstEntryTime (the release if it was inside), FirstExitTime (NaN: none),
 * Entries (after the release), Exits, InsideAtEnd (1: the durations are not final). One component: EndTime, and
 * ReasonForTermination as in vtkRivuletPathTracer. Durations are positive, also backward, and NaN where the data leave
 * no time, or the run was stopped before the particle began. Seeds in blocks become one set of points.
 * Output 1: a vertex for each entry and exit, with SeedId, Region, Time, and Entry (1: came in, 0: left).
 *
 * With several MPI ranks each one follows a share of the seeds. Both outputs are on the first rank.
 */

#ifndef vtkRivuletResidenceTime_h
#define vtkRivuletResidenceTime_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletUnsteadyFilter.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkDataSet;
class vtkImplicitFunction;

namespace rivulet
{
struct ResidenceTimeSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletResidenceTime : public vtkRivuletUnsteadyFilter
{
public:
  vtkRivuletResidenceTime(const vtkRivuletResidenceTime&) = delete;
  void operator=(const vtkRivuletResidenceTime&) = delete;
  static vtkRivuletResidenceTime* New();
  vtkTypeMacro(vtkRivuletResidenceTime, vtkRivuletUnsteadyFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;
  /** Includes the implicit function. */
  vtkMTimeType GetMTime() override;

  enum RegionKinds
  {
    FUNCTION = 0,
    SURFACES = 1,
    LABELS = 2
  };

  ///@{
  /** Dataset whose points are the seeds. */
  void SetSourceData(vtkDataSet* source);
  void SetSourceConnection(vtkAlgorithmOutput* output);
  ///@}
  ///@{
  /** Kind of the regions. */
  vtkSetClampMacro(RegionKind, int, FUNCTION, LABELS);
  vtkGetMacro(RegionKind, int);
  ///@}
  ///@{
  /** Implicit function; the region is where it is not positive. */
  void SetRegionFunction(vtkImplicitFunction* function);
  ///@}
  ///@{
  /** Closed surfaces: port 2. */
  void AddRegionConnection(vtkAlgorithmOutput* output) { this->AddInputConnection(2, output); }
  void RemoveAllRegions() { this->SetInputConnection(2, nullptr); }
  ///@}
  ///@{
  /** Name of an integer array of the field at points or cells, and the labels that are regions; without labels, all
      values of the array but 0. */
  void SetRegionLabelArray(const char* name);
  const char* GetRegionLabelArray() const { return this->RegionLabelArray.c_str(); }
  void AddRegionLabel(int label);
  void RemoveAllRegionLabels();
  ///@}
  ///@{
  /** FORWARD (default) or BACKWARD in time: how long particles have been in the regions. */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BACKWARD);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** Time that particles go; 0 (default): up to the end of the data. */
  vtkSetClampMacro(Duration, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(Duration, double);
  ///@}

protected:
  vtkRivuletResidenceTime();
  ~vtkRivuletResidenceTime() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int RegionKind = FUNCTION;
  vtkSmartPointer<vtkImplicitFunction> RegionFunction;
  std::string RegionLabelArray;
  std::vector<int> RegionLabels;
  int IntegrationDirection = FORWARD;
  double Duration = 0.0;

private:
  rivulet::ResidenceTimeSettings GetSettings() const;
};

#endif
