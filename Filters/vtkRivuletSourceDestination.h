// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletSourceDestination
 * @brief Which particles from here arrive there, when, and along which lines? Queries on a flow that changes with time
 * and need not fit into memory (Core/Trace/SourceDestination.h).
 *
 * Seeds fill the source regions. Each is released once, or again and again in a window of time, and goes forward or
 * backward for Duration. It hits a destination region when it is inside at its release or comes into it later; the
 * first arrival counts. The result does not depend on the requested time. Memory grows with the hits, not with the
 * seeds.
 *
 * Regions come from an implicit function (one region), from closed surfaces (the inside of each connection of port 1 or
 * 2, and of each block of composite data), or from the labels of an integer array of the field.
 *
 * Output 0: pathlines of the particles with hits, each up to its last arrival; point arrays as in
 * vtkRivuletPathTracer; cell arrays SeedId, ReleaseTime, Source, Destination (of the last hit) and Hits.
 * Output 1: a vertex for each hit where it arrived, with SeedId, Source, Destination, ReleaseTime, ArrivalTime,
 * Duration, Length and ReleasePoint.
 * Output 2: a table with a row for each pair of regions: Source, Destination, Released, Hits, Share.
 * Output 3: a table with a row for each bin of durations, and a column of counts for each pair.
 *
 * With several MPI ranks each one follows a share of the particles, and traces a share of the lines. Outputs 1 to 3 are
 * on the first rank.
 */

#ifndef vtkRivuletSourceDestination_h
#define vtkRivuletSourceDestination_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletReleaseFilter.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkImplicitFunction;

namespace rivulet
{
struct SourceDestinationSettings;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletSourceDestination : public vtkRivuletReleaseFilter
{
public:
  vtkRivuletSourceDestination(const vtkRivuletSourceDestination&) = delete;
  void operator=(const vtkRivuletSourceDestination&) = delete;
  static vtkRivuletSourceDestination* New();
  vtkTypeMacro(vtkRivuletSourceDestination, vtkRivuletReleaseFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;
  /** Includes the implicit functions. */
  vtkMTimeType GetMTime() override;

  enum RegionKinds
  {
    FUNCTION = 0,
    SURFACES = 1,
    LABELS = 2
  };

  ///@{
  /** Kind of the source and destination regions. */
  vtkSetClampMacro(SourceKind, int, FUNCTION, LABELS);
  vtkGetMacro(SourceKind, int);
  vtkSetClampMacro(DestinationKind, int, FUNCTION, LABELS);
  vtkGetMacro(DestinationKind, int);
  ///@}
  ///@{
  /** Implicit functions; a region is where its function is not positive. */
  void SetSourceFunction(vtkImplicitFunction* function);
  void SetDestinationFunction(vtkImplicitFunction* function);
  ///@}
  ///@{
  /** Closed surfaces: ports 1 and 2. */
  void AddSourceConnection(vtkAlgorithmOutput* output) { this->AddInputConnection(1, output); }
  void AddDestinationConnection(vtkAlgorithmOutput* output) { this->AddInputConnection(2, output); }
  void RemoveAllSources() { this->SetInputConnection(1, nullptr); }
  void RemoveAllDestinations() { this->SetInputConnection(2, nullptr); }
  ///@}
  ///@{
  /** Name of an integer array of the field at points or cells, and the labels that are regions; without labels, all
      values of the array but 0. */
  void SetSourceLabelArray(const char* name) { this->SetText(this->SourceLabelArray, name); }
  const char* GetSourceLabelArray() const { return this->SourceLabelArray.c_str(); }
  void AddSourceLabel(int label) { this->AddLabel(this->SourceLabels, label); }
  void RemoveAllSourceLabels() { this->RemoveLabels(this->SourceLabels); }
  void SetDestinationLabelArray(const char* name) { this->SetText(this->DestinationLabelArray, name); }
  const char* GetDestinationLabelArray() const { return this->DestinationLabelArray.c_str(); }
  void AddDestinationLabel(int label) { this->AddLabel(this->DestinationLabels, label); }
  void RemoveAllDestinationLabels() { this->RemoveLabels(this->DestinationLabels); }
  ///@}

  ///@{
  /** Number of seeds of a lattice around each source region (default 4096). Only seeds inside are released. */
  vtkSetClampMacro(NumberOfSeeds, vtkIdType, 1, VTK_ID_MAX);
  vtkGetMacro(NumberOfSeeds, vtkIdType);
  ///@}
  ///@{
  /** Distance between seeds in world units, instead of their number; 0 (default): not used. */
  vtkSetClampMacro(SeedSpacing, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(SeedSpacing, double);
  ///@}
  ///@{
  /** FORWARD (default) or BACKWARD in time: where particles come from. */
  vtkSetClampMacro(IntegrationDirection, int, FORWARD, BACKWARD);
  vtkGetMacro(IntegrationDirection, int);
  ///@}
  ///@{
  /** Releases: at ReleaseStart, and with a ReleaseInterval above 0 at every interval up to ReleaseEnd. Times beyond the
      data stand for the end of the data. Backward, a start at the beginning of the data (default) stands for their end,
      and an end of releases at the end of the data (default) for their beginning. */
  vtkSetMacro(ReleaseEnd, double);
  vtkGetMacro(ReleaseEnd, double);
  ///@}
  ///@{
  /** Time that particles go; 0 (default): up to the end of the data. */
  vtkSetClampMacro(Duration, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(Duration, double);
  ///@}
  ///@{
  /** Whether a particle ends at its first hit; default off: it goes on to the other destinations. */
  vtkSetMacro(EndAtFirstHit, bool);
  vtkGetMacro(EndAtFirstHit, bool);
  ///@}
  ///@{
  /** Whether to trace the lines of the particles with hits (default on). */
  vtkSetMacro(ComputeLines, bool);
  vtkGetMacro(ComputeLines, bool);
  ///@}
  ///@{
  /** Number of bins of output 3 (default 20). */
  vtkSetClampMacro(NumberOfBins, int, 1, 100000);
  vtkGetMacro(NumberOfBins, int);
  ///@}

protected:
  vtkRivuletSourceDestination();
  ~vtkRivuletSourceDestination() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  std::unique_ptr<rivulet::UnsteadyWork> MakeWork() override;

  int SourceKind = FUNCTION;
  int DestinationKind = FUNCTION;
  vtkSmartPointer<vtkImplicitFunction> SourceFunction;
  vtkSmartPointer<vtkImplicitFunction> DestinationFunction;
  std::string SourceLabelArray;
  std::string DestinationLabelArray;
  std::vector<int> SourceLabels;
  std::vector<int> DestinationLabels;
  vtkIdType NumberOfSeeds = 4096;
  double SeedSpacing = 0.0;
  int IntegrationDirection = FORWARD;
  double ReleaseEnd = VTK_DOUBLE_MAX;
  double Duration = 0.0;
  bool EndAtFirstHit = false;
  bool ComputeLines = true;
  int NumberOfBins = 20;

private:
  void SetText(std::string& text, const char* to);
  void AddLabel(std::vector<int>& labels, int label);
  void RemoveLabels(std::vector<int>& labels);
  rivulet::SourceDestinationSettings GetSettings() const;
};

#endif
