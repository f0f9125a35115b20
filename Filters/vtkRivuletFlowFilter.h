// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFlowFilter
 * @brief Base of the filters that read a flow: choice of vectors, settings of a run, and statistics of the last run.
 *
 * A run is one execution of the filter that reads the field. Its statistics are over all ranks, as in the field data.
 * They are empty or 0 before the first run and after a refused one.
 */

#ifndef vtkRivuletFlowFilter_h
#define vtkRivuletFlowFilter_h

#include "vtkDataObjectAlgorithm.h"
#include "vtkRivuletFiltersModule.h"

#include <string>

namespace rivulet
{
struct Error;
struct FilterFacts;
struct FilterSettings;
struct RunReport;
} // namespace rivulet

class VTKRIVULETFILTERS_EXPORT vtkRivuletFlowFilter : public vtkDataObjectAlgorithm
{
public:
  vtkRivuletFlowFilter(const vtkRivuletFlowFilter&) = delete;
  void operator=(const vtkRivuletFlowFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletFlowFilter, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Names of scalar arrays that are the x, y and z components of the vectors. Two or three names replace array 0 to
      process. A component without a name, or with the default name None, is 0. */
  void SetXArray(const char* name) { this->SetName(this->XArray, name); }
  const char* GetXArray() const { return this->XArray.c_str(); }
  void SetYArray(const char* name) { this->SetName(this->YArray, name); }
  const char* GetYArray() const { return this->YArray.c_str(); }
  void SetZArray(const char* name) { this->SetName(this->ZArray, name); }
  const char* GetZArray() const { return this->ZArray.c_str(); }
  ///@}

  ///@{
  /** Components of the vectors with absolute values above this stand for missing values, such as land in the flow of an
      ocean: lines end at cells with one of them as at values that are no numbers. 0 (default): none do. */
  vtkSetClampMacro(IgnoreAbove, double, 0.0, VTK_DOUBLE_MAX);
  vtkGetMacro(IgnoreAbove, double);
  ///@}

  ///@{
  /** Whether seeds beside flat data (one point along an axis) are moved across their plane into it. Off by default:
     they are outside. */
  vtkSetMacro(SeedsInPlane, bool);
  vtkGetMacro(SeedsInPlane, bool);
  vtkBooleanMacro(SeedsInPlane, bool);
  ///@}

  ///@{
  /** Settings that change no result. They act at the next run and do not modify the filter, unless the last run was
      refused or ended early. */
  /** Memory in MiB for the values read and for the bricks made of them; 0 (default) leaves the reader's budget. */
  void SetMemoryBudget(int mebibytes) { this->SetOfRun(this->MemoryBudget, mebibytes < 0 ? 0 : mebibytes); }
  vtkGetMacro(MemoryBudget, int);
  /** 0 leaves the reader's strategy; 1 Memory Map, 2 Buffered Cache, 3 Direct Cache, 4 Asynchronous. */
  void SetAccessStrategy(int strategy) { this->SetOfRun(this->AccessStrategy, strategy); }
  vtkGetMacro(AccessStrategy, int);
  /** 0 for all cores. */
  void SetNumberOfThreads(int threads) { this->SetOfRun(this->NumberOfThreads, threads < 0 ? 0 : threads); }
  vtkGetMacro(NumberOfThreads, int);
  /** Whether ranks read the bricks of a lazily paged field for each other. Off by default. */
  void SetShareBricks(bool share) { this->SetOfRun(this->ShareBricks, share); }
  vtkGetMacro(ShareBricks, bool);
  vtkBooleanMacro(ShareBricks, bool);
  /** Deprecated: has no effect, and goes with the next release. A number above 0 warns once. */
  void SetStoreRanks(int ranks);
  ///@}

  /** Text: how the last run interpreted its input, as one grid, blocks as one grid, levels, or single blocks. */
  const char* GetInputLayout() const { return this->InputLayout.c_str(); }

  ///@{
  /** Access strategy of the first rank, and the reason for it. "In Memory" if the values were in memory before; "On
      Demand" if AMR patches were read when lines entered them. */
  const char* GetStrategyInUse() const { return this->StrategyInUse.c_str(); }
  const char* GetStrategyReason() const { return this->StrategyReason.c_str(); }
  ///@}

  ///@{
  /** Bytes read by all ranks, and the largest number of bytes that one rank held at once. */
  vtkIdType GetBytesRead() const { return this->BytesRead; }
  vtkIdType GetPeakBytes() const { return this->PeakBytes; }
  ///@}

  ///@{
  /** The same in words: "2.17 MiB in 185 bricks", "624 KiB". */
  const char* GetValuesRead() const { return this->ValuesRead.c_str(); }
  const char* GetPeakMemory() const { return this->PeakMemory.c_str(); }
  ///@}

protected:
  vtkRivuletFlowFilter() = default;
  ~vtkRivuletFlowFilter() override = default;

  /** Outputs are vtkPolyData, unless a subclass says otherwise. */
  int FillOutputPortInformation(int port, vtkInformation* info) override;

  /** Settings of an execution. */
  virtual rivulet::FilterSettings GetFilterSettings();

  /** Sets a property that changes no complete result. Modifies the filter only if the last run was refused or ended
      early. */
  template <class T>
  void SetOfRun(T& setting, T value)
  {
    if (setting != value && this->Unfinished)
    {
      this->Modified();
    }
    setting = value;
  }

  /** Takes over the facts of an execution. `refused`: the error of one that was refused, which is shown, or nullptr.
      Returns the value for RequestData. */
  int Finish(const rivulet::FilterFacts& facts, const rivulet::Error* refused);

  double IgnoreAbove = 0.0;
  bool SeedsInPlane = false;
  bool Unfinished = false; ///< the last run was refused or ended early

private:
  void SetReport(const rivulet::RunReport& report);
  void ForgetReport();
  void SetName(std::string& setting, const char* name)
  {
    if (setting != (name != nullptr ? name : ""))
    {
      setting = name != nullptr ? name : "";
      this->Modified();
    }
  }

  std::string XArray = "None";
  std::string YArray = "None";
  std::string ZArray = "None";
  int MemoryBudget = 0;
  int AccessStrategy = 0;
  int NumberOfThreads = 0;
  bool ShareBricks = false;
  bool WarnedOfStoreRanks = false;
  std::string InputLayout;
  std::string StrategyInUse;
  std::string StrategyReason;
  std::string ValuesRead;
  std::string PeakMemory;
  vtkIdType BytesRead = 0;
  vtkIdType PeakBytes = 0;
};

#endif
